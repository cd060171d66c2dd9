import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Width of the handle, which does not leave the map. */
const HANDLE = "2.75rem";

interface BorderProps {
  /** Place of the border, percent of the width. */
  readonly at: number;
  /** Names of the images. */
  readonly left: string;
  readonly right: string;
  /** Whether the right image is on its way. */
  readonly isLoading: boolean;
  readonly onMove: (at: number) => void;
}

/** The border between two images, which is moved by pointer, finger or arrow keys. It lies in the element that holds the maps. */
export function Border({ at, left, right, isLoading, onMove }: BorderProps): JSX.Element {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const share = at / 100;
    layer.current?.parentElement?.style.setProperty("--swipe", `calc(${share} * (100% - ${HANDLE}) + ${HANDLE} / 2)`);
  }, [at]);
  return (
    <div class="swipe" ref={layer}>
      <div class="swipe-line" />
      <p class="swipe-name left">{left}</p>
      <p class={isLoading ? "swipe-name right is-loading" : "swipe-name right"}>{right}</p>
      <input
        type="range"
        class="swipe-slider"
        aria-label="Border between the images"
        aria-valuetext={`${at} % of the width. Left: ${left}. Right: ${right}.`}
        min={0}
        max={100}
        value={at}
        onInput={(event) => onMove(Number(event.currentTarget.value))}
      />
    </div>
  );
}
