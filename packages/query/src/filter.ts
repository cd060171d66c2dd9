import type { Geometry } from "@swath/geometry";
import type { Interval } from "./datetime.ts";
import type { Instant } from "./instant.ts";

/** A value in a comparison. `property` names `id`, `collection`, or an item property without `properties.`. */
export type Operand =
  | { readonly property: string }
  | { readonly literal: string | number | boolean }
  | { readonly instant: Instant }
  /** CASEI of CQL2: the text without regard to case. */
  | { readonly casei: Operand };

/** How a value is compared with another. */
export type Comparison = "eq" | "neq" | "lt" | "lte" | "gt" | "gte";

/**
 * A condition on an item: the tree of CQL2 (OGC 21-065r2), which also holds what the STAC query extension can say.
 * `text` and `has` come from the latter: a piece of text at the start, at the end or anywhere, and a list that has an
 * entry. In `like`, `%` stands for any text, `_` for one character, `\` takes the next character as it is.
 */
export type Filter =
  | { readonly op: "and" | "or"; readonly args: readonly Filter[] }
  | { readonly op: "not"; readonly arg: Filter }
  | { readonly op: "compare"; readonly operator: Comparison; readonly left: Operand; readonly right: Operand }
  | { readonly op: "isNull"; readonly operand: Operand }
  | { readonly op: "like"; readonly operand: Operand; readonly pattern: string }
  | { readonly op: "between"; readonly operand: Operand; readonly lower: Operand; readonly upper: Operand }
  | { readonly op: "in"; readonly operand: Operand; readonly values: readonly Operand[] }
  | {
      readonly op: "text";
      readonly operator: "startsWith" | "endsWith" | "contains";
      readonly operand: Operand;
      readonly value: string;
    }
  | { readonly op: "has"; readonly operand: Operand; readonly value: Operand }
  | { readonly op: "spatial"; readonly operator: "intersects" | "disjoint"; readonly geometry: Geometry }
  | {
      readonly op: "temporal";
      readonly operator: "intersects" | "before" | "after";
      readonly property: string;
      readonly interval: Interval;
    };
