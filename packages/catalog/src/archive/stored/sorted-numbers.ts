/** Rank of an item without a value. */
export const NO_RANK = 0xffffffff;

/** Ranks of items by their position, lower than the number of items, and whether the highest comes first. */
interface RankedBy {
  readonly ranks: Uint32Array;
  readonly isDescending: boolean;
}

/**
 * Positions sorted by some ranks, the first of which weighs most; those without a value come last in both directions. It
 * counts instead of comparing, so that a million items take no second.
 */
export function sortByRanks(size: number, by: readonly RankedBy[]): Uint32Array {
  let sorted = new Uint32Array(size).map((_, i) => i);
  for (const { ranks, isDescending } of [...by].reverse()) {
    const bucketOf = (position: number): number => {
      const rank = ranks[position] as number;
      if (rank === NO_RANK) return size;
      return isDescending ? size - 1 - rank : rank;
    };
    const starts = new Uint32Array(size + 2);
    for (let position = 0; position < size; position++) (starts[bucketOf(position) + 1] as number)++;
    for (let i = 1; i < starts.length; i++) starts[i] = (starts[i] as number) + (starts[i - 1] as number);
    const next = new Uint32Array(size);
    for (const position of sorted) {
      const bucket = bucketOf(position);
      next[starts[bucket] as number] = position;
      (starts[bucket] as number)++;
    }
    sorted = next;
  }
  return sorted;
}

/** For each position the number of lower values; `NO_RANK` for NaN. */
export function ranksOf(numbers: Float64Array): Uint32Array {
  return ranksIn(numbers.filter((value) => !Number.isNaN(value)).sort(), numbers);
}

function ranksIn(sorted: Float64Array, numbers: Float64Array): Uint32Array {
  return Uint32Array.from(numbers, (value) => (Number.isNaN(value) ? NO_RANK : lowerBound(sorted, value)));
}

function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A number of each item, sorted: those within a range are found without a look at the others. */
export class SortedNumbers {
  /** Without NaN. */
  readonly #numbers: Float64Array;
  readonly #positions: Uint32Array;

  /** @param numbers by position; NaN where an item has none. */
  constructor(numbers: Float64Array) {
    this.#numbers = numbers.filter((value) => !Number.isNaN(value)).sort();
    const ranks = ranksIn(this.#numbers, numbers);
    this.#positions = sortByRanks(numbers.length, [{ ranks, isDescending: false }]);
  }

  get bytes(): number {
    return this.#numbers.byteLength + this.#positions.byteLength;
  }

  /** Positions whose number is `low` or more, and less than `high`. */
  within(low: number, high: number): Uint32Array {
    return this.#positions.subarray(lowerBound(this.#numbers, low), lowerBound(this.#numbers, high));
  }

  /** Positions that have no number. */
  get without(): Uint32Array {
    return this.#positions.subarray(this.#numbers.length);
  }
}
