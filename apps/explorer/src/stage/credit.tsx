import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { creditLine } from "../map/credit-line.ts";
import { useExplorer } from "../state/explorer.ts";

/** Shows the credit for the images and the base map. Elements above it leave space for all its lines. */
export function Credit(): JSX.Element {
  const { drawn, right, collection, shown, isSynthetic, hasNames, map } = useExplorer();
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = line.current;
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      element.parentElement?.style.setProperty("--credit", `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <p class="credit" ref={line}>
      {creditLine(drawn.value, collection.value, shown.value, {
        isSynthetic,
        hasNames: hasNames.value,
        base: map.value?.base.value,
        other: right.value,
      })}
    </p>
  );
}
