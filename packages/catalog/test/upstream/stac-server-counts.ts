import type { Document } from "../fixtures.ts";

type Bucket = readonly [key: string, frequency: number, range?: { readonly from?: number; readonly to?: number }];

/** The ranges of stac-server (`ALL_AGGREGATIONS` in its `database.ts`). */
const RANGES = [
  ["*-5.0", undefined, 5],
  ["5.0-15.0", 5, 15],
  ["15.0-40.0", 15, 40],
  ["40.0-*", 40, undefined],
] as const;

/**
 * Counts as stac-server gives them, of items in its own words: buckets of intervals without items between others come
 * with 0, items without a grid code are in `none`, those without another value in no bucket, and `type` is left out.
 *
 * @param interval by which times are counted.
 */
export function stacServerCounts(items: readonly Document[], names: readonly string[], interval: string): Document {
  const valuesOf = (property: string): unknown[] => items.map((item) => (item.properties as Document)[property]);
  const times = valuesOf("datetime").map((text) => Date.parse(String(text)));
  const timeAt = (milliseconds: number): string | null =>
    times.length === 0 ? null : new Date(milliseconds).toISOString();
  const distribution = (name: string, type: string, buckets: readonly Bucket[]): Document => ({
    name,
    data_type: "frequency_distribution",
    overflow: 0,
    buckets: buckets.map(([key, frequency, range]) => ({ key, data_type: type, frequency, ...range })),
  });
  const all: Readonly<Record<string, () => Document>> = {
    total_count: () => ({ name: "total_count", data_type: "integer", value: items.length }),
    datetime_min: () => ({ name: "datetime_min", data_type: "datetime", value: timeAt(Math.min(...times)) }),
    datetime_max: () => ({ name: "datetime_max", data_type: "datetime", value: timeAt(Math.max(...times)) }),
    datetime_frequency: () => distribution("datetime_frequency", "datetime", histogram(times, interval)),
    cloud_cover_frequency: () =>
      distribution(
        "cloud_cover_frequency",
        "numeric",
        RANGES.map(([key, from, to]): Bucket => {
          const isIn = (value: unknown): boolean =>
            typeof value === "number" && (from === undefined || value >= from) && (to === undefined || value < to);
          const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
          return [key, valuesOf("eo:cloud_cover").filter(isIn).length, range];
        }),
      ),
    platform_frequency: () => distribution("platform_frequency", "string", terms(valuesOf("platform"))),
    grid_code_frequency: () =>
      distribution("grid_code_frequency", "string", terms(valuesOf("grid:code").map((code) => code ?? "none"))),
  };
  return { aggregations: names.flatMap((name) => all[name]?.() ?? []), links: [] };
}

function terms(values: readonly unknown[]): Bucket[] {
  const counts = new Map<string, number>();
  for (const value of values) {
    if (value !== undefined && value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

function histogram(times: readonly number[], interval: string): Bucket[] {
  if (times.length === 0) return [];
  const starts = times.map((time) => startOf(new Date(time), interval).getTime());
  const buckets: Bucket[] = [];
  const last = Math.max(...starts);
  for (let at = new Date(Math.min(...starts)); at.getTime() <= last; at = after(at, interval)) {
    buckets.push([at.toISOString(), starts.filter((start) => start === at.getTime()).length]);
  }
  return buckets;
}

function startOf(time: Date, interval: string): Date {
  const [year, month, day] = [time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate()];
  if (interval === "year") return new Date(Date.UTC(year, 0));
  if (interval === "month") return new Date(Date.UTC(year, month));
  // getUTCDay counts from Sunday on
  return new Date(Date.UTC(year, month, interval === "week" ? day - ((time.getUTCDay() + 6) % 7) : day));
}

function after(start: Date, interval: string): Date {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  if (interval === "year") return new Date(Date.UTC(year + 1, 0));
  if (interval === "month") return new Date(Date.UTC(year, month + 1));
  return new Date(Date.UTC(year, month, day + (interval === "week" ? 7 : 1)));
}
