import { addDays, dayOf } from "../view/days.ts";

/** A month, `YYYY-MM`. */
export type Month = string;

const utc = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const DAY_MS = 86_400_000;

export const monthOf = (day: string): Month => day.slice(0, 7);

/** The month so many months later; before, where `months` is negative. */
export function addMonths(month: Month, months: number): Month {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7);
}

/** First and last day of a month. */
export function daysOfMonth(month: Month): { readonly from: string; readonly to: string } {
  return { from: `${month}-01`, to: dayOf(utc(`${addMonths(month, 1)}-01`) - DAY_MS) };
}

/** The weeks of a month, Monday first; days of the months beside it are undefined. */
export function weeksOf(month: Month): readonly (readonly (string | undefined)[])[] {
  const { from, to } = daysOfMonth(month);
  const before = (new Date(utc(from)).getUTCDay() + 6) % 7;
  const count = Number(to.slice(8));
  return Array.from({ length: Math.ceil((before + count) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_, weekday) => {
      const number = week * 7 + weekday - before + 1;
      return number < 1 || number > count ? undefined : `${month}-${String(number).padStart(2, "0")}`;
    }),
  );
}

/** The same day of a month so many months later, its last one where it has fewer days. */
export function sameDayIn(day: string, months: number): string {
  const month = addMonths(monthOf(day), months);
  const { to } = daysOfMonth(month);
  const wanted = `${month}-${day.slice(8)}`;
  return wanted > to ? to : wanted;
}

/**
 * The day that a key of the keyboard goes to, by the ARIA pattern of date grids; undefined for other keys.
 *
 * @param isShifted whether Shift is down: Page Up and Page Down then go by a year.
 */
export function dayAfterKey(day: string, key: string, isShifted: boolean): string | undefined {
  const weekday = (new Date(utc(day)).getUTCDay() + 6) % 7;
  const days = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7, Home: -weekday, End: 6 - weekday }[key];
  if (days !== undefined) return addDays(day, days);
  const months = { PageUp: -1, PageDown: 1 }[key];
  return months === undefined ? undefined : sameDayIn(day, isShifted ? 12 * months : months);
}
