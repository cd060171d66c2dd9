import { compareInstants, findDay, findInstant, type Instant, truncateInstant } from "../instant.ts";

/**
 * A time as it is compared: an instant, or a day from its first to its last nanosecond. One that an item has written is
 * as exact as it is written: what it is compared with is truncated to its digits.
 */
export interface Moment {
  readonly start: Instant;
  readonly end: Instant;
  /** True where the time is the value of an item's property. */
  readonly isMeasured: boolean;
}

export function momentOf(instant: Instant): Moment {
  return { start: instant, end: instant, isMeasured: false };
}

/** The moment of a date (`2024-04-22`); `undefined` unless it is a day of the calendar. */
export function dayOf(text: string): Moment | undefined {
  const day = findDay(text);
  return day === undefined ? undefined : { ...day, isMeasured: false };
}

/** The text that was read last: that of one item may be compared with a list of thousands. */
let last: { readonly text: string; readonly moment: Moment | undefined } | undefined;

/** The moment that an item's property has written: a date-time or a date; `undefined` for any other text. */
export function measuredMoment(text: string): Moment | undefined {
  if (last?.text !== text) last = { text, moment: readMoment(text) };
  return last.moment;
}

function readMoment(text: string): Moment | undefined {
  const instant = findInstant(text);
  if (instant !== undefined) return { start: instant, end: instant, isMeasured: true };
  const day = findDay(text);
  return day === undefined ? undefined : { ...day, isMeasured: true };
}

export function isMoment(value: unknown): value is Moment {
  return typeof value === "object" && value !== null && "isMeasured" in value;
}

/** Whether the moment is a whole day. */
export function isDay(moment: Moment): boolean {
  return moment.start !== moment.end;
}

/** Negative where `a` ends before `b` starts, positive where it starts after `b` ends, zero where they share a time. */
export function compareMoments(a: Moment, b: Moment): number {
  if (compareBounds(a.end, b.start, a, b) < 0) return -1;
  return compareBounds(a.start, b.end, a, b) > 0 ? 1 : 0;
}

/** Compares a bound of `a` with a bound of `b`; where one is measured and one is given, the given one is truncated. */
export function compareBounds(boundOfA: Instant, boundOfB: Instant, a: Moment, b: Moment): number {
  if (a.isMeasured === b.isMeasured) return compareInstants(boundOfA, boundOfB);
  return a.isMeasured
    ? compareInstants(boundOfA, isDay(a) ? boundOfB : truncateInstant(boundOfB, boundOfA.digits))
    : compareInstants(isDay(b) ? boundOfA : truncateInstant(boundOfA, boundOfB.digits), boundOfB);
}
