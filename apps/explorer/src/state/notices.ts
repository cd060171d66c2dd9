import { type ReadonlySignal, signal } from "@preact/signals";
import type { Problem } from "../api/api-error.ts";

/** A message over the map: words, or a problem document. */
export type Notice =
  | { readonly kind: "words"; readonly text: string }
  | {
      readonly kind: "problem";
      readonly problem: Problem;
      /** Does again what failed; absent: nothing can. */
      readonly retry?: (() => void) | undefined;
    };

/** The one message that lies over the map. */
export class Notices {
  readonly #current = signal<Notice | undefined>(undefined);

  get current(): ReadonlySignal<Notice | undefined> {
    return this.#current;
  }

  say(text: string): void {
    this.#current.value = { kind: "words", text };
  }

  report(problem: Problem, retry?: () => void): void {
    this.#current.value = { kind: "problem", problem, retry };
  }

  /** Takes away a problem that is over; words stay. */
  recover(): void {
    if (this.#current.peek()?.kind === "problem") this.clear();
  }

  clear(): void {
    this.#current.value = undefined;
  }
}
