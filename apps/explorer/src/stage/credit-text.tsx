import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** The credit line of a map. Elements above it leave space for all its lines. */
export function CreditText({ text }: { readonly text: string }): JSX.Element {
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
      {text}
    </p>
  );
}
