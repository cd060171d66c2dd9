import type { Schemas } from "../api/types.ts";
import type { FieldGeometry } from "../fields/read-fields.ts";
import { NO_VALUES } from "../series/request.ts";
import type { Quantity } from "../view/analysis-view.ts";

/** Lengths of intervals to choose from; `all`: one interval. */
export const INTERVALS = ["all", "P1D", "P10D", "P1M", "P3M", "P1Y"] as const;
export type Interval = (typeof INTERVALS)[number];
/** The most intervals that the service makes. */
const MAX_INTERVALS = 400;
export const PERCENTILES = [5, 25, 50, 75, 95] as const;
const BINS = 30;

export interface StatisticsQuestion {
  readonly geometry: Exclude<FieldGeometry, { readonly type: "Point" }>;
  readonly collection: string;
  readonly measure: Quantity;
  readonly from: string;
  readonly to: string;
  readonly interval: Interval;
  readonly cloud: number;
  readonly keepsClouds: boolean;
}

type Documented = Schemas["StatisticsRequest"];
/** The body of the request, with a geometry that nobody changes. */
type StatisticsBody = Omit<Documented, "input"> & {
  readonly input: Pick<Documented["input"], "data"> & { readonly bounds: Pick<StatisticsQuestion, "geometry"> };
};

/** The body of `POST /v1/statistics`. */
export function statisticsBody(question: StatisticsQuestion): StatisticsBody {
  const { geometry, collection, measure, from, to, interval, cloud, keepsClouds } = question;
  const dataFilter = cloud === 100 ? {} : { dataFilter: { maxCloudCoverage: cloud } };
  return {
    input: { bounds: { geometry }, data: [{ type: collection, ...dataFilter }] },
    aggregation: {
      timeRange: { from: firstDay(interval, from), to },
      ...(interval === "all" ? {} : { aggregationInterval: { of: interval } }),
    },
    ...(measure.kind === "index" ? { index: measure.id } : { expression: measure.text }),
    ...(keepsClouds ? { cloudMask: { exclude: [...NO_VALUES] } } : {}),
    calculations: { default: { percentiles: [...PERCENTILES], histogram: { nBins: BINS } } },
  };
}

/** The day that intervals begin with: months and years are those of the calendar. */
function firstDay(interval: Interval, from: string): string {
  if (interval === "P1Y") return `${from.slice(0, 4)}-01-01`;
  return interval === "P1M" || interval === "P3M" ? `${from.slice(0, 7)}-01` : from;
}

const DAYS: Readonly<Record<Exclude<Interval, "all">, number>> = { P1D: 1, P10D: 10, P1M: 28, P3M: 89, P1Y: 365 };

/** Whether the days hold more intervals than the service makes. */
export function hasTooMany(interval: Interval, { from, to }: { readonly from: string; readonly to: string }): boolean {
  if (interval === "all") return false;
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return days / DAYS[interval] > MAX_INTERVALS;
}
