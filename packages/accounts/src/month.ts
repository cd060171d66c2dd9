/** The month of a time, UTC: `2026-06`. Its end is 00:00 UTC of the first of the next one. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Epoch milliseconds of 00:00 UTC of the first of the month after `time`. */
export function endOfMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
