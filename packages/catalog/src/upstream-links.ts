import { CatalogError } from "./errors.ts";
import type { Item } from "./item.ts";
import type { Json } from "./json.ts";
import type { PageEnd } from "./page-end.ts";
import { isFirst, type Step, stepText } from "./upstream-step.ts";

/** One page of the upstream with its links. */
export interface LinkedAnswer {
  readonly items: readonly Json[];
  readonly matched: number | undefined;
  readonly next: Step | undefined;
  readonly prev: Step | undefined;
}

/** A position between two items, in a page of the upstream: the walk goes on from there in `direction`. */
export interface LinkPosition {
  readonly direction: "next" | "prev";
  readonly step: Step;
  /** Items of the page before the position; `undefined`: all. */
  readonly index: number | undefined;
  /** Key of the item of the page that the walk came from, so that the position is found where items have arrived. */
  readonly anchor: string | undefined;
  /** Items of the upstream before the position, where they were counted. */
  readonly before: number | undefined;
  /** Whether the upstream is known to link to previous pages. */
  readonly canReturn: boolean;
}

export interface LinkWalk {
  readonly ask: (step: Step) => Promise<LinkedAnswer>;
  /** The service's form of an item, `undefined` where the search does not match it. */
  readonly accept: (upstream: Json) => Item | undefined;
  readonly first: Step;
  readonly position: LinkPosition | undefined;
  readonly limit: number;
  /** Whether `accept` refuses items by a filter, so that the upstream's total says nothing. */
  readonly isFiltered: boolean;
  readonly mustEnd: PageEnd;
}

export interface LinkedPage {
  /** In the requested sort order, at most `limit`. */
  readonly items: readonly Item[];
  readonly matched: number | undefined;
  readonly next: LinkPosition | undefined;
  readonly prev: LinkPosition | undefined;
  /** The position before the item at `index`, or after it. */
  at(index: number, direction: "next" | "prev"): LinkPosition | undefined;
}

interface Page {
  readonly step: Step;
  readonly answer: LinkedAnswer;
}

/** A gap between items: before the item at `index` of a page, `before` items after the beginning of the search. */
interface Gap {
  readonly page: Page;
  readonly index: number;
  readonly before: number | undefined;
}

interface Taken {
  readonly item: Item;
  readonly page: Page;
  readonly index: number;
  /** Items of the upstream before it. */
  readonly before: number | undefined;
}

/** What was read for one page of ours. */
interface Reading {
  /** Where it began; `undefined`: at the first item of the search. */
  readonly start: Gap | undefined;
  /** What its pages said; they are not kept themselves, since a filter may have dropped most of thousands of items. */
  readonly seen: Seen;
  /** In the direction of the walk, at most `limit`. */
  readonly taken: readonly Taken[];
  /** Where the next one begins: within a page that was read, or with a step that was not sent. `undefined`: nothing follows. */
  readonly end: Gap | { readonly step: Step; readonly before: number | undefined } | undefined;
}

interface Seen {
  /** An upstream's page linked to a previous one. */
  hasPrevious: boolean;
  /** A page was reached by a link. */
  hasFollowed: boolean;
  /** Matches of the search, as the last page that counted them said. */
  matched: number | undefined;
}

/** Pages that are read to find an item again that has moved to a later page. */
const MAX_SOUGHT = 4;

/**
 * Reads pages by the upstream's own links, whatever is in them, until the result is full and it is known whether
 * something follows. A page of ours may end within one of theirs: a position is a page of theirs and an index in it,
 * since no other limit can be asked for with a link whose token may stand for a page of one size.
 *
 * @throws {CatalogError} `unavailable` for links that go round in a circle, and as `ask` does.
 */
export async function walkLinks(walk: LinkWalk): Promise<LinkedPage> {
  const { position } = walk;
  const reading = await read(walk);
  const { start, seen, end } = reading;
  const backwards = position?.direction === "prev";
  const canReturn = position?.canReturn === true || seen.hasPrevious;
  const ways: Ways = { canReturn, isOneWay: !canReturn && seen.hasFollowed };
  const from = (gap: Gap, direction: "next" | "prev"): LinkPosition | undefined =>
    direction === "next" ? onFrom(gap, ways) : backFrom(gap, ways);
  const onwards = (): LinkPosition | undefined => {
    if (end === undefined) return undefined;
    const direction = backwards ? "prev" : "next";
    if ("page" in end) return from(end, direction);
    return { ...end, direction, index: backwards ? undefined : 0, anchor: undefined, canReturn };
  };
  const [near] = reading.taken;
  const back = (): LinkPosition | undefined => {
    if (start === undefined) return undefined;
    const gap = near === undefined ? start : backwards ? gapAfter(near) : near;
    return from(gap, backwards ? "next" : "prev");
  };
  const taken = backwards ? reading.taken.toReversed() : reading.taken;
  return {
    items: taken.map(({ item }) => item),
    matched: seen.matched,
    next: backwards ? back() : onwards(),
    prev: backwards ? onwards() : back(),
    at: (index, direction) => {
      const one = taken[index];
      return one && from(direction === "next" ? gapAfter(one) : one, direction);
    },
  };
}

async function read(walk: LinkWalk): Promise<Reading> {
  const { position, limit } = walk;
  const backwards = position?.direction === "prev";
  const sign = backwards ? -1 : 1;
  const start = position === undefined ? undefined : await locate(walk, position);
  const taken: Taken[] = [];
  const seen: Seen = { hasPrevious: false, hasFollowed: false, matched: undefined };
  const steps = new Set<string>();
  const first = position === undefined ? 0 : position.before;
  let passed = 0;
  const before = (): number | undefined => (first === undefined ? undefined : Math.max(0, first + sign * passed));
  let page = start?.page ?? { step: walk.first, answer: await walk.ask(walk.first) };
  for (let answers = 1; ; answers++) {
    const { items, matched } = page.answer;
    seen.hasPrevious ||= page.answer.prev !== undefined;
    seen.hasFollowed ||= !isFirst(page.step);
    seen.matched = matched ?? seen.matched;
    const from = answers === 1 && start !== undefined ? start.index : backwards ? items.length : 0;
    for (let gap = from; backwards ? gap > 0 : gap < items.length; gap += sign) {
      const index = backwards ? gap - 1 : gap;
      const item = walk.accept(items[index] as Json);
      if (item !== undefined && taken.length === limit) {
        return { start, seen, taken, end: { page, index: gap, before: before() } };
      }
      const count = before();
      passed += 1;
      if (item !== undefined) taken.push({ item, page, index, before: backwards ? before() : count });
    }
    const onward = backwards ? page.answer.prev : page.answer.next;
    if (onward === undefined) return { start, seen, taken, end: undefined };
    const remaining = backwards ? first : matched === undefined || first === undefined ? undefined : matched - first;
    const isKnown = !walk.isFiltered && remaining !== undefined && passed < remaining;
    if ((taken.length === limit && isKnown) || walk.mustEnd({ answers, passed })) {
      return { start, seen, taken, end: { step: onward, before: before() } };
    }
    steps.add(stepText(page.step));
    if (steps.has(stepText(onward))) {
      throw new CatalogError("unavailable", "The upstream's links to other pages go round in a circle.");
    }
    page = { step: onward, answer: await walk.ask(onward) };
  }
}

/** What is known of the upstream's links to previous pages. */
interface Ways {
  /** It has them. */
  readonly canReturn: boolean;
  /** It should have shown one by now and has not. */
  readonly isOneWay: boolean;
}

function gapAfter({ page, index, before }: Taken): Gap {
  return { page, index: index + 1, before: before === undefined ? undefined : before + 1 };
}

/** The position of what follows a gap. */
function onFrom({ page: { step, answer }, index, before }: Gap, { canReturn }: Ways): LinkPosition {
  const base = { direction: "next" as const, before, canReturn };
  if (index >= answer.items.length && answer.next !== undefined) {
    return { ...base, step: answer.next, index: 0, anchor: undefined };
  }
  return { ...base, step, index, anchor: keyOf(answer.items[index - 1]) };
}

/** The position of what comes before a gap; `undefined` where nothing does, or the upstream gives no way there. */
function backFrom(
  { page: { step, answer }, index, before }: Gap,
  { canReturn, isOneWay }: Ways,
): LinkPosition | undefined {
  const base = { direction: "prev" as const, before, canReturn };
  if (index === 0) return answer.prev && { ...base, step: answer.prev, index: undefined, anchor: undefined };
  if (isOneWay || !(canReturn || isFirst(step))) return undefined;
  return { ...base, step, index, anchor: keyOf(answer.items[index]) };
}

/** The gap of a position: beside its anchor, which may have moved to a later page, else at its index. */
async function locate({ ask }: LinkWalk, position: LinkPosition): Promise<Gap> {
  const { anchor, direction, before } = position;
  const isForwards = direction === "next";
  const first: Page = { step: position.step, answer: await ask(position.step) };
  const index = Math.min(position.index ?? Number.POSITIVE_INFINITY, first.answer.items.length);
  if (anchor === undefined || keyOf(first.answer.items[isForwards ? index - 1 : index]) === anchor) {
    return { page: first, index, before };
  }
  let page = first;
  for (let pages = 1; ; pages++) {
    const found = page.answer.items.findIndex((item) => keyOf(item) === anchor);
    if (found >= 0) return { page, index: isForwards ? found + 1 : found, before };
    const { next } = page.answer;
    if (next === undefined || pages >= MAX_SOUGHT) return { page: first, index, before };
    page = { step: next, answer: await ask(next) };
  }
}

function keyOf(item: Json | undefined): string | undefined {
  return item === undefined ? undefined : `${String(item.collection ?? "")}/${String(item.id)}`;
}
