import type { Filter } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { QueriedAs } from "../../names/queried-as.ts";

/** A condition in the upstream's vocabulary. */
export interface UpstreamCondition {
  readonly filter: Filter;
  /** False: it is true for every item for which the service's condition is true, and for others. */
  readonly isExact: boolean;
}

/** Facts about the upstream that the translation of a condition needs. */
export interface Cql2Context {
  readonly classes: ReadonlySet<string>;
  readonly upstream: QueriedAs;
  /** The collections that are searched. */
  readonly collections: readonly CollectionSchema[];
  /** Whether it compares longitudes as they are written, so that it is not asked about areas near 180 degrees. */
  readonly isPlane: boolean;
}

/** A filter that no item matches, in words that every server knows. */
export const NEVER: Filter = { op: "compare", operator: "eq", left: { property: "id" }, right: { literal: "" } };

export function exactly(filter: Filter): UpstreamCondition {
  return { filter, isExact: true };
}

/** The AND of these; the one where there is one. */
export function allOf(filters: readonly Filter[]): Filter {
  return filters.length === 1 ? (filters[0] as Filter) : { op: "and", args: filters };
}

export function anyOf(filters: readonly Filter[]): Filter {
  const possible = filters.filter((filter) => filter !== NEVER);
  if (possible.length === 0) return NEVER;
  return possible.length === 1 ? (possible[0] as Filter) : { op: "or", args: possible };
}

/** Whether a property has one of these values: IN where the upstream has it, else comparisons. */
export function oneOf(property: string, values: readonly (string | number | boolean)[], classes: ReadonlySet<string>) {
  const operand = { property };
  if (values.length > 1 && classes.has("advanced-comparison-operators")) {
    return { op: "in", operand, values: values.map((literal) => ({ literal })) } satisfies Filter;
  }
  return anyOf(values.map((literal) => ({ op: "compare", operator: "eq", left: operand, right: { literal } })));
}
