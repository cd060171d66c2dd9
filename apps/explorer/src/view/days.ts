const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` of a moment, UTC. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The day so many days later. */
export const addDays = (day: string, days: number): string => dayOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS);

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/;

/** First day of a window of an ISO 8601 duration that ends on `to`. */
export function windowStart(to: string, duration: string): string {
  const [years = 0, months = 0, weeks = 0, days = 90] = (DURATION.exec(duration) ?? [])
    .slice(1)
    .map((part) => (part === undefined ? 0 : Number(part)));
  const date = new Date(`${to}T00:00:00Z`);
  date.setUTCFullYear(date.getUTCFullYear() - years, date.getUTCMonth() - months, date.getUTCDate() - weeks * 7 - days);
  return dayOf(date.getTime());
}

/**
 * The days a page opens with: a preset's window that ends today, or with the newest scene where that is older, so that
 * there is something to see in an archive that has ended.
 */
export function openingDays(
  newest: string | null | undefined,
  duration: string,
  now: number,
): { from: string; to: string } {
  const last = newest === null || newest === undefined ? now : Math.min(Date.parse(newest), now);
  const to = dayOf(Number.isNaN(last) || now - last < 30 * DAY_MS ? now : last);
  return { from: windowStart(to, duration), to };
}

/** The days a preset opens with on a collection: all of them, for a preset without a window, such as elevation. */
export function presetDays(
  window: string | undefined,
  [start, end]: readonly (string | null)[],
  now: number,
): { from: string; to: string } {
  if (window === undefined && typeof start === "string") return { from: start.slice(0, 10), to: dayOf(now) };
  return openingDays(end, window ?? "P90D", now);
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** Whether days lie within the time of a collection, an absent end of which is open. */
export function overlaps({ from, to }: Days, [start, end]: readonly (string | null)[]): boolean {
  return (start ?? "") <= `${to}T24` && (end ?? "9999") >= from;
}

/**
 * Whether the days that are chosen say nothing about a preset: one without a window, such as elevation, on a collection
 * that has nothing in them. It is shown all the same, and the days stay for the next preset.
 */
export function isDateless(
  days: Days,
  preset: { readonly defaultWindow?: string },
  interval: readonly (string | null)[],
): boolean {
  return preset.defaultWindow === undefined && interval[0] != null && !overlaps(days, interval);
}
