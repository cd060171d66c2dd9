import type { Item } from "./item.ts";
import type { Json } from "./json.ts";
import type { PageEnd } from "./page-end.ts";

/** One page of the upstream. */
export interface UpstreamAnswer {
  readonly items: readonly Json[];
  readonly matched: number | undefined;
  /** The upstream's token of the following page; absent from the last one, but not only there. */
  readonly next: string | undefined;
}

/** How pages of the upstream are read, in one direction from a cursor. */
export interface Walk {
  /** Asks for `size` items after `cursor`; `undefined` where the upstream's tokens are not made of sort values. */
  readonly ask: (size: number, cursor: string | undefined) => Promise<UpstreamAnswer | undefined>;
  /** The service's form of an item, `undefined` where the search does not match it. */
  readonly accept: (upstream: Json) => Item | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
  /** Remaining items of the upstream in this direction, where it is known; without it, the total decides. */
  readonly remaining: (matched: number | undefined) => number | undefined;
  /** Whether `accept` may refuse items, so that it takes more of them to fill a page. */
  readonly isFiltered: boolean;
  readonly maxPage: number;
  readonly mustEnd: PageEnd;
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
 * Requests pages by tokens made of sort values until the result is full and it is known whether something follows. One
 * item more than needed is requested, so that the end is found without another request. A walk that refuses most items
 * ends when `mustEnd` says so with a page that is not full.
 */
export async function walk(options: Walk): Promise<Walked | undefined> {
  const { limit, maxPage, isFiltered } = options;
  const taken: Taken[] = [];
  let { cursor } = options;
  let passed = 0;
  for (let answers = 1; ; answers++) {
    const size = isFiltered && answers > 1 ? maxPage : Math.min(maxPage, limit - taken.length + 1);
    const answer = await options.ask(size, cursor);
    if (answer === undefined) return undefined;
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
    if ((isFull && remaining !== undefined && !isFiltered) || options.mustEnd({ answers, passed })) {
      return { ...page, more: true, cursor: answer.next };
    }
    cursor = answer.next;
  }
}
