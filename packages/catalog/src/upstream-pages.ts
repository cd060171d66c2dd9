import type { Item } from "./item.ts";
import type { Json } from "./json.ts";

/** One page of the upstream. */
export interface UpstreamAnswer {
  readonly items: readonly Json[];
  readonly matched: number | undefined;
  /** The upstream's token of the following page; absent from the last one, but not only there. */
  readonly next: string | undefined;
}

/** How pages of the upstream are read, in one direction from a cursor. */
export interface Walk {
  /** Asks for `size` items after `cursor`. */
  readonly ask: (size: number, cursor: string | undefined) => Promise<UpstreamAnswer>;
  /** The service's form of an item, `undefined` where the search does not match it. */
  readonly accept: (upstream: Json) => Item | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Remaining items of the upstream in this direction, where it is known; without it, the total decides. */
  readonly remaining: (matched: number | undefined) => number | undefined;
  /** Whether an item defines a position in the sort order, so that a page may end within a page of the upstream. */
  readonly isTotal: boolean;
  /** Whether `accept` may refuse items, so that it takes more of them to fill a page. */
  readonly isFiltered: boolean;
  readonly maxPage: number;
  /** Whether the page ends with what was found, although it is not full. */
  readonly mustEnd: (walked: { readonly answers: number; readonly passed: number }) => boolean;
}

interface Taken {
  readonly upstream: Json;
  readonly item: Item;
  /** How many items of the upstream the walk had passed with this one. */
  readonly passed: number;
}

export interface Walked {
  /** At most `limit`. */
  readonly taken: readonly Taken[];
  readonly matched: number | undefined;
  /** Whether something follows. */
  readonly more: boolean;
  /** The upstream's token for what follows, where the page ends with an answer. */
  readonly cursor: string | undefined;
  readonly passed: number;
}

/**
 * Requests pages until the result is full and it is known whether something follows. Where an item defines a position,
 * one item more than needed is requested, so that the end is found without another request; else the upstream's total
 * decides, and failing that the next page. A walk that refuses most items ends when `mustEnd` says so, with a
 * page that is not full.
 */
export async function walk(options: Walk): Promise<Walked> {
  const { limit, maxPage, isTotal, isFiltered } = options;
  const taken: Taken[] = [];
  let { cursor } = options;
  let passed = 0;
  for (let answers = 1; ; answers++) {
    const wanted = limit - taken.length + (isTotal ? 1 : 0);
    const size = isTotal && isFiltered && answers > 1 ? maxPage : Math.min(maxPage, wanted);
    const answer = await options.ask(size, cursor);
    for (const upstream of answer.items) {
      passed += 1;
      const item = options.accept(upstream);
      if (item !== undefined) taken.push({ upstream, item, passed });
    }
    const page = { taken: taken.slice(0, limit), matched: answer.matched, passed };
    if (taken.length > limit) return { ...page, more: true, cursor: undefined };
    const remaining = options.remaining(answer.matched);
    if (answer.next === undefined || answer.items.length === 0 || (remaining !== undefined && passed >= remaining)) {
      return { ...page, more: false, cursor: undefined };
    }
    const isFull = taken.length === limit;
    if ((isFull && remaining !== undefined && !(isFiltered && isTotal)) || options.mustEnd({ answers, passed })) {
      return { ...page, more: true, cursor: answer.next };
    }
    if (isFull && !isTotal) {
      const following = await options.ask(1, answer.next);
      return { ...page, more: following.items.length > 0, cursor: answer.next };
    }
    cursor = answer.next;
  }
}
