/** Match lists of the last searches, in arrays that are used again and again: a client that walks through pages filters once. */
export class MatchLists {
  readonly #size: number;
  readonly #count: number;
  /** The least recently used comes first. */
  readonly #lists = new Map<string, { readonly array: Uint32Array; readonly length: number }>();

  /** @param size longest list. @param count lists that are kept. */
  constructor(size: number, count: number) {
    this.#size = size;
    this.#count = count;
  }

  get bytes(): number {
    return this.#lists.size * this.#size * 4;
  }

  /**
   * The list of a search; where it is not kept, `fill` writes it and says how long it is. It is valid until the next call.
   */
  get(key: string, fill: (array: Uint32Array) => number): Uint32Array {
    const known = this.#lists.get(key);
    if (known !== undefined) {
      this.#lists.delete(key);
      this.#lists.set(key, known);
      return known.array.subarray(0, known.length);
    }
    const array = this.#free();
    const length = fill(array);
    this.#lists.set(key, { array, length });
    return array.subarray(0, length);
  }

  #free(): Uint32Array {
    const [oldest] = this.#lists;
    if (oldest === undefined || this.#lists.size < this.#count) return new Uint32Array(this.#size);
    this.#lists.delete(oldest[0]);
    return oldest[1].array;
  }
}
