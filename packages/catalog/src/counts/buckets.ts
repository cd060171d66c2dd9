import { itemTime } from "@swath/query";
import type { AggregationName, CountInterval } from "@swath/query/aggregation";

/** The part of an item that is counted. */
export interface CountedItem {
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Properties of items that counts look at. */
export const COUNTED_PROPERTIES = [
  "datetime",
  "start_datetime",
  "eo:cloud_cover",
  "platform",
  "grid:code",
  "s2:mgrs_tile",
  "hls:tile",
  "landsat:wrs_type",
  "landsat:wrs_path",
  "landsat:wrs_row",
] as const;

/** Ranges of the cloud cover, percent: from the lower end on, below the upper end (those of stac-server). */
export const CLOUD_RANGES: readonly { readonly key: string; readonly from?: number; readonly to?: number }[] = [
  { key: "*-5.0", to: 5 },
  { key: "5.0-15.0", from: 5, to: 15 },
  { key: "15.0-40.0", from: 15, to: 40 },
  { key: "40.0-*", from: 40 },
];

/** The bucket of items without a grid code (as stac-server has it). */
export const NO_GRID_CODE = "none";

/** Returns the key of an item's bucket in a distribution; `undefined` where it is in none. */
export function bucketOf(name: AggregationName, item: CountedItem, interval: CountInterval): string | undefined {
  const { properties } = item;
  switch (name) {
    case "datetime_frequency": {
      const time = itemTime(properties);
      return time === null ? undefined : startOf(time, interval);
    }
    case "cloud_cover_frequency":
      return rangeOf(properties["eo:cloud_cover"]);
    case "platform_frequency":
      return typeof properties.platform === "string" ? properties.platform : undefined;
    case "collection_frequency":
      return item.collection;
    case "grid_code_frequency":
      return gridCodeOf(properties) ?? NO_GRID_CODE;
    default:
      return undefined;
  }
}

function rangeOf(cover: unknown): string | undefined {
  if (typeof cover !== "number") return undefined;
  return CLOUD_RANGES.find(({ to = Number.POSITIVE_INFINITY }) => cover < to)?.key;
}

/** The code of an item's tile or place (STAC grid extension): its own, or that of its MGRS tile or WRS path and row. */
function gridCodeOf(properties: CountedItem["properties"]): string | undefined {
  const own = properties["grid:code"];
  if (typeof own === "string") return canonicalGridCode(own);
  const tile = properties["s2:mgrs_tile"] ?? properties["hls:tile"];
  if (typeof tile === "string") return `MGRS-${tile}`;
  const [path, row] = [properties["landsat:wrs_path"], properties["landsat:wrs_row"]];
  if (typeof path !== "string" || typeof row !== "string") return undefined;
  return `WRS${String(properties["landsat:wrs_type"] ?? "2")}-${path}${row}`;
}

/** A code with a zone of two digits: older items write `MGRS-5CNL`. */
export function canonicalGridCode(code: string): string {
  return code.replace(/^MGRS-(?=\d[A-Z])/, "MGRS-0");
}

const DAY = /^\d{4}-\d\d-\d\d/;
const DAY_MS = 86_400_000;

/** The beginning of the interval that a time in UTC lies in, as stac-server writes it: `2024-06-01T00:00:00.000Z`. */
export function startOf(time: string, interval: CountInterval): string | undefined {
  const [day] = DAY.exec(time) ?? [];
  if (day === undefined) return undefined;
  switch (interval) {
    case "day":
      return `${day}T00:00:00.000Z`;
    case "week":
      return mondayOf(day);
    case "month":
      return `${day.slice(0, 7)}-01T00:00:00.000Z`;
    case "year":
      return `${day.slice(0, 4)}-01-01T00:00:00.000Z`;
  }
}

function mondayOf(day: string): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // 1970 began on a Thursday
  const sinceMonday = (((midnight / DAY_MS + 3) % 7) + 7) % 7;
  return new Date(midnight - sinceMonday * DAY_MS).toISOString();
}
