import type { AggregationName, CountInterval } from "@swath/query/aggregation";
import type { CollectionSchema } from "@swath/schema";
import type { Aggregation, AggregationAnswer } from "@swath/stac";
import { CLOUD_RANGES, canonicalGridCode, NO_GRID_CODE, startOf } from "../counts/buckets.ts";
import type { Count } from "../counts/counts.ts";
import { canonicalPlatform } from "../names/platform.ts";
import type { UpstreamMemory } from "./plan/upstream-search.ts";

/** The collection, the interval and the memory by which an upstream's aggregations are read. */
export interface AggregationReading {
  readonly collection: CollectionSchema;
  readonly interval: CountInterval;
  readonly memory: UpstreamMemory;
}

/** The number of items that the upstream says match; `undefined` where it does not. */
export function totalOf({ aggregations }: AggregationAnswer): number | undefined {
  const value = aggregations.find(({ name }) => name === "total_count")?.value;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/**
 * One aggregation of an upstream in the service's words, whose buckets hold every item once; `undefined` for one that does
 * not add up to the total, or is of something else: servers ignore intervals, cut lists of buckets, spell platforms.
 *
 * @param total items that match.
 */
export function readAggregation(
  name: AggregationName,
  { aggregations }: AggregationAnswer,
  total: number,
  reading: AggregationReading,
): Count | undefined {
  const whole = { counted: total, isWhole: true } as const;
  if (name === "total_count") return { buckets: new Map(), value: total, ...whole };
  if (name === "collection_frequency") {
    return { buckets: new Map(total === 0 ? [] : [[reading.collection.id, total]]), ...whole };
  }
  const given = aggregations.find((each) => each.name === name);
  if (name === "datetime_min" || name === "datetime_max") {
    const value = given?.value ?? null;
    const isTime = typeof value === "string" && startOf(value, "day") !== undefined;
    return isTime || total === 0 ? { buckets: new Map(), value: isTime ? value : null, ...whole } : undefined;
  }
  const buckets = given === undefined ? undefined : bucketsOf(name, given, reading);
  if (buckets === undefined || (given?.overflow ?? 0) > 0) return undefined;
  const sum = [...buckets.values()].reduce((all, each) => all + each, 0);
  return sum === total ? { buckets, ...whole } : undefined;
}

/** The unit by which an upstream is asked to count times: years are added up of months, which all servers count by. */
export function askedInterval(interval: CountInterval): CountInterval {
  return interval === "year" ? "month" : interval;
}

function bucketsOf(
  name: AggregationName,
  given: Aggregation,
  reading: AggregationReading,
): Map<string, number> | undefined {
  const filled = (given.buckets ?? []).filter(({ frequency }) => frequency > 0);
  if (name === "datetime_frequency" && !isByInterval(filled, reading)) return undefined;
  const buckets = new Map<string, number>();
  for (const bucket of filled) {
    const key = keyOf(name, bucket, reading);
    if (key === undefined) return undefined;
    buckets.set(key, (buckets.get(key) ?? 0) + bucket.frequency);
  }
  return buckets;
}

type Bucket = NonNullable<Aggregation["buckets"]>[number];

function keyOf(
  name: AggregationName,
  { key, from, to }: Bucket,
  { collection, interval }: AggregationReading,
): string | undefined {
  switch (name) {
    case "datetime_frequency":
      return startOf(key, interval);
    case "cloud_cover_frequency":
      return CLOUD_RANGES.find((range) => range.from === (from ?? undefined) && range.to === (to ?? undefined))?.key;
    case "platform_frequency": {
      const platform = canonicalPlatform(key);
      return collection.platforms.includes(platform) ? platform : undefined;
    }
    case "grid_code_frequency":
      return key === NO_GRID_CODE ? undefined : canonicalGridCode(key);
    default:
      return undefined;
  }
}

/**
 * Whether buckets of times are of the interval that was asked for. Older stac-servers count by months whatever they are
 * asked (stac-server 1117): counts by days or weeks are taken where a key has shown that they are none of months.
 */
function isByInterval(buckets: readonly Bucket[], { interval, memory }: AggregationReading): boolean {
  const asked = askedInterval(interval);
  if (!buckets.every(({ key }) => startOf(key, asked)?.slice(0, 19) === key.slice(0, 19))) return false;
  if (asked === "month" || buckets.length === 0) return true;
  memory.countsByInterval ||= buckets.some(({ key }) => startOf(key, "month")?.slice(0, 19) !== key.slice(0, 19));
  return memory.countsByInterval;
}
