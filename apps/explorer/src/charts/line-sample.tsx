import type { JSX } from "preact";
import { legendPoints, MARK_COLORS } from "./marks.ts";

/** The sample of a line in a legend. */
export function LineSample({ index }: { readonly index: number }): JSX.Element {
  const points = legendPoints(index);
  return (
    <svg
      class={`sample mark-${(index % MARK_COLORS) + 1}`}
      viewBox="0 0 12 12"
      width="12"
      height="12"
      aria-hidden="true"
    >
      {points === undefined ? <circle cx="6" cy="6" r="4.6" /> : <polygon points={points} />}
    </svg>
  );
}
