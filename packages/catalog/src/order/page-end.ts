/** Most items of an upstream's page: responses stay under 6 MB, above which Earth Search fails (items are 12 to 24 kB). */
export const MAX_PAGE = 250;

/** The progress of reading one page. */
export interface PageProgress {
  /** Answers of the upstream. */
  readonly answers: number;
  /** Items in them. */
  readonly passed: number;
  /** Answers that would be asked for next, at once. Default 1. */
  readonly atOnce?: number;
}

/** Whether a page ends with what was found although it is not full; its `next` goes on from there. */
export type PageEnd = (progress: PageProgress) => boolean;

/** Limits of a page whose filter is applied here and drops most items. */
const MAX_ITEMS = 20_000;
const MAX_MS = 8000;
/** More answers than an upstream's shortest pages need: one that never ends a page of its own is at fault. */
const MAX_ANSWERS = 100;

/**
 * @param now milliseconds.
 * @param isFiltered whether items are dropped here.
 * @param maxItems most items that a page reads: no answer is asked for that could exceed them.
 */
export function pageEnd(now: () => number, isFiltered: boolean, maxItems?: number): PageEnd {
  const end = now() + MAX_MS;
  return ({ answers, passed, atOnce = 1 }) => {
    if (maxItems !== undefined && passed + atOnce * MAX_PAGE > maxItems) return true;
    return isFiltered ? passed >= MAX_ITEMS || answers >= MAX_ITEMS || now() >= end : answers >= MAX_ANSWERS;
  };
}
