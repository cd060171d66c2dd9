import type { CloudMask, HarmonizeLevel } from "@swath/schema";

/** How the values of a polygon's pixels become one. */
export const SERIES_REDUCERS = ["mean", "median", "min", "max"] as const;
export type SeriesReducer = (typeof SERIES_REDUCERS)[number];

/** What both routes ask, in one form. */
export interface TimeseriesRequest {
  /** Where the members are: parameters of a query, or members of a body. */
  readonly in: "query" | "body";
  readonly geometry: unknown;
  readonly datetime: string;
  readonly collections?: readonly string[] | undefined;
  readonly index?: string | undefined;
  readonly expression?: string | undefined;
  readonly harmonize?: HarmonizeLevel | undefined;
  readonly cloudMask?: CloudMask | undefined;
  readonly maxCloudCoverage?: number | undefined;
  readonly reducer?: SeriesReducer | undefined;
}
