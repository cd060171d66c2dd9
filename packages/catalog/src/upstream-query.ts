import { type Comparison, type Filter, formatInstant, type Operand } from "@swath/query";
import type { FilterWriter } from "./filter-writer.ts";
import type { Bound, PropertyBounds } from "./implied-bounds.ts";
import { gridCodes } from "./mgrs.ts";
import { ALWAYS_THERE, type QueriedAs, TIMES } from "./queried-as.ts";

type Plain = string | number | boolean;
type Conditions = Record<string, Record<string, unknown>>;

/** Writes conditions of the STAC query extension: operators on single properties, all of which hold. */
export function queryWriter(upstream: QueriedAs): FilterWriter {
  const query: Conditions = {};
  return {
    add: (piece) => (addTo(query, piece, upstream) ? "exact" : "not"),
    addBounds: (property, bounds) => addBounds(query, property, bounds, upstream),
    addPlatforms: (spellings) => {
      query.platform = { in: spellings };
    },
    written: () => ({ query }),
  };
}

/** Adds what has to hold of a property. Its range is at least as narrow as what is there. */
function addBounds(query: Conditions, property: string, bounds: PropertyBounds, upstream: QueriedAs): void {
  const { lower, upper, values, prefix } = bounds;
  // a time is written in more ways than one
  const isTime = TIMES.has(property);
  if (values !== undefined && !isTime) addEqual(query, property, values, upstream);
  if (upstream(property)?.kind !== "same") return;
  query[property] = {
    ...query[property],
    ...(lower && { [lower.inclusive ? "gte" : "gt"]: jsonOf(lower) }),
    ...(upper && { [upper.inclusive ? "lte" : "lt"]: jsonOf(upper) }),
  };
  if (Object.keys(query[property]).length === 0) delete query[property];
  if (prefix !== undefined && !isTime && isPlainText(prefix)) set(query, property, "startsWith", prefix);
}

function jsonOf({ value }: Bound): number | string {
  return typeof value === "number" ? value : formatInstant(value);
}

/** Whether a text has none of the characters that have a meaning in the patterns of upstreams. */
function isPlainText(text: string): boolean {
  return !/[*?\\]/.test(text);
}

/** Adds a piece to the query. @returns whether the query now says exactly the same; if not, the piece is also local. */
function addTo(query: Conditions, piece: Filter, upstream: QueriedAs): boolean {
  switch (piece.op) {
    case "compare":
      return addComparison(query, piece.left, piece.operator, piece.right, upstream);
    case "between":
      return (
        addComparison(query, piece.operand, "gte", piece.lower, upstream) &&
        addComparison(query, piece.operand, "lte", piece.upper, upstream)
      );
    case "in": {
      const values = piece.values.map(plainOf);
      if (!("property" in piece.operand) || values.includes(undefined)) return false;
      return addEqual(query, piece.operand.property, values, upstream);
    }
    case "has": {
      const value = plainOf(piece.value);
      if (!("property" in piece.operand) || value === undefined) return false;
      return addEqual(query, piece.operand.property, [value], upstream);
    }
    case "text": {
      if (!("property" in piece.operand) || !isPlainText(piece.value)) return false;
      const { property } = piece.operand;
      return upstream(property)?.kind === "same" && set(query, property, piece.operator, piece.value);
    }
    case "like": {
      // a fixed text with one % at its end, or none
      const { pattern, operand } = piece;
      if (!("property" in operand) || TIMES.has(operand.property)) return false;
      if (typeof pattern !== "string" || !/^[^\\_%*?]+%?$/.test(pattern)) return false;
      return pattern.endsWith("%")
        ? upstream(operand.property)?.kind === "same" &&
            set(query, operand.property, "startsWith", pattern.slice(0, -1))
        : addEqual(query, operand.property, [pattern], upstream);
    }
    case "or": {
      const values = equalValues(piece);
      return values !== undefined && addEqual(query, values.property, values.values, upstream);
    }
    default:
      return false;
  }
}

/** The property and its values, of an OR that says no more than that it has one of these values. */
function equalValues(filter: Filter): { readonly property: string; readonly values: readonly Plain[] } | undefined {
  if (filter.op === "or") {
    const parts = filter.args.map(equalValues);
    const [first] = parts;
    if (first === undefined || parts.some((part) => part?.property !== first.property)) return undefined;
    return { property: first.property, values: [...new Set(parts.flatMap((part) => part?.values ?? []))] };
  }
  const isEqual = filter.op === "compare" && filter.operator === "eq";
  if (!isEqual && filter.op !== "in") return undefined;
  const operand = filter.op === "in" ? filter.operand : filter.left;
  const values = (filter.op === "in" ? filter.values : [filter.right]).map((value) =>
    "literal" in value ? value.literal : undefined,
  );
  if (!("property" in operand) || TIMES.has(operand.property) || values.includes(undefined)) return undefined;
  return { property: operand.property, values: values.filter((value) => value !== undefined) };
}

function addComparison(
  query: Conditions,
  left: Operand,
  operator: Comparison,
  right: Operand,
  upstream: QueriedAs,
): boolean {
  const value = plainOf(right);
  if (!("property" in left) || value === undefined) return false;
  // how exact the item is written decides whether it is "equal" to a time
  if ("instant" in right && (operator === "eq" || operator === "neq")) return false;
  if (operator === "eq") return addEqual(query, left.property, [value], upstream);
  if (upstream(left.property)?.kind !== "same") return false;
  const isSet = set(query, left.property, operator, value);
  return isSet && (operator !== "neq" || ALWAYS_THERE.has(left.property));
}

function addEqual(query: Conditions, property: string, values: readonly unknown[], upstream: QueriedAs): boolean {
  const as = upstream(property);
  switch (as?.kind) {
    case "same":
      return values.length === 1 ? set(query, property, "eq", values[0]) : set(query, property, "in", values);
    case "mgrs-grid-code":
      if (!values.every((value) => typeof value === "string" && /^\d\d[A-Z]{3}$/.test(value))) return false;
      return set(query, as.property, "in", (values as string[]).flatMap(gridCodes));
    case undefined:
      return false;
  }
}

/** An operator can be given once for a property; a second one stays local. */
function set(query: Conditions, property: string, operator: string, value: unknown): boolean {
  const conditions = query[property];
  if (conditions !== undefined && Object.hasOwn(conditions, operator)) return false;
  query[property] = { ...conditions, [operator]: value };
  return true;
}

/** The value of a constant as JSON. */
function plainOf(operand: Operand): Plain | undefined {
  if ("literal" in operand) return operand.literal;
  return "instant" in operand ? formatInstant(operand.instant) : undefined;
}
