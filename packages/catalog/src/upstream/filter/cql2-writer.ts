import { type Comparison, type Filter, truncateInstant } from "@swath/query";
import type { QueriedAs } from "../../names/queried-as.ts";
import type { FilterWriter } from "./filter-writer.ts";
import type { Bound, PropertyBounds } from "./implied-bounds.ts";
import { allOf, oneOf } from "./upstream-condition.ts";
import { toUpstreamCql2 } from "./upstream-cql2.ts";

const SECOND = 1_000_000_000n;

/**
 * Writes a filter of CQL2 in the upstream's vocabulary, with these conformance classes of it.
 *
 * @param isPlane whether the upstream compares longitudes as they are written.
 */
export function cql2Writer(upstream: QueriedAs, classes: ReadonlySet<string>, isPlane: boolean): FilterWriter {
  const filters: Filter[] = [];
  return {
    add: (piece, collections) => {
      const condition = toUpstreamCql2(piece, { classes, upstream, collections, isPlane });
      if (condition === undefined) return "not";
      filters.push(condition.filter);
      return condition.isExact ? "exact" : "wider";
    },
    addBounds: (property, bounds) => {
      if (upstream(property) === undefined) return "wider";
      const context = { classes, upstream, collections: [], isPlane };
      const conditions = boundFilters(property, bounds).map((piece) => toUpstreamCql2(piece, context));
      filters.push(...conditions.flatMap((condition) => condition?.filter ?? []));
      return conditions.every((condition) => condition?.isExact) ? "exact" : "wider";
    },
    addPlatforms: (spellings) => filters.push(oneOf("platform", spellings, classes)) > 0,
    written: () => ({ query: {}, ...(filters.length === 0 ? {} : { cql2: allOf(filters) }) }),
  };
}

/** The bounds of a property as conditions, times as whole seconds. */
function boundFilters(property: string, { lower, upper, values, prefix }: PropertyBounds): Filter[] {
  const operand = { property };
  const range = (operator: Comparison, value: Bound["value"]): Filter => ({
    op: "compare",
    operator,
    left: operand,
    right: typeof value === "number" ? { literal: value } : { instant: value },
  });
  const upperRange = ({ value, inclusive }: Bound): Filter => {
    if (typeof value === "number" || value.nanoseconds % SECOND === 0n) return range(inclusive ? "lte" : "lt", value);
    return range("lt", { nanoseconds: truncateInstant(value, 0).nanoseconds + SECOND, digits: 0 });
  };
  return [
    ...(lower === undefined ? [] : [range(lower.inclusive ? "gte" : "gt", lower.value)]),
    ...(upper === undefined ? [] : [upperRange(upper)]),
    ...(values === undefined ? [] : [{ op: "in", operand, values: values.map((literal) => ({ literal })) } as const]),
    ...(prefix === undefined ? [] : [{ op: "text", operator: "startsWith", operand, value: prefix } as const]),
  ];
}
