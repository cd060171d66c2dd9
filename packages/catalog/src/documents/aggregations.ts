import { AGGREGATION_NAMES, AGGREGATIONS, type AggregationName, type CountRequest } from "@swath/query/aggregation";
import type { CollectionSchema } from "@swath/schema";
import type { Aggregation } from "@swath/stac";
import { CLOUD_RANGES } from "../counts/buckets.ts";
import type { Count, Counts } from "../counts/counts.ts";

/** Most buckets of a distribution; items of others are its `overflow`. */
const MAX_BUCKETS = 10_000;

/** Properties that aggregations are of, besides those that every collection has. */
const PROPERTIES: Readonly<Partial<Record<AggregationName, string>>> = {
  cloud_cover_frequency: "eo:cloud_cover",
  platform_frequency: "platform",
};

/** The aggregations that the items of a collection can be counted by; without a collection all. */
export function aggregationsOf(collection: CollectionSchema | undefined): readonly AggregationName[] {
  if (collection === undefined) return AGGREGATION_NAMES;
  const real = collection.virtual?.members ?? [collection];
  return AGGREGATION_NAMES.filter((name) => {
    const property = PROPERTIES[name];
    return (
      property === undefined || real.some(({ upstream }) => upstream.absentProperties?.includes(property) !== true)
    );
  });
}

/** The description of an aggregation, in the form of stac-server's `/aggregations`. */
export function aggregationEntry(name: AggregationName): Readonly<Record<string, string>> {
  const { dataType, ...more } = AGGREGATIONS[name];
  const bucketType = "bucketType" in more ? { frequency_distribution_data_type: more.bucketType } : {};
  return { name, data_type: dataType, ...bucketType };
}

/** Counts as they are answered. */
export interface CountsDocument {
  readonly type: "AggregationCollection";
  readonly aggregations: readonly Aggregation[];
  /** The least number of items that one of the aggregations is of, where not all that match were counted. */
  readonly "svc:counted_of"?: number;
  /** Names of upstreams that did not answer. */
  readonly "svc:upstreams_missing"?: readonly string[];
}

/** The AggregationCollection of counts, without its links (STAC API Aggregation Extension 0.3.0). */
export function countsDocument({ counts, missing }: Counts, { names }: CountRequest): CountsDocument {
  const parts = [...counts.values()].filter(({ isWhole }) => !isWhole).map(({ counted }) => counted);
  return {
    type: "AggregationCollection",
    aggregations: names.flatMap((name) => {
      const count = counts.get(name);
      return count === undefined ? [] : [aggregationOf(name, count)];
    }),
    ...(parts.length === 0 ? {} : { "svc:counted_of": Math.min(...parts) }),
    ...(missing === undefined ? {} : { "svc:upstreams_missing": missing }),
  };
}

function aggregationOf(name: AggregationName, { buckets, value, counted, isWhole }: Count): Aggregation {
  const { dataType, ...more } = AGGREGATIONS[name];
  const of = isWhole ? {} : { "svc:counted_of": counted };
  if (!("bucketType" in more)) return { name, data_type: dataType, value: value ?? null, ...of };
  const rows = rowsOf(name, buckets);
  const left = rows.slice(MAX_BUCKETS).reduce((sum, { frequency }) => sum + frequency, 0);
  return {
    name,
    data_type: dataType,
    overflow: left,
    buckets: rows.slice(0, MAX_BUCKETS).map(({ key, ...row }) => ({ key, data_type: more.bucketType, ...row })),
    ...of,
  };
}

interface Row {
  readonly key: string;
  readonly frequency: number;
  readonly from?: number;
  readonly to?: number;
}

/** Times and ranges in their order; others with the most items first. */
function rowsOf(name: AggregationName, buckets: Count["buckets"]): readonly Row[] {
  if (name === "cloud_cover_frequency") {
    return CLOUD_RANGES.map(({ key, ...range }) => ({ key, frequency: buckets.get(key) ?? 0, ...range }));
  }
  const rows = [...buckets].map(([key, frequency]) => ({ key, frequency }));
  const byKey = (a: Row, b: Row): number => (a.key < b.key ? -1 : 1);
  if (name === "datetime_frequency") return rows.sort(byKey);
  return rows.sort((a, b) => b.frequency - a.frequency || byKey(a, b));
}
