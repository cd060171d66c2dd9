import type { PlacedPage } from "../catalog.ts";
import { defined } from "../json.ts";
import { type OrderedGap, type OrderedPlace, START, toGap } from "./ordered-gap.ts";
import type { OrderedResult, Placed } from "./ordered-read.ts";

/** The page of what was read, with the gaps around its items. */
export function toPlacedPage(read: OrderedResult, place: OrderedPlace | undefined): PlacedPage {
  const { more, cut, unreadable, total } = read;
  const backwards = place?.direction === "prev";
  const entries = backwards ? read.entries.toReversed() : read.entries;
  const from = place?.gap ?? START;
  const first = firstCount(read, place);
  const countAt = (index: number): number | undefined => (first === undefined ? undefined : first + index);
  const shared = { total: unreadable > 0 ? null : total };
  const beside = (side: "after" | "before", { values, mark, source }: Placed, index: number): OrderedGap => ({
    side,
    values,
    ...mark,
    // a page of the upstream is read on in the direction that it was read in
    steps:
      mark.step !== undefined && (side === "before") === backwards ? [[source, mark.step.step, mark.step.from]] : [],
    before: countAt(index),
    ...shared,
  });
  const gapAt = (index: number): OrderedGap => {
    const [before, behind] = [entries[index - 1], entries[index]];
    const isFar = index === (backwards ? 0 : entries.length);
    if (isFar && cut !== undefined) return beside(backwards ? "before" : "after", cut, index);
    // nothing is before the first page
    if (index === 0 && backwards && !more) return { ...START, ...shared };
    if (behind !== undefined && (backwards ? index < entries.length : index === 0))
      return beside("before", behind, index);
    if (before !== undefined) return beside("after", before, index);
    return { ...from, ...shared };
  };
  const isAtStart = from.side === "start" || from.before === 0;
  const matched = matchedOf(read, place, first);
  return {
    items: entries.map(({ item }) => item),
    values: entries.map(({ values }) => values),
    hasPrev: backwards ? more : !isAtStart,
    hasNext: backwards ? true : more,
    gapAt: (index) => toGap(gapAt(index)),
    ...defined({ numberMatched: matched, unreadable: unreadable === 0 ? undefined : unreadable }),
  };
}

/** Items before the page, where they were counted. */
function firstCount({ entries, more, unreadable }: OrderedResult, place: OrderedPlace | undefined): number | undefined {
  // a page with unreadable parts has no count
  if (unreadable > 0) return undefined;
  if (place === undefined) return 0;
  const { gap, direction } = place;
  if (direction === "next") return gap.side === "start" ? 0 : gap.before;
  if (!more) return 0;
  return gap.before === undefined ? undefined : Math.max(0, gap.before - entries.length);
}

/** All matches: as they were counted, or as they are known at the end of a walk from the first one on. */
function matchedOf(
  { entries, more, total, unreadable }: OrderedResult,
  place: OrderedPlace | undefined,
  first: number | undefined,
): number | undefined {
  const isEnd = place?.direction !== "prev" && !more && first !== undefined;
  if (isEnd) return first + entries.length;
  return unreadable > 0 ? undefined : (total ?? undefined);
}
