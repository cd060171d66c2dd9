/** The UTC month of a time: `2026-11`. */
export function monthOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/**
 * Months from the one of `first` to the one of `last`, newest first.
 *
 * @param first @param last epoch milliseconds.
 */
export function monthsBetween(first: number, last: number): readonly string[] {
  const index = (time: number): number => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();
  const [from, to] = [index(first), index(last)];
  return Array.from({ length: Math.max(0, to - from) + 1 }, (_, i) => {
    const month = to - i;
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`;
  });
}

/** All days of a month, `2026-11-01` and on. */
export function daysOf(month: string): readonly string[] {
  const [year = Number.NaN, number = Number.NaN] = month.split("-").map(Number);
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: count }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
}

/** `November 2026`. */
export function monthName(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString("en", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** `23 Nov 2026`, UTC. */
export function dayName(datetime: string): string {
  return new Date(datetime).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}
