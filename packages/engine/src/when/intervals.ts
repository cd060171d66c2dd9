import { findDay, findInstant, type Instant, type Interval, parseDatetime } from "@swath/query";
import { readMember } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { When } from "../request.ts";

/** A stretch of time, milliseconds since 1970: `to` is not part of it, except of the last one of a range. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** An ISO 8601 duration; months follow the calendar, days have 24 hours (UTC). */
interface Duration {
  readonly months: number;
  readonly milliseconds: number;
}

const DURATION = /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const DAY_MS = 86_400_000;

const TIME: Path = ["when", "time"];
const EVERY: Path = ["when", "every"];

/**
 * Reads an instant or interval, whose ends may be open.
 *
 * @throws {Refusal} `invalid` at `when.time` for what is no time, and for one that ends before it starts.
 */
export function readTime(time: NonNullable<When["time"]>): Interval {
  return typeof time === "string" ? readMember(TIME, (at) => parseDatetime(time, at)) : readTimeRange(time);
}

/**
 * Reads an instant or an interval that has both its ends.
 *
 * @throws {Refusal} as `readTime`, and for an open end.
 */
export function readClosedTime(time: NonNullable<When["time"]>): Required<Interval> {
  const { start, end } = readTime(time);
  if (start !== undefined && end !== undefined) return { start, end };
  throw new Refusal("invalid", TIME, "Expected an interval with both its ends.");
}

/**
 * Reads a time range: date-times, or dates alone, which are whole days.
 *
 * @throws {Refusal} `invalid` at `when.time` for what is no time, and for a range that ends before it starts.
 */
export function readTimeRange({ from, to }: Exclude<When["time"], string | undefined>): Required<Interval> {
  const read = (text: string, end: "start" | "end", name: string): Instant => {
    const instant = findInstant(text) ?? findDay(text)?.[end];
    if (instant !== undefined) return instant;
    const detail = `Expected an RFC 3339 date-time with zone or a date, got "${text}".`;
    throw new Refusal("invalid", [...TIME, name], detail);
  };
  const [start, end] = [read(from, "start", "from"), read(to, "end", "to")];
  if (start.nanoseconds <= end.nanoseconds) return { start, end };
  throw new Refusal("invalid", TIME, `from ${from} is after to ${to}.`);
}

/**
 * A range of time divided into intervals that begin at its start; the last one is cut short where the range ends. Months
 * and years are counted from the start, so that those of 31 January end on the last days of months.
 *
 * @param of ISO 8601 duration; absent: one interval
 * @param max intervals at most; of a longer division the first ones are given, and how many there would be
 * @throws {Refusal} `invalid` at `when.every` for what is no duration, or none that is longer than zero.
 */
export function divideTime(
  { start, end }: Required<Interval>,
  of: string | undefined,
  max: number,
): { readonly intervals: readonly TimeInterval[]; readonly count: number } {
  const from = Number(start.nanoseconds / 1_000_000n);
  const to = Number(end.nanoseconds / 1_000_000n);
  if (of === undefined) return { intervals: [{ from, to }], count: 1 };
  const step = durationOf(of);
  const intervals: TimeInterval[] = [];
  let next = from;
  do {
    if (intervals.length === max) return { intervals, count: max + Math.ceil((to - next) / lengthOf(step)) };
    const begin = next;
    next = Math.min(to, timeAfter(from, step, intervals.length + 1));
    intervals.push({ from: begin, to: next });
  } while (next < to);
  return { intervals, count: intervals.length };
}

/** The interval that a moment is in; those before and after all belong to the first and the last one. */
export function intervalOf(intervals: readonly TimeInterval[], time: number): number {
  let [low, high] = [0, intervals.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (intervals[middle]!.from <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

function durationOf(text: string): Duration {
  const match = DURATION.exec(text);
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (match ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0));
  const duration = {
    months: 12 * years + months,
    milliseconds: (7 * weeks + days) * DAY_MS + ((hours * 60 + minutes) * 60 + seconds) * 1000,
  };
  const length = lengthOf(duration);
  if (match !== null && length > 0 && Number.isSafeInteger(length)) return duration;
  throw new Refusal("invalid", EVERY, `Expected an ISO 8601 duration such as P1D, P10D, P1M or P1Y, got "${text}".`);
}

/** Milliseconds, months counted as 30 days. */
const lengthOf = ({ months, milliseconds }: Duration): number => months * 30 * DAY_MS + milliseconds;

/** The moment `count` durations after `from`. */
function timeAfter(from: number, { months, milliseconds }: Duration, count: number): number {
  if (months === 0) return from + count * milliseconds;
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months * count);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  const time = date.getTime() + count * milliseconds;
  return Number.isFinite(time) ? time : Number.POSITIVE_INFINITY;
}
