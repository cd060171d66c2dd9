import { NAMED_REFUSALS } from "./limits.ts";

/** The files of a folder that are not served, with the reasons: the first files by name, all by count. */
export class Refusals {
  readonly #named: string[] = [];
  #count = 0;

  /** @param path relative to the folder. @param reason in words, without the path. */
  add(path: string, reason: string): void {
    this.#count++;
    // names may hold line ends
    if (this.#named.length < NAMED_REFUSALS) this.#named.push(`${JSON.stringify(path).slice(0, 300)}: ${reason}`);
  }

  get count(): number {
    return this.#count;
  }

  /** One line for each named file, and one for the rest. */
  lines(): readonly string[] {
    const more = this.#count - this.#named.length;
    return more === 0 ? this.#named : [...this.#named, `and ${more} more`];
  }
}
