import type { SortField } from "@swath/query";
import { CatalogError } from "../errors.ts";
import { itemKey } from "../item/processings.ts";
import type { OrderedPlace } from "./ordered-gap.ts";
import {
  type Batch,
  comparing,
  type Entry,
  type Mark,
  type OrderedSource,
  relationOf,
  type SourceReader,
} from "./ordered-source.ts";
import type { PageEnd } from "./page-end.ts";
import type { SortValue } from "./token.ts";

export interface OrderedRead {
  readonly sources: readonly OrderedSource[];
  readonly order: readonly SortField[];
  readonly place: OrderedPlace | undefined;
  /** Items of the page, at least 1. */
  readonly limit: number;
  readonly mustEnd: PageEnd;
  /** Whether the counts of a source are those of the whole search, where none of its items was refused. */
  readonly isCounted: boolean;
}

/** An item of a page, or one that was passed, and the source that it came from. */
export interface Placed {
  readonly values: readonly SortValue[];
  readonly mark: Mark;
  /** Index of the source. */
  readonly source: number;
}

/** The entries that were read for a page. */
export interface OrderedResult {
  /** In the direction of the walk, at most `limit`. */
  readonly entries: readonly (Entry & Placed)[];
  /** Whether something follows in the direction of the walk. */
  readonly more: boolean;
  /** The place that the walk has passed beyond the entries, because a page that cost too much was ended. */
  readonly cut: Placed | undefined;
  /** All matches, where they were counted; `null` where the upstream's count is known to be wrong. */
  readonly total: number | null | undefined;
  readonly unreadable: number;
  /** Matches that a source has counted, whether they are all or not. */
  readonly matched: number | undefined;
  /** Items that the sources gave. */
  readonly passed: number;
}

/** A source on its way. */
interface Live {
  readonly index: number;
  readonly source: OrderedSource;
  reader: SourceReader | undefined;
  readonly open: () => SourceReader;
  /** Values, or the first of them, before which nothing of the source comes any more. */
  frontier: readonly SortValue[];
  /** The last item that was read. */
  last: Batch["last"];
  /** The last item before those that share the values that the source follows with `last`. */
  closed: Batch["last"];
  isOver: boolean;
}

/**
 * Reads one page of a search from its sources, in a total order. Each source is read only as far as is needed to know
 * that it has nothing before the last item of the page. An item that comes from several sources, or again on a later
 * page of one, is given once. The page bounds the memory: of a source without order, the first of all its items are
 * held.
 *
 * @throws {CatalogError} `too-many` where a source has more items to sort than a page may read; as the sources do.
 */
export async function readOrdered(read: OrderedRead): Promise<OrderedResult> {
  const { order, place, limit, mustEnd, isCounted } = read;
  const direction = place?.direction ?? "next";
  const compare = comparing(order, direction);
  const live = openSources(read, direction);
  const found = new Found(limit + 1, compare);
  const before = place === undefined ? 0 : place.gap.before;
  let total = place?.gap.total;
  let matched: number | undefined;
  let [passed, unreadable] = [0, 0];
  for (let answers = 0; ; answers++) {
    const open = live.filter(({ isOver }) => !isOver);
    // how many items are there in the direction, as far as it is known
    const left =
      direction === "prev" ? before : !isCounted || total == null || before === undefined ? undefined : total - before;
    const isEnough = left !== undefined && found.entries.length >= left;
    if (open.length === 0 || isEnough)
      return { ...found.page(limit), cut: undefined, total, matched, unreadable, passed };
    const wanted = left !== undefined && left > limit ? limit : limit + 1;
    const last = found.entries[wanted - 1];
    const blocking =
      last === undefined ? firstOf(open, compare) : open.filter((each) => !isBeyond(each, last, compare));
    if (blocking.length === 0)
      return { ...found.page(limit), more: true, cut: undefined, total, matched, unreadable, passed };
    // where the sources that were read are over, the next one is begun
    const isBegun = open.some(({ reader }) => reader !== undefined);
    if (isBegun && mustEnd({ answers, passed, atOnce: blocking.length })) {
      const cut = cutOf(open, compare);
      const entries = found.entries.filter(({ values }) => compare(values, cut.values) <= 0).slice(0, limit);
      return { entries, more: true, cut, total, matched, unreadable, passed };
    }
    const batches = await Promise.all(
      blocking.map((each) => {
        each.reader ??= each.open();
        return each.reader.read(Math.max(1, wanted - found.entries.length));
      }),
    );
    for (const [i, batch] of batches.entries()) {
      advance(blocking[i] as Live, batch, compare);
      for (const entry of batch.entries) found.add({ ...entry, source: (blocking[i] as Live).index });
      passed += batch.passed;
      unreadable += batch.unreadable ?? 0;
      if (batch.hasRefused) total = null;
      matched ??= batch.matched;
      if (!batch.hasRefused && isCounted && total === undefined) total = batch.matched;
    }
  }
}

/** The sources that have items behind the place. */
function openSources({ sources, order, place }: OrderedRead, direction: OrderedPlace["direction"]): Live[] {
  const steps = new Map(place?.gap.steps?.map(([source, step, from]) => [source, { step, from }]));
  return sources.flatMap((source, index): Live[] => {
    const { constants, follows } = source;
    const relation = place === undefined ? "before" : relationOf(source, place, order);
    if (relation === "behind") return [];
    const isAmong = relation === "among" && place !== undefined;
    const lead = leadOf(source, order, direction);
    const reached = isAmong ? place.gap.values.slice(0, Math.max(constants.length, follows)) : constants;
    return [
      {
        index,
        source,
        reader: undefined,
        open: () => source.open(isAmong ? place : undefined, direction, isAmong ? steps.get(index) : undefined),
        frontier: later(lead, reached, comparing(order, direction)),
        last: undefined,
        closed: undefined,
        isOver: false,
      },
    ];
  });
}

/** The later one of two places that are known by their first values. */
function later(a: readonly SortValue[], b: readonly SortValue[], compare: Compare): readonly SortValue[] {
  const difference = compare(a, b);
  return difference > 0 || (difference === 0 && a.length > b.length) ? a : b;
}

/** Text that comes behind all others. */
const LAST_TEXT = "\u{ffff}";

/** The first values that an item of a source can have, in a direction. */
function leadOf(
  { constants, leads, hasValue }: OrderedSource,
  order: readonly SortField[],
  direction: OrderedPlace["direction"],
): readonly SortValue[] {
  if (leads !== undefined) return [...constants, leads[direction]];
  if (!hasValue) return constants;
  // items without a value come behind all others, or before them on the way back
  const isAscending = (order[constants.length]?.direction === "asc") === (direction === "next");
  return [...constants, isAscending ? Number.NEGATIVE_INFINITY : LAST_TEXT];
}

type Compare = (a: readonly SortValue[], b: readonly SortValue[]) => number;

/** The sources of which the next item of all may come. */
function firstOf(open: readonly Live[], compare: Compare): Live[] {
  return open.filter(({ frontier }) => !open.some((other) => compare(other.frontier, frontier) < 0));
}

/** Whether all that a source still has comes after an item. */
function isBeyond({ source, reader, frontier }: Live, { values }: Entry, compare: Compare): boolean {
  const difference = compare(frontier, values);
  return difference > 0 || (difference === 0 && source.isTotal && reader !== undefined && frontier.length > 0);
}

function advance(live: Live, batch: Batch, compare: Compare): void {
  const { source, last } = live;
  live.isOver = batch.isOver;
  if (batch.last === undefined || !batch.isOrdered) return;
  const reached = batch.last.values.slice(0, source.follows);
  if (last !== undefined && compare(last.values.slice(0, source.follows), reached) < 0) live.closed = last;
  live.last = batch.last;
  if (source.follows > source.constants.length) live.frontier = reached;
}

/** Returns the place that every source has passed, where a walk ends before its page is full. */
function cutOf(open: readonly Live[], compare: Compare): Placed {
  // a source that was not read yet stands behind those that were
  const read = open.filter(({ reader }) => reader !== undefined);
  const reached = read.flatMap(({ index, source, last, closed }): Placed[] => {
    const passed = source.isTotal ? last : closed;
    return passed === undefined ? [] : [{ ...passed, source: index }];
  });
  const [first, ...others] = reached;
  if (first === undefined || reached.length < read.length) {
    throw new CatalogError("too-many", "More items match than can be sorted here: ask for less time or area.");
  }
  return others.reduce((a, b) => (compare(b.values, a.values) < 0 ? b : a), first);
}

/** The first items of those that were added, each once. */
class Found {
  readonly entries: (Entry & Placed)[] = [];
  readonly #most: number;
  readonly #compare: Compare;
  readonly #keys = new Set<string>();

  constructor(most: number, compare: Compare) {
    this.#most = most;
    this.#compare = compare;
  }

  add(entry: Entry & Placed): void {
    const last = this.entries.at(-1);
    if (this.entries.length >= this.#most && last !== undefined && this.#compare(entry.values, last.values) >= 0)
      return;
    const key = itemKey(entry.item);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    let [low, high] = [0, this.entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare((this.entries[middle] as Entry & Placed).values, entry.values) <= 0) low = middle + 1;
      else high = middle;
    }
    this.entries.splice(low, 0, entry);
    if (this.entries.length <= this.#most) return;
    const dropped = this.entries.pop();
    // it may come again, and belong to the page then
    if (dropped !== undefined) this.#keys.delete(itemKey(dropped.item));
  }

  page(limit: number): { readonly entries: readonly (Entry & Placed)[]; readonly more: boolean } {
    return { entries: this.entries.slice(0, limit), more: this.entries.length > limit };
  }
}
