import { itemTime } from "@swath/query";
import type { AggregationName, CountRequest } from "@swath/query/aggregation";
import { bucketOf, type CountedItem } from "./buckets.ts";
import { type Count, type Counts, compareTimes } from "./counts.ts";

/** Counts items one after the other. It keeps the counts alone. */
export class Tally {
  readonly #request: CountRequest;
  readonly #buckets: readonly (readonly [AggregationName, Map<string, number>])[];
  #counted = 0;
  #first: string | null = null;
  #last: string | null = null;

  constructor(request: CountRequest) {
    this.#request = request;
    this.#buckets = request.names.map((name) => [name, new Map<string, number>()]);
  }

  get counted(): number {
    return this.#counted;
  }

  add(item: CountedItem): void {
    this.#counted += 1;
    const time = itemTime(item.properties);
    if (time !== null) {
      if (this.#first === null || compareTimes(time, this.#first) < 0) this.#first = time;
      if (this.#last === null || compareTimes(time, this.#last) > 0) this.#last = time;
    }
    for (const [name, buckets] of this.#buckets) {
      const key = bucketOf(name, item, this.#request.interval);
      if (key !== undefined) buckets.set(key, (buckets.get(key) ?? 0) + 1);
    }
  }

  /**
   * The counts of what was added.
   *
   * @param isWhole whether that is all that matches.
   * @param matched all that matches, where it is known although not all was added.
   */
  counts(isWhole: boolean, matched?: number): Counts {
    const shared = { counted: this.#counted, isWhole };
    const counts = this.#buckets.map(([name, buckets]): [AggregationName, Count] => {
      if (name === "total_count" && !isWhole && matched !== undefined && matched >= this.#counted) {
        return [name, { buckets, value: matched, counted: matched, isWhole: true }];
      }
      return [name, { buckets, ...this.#valueOf(name), ...shared }];
    });
    return { counts: new Map(counts) };
  }

  #valueOf(name: AggregationName): Pick<Count, "value"> {
    if (name === "total_count") return { value: this.#counted };
    if (name === "datetime_min") return { value: this.#first };
    return name === "datetime_max" ? { value: this.#last } : {};
  }
}

/** Items that are counted at once: others of the thread's tasks get their turn between two such parts. */
const AT_ONCE = 5000;

/**
 * Counts items that are in memory, in parts.
 *
 * @throws the signal's reason once that aborts.
 */
export async function tallied(
  count: number,
  itemAt: (index: number) => CountedItem,
  request: CountRequest,
  signal: AbortSignal | undefined,
): Promise<Counts> {
  const tally = new Tally(request);
  for (let start = 0; start < count; start += AT_ONCE) {
    if (start > 0) await new Promise((resolve) => setTimeout(resolve, 0));
    signal?.throwIfAborted();
    for (let i = start; i < Math.min(count, start + AT_ONCE); i++) tally.add(itemAt(i));
  }
  return tally.counts(true);
}
