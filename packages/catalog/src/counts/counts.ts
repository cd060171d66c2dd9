import { compareInstants, findInstant } from "@swath/query";
import type { AggregationName, CountRequest } from "@swath/query/aggregation";

/** One aggregation over items. */
export interface Count {
  /** Items by the key of their bucket; empty for a single value. */
  readonly buckets: ReadonlyMap<string, number>;
  /** The number of items, or the text of a time; `null` where no item has one. Absent for a distribution. */
  readonly value?: number | string | null;
  /** Items that were counted. */
  readonly counted: number;
  /** Whether they are all that match. */
  readonly isWhole: boolean;
}

/** The aggregations that were asked for. */
export interface Counts {
  readonly counts: ReadonlyMap<AggregationName, Count>;
  /** Names of upstreams that did not answer: their items are not counted. */
  readonly missing?: readonly string[];
}

/** Counts of no item. */
export function noCounts({ names }: CountRequest): Counts {
  return { counts: new Map(names.map((name) => [name, { ...valueOfNone(name), ...NONE }])) };
}

const NONE = { buckets: new Map<string, number>(), counted: 0, isWhole: true } as const;

function valueOfNone(name: AggregationName): { readonly value?: number | null } {
  if (name === "total_count") return { value: 0 };
  return name === "datetime_min" || name === "datetime_max" ? { value: null } : {};
}

/** The counts of items of several catalogs or collections together, none of which is in two of them. */
export function sumOfCounts(parts: readonly Counts[], request: CountRequest): Counts {
  const missing = [...new Set(parts.flatMap((part) => part.missing ?? []))];
  const counts = request.names.map((name) => {
    const of = parts.flatMap((part) => part.counts.get(name) ?? []);
    return [name, sumOf(name, of)] as const;
  });
  return { counts: new Map(counts), ...(missing.length === 0 ? {} : { missing }) };
}

function sumOf(name: AggregationName, parts: readonly Count[]): Count {
  const buckets = new Map<string, number>();
  for (const part of parts) {
    for (const [key, number] of part.buckets) buckets.set(key, (buckets.get(key) ?? 0) + number);
  }
  return {
    buckets,
    ...totalValue(
      name,
      parts.map(({ value }) => value),
    ),
    counted: parts.reduce((sum, { counted }) => sum + counted, 0),
    isWhole: parts.every(({ isWhole }) => isWhole),
  };
}

function totalValue(name: AggregationName, values: readonly Count["value"][]): Pick<Count, "value"> {
  if (name === "total_count") return { value: values.reduce((sum: number, value) => sum + Number(value ?? 0), 0) };
  if (name !== "datetime_min" && name !== "datetime_max") return {};
  const times = values.filter((value) => typeof value === "string");
  const [first, ...others] = times;
  if (first === undefined) return { value: null };
  const sign = name === "datetime_min" ? 1 : -1;
  return { value: others.reduce((best, time) => (sign * compareTimes(time, best) < 0 ? time : best), first) };
}

/** Compares two times of items, in UTC: by their text to the second, then exactly. */
export function compareTimes(one: string, other: string): number {
  const [a, b] = [one.slice(0, 19), other.slice(0, 19)];
  if (a !== b) return a < b ? -1 : 1;
  const [x, y] = [findInstant(one), findInstant(other)];
  return x === undefined || y === undefined ? 0 : compareInstants(x, y);
}
