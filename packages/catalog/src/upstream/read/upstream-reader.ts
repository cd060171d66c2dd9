import type { SortField } from "@swath/query";
import { CatalogError } from "../../errors.ts";
import { itemKey } from "../../item/processings.ts";
import type { Json } from "../../json.ts";
import type { OrderedPlace } from "../../order/ordered-gap.ts";
import {
  type Batch,
  comparing,
  type Entry,
  type Mark,
  type SourceReader,
  type SourceStep,
} from "../../order/ordered-source.ts";
import { MAX_PAGE } from "../../order/page-end.ts";
import type { SortValue } from "../../order/token.ts";
import type { UpstreamPage } from "../abilities/upstream-client.ts";
import { bodyOf, boundKey } from "../plan/upstream-bound.ts";
import { cursorAt, isMadeOfValues, upstreamValue } from "../plan/upstream-order.ts";
import type { Read, UpstreamSearch } from "../plan/upstream-search.ts";
import { type Answer, readFaulty } from "./upstream-fault.ts";
import { isIncluded, type PageAt, startAt, startOf } from "./upstream-start.ts";
import { firstStep, isFirst, posted, type Step, stepText, toPageRequest, toStep } from "./upstream-step.ts";

/** An upstream sorts a field otherwise than it is said to: the service has to sort it. */
export class DisorderError extends Error {
  override readonly name = "DisorderError";
  readonly field: string;

  constructor(field: string) {
    super(`The upstream sorts by "${field}" in an order of its own.`);
    this.field = field;
  }
}

/** Page of a search of which items are dropped here, where links lead to pages of the same size. */
const FILTERED_PAGE = 100;
/** Least page of items that share what the upstream sorts by. */
const CLOSING_PAGE = 25;
/** More items than these that share a bound are not passed again: the page is remembered. */
const MANY_TIES = 200;
/** Milliseconds, in characters of a time: servers keep no more of it in an order. */
const TO_MILLISECONDS = 23;

/**
 * Reads a search of an upstream from a place on. A place outlives every token of the upstream, and there is a way back
 * also where the upstream gives none: see `startOf`.
 *
 * @throws {CatalogError} as the client does; {DisorderError}.
 */
export class UpstreamReader implements SourceReader {
  readonly #search: UpstreamSearch;
  readonly #place: OrderedPlace | undefined;
  readonly #direction: OrderedPlace["direction"];
  readonly #compare: (a: readonly SortValue[], b: readonly SortValue[]) => number;
  readonly #fields: readonly SortField[];
  readonly #isForwards: boolean;
  readonly #begun: PageAt["kind"];
  readonly #seen = new Set<string>();
  readonly #steps = new Set<string>();
  /** Body of the search; `undefined` where nothing is left to search for. */
  #body: Json | undefined;
  #from: SortValue;
  #next: PageAt;
  #answers = 0;
  #least = 1;
  #ties: { readonly key: SortValue; readonly count: number | undefined };
  #last: Read | undefined;

  constructor(
    search: UpstreamSearch,
    place: OrderedPlace | undefined,
    direction: OrderedPlace["direction"],
    step: SourceStep | undefined,
  ) {
    const { order, known, sort } = search;
    const start = startOf(search, place, direction, step);
    this.#search = search;
    this.#place = place;
    this.#direction = direction;
    this.#compare = comparing(order, direction);
    this.#isForwards = start.isForwards;
    this.#fields = direction === "next" || !start.isForwards ? sort.fields : sort.reversed;
    this.#body = start.conditions === "empty" ? undefined : this.#bodyOf(start.conditions);
    this.#from = start.from;
    this.#next = start.at;
    this.#begun = start.at.kind;
    const value = place?.gap.values[known];
    const isNew = start.at.kind === "first";
    this.#ties = {
      key: value === undefined ? null : this.#keyOf(value),
      // a search that begins at its bound passes all items that share it
      count: isNew ? 0 : direction === "next" ? place?.gap.ties : undefined,
    };
  }

  async read(wanted: number): Promise<Batch> {
    const body = this.#body;
    if (body === undefined) return { entries: [], passed: 0, isOver: true, isOrdered: false, hasRefused: false };
    const at = this.#next;
    const size = this.#sizeFor(wanted);
    const answer = await readFaulty(this.#search, {
      ask: (limit, retries) => this.#ask(body, at, limit, retries),
      size,
      isSizeFree: at.kind !== "step" || isFirst(at.step),
      direction: this.#isForwards ? this.#direction : "next",
      last: this.#last?.values ?? this.#place?.gap.values,
    });
    this.#answers += 1;
    if (answer.skipped !== undefined) {
      this.#body = this.#bodyOf(answer.skipped.conditions);
      this.#from = answer.skipped.from;
    }
    return this.#batch(answer, answer.skipped === undefined ? at : { kind: "first" }, size);
  }

  #bodyOf(conditions: Parameters<typeof bodyOf>[0]): Json {
    return { ...bodyOf(conditions), ...(this.#fields.length === 0 ? {} : { sortby: this.#fields }) };
  }

  /** Items to ask for, so that a page of the service is full with one request where nothing is dropped. */
  #sizeFor(wanted: number): number {
    const { isFiltered, sort, abilities, memory } = this.#search;
    const most = Math.min(MAX_PAGE, abilities.kind.paging.size);
    if ((isFiltered && this.#answers > 0) || this.#isScan()) return most;
    const { gap, direction } = this.#place ?? {};
    // those at the bound come again, and one more shows that no further one shares the values of the last
    const isBounded = this.#answers === 0 && this.#from !== null && gap !== undefined;
    const again = isBounded ? (direction === "next" ? (gap.ties ?? 1) : 1) : 0;
    // those that share the values of the last item come together
    const isClosing = this.#answers > 0 && !sort.isTotal;
    const size = Math.min(most, Math.max(isClosing ? CLOSING_PAGE : 1, wanted + again + (sort.isTotal ? 0 : 1)));
    const hasLinks = abilities.kind.paging.tokens === "own" || memory.isMadeOfValues === false;
    return Math.max(this.#least, isFiltered && hasLinks ? Math.max(size, Math.min(most, FILTERED_PAGE)) : size);
  }

  /** Whether all items are passed, from the first one on: the service sorts them, or has no bound to begin at. */
  #isScan(): boolean {
    const { sort, known, order } = this.#search;
    if (sort.follows === known && known < order.length) return true;
    return this.#place !== undefined && this.#begun === "first" && this.#from === null;
  }

  async #ask(body: Json, at: PageAt, size: number, retries?: number): Promise<Answer> {
    const { client, signal, spentMs } = this.#search;
    const isFirstRequest = this.#answers === 0;
    const options = {
      signal,
      hasToken: isFirstRequest && this.#begun !== "first",
      spentMs: isFirstRequest ? spentMs : 0,
      retries,
    };
    if (at.kind === "step" && !isFirst(at.step)) {
      return { page: await client.page(toPageRequest(at.step, body, client.searchUrl), options), step: at.step };
    }
    const step = at.kind === "step" ? at.step : firstStep(size);
    const limit = step.method === "POST" ? step.set.limit : size;
    const token = at.kind === "cursor" ? { next: at.cursor } : {};
    return { page: await client.search({ ...body, limit, ...token }, options), step };
  }

  #batch({ page, step, skipped }: Answer, at: PageAt, size: number): Batch {
    const { read, isWhole, known, sort, order, abilities } = this.#search;
    const isMade = this.#hasMadeTokens(page, at);
    const hasLastMissing = abilities.kind.sort.missing === "last" && isMade && this.#isForwards && sort.follows > known;
    const entries: Entry[] = [];
    let last: Batch["last"];
    let [hasRefused, isOver, unreadable] = [false, false, skipped?.count ?? 0];
    for (const document of page.items) {
      const found = read(document);
      hasRefused ||= found === undefined || found.isRefused;
      if (found === undefined) continue;
      const key = itemKey(found.item);
      // an archive may repeat items on several pages
      if (this.#seen.has(key)) continue;
      if (found.values[known] === null && known < order.length) {
        // nothing follows the first item without a value where those come last
        if (hasLastMissing && upstreamValue(document, this.#fields[0]?.field ?? "") == null) isOver = true;
        else if (order[known]?.field === "datetime" && found.isMatch) unreadable += 1;
        if (isOver) break;
        continue;
      }
      const isPast = this.#isPast(found.values);
      const values = this.#inOrder(found, isPast, isMade);
      this.#seen.add(key);
      this.#last = { ...found, values };
      const mark = this.#markOf(document, values, step, isMade);
      if (isPast) continue;
      last = { values, mark };
      if (found.isMatch) entries.push({ item: found.item, values, mark });
    }
    const onward = isOver ? undefined : this.#onwards(page, at, isMade, size);
    if (onward !== undefined) this.#next = onward;
    return {
      entries,
      last,
      passed: page.items.length,
      isOver: onward === undefined || this.#isBehind(),
      isOrdered: this.#isForwards && sort.follows > known,
      matched: isWhole && this.#from === null && (at.kind !== "step" || this.#answers > 1) ? page.matched : undefined,
      hasRefused,
      unreadable,
    };
  }

  /** Whether the upstream's tokens are made of sort values, as far as it is known. */
  #hasMadeTokens(page: UpstreamPage, at: PageAt): boolean {
    const { abilities, memory } = this.#search;
    const { tokens } = abilities.kind.paging;
    if (tokens !== undefined) return tokens === "sort-values";
    const shown = isMadeOfValues(page, this.#fields);
    memory.isMadeOfValues = shown ?? memory.isMadeOfValues;
    return shown ?? (at.kind === "cursor" || memory.isMadeOfValues === true);
  }

  /** Whether an item lies before the place, in the direction of the walk. */
  #isPast(values: readonly SortValue[]): boolean {
    if (this.#place === undefined) return false;
    const difference = this.#compare(values, this.#place.gap.values);
    if (difference === 0) return !isIncluded(this.#place);
    // items behind the upstream's own token are behind the place
    return difference < 0 && !(this.#begun === "cursor" && this.#from === null);
  }

  /**
   * The sort values of an item, which come behind those of the item before it. Times that differ by less than a
   * millisecond stay in the order of an upstream whose tokens are made of them.
   *
   * @throws {DisorderError} for an item that comes behind one that it should have come before, and was not given already.
   */
  #inOrder({ values }: Read, isPast: boolean, isMade: boolean): readonly SortValue[] {
    const { sort, order, known } = this.#search;
    const before = this.#last?.values;
    if (before === undefined || sort.follows === known) return values;
    const sign = this.#isForwards || this.#direction === "next" ? 1 : -1;
    if (sign * this.#compare(values.slice(0, sort.follows), before.slice(0, sort.follows)) >= 0) return values;
    const at = order.findIndex((_, i) => i >= known && values[i] !== before[i]);
    const [one, other] = [values[at], before[at]].map((value) => String(value).slice(0, TO_MILLISECONDS));
    if (isMade && typeof values[at] === "string" && one === other) return before;
    // where the search began with a token, it may be one of an earlier page that comes again
    if (isPast && this.#begun !== "first") return values;
    throw new DisorderError(order[at]?.field ?? "id");
  }

  /** Whether a search that is read from its first item on has come to the place that the walk comes back from. */
  #isBehind(): boolean {
    const { sort, known } = this.#search;
    if (this.#isForwards || this.#place === undefined || sort.follows === known || this.#last === undefined)
      return false;
    return this.#compare(this.#last.values.slice(0, sort.follows), this.#place.gap.values.slice(0, sort.follows)) < 0;
  }

  /**
   * Returns a key that is equal for items which are found again together: by one bound, or by the whole search where
   * there is none.
   */
  #keyOf(value: SortValue): SortValue {
    const { order, known } = this.#search;
    const isBound = startAt(this.#search, value, this.#direction) !== undefined;
    return isBound ? boundKey(order[known]?.field, value) : null;
  }

  #markOf(document: Json, values: readonly SortValue[], step: Step, isMade: boolean): Mark {
    const { known, sort } = this.#search;
    const key = this.#keyOf(values[known] ?? null);
    const { count } = this.#ties;
    const ties = this.#ties.key === key ? (count === undefined ? undefined : count + 1) : 1;
    this.#ties = { key, count: ties };
    // among items that share what the upstream sorts by, its token stands for a place in its own order
    const cursor = isMade && sort.isTotal ? cursorAt(document, sort.fields) : undefined;
    // items that share the values of the upstream's order stand on its pages in another order than in ours
    const isRemembered = cursor === undefined && this.#isForwards && sort.isTotal && (ties ?? 0) > MANY_TIES;
    return {
      ...(cursor === undefined ? {} : { cursor }),
      ...(ties === undefined ? {} : { ties }),
      ...(isRemembered ? { step: { step: stepText(step), from: this.#from } } : {}),
    };
  }

  /** Returns the request that follows a page; `undefined` where nothing follows. */
  #onwards(page: UpstreamPage, at: PageAt, isMade: boolean, size: number): PageAt | undefined {
    const { client, abilities, isFiltered } = this.#search;
    const last = page.items.at(-1);
    if (last === undefined || page.next === undefined) return undefined;
    const cursor = isMade ? cursorAt(last, this.#fields) : undefined;
    if (cursor !== undefined) return { kind: "cursor", cursor };
    // links lead to pages of the size of the first one: it is read again, as a larger one
    if (at.kind === "first" && isFiltered && size < FILTERED_PAGE) {
      this.#least = FILTERED_PAGE;
      return at;
    }
    const body = this.#body ?? {};
    const step = toStep(posted(page.next, abilities.kind.paging.cursor, body), body, client.searchUrl);
    if (this.#steps.has(stepText(step))) {
      throw new CatalogError("unavailable", "The upstream's links to other pages go round in a circle.");
    }
    this.#steps.add(stepText(step));
    return { kind: "step", step };
  }
}
