import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Keeps the height of an element in a variable of its parent's styles: what stands above it leaves as much space. */
export function useSpaceAbove(
  inside: RefObject<HTMLElement | null>,
  variable: `--${string}`,
  elementOf: (inside: HTMLElement) => HTMLElement | null = (element) => element,
): void {
  useEffect(() => {
    const element = inside.current && elementOf(inside.current);
    if (element === null) return;
    const observer = new ResizeObserver(() =>
      element.parentElement?.style.setProperty(variable, `${element.offsetHeight}px`),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}
