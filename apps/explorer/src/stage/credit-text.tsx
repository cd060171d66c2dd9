import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useSpaceAbove } from "../ui/space-above.ts";

/** The credit line of a map. Elements above it leave space for all its lines. */
export function CreditText({ text }: { readonly text: string }): JSX.Element {
  const line = useRef<HTMLParagraphElement>(null);
  useSpaceAbove(line, "--credit");
  return (
    <p class="credit" ref={line}>
      {text}
    </p>
  );
}
