/** The month of a time, UTC: `2026-06`. Its end is 00:00 UTC of the first of the next one. */
export function monthOf(time: number): string {
  return dayOf(time).slice(0, 7);
}

/** Epoch milliseconds of 00:00 UTC of the first of the month after `time`. */
export function endOfMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

const DAY_MS = 86_400_000;
/** The day that was asked for last: nearly always today. */
let known = { number: Number.NaN, day: "" };

/** The UTC day of a time: `2026-06-16`. */
export function dayOf(time: number): string {
  const number = Math.floor(time / DAY_MS);
  if (number !== known.number) known = { number, day: new Date(time).toISOString().slice(0, 10) };
  return known.day;
}

const MINUTE_MS = 60_000;

/** The UTC minute of a time, counted from 1970. */
export function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}

/** Milliseconds until the next UTC day, from 1 to 86,400,000. */
export function untilNextDay(time: number): number {
  return DAY_MS - (time % DAY_MS);
}

/** Milliseconds until the next UTC minute, from 1 to 60,000. */
export function untilNextMinute(time: number): number {
  return MINUTE_MS - (time % MINUTE_MS);
}
