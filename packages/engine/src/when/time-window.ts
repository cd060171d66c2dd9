import { findInstant, type Interval } from "@swath/query";

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * The window of an ISO 8601 duration in calendar units that ends now. "Now" is the last full hour, so that neighbouring
 * tiles agree and images can be cached.
 */
export function windowEnding(now: Date, duration: string): Interval {
  const match = DURATION.exec(duration);
  if (match === null) throw new Error(`Expected a duration such as P90D, got "${duration}".`);
  const [years = 0, months = 0, weeks = 0, days = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const end = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS);
  const start = new Date(end);
  start.setUTCFullYear(
    start.getUTCFullYear() - years,
    start.getUTCMonth() - months,
    start.getUTCDate() - weeks * 7 - days,
  );
  return intervalOf(start, end);
}

function intervalOf(start: Date, end: Date): Interval {
  const from = findInstant(start.toISOString());
  const to = findInstant(end.toISOString());
  return { ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to }) };
}

/** Tells whether a window ended at least `days` ago: no more scenes come into it. */
export function isSettledFor({ end }: Interval, now: Date, days = 1): boolean {
  return end !== undefined && Number(end.nanoseconds / 1_000_000n) < now.getTime() - days * DAY_MS;
}

const YEAR_OR_MONTH = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/;

/**
 * An interval whose ends may be years and months, as in the time dimension of a WMTS (OGC 06-042 annex D.2.1: dates of reduced
 * precision), with days in their place: `2024-02` is `2024-02-01/2024-02-29`, `2023/2024-02` ends there too. Other text stays
 * as it is.
 */
export function withDays(text: string): string {
  const ends = text.split("/");
  const [from = ""] = ends;
  if (ends.length > 2 || !ends.some((end) => YEAR_OR_MONTH.test(end))) return text;
  return `${firstDay(from)}/${lastDay(ends[1] ?? from)}`;
}

function firstDay(text: string): string {
  const [, year, month = "01"] = YEAR_OR_MONTH.exec(text) ?? [];
  return year === undefined ? text : `${year}-${month}-01`;
}

function lastDay(text: string): string {
  const [, year, month = "12"] = YEAR_OR_MONTH.exec(text) ?? [];
  if (year === undefined) return text;
  const last = new Date(0);
  // the day before the first of the next month
  last.setUTCFullYear(Number(year), Number(month), 0);
  return `${year}-${month}-${last.getUTCDate()}`;
}
