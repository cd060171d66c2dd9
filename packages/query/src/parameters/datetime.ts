import { faultAt, type InputLocation, shown } from "../input-location.ts";
import { compareInstants, findDay, findInstant, formatInstant, type Instant, truncateInstant } from "../instant.ts";

/** A stretch of time, both ends included; an absent end is open. At least one end is there. */
export interface Interval {
  readonly start?: Instant;
  readonly end?: Instant;
}

/**
 * Reads the `datetime` parameter: one RFC 3339 date-time, or two divided by `/`, of which one may be open (`..` or
 * empty). A date alone is its whole day: 00:00:00Z to 23:59:59.999999999Z, both included.
 *
 * @throws {QueryError} for both ends open, more than two parts, a start after its end, or a part that is neither a
 *   date-time with zone nor a date.
 * @example parseDatetime("2024-04-01/..")
 */
export function parseDatetime(
  input: unknown,
  location: InputLocation = { in: "query", pointer: "datetime" },
): Interval {
  const expected = "Expected an RFC 3339 date-time or an interval of two, divided by /";
  if (typeof input !== "string") throw faultAt(location, `${expected}, got ${shown(input)}.`);
  const parts = input.split("/", 4);
  const [first = "", second] = parts;
  if (parts.length > 2) throw faultAt(location, `${expected}, got ${shown(input)}.`);
  if (second === undefined) return spanOf(first, location, expected);
  const start = isOpen(first) ? undefined : spanOf(first, location, expected).start;
  const end = isOpen(second) ? undefined : spanOf(second, location, expected).end;
  if (start === undefined && end === undefined) {
    throw faultAt(location, `At most one end may be open, got ${shown(input)}.`);
  }
  if (start !== undefined && end !== undefined && compareInstants(start, end) > 0) {
    throw faultAt(location, `The interval ${shown(input)} ends before it starts.`);
  }
  return { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

/** The text form, in UTC: one instant where both ends are the same, else `start/end` with `..` for an open end. */
export function formatDatetime(interval: Interval): string {
  const start = interval.start === undefined ? ".." : formatInstant(interval.start);
  const end = interval.end === undefined ? ".." : formatInstant(interval.end);
  return start === end ? start : `${start}/${end}`;
}

/**
 * Whether an item's time is in the interval. A datetime is as exact as it is written: `…44.563Z` means that
 * millisecond, so that a query with more digits still finds it. An item without `datetime` is a stretch from
 * `start_datetime` to `end_datetime`.
 *
 * @returns `undefined` when the item's properties have no time.
 */
export function matchesInterval(
  interval: Interval,
  properties: Readonly<Record<string, unknown>>,
): boolean | undefined {
  const moment = instantOf(properties.datetime);
  const start = moment ?? instantOf(properties.start_datetime);
  const end = moment ?? instantOf(properties.end_datetime);
  if (start === undefined && end === undefined) return undefined;
  const endsInTime =
    interval.start === undefined ||
    end === undefined ||
    compareInstants(end, truncateInstant(interval.start, end.digits)) >= 0;
  const startsInTime = interval.end === undefined || start === undefined || compareInstants(start, interval.end) <= 0;
  return endsInTime && startsInTime;
}

/**
 * The time by which an item stands in orders, filters, series and mosaics: its `datetime`, or the start of an item that has a
 * stretch of time in its place (STAC: `start_datetime` and `end_datetime`); `null` where it has neither.
 */
export function itemTime({ datetime, start_datetime: start }: Readonly<Record<string, unknown>>): string | null {
  if (typeof datetime === "string") return datetime;
  return typeof start === "string" ? start : null;
}

function isOpen(part: string): boolean {
  return part === "" || part === "..";
}

function spanOf(part: string, location: InputLocation, expected: string): Required<Interval> {
  const instant = findInstant(part);
  const span = instant === undefined ? findDay(part) : { start: instant, end: instant };
  if (span === undefined) {
    // the plus sign of a zone that was not encoded arrives as a space
    const hint = location.in === "query" && / \d\d:\d\d$/.test(part) ? ' In an address "+" is written %2B.' : "";
    throw faultAt(location, `${expected}, got ${shown(part)}.${hint}`);
  }
  return span;
}

function instantOf(value: unknown): Instant | undefined {
  return typeof value === "string" ? findInstant(value) : undefined;
}
