import { below, faultAt, type InputLocation, shown } from "../input-location.ts";

/**
 * The aggregations that there are, with the type of their buckets; single values have none (STAC API Aggregation
 * Extension 0.3.0, with the names of stac-server).
 */
export const AGGREGATIONS = {
  total_count: { dataType: "integer" },
  datetime_min: { dataType: "datetime" },
  datetime_max: { dataType: "datetime" },
  datetime_frequency: { dataType: "frequency_distribution", bucketType: "datetime" },
  cloud_cover_frequency: { dataType: "frequency_distribution", bucketType: "numeric" },
  platform_frequency: { dataType: "frequency_distribution", bucketType: "string" },
  collection_frequency: { dataType: "frequency_distribution", bucketType: "string" },
  grid_code_frequency: { dataType: "frequency_distribution", bucketType: "string" },
} as const satisfies Record<string, { readonly dataType: string; readonly bucketType?: string }>;

/** Name of an aggregation. */
export type AggregationName = keyof typeof AGGREGATIONS;

export const AGGREGATION_NAMES = Object.keys(AGGREGATIONS) as readonly AggregationName[];

/** The lengths of time that `datetime_frequency` counts by. Weeks begin on Mondays; all are of UTC. */
export const COUNT_INTERVALS = ["day", "week", "month", "year"] as const;

export type CountInterval = (typeof COUNT_INTERVALS)[number];

/** The counts that are asked for of the items of a search. */
export interface CountRequest {
  /** Each once, in the order in which they were asked for. */
  readonly names: readonly AggregationName[];
  /** The interval of `datetime_frequency`. */
  readonly interval: CountInterval;
}

/** The parameters that a request for counts has besides the conditions of a search. */
export const COUNT_PARAMETERS = ["aggregations", "datetime_frequency_interval"] as const;

/**
 * Reads which counts are asked for: names divided by commas in a query, an array of names in a body; none where there is
 * no such member. The interval is a month where none is given.
 *
 * @param known the names that are taken; by default all.
 * @throws {QueryError} for another name, another interval.
 */
export function parseCounts(
  input: Readonly<Record<string, unknown>>,
  from: InputLocation["in"],
  known: readonly AggregationName[] = AGGREGATION_NAMES,
): CountRequest {
  const at = (name: string): InputLocation => ({ in: from, pointer: from === "body" ? `/${name}` : name });
  const given = input.datetime_frequency_interval ?? "month";
  const interval = COUNT_INTERVALS.find((each) => each === given);
  if (interval === undefined) {
    const unknown = { given: String(given), known: COUNT_INTERVALS };
    const message = `Expected one of ${COUNT_INTERVALS.join(", ")}, got ${shown(given)}.`;
    throw faultAt(at("datetime_frequency_interval"), message, { unknown });
  }
  const { aggregations } = input;
  return { names: aggregations === undefined ? [] : namesOf(aggregations, at("aggregations"), known), interval };
}

function namesOf(input: unknown, location: InputLocation, known: readonly AggregationName[]): AggregationName[] {
  const entries = typeof input === "string" ? (input === "" ? [] : input.split(",")) : input;
  if (!Array.isArray(entries) || (location.in === "query" && typeof input !== "string")) {
    throw faultAt(location, `Expected names of aggregations, got ${shown(input)}.`);
  }
  const names = entries.map((entry: unknown, i) => {
    const name = typeof entry === "string" ? entry.trim() : entry;
    const found = known.find((each) => each === name);
    if (found !== undefined) return found;
    const message = `Expected one of ${known.join(", ")}, got ${shown(entry)}.`;
    throw faultAt(below(location, i), message, { unknown: { given: String(name).slice(0, 100), known } });
  });
  return [...new Set(names)];
}
