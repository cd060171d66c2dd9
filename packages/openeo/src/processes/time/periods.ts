/** Periods of `aggregate_temporal_period`. */
export const PERIODS = [
  "hour",
  "day",
  "week",
  "dekad",
  "month",
  "season",
  "tropical-season",
  "year",
  "decade",
  "decade-ad",
] as const;
export type Period = (typeof PERIODS)[number];

const DAY = 86_400_000;
const pad = (value: number, digits: number): string => String(value).padStart(digits, "0");
const utc = (year: number, month: number, day = 1): number => Date.UTC(year, month, day);

/** A span of time, from its start up to and without its end, and its label. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** The period that a time is in, UTC. Labels are those of the process definition. */
export function periodOf(time: number, period: Period): Span {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (period) {
    case "hour": {
      const start = Math.floor(time / 3_600_000) * 3_600_000;
      return {
        start,
        end: start + 3_600_000,
        label: `${date.toISOString().slice(0, 10)}-${pad(date.getUTCHours(), 2)}`,
      };
    }
    case "day": {
      const start = utc(year, month, day);
      return { start, end: start + DAY, label: `${year}-${pad((start - utc(year, 0)) / DAY + 1, 3)}` };
    }
    case "week":
      return weekOf(utc(year, month, day));
    case "dekad": {
      const third = Math.min(2, Math.floor((day - 1) / 10));
      const end = third === 2 ? utc(year, month + 1) : utc(year, month, 10 * third + 11);
      return { start: utc(year, month, 10 * third + 1), end, label: `${year}-${pad(3 * month + third + 1, 2)}` };
    }
    case "month":
      return { start: utc(year, month), end: utc(year, month + 1), label: `${year}-${pad(month + 1, 2)}` };
    case "season": {
      // December belongs to the winter of the year that follows
      const number = Math.floor(((month + 1) % 12) / 3);
      const of = month === 11 ? year + 1 : year;
      const start = utc(of, 3 * number - 1);
      return { start, end: utc(of, 3 * number + 2), label: `${of}-${["djf", "mam", "jja", "son"][number]}` };
    }
    case "tropical-season": {
      const isDry = month >= 4 && month <= 9;
      const of = month >= 10 ? year + 1 : year;
      if (isDry) return { start: utc(year, 4), end: utc(year, 10), label: `${year}-mjjaso` };
      return { start: utc(of - 1, 10), end: utc(of, 4), label: `${of}-ndjfma` };
    }
    case "year":
      return { start: utc(year, 0), end: utc(year + 1, 0), label: String(year) };
    case "decade": {
      const first = Math.floor(year / 10) * 10;
      return { start: utc(first, 0), end: utc(first + 10, 0), label: String(first) };
    }
    case "decade-ad": {
      const first = Math.floor((year - 1) / 10) * 10 + 1;
      return { start: utc(first, 0), end: utc(first + 10, 0), label: String(first) };
    }
  }
}

/** Weeks of ISO 8601: from Monday; the first of a year is that with its first Thursday. */
function weekOf(day: number): Span {
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  const start = day - weekday * DAY;
  const year = new Date(start + 3 * DAY).getUTCFullYear();
  const fourth = Date.UTC(year, 0, 4);
  const first = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  return { start, end: start + 7 * DAY, label: `${year}-${pad(Math.round((start - first) / (7 * DAY)) + 1, 2)}` };
}

/** All periods from that of the first time to that of the last one; `undefined`: more than `most`. */
export function periodsBetween(first: number, last: number, period: Period, most: number): readonly Span[] | undefined {
  const spans: Span[] = [];
  for (let span = periodOf(first, period); span.start <= last; span = periodOf(span.end, period)) {
    if (spans.length === most) return undefined;
    spans.push(span);
  }
  return spans;
}
