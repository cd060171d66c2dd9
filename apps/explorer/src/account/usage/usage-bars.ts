import type { Usage } from "../account-api.ts";
import { daysOf } from "../months.ts";

export interface DayBar {
  /** `2026-11-23`. */
  readonly date: string;
  readonly units: number;
  readonly requests: number;
  /** Part of the chart's height, 0 to 1. */
  readonly height: number;
}

/** The chart of one month. */
export interface UsageBars {
  /** Every day of the month, in order. */
  readonly bars: readonly DayBar[];
  /** Units at the chart's upper edge. */
  readonly top: number;
  /** Units per day that spend the month's limit evenly; absent: there is no limit. */
  readonly pace?: number;
}

/** Upper edges of axes, times a power of ten: their halves are short numbers too. */
const EDGES = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The least of `EDGES` times a power of ten that is not below `value`, which is above 0. */
export function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = EDGES.find((each) => each * power >= value) ?? 10;
  return Number((factor * power).toPrecision(2));
}

/** Smallest value of the upper edge, so that a month without any use has an axis too. */
const LEAST_TOP = 0.1;
/** The pace is inside the chart where the busiest day came this near to it. */
const NEAR = 0.25;

/**
 * Bars of the days of a month.
 *
 * @param limit units of the month; null: there is none.
 */
export function usageBars(month: string, byDay: Usage["byDay"], limit: number | null): UsageBars {
  const known = new Map(byDay.map((each) => [each.date, each]));
  const days = daysOf(month).map((date) => ({ date, units: 0, requests: 0, ...known.get(date) }));
  const peak = Math.max(LEAST_TOP, ...days.map(({ units }) => units));
  const pace = limit === null ? undefined : limit / days.length;
  const top = roundUp(pace !== undefined && peak >= NEAR * pace ? Math.max(peak, pace) : peak);
  return {
    bars: days.map(({ date, units, requests }) => ({ date, units, requests, height: units / top })),
    top,
    ...(pace === undefined ? {} : { pace }),
  };
}
