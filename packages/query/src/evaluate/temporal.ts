import type { TemporalOperator } from "../filter.ts";
import { compareBounds, compareMoments, isDay, type Moment } from "./moment.ts";

/** An interval of time, both ends included; an absent end is open. */
export interface Span {
  readonly start: Moment | undefined;
  readonly end: Moment | undefined;
  /** True where it is one instant or one day, not an interval. */
  readonly isMoment: boolean;
}

/**
 * Whether two intervals are in a temporal relation (OGC 21-065r2, 7.9, after Allen 1983). An instant is an interval
 * of no length, a date one from its first to its last nanosecond; two dates are compared as days. The start of an open
 * interval is before, its end after every moment.
 */
export function spansRelate(operator: TemporalOperator, a: Span, b: Span): boolean {
  switch (operator) {
    case "before":
      return isBefore(a, b);
    case "after":
      return isBefore(b, a);
    case "disjoint":
      return isBefore(a, b) || isBefore(b, a);
    case "intersects":
      return !isBefore(a, b) && !isBefore(b, a);
    case "equals":
      // for a date-time and a date alone it is enough that the time is on that day, as with =
      if (a.isMoment && b.isMoment) return !isBefore(a, b) && !isBefore(b, a);
      return starts(a, b) === 0 && ends(a, b) === 0;
    case "contains":
      return starts(a, b) < 0 && ends(a, b) > 0;
    case "during":
      return starts(a, b) > 0 && ends(a, b) < 0;
    case "finishedBy":
      return starts(a, b) < 0 && ends(a, b) === 0;
    case "finishes":
      return starts(a, b) > 0 && ends(a, b) === 0;
    case "startedBy":
      return starts(a, b) === 0 && ends(a, b) > 0;
    case "starts":
      return starts(a, b) === 0 && ends(a, b) < 0;
    case "meets":
      return endWithStart(a, b) === 0;
    case "metBy":
      return endWithStart(b, a) === 0;
    case "overlaps":
      return starts(a, b) < 0 && endWithStart(a, b) > 0 && ends(a, b) < 0;
    case "overlappedBy":
      return starts(b, a) < 0 && endWithStart(b, a) > 0 && ends(b, a) < 0;
  }
}

function isBefore(a: Span, b: Span): boolean {
  return endWithStart(a, b) < 0;
}

/** The start of `a` against that of `b`; two open ones are the same. */
function starts(a: Span, b: Span): number {
  if (a.start === undefined) return b.start === undefined ? 0 : -1;
  if (b.start === undefined) return 1;
  return areDays(a.start, b.start)
    ? compareMoments(a.start, b.start)
    : compareBounds(a.start.start, b.start.start, a.start, b.start);
}

/** The end of `a` against that of `b`; two open ones are the same. */
function ends(a: Span, b: Span): number {
  if (a.end === undefined) return b.end === undefined ? 0 : 1;
  if (b.end === undefined) return -1;
  return areDays(a.end, b.end) ? compareMoments(a.end, b.end) : compareBounds(a.end.end, b.end.end, a.end, b.end);
}

/** The end of `a` against the start of `b`. */
function endWithStart(a: Span, b: Span): number {
  if (a.end === undefined) return 1;
  if (b.start === undefined) return 1;
  return areDays(a.end, b.start)
    ? compareMoments(a.end, b.start)
    : compareBounds(a.end.end, b.start.start, a.end, b.start);
}

function areDays(a: Moment, b: Moment): boolean {
  return isDay(a) && isDay(b);
}
