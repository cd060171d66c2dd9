import { StacClientError } from "@swath/stac";
import { CatalogError } from "../../errors.ts";
import type { Json } from "../../json.ts";
import type { OrderedPlace } from "../../order/ordered-gap.ts";
import { comparing } from "../../order/ordered-source.ts";
import { MAX_PAGE } from "../../order/page-end.ts";
import type { SortValue } from "../../order/token.ts";
import type { UpstreamPage } from "../abilities/upstream-client.ts";
import { bodyOf, type Conditions } from "../plan/upstream-bound.ts";
import type { UpstreamSearch } from "../plan/upstream-search.ts";
import { startAt } from "./upstream-start.ts";
import { firstStep, type Step } from "./upstream-step.ts";

/** A page of the upstream. */
export interface Answer {
  readonly page: UpstreamPage;
  readonly step: Step;
  /**
   * The least number of items that could not be had, and the search that the page belongs to in place of the whole one.
   */
  readonly skipped?: { readonly count: number; readonly conditions: Conditions; readonly from: SortValue };
}

/** A page that is asked for. */
export interface FaultyPage {
  readonly ask: (size: number, retries?: number) => Promise<Answer>;
  readonly size: number;
  /** Whether a page of another size can be asked for: that of a link has its own. */
  readonly isSizeFree: boolean;
  /** The direction that pages come in. */
  readonly direction: OrderedPlace["direction"];
  /** Sort values of the last item before the page. */
  readonly last: readonly SortValue[] | undefined;
}

/** Distances to look beyond an item that cannot be had: a second, an hour, ten days, a year, thirty years. */
const TIMES_MS = [1000, 3_600_000, 864_000_000, 31_536_000_000, 946_080_000_000];
const NUMBERS = [0.01, 0.1, 1, 10, 100];
/** Places that are remembered beyond items that cannot be had. */
const MAX_SKIPS = 100;
/** Milliseconds for which an upstream of which nothing could be had is not looked into again. */
const GIVEN_UP_MS = 60_000;
/** Items that are read back towards the one that cannot be had, at once. */
const BACK = 32;
/** Requests that look for items beside the one that cannot be had. */
const MOST_REQUESTS = 40;

/**
 * Reads a page. One that an upstream answers with 500, however often it is asked, while it gives others, has an item that
 * the upstream fails on: smaller pages are asked for until that item alone is left, and then those beyond it, in both
 * directions, so that it alone is missing. The answer says so.
 */
export async function readFaulty(search: UpstreamSearch, faulty: FaultyPage): Promise<Answer> {
  try {
    return await faulty.ask(faulty.size);
  } catch (error) {
    const isLookedInto = search.looksIntoFaults && search.now() >= search.memory.faultyUntil;
    if (!isFault(error) || !isLookedInto) throw error;
    const found = (await smaller(faulty)) ?? (await beyond(search, faulty));
    if (found !== undefined) return found;
    search.memory.faultyUntil = search.now() + GIVEN_UP_MS;
    throw error;
  }
}

function isFault(error: unknown): boolean {
  return error instanceof CatalogError && error.cause instanceof StacClientError && error.cause.status === 500;
}

/** The answer, `undefined` where the upstream fails on it. */
async function unlessFault<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

async function smaller({ ask, size, isSizeFree }: FaultyPage): Promise<Answer | undefined> {
  for (let less = isSizeFree ? size >> 1 : 0; less >= 1; less >>= 1) {
    const found = await unlessFault(ask(less, 0));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function beyond(search: UpstreamSearch, { direction, last, size }: FaultyPage): Promise<Answer | undefined> {
  const { known, memory } = search;
  const from = last?.[known] ?? edgeOf(search, direction);
  const key = JSON.stringify([search.conditions.body, search.sort.fields, from, direction]);
  const attempt = async (target: SortValue | undefined): Promise<Begun | undefined> => {
    const found = target === undefined ? undefined : await pageAt(search, target, direction, 1);
    // items that share the bound with the last one come again: nothing is known of those behind them
    return found !== undefined && isBehind(search, found.page, last, direction) ? found : undefined;
  };
  const single = (await attempt(memory.skips.get(key))) ?? (await nextThatWorks(search, from, direction, attempt));
  if (single === undefined) return undefined;
  if (memory.skips.size >= MAX_SKIPS) memory.skips.clear();
  memory.skips.set(key, single.from);
  const { page, ...begun } = (await pageAt(search, single.from, direction, size)) ?? single;
  const between = await back(search, page, direction, known);
  if (between === undefined) return undefined;
  return {
    page: { ...page, items: [...between, ...page.items] },
    step: firstStep(size),
    skipped: { count: 1, ...begun },
  };
}

/** Returns the value before the first item in an order by time: the end of the time that is searched. */
function edgeOf({ order, known, conditions, now }: UpstreamSearch, direction: OrderedPlace["direction"]): SortValue {
  if (order[known]?.field !== "datetime") return null;
  const { start, end } = conditions.datetime ?? {};
  const isUp = (order[known]?.direction === "asc") === (direction === "next");
  const edge = isUp ? start : (end ?? { nanoseconds: BigInt(now()) * 1_000_000n });
  return edge === undefined ? null : new Date(Number(edge.nanoseconds / 1_000_000n)).toISOString();
}

/** Whether a page begins behind the last item that was read. */
function isBehind(
  { read, order }: UpstreamSearch,
  { items }: UpstreamPage,
  last: readonly SortValue[] | undefined,
  direction: OrderedPlace["direction"],
): boolean {
  const first = items[0] && read(items[0]);
  return first === undefined || last === undefined || comparing(order, direction)(first.values, last) > 0;
}

/** The page of one item from the nearest value on from which there is one; `undefined` where there is none. */
async function nextThatWorks(
  { order, known }: UpstreamSearch,
  from: SortValue,
  direction: OrderedPlace["direction"],
  attempt: (target: SortValue | undefined) => Promise<Begun | undefined>,
): Promise<Begun | undefined> {
  const isUp = (order[known]?.direction === "asc") === (direction === "next");
  const distances = order[known]?.field === "datetime" ? TIMES_MS : NUMBERS;
  const [step = 0] = distances;
  const at = (far: number): Promise<Begun | undefined> => attempt(moved(from, isUp ? far : -far));
  let near = 0;
  for (const distance of distances) {
    let found = await at(distance);
    for (let far = distance; found !== undefined && far - near > step; ) {
      const middle = (near + far) / 2;
      const nearer = await at(middle);
      if (nearer === undefined) near = middle;
      else [far, found] = [middle, nearer];
    }
    if (found !== undefined) return found;
    near = distance;
  }
  return undefined;
}

function moved(value: SortValue, by: number): SortValue | undefined {
  if (typeof value === "number") return value + by;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time + by).toISOString();
}

interface Begun {
  readonly page: UpstreamPage;
  readonly conditions: Conditions;
  readonly from: SortValue;
}

/** A page from a value of the first field on, as a search of its own; `undefined` where the upstream fails on it. */
async function pageAt(
  search: UpstreamSearch,
  from: SortValue,
  direction: OrderedPlace["direction"],
  size: number,
): Promise<Begun | undefined> {
  const { client, sort, signal } = search;
  const conditions = startAt(search, from, direction)?.conditions;
  if (conditions === undefined || conditions === "empty") return undefined;
  const sortby = direction === "next" ? sort.fields : sort.reversed;
  const body: Json = { ...bodyOf(conditions), sortby, limit: size };
  const page = await unlessFault(client.search(body, { signal, hasToken: false, retries: 0 }));
  return page === undefined ? undefined : { page, conditions, from };
}

/**
 * The items between the one that cannot be had and a page beyond it, in the direction of the page; `undefined` where
 * there are too many of them.
 */
async function back(
  search: UpstreamSearch,
  { items }: UpstreamPage,
  direction: OrderedPlace["direction"],
  known: number,
): Promise<Json[] | undefined> {
  const found: Json[] = [];
  const turned = direction === "next" ? "prev" : "next";
  const keys = new Set(items.map(keyOf));
  let at = firstValueOf(search, items[0], known);
  let size = BACK;
  for (let requests = 0; requests < MOST_REQUESTS; requests++) {
    // the first item of a page is one that is there already
    if (at === undefined || size <= 1) return found;
    const more = await pageAt(search, at, turned, size);
    const fresh = more?.page.items.filter((item) => !keys.has(keyOf(item))) ?? [];
    for (const item of fresh) keys.add(keyOf(item));
    found.unshift(...fresh.toReversed());
    if (more === undefined) size >>= 1;
    else if (more.page.items.length < size) return found;
    // all of them share the bound with the last one: more are asked for
    else if (fresh.length === 0) size *= 2;
    else at = firstValueOf(search, fresh.at(-1), known);
    if (size > MAX_PAGE) return undefined;
  }
  return undefined;
}

function firstValueOf({ read }: UpstreamSearch, item: Json | undefined, known: number): SortValue | undefined {
  return item === undefined ? undefined : read(item)?.values[known];
}

function keyOf(item: Json): string {
  return `${String(item.collection ?? "")}/${String(item.id)}`;
}
