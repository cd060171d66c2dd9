import type { Geometry } from "@swath/geometry";
import type { Instant } from "./instant.ts";

/** A value in a condition: a constant, a property of the item, or what is computed of them. */
export type Operand =
  /** `id`, `collection`, `geometry`, or an item property without `properties.`. */
  | { readonly property: string }
  | { readonly literal: string | number | boolean }
  /** TIMESTAMP of CQL2. */
  | { readonly instant: Instant }
  /** DATE of CQL2, as `2024-04-22`: the whole day in UTC. */
  | { readonly date: string }
  /** INTERVAL of CQL2, both ends included; `..` is an open end. The bounds are instants, dates or properties. */
  | { readonly interval: readonly [start: IntervalBound, end: IntervalBound] }
  | { readonly geometry: Geometry }
  /** BBOX of CQL2: west, south, east, north in degrees, or the same with a lowest and highest height as 3rd and 6th. */
  | { readonly bbox: readonly number[] }
  | { readonly array: readonly Operand[] }
  /** CASEI of CQL2: the text without regard to case. */
  | { readonly casei: Operand }
  /** ACCENTI of CQL2: the text without regard to accents. */
  | { readonly accenti: Operand }
  | { readonly arithmetic: ArithmeticOperator; readonly left: Operand; readonly right: Operand }
  /** A function of the server's. None is known here: its value is unknown. */
  | { readonly function: string; readonly args: readonly Operand[] }
  /** A condition as a value: an entry of an array, an argument of a function, or what IS NULL looks at. */
  | { readonly filter: Filter };

/** One end of an interval. */
export type IntervalBound = Operand | "..";

/** The text that LIKE compares with: `%` is any text, `_` one character, `\\` takes the next character as it is. */
export type Pattern = string | { readonly casei: Pattern } | { readonly accenti: Pattern };

/** A comparison of two values. */
export type Comparison = "eq" | "neq" | "lt" | "lte" | "gt" | "gte";

/** The signs of arithmetic. `div` divides and drops the fraction, `%` is the remainder with the sign of the dividend. */
export type ArithmeticOperator = (typeof ARITHMETIC_OPERATORS)[number];
/** The signs of `ArithmeticOperator`. */
export const ARITHMETIC_OPERATORS = ["+", "-", "*", "/", "%", "div", "^"] as const;

/** The spatial functions without `S_`: relations of two point sets by DE-9IM (OGC 06-103r4, 6.1.15). */
export type SpatialOperator = (typeof SPATIAL_OPERATORS)[number];
/** The names of `SpatialOperator`. */
export const SPATIAL_OPERATORS = [
  "intersects",
  "disjoint",
  "equals",
  "touches",
  "within",
  "overlaps",
  "crosses",
  "contains",
] as const;

/** The temporal functions without `T_`, as CQL2 JSON spells them: relations of two intervals (Allen 1983). */
export type TemporalOperator = (typeof TEMPORAL_OPERATORS)[number];
/** The names of `TemporalOperator`. */
export const TEMPORAL_OPERATORS = [
  "after",
  "before",
  "contains",
  "disjoint",
  "during",
  "equals",
  "finishedBy",
  "finishes",
  "intersects",
  "meets",
  "metBy",
  "overlappedBy",
  "overlaps",
  "startedBy",
  "starts",
] as const;

/** The array functions without `A_`, as CQL2 JSON spells them: relations of two sets of values. */
export type ArrayOperator = (typeof ARRAY_OPERATORS)[number];
/** The names of `ArrayOperator`. */
export const ARRAY_OPERATORS = ["equals", "contains", "containedBy", "overlaps"] as const;

/**
 * A condition on an item: the tree of CQL2 (OGC 21-065r2), which also holds what the STAC query extension can say.
 * `text` and `has` come from the latter: a piece of text at the start, at the end or anywhere, and a list that has an
 * entry. NOT LIKE, NOT IN, NOT BETWEEN and IS NOT NULL are a `not` around the condition.
 */
export type Filter =
  | { readonly op: "and" | "or"; readonly args: readonly Filter[] }
  | { readonly op: "not"; readonly arg: Filter }
  | { readonly op: "compare"; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly op: "isNull"; readonly operand: Operand }
  | { readonly op: "like"; readonly operand: Operand; readonly pattern: Pattern }
  | { readonly op: "between"; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly op: "in"; readonly operand: Operand; readonly values: readonly Operand[] }
  | {
      readonly op: "text";
      readonly operator: "startsWith" | "endsWith" | "contains";
      readonly operand: Operand;
      readonly value: string;
    }
  | { readonly op: "has"; readonly operand: Operand; readonly value: Operand }
  | { readonly op: "spatial"; readonly operator: SpatialOperator; readonly left: Operand; readonly right: Operand }
  | { readonly op: "temporal"; readonly operator: TemporalOperator; readonly left: Operand; readonly right: Operand }
  | { readonly op: "array"; readonly operator: ArrayOperator; readonly left: Operand; readonly right: Operand }
  /** TRUE, FALSE, or a function whose value is one of them. */
  | { readonly op: "boolean"; readonly operand: Operand };

/** The condition that all of these hold, those that are there; `undefined` where none is. */
export function allOf(...filters: readonly [Filter, ...(Filter | undefined)[]]): Filter;
export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined;
export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const args = filters.filter((each) => each !== undefined);
  return args.length > 1 ? { op: "and", args } : args[0];
}

/** The names of all properties that the filter looks at. */
export function filterProperties(filter: Filter): Set<string> {
  const names = new Set<string>();
  collect(filter, names);
  return names;
}

/** Walks members that hold conditions and operands; geometries and instants hold no properties. */
function collect(node: unknown, names: Set<string>): void {
  if (typeof node !== "object" || node === null || "geometry" in node || "instant" in node) return;
  if ("property" in node && typeof node.property === "string") names.add(node.property);
  for (const member of Object.values(node)) collect(member, names);
}
