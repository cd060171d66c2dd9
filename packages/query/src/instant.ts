/**
 * A moment: whole nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted, and how many fraction digits
 * it was written with (0 to 9).
 */
export interface Instant {
  readonly nanoseconds: bigint;
  readonly digits: number;
}

const SECOND = 1_000_000_000n;
const DAY_SECONDS = 86_400;
/** 0000-01-01T00:00:00Z and 10000-01-01T00:00:00Z in seconds since 1970: what RFC 3339 can write in UTC. */
const FIRST_SECOND = -62_167_219_200;
const END_SECOND = 253_402_300_800;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)t(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:z|([+-])(\d\d):(\d\d))$/i;
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * Reads an RFC 3339 date-time: `T` and `Z` in either case, one to nine fraction digits. Second 60 is taken only where
 * a leap second is allowed, 23:59:60 UTC on the last day of a month, and then means that day's last nanosecond: after
 * every other moment of its day and before the next.
 *
 * @returns `undefined` unless `text` is such a date-time within the years 0000 to 9999 UTC.
 */
export function findInstant(text: string): Instant | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match;
  const midnight = midnightOf(Number(year), Number(month), Number(day));
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  const offset = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)] as const;
  if (midnight === undefined || clock[0] > 23 || clock[1] > 59 || clock[2] > 60) return undefined;
  if (offset[0] > 23 || offset[1] > 59) return undefined;
  const east = (sign === "-" ? -1 : 1) * (offset[0] * 3600 + offset[1] * 60);
  const seconds = midnight + clock[0] * 3600 + clock[1] * 60 + clock[2] - east;
  if (seconds < FIRST_SECOND || seconds > END_SECOND) return undefined;
  if (clock[2] === 60) {
    const startsMonth = seconds % DAY_SECONDS === 0 && new Date(seconds * 1000).getUTCDate() === 1;
    return startsMonth ? { nanoseconds: BigInt(seconds) * SECOND - 1n, digits: 9 } : undefined;
  }
  if (seconds === END_SECOND) return undefined;
  const digits = fraction ?? "";
  return { nanoseconds: BigInt(seconds) * SECOND + BigInt(digits.padEnd(9, "0")), digits: digits.length };
}

/** Reads a date alone as its first and last nanosecond, UTC; `undefined` unless `text` is a date of the calendar. */
export function findDay(text: string): { readonly start: Instant; readonly end: Instant } | undefined {
  const match = DATE.exec(text);
  const midnight = match === null ? undefined : midnightOf(Number(match[1]), Number(match[2]), Number(match[3]));
  if (midnight === undefined) return undefined;
  const start = BigInt(midnight) * SECOND;
  return {
    start: { nanoseconds: start, digits: 0 },
    end: { nanoseconds: start + BigInt(DAY_SECONDS) * SECOND - 1n, digits: 9 },
  };
}

/** RFC 3339 in UTC with the instant's own number of fraction digits; `findInstant(formatInstant(i))` equals `i`. */
export function formatInstant(instant: Instant): string {
  const seconds = floorDivide(instant.nanoseconds, SECOND);
  const fraction = String(instant.nanoseconds - seconds * SECOND).padStart(9, "0");
  const clock = new Date(Number(seconds) * 1000).toISOString().slice(0, "0000-00-00T00:00:00".length);
  return `${clock}${instant.digits === 0 ? "" : `.${fraction.slice(0, instant.digits)}`}Z`;
}

/** Negative where `a` is before `b`, zero where they are the same moment, positive after. */
export function compareInstants(a: Instant, b: Instant): number {
  if (a.nanoseconds === b.nanoseconds) return 0;
  return a.nanoseconds < b.nanoseconds ? -1 : 1;
}

/** The instant, truncated after its first `digits` fraction digits. */
export function truncateInstant(instant: Instant, digits: number): Instant {
  if (digits >= instant.digits) return instant;
  const unit = 10n ** BigInt(9 - digits);
  return { nanoseconds: floorDivide(instant.nanoseconds, unit) * unit, digits };
}

/** Seconds from 1970 to the midnight that begins the day; `undefined` for a day that the calendar lacks. */
function midnightOf(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // not Date.UTC, which reads the years 0 to 99 as 1900 to 1999
  const exists = month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1;
  return exists ? date.getTime() / 1000 : undefined;
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
