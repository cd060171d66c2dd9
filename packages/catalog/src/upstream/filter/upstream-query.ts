import { type Comparison, type Filter, formatInstant, type Operand } from "@swath/query";
import type { UpstreamKindFile } from "@swath/schema/files";
import { gridCodes } from "../../names/mgrs.ts";
import { ALWAYS_THERE, type QueriedAs, TIMES } from "../../names/queried-as.ts";
import type { FilterWriter } from "./filter-writer.ts";
import type { Bound, PropertyBounds } from "./implied-bounds.ts";

type Plain = string | number | boolean;
type Conditions = Record<string, Record<string, unknown>>;

/** Whether an upstream evaluates an operator on one of its properties. */
export type Evaluates = (property: string, operator: string) => boolean;

/** Returns which operators of the query extension an upstream evaluates, as the data of its kind say. */
export function evaluating({ query }: Pick<UpstreamKindFile["conditions"], "query">): Evaluates {
  if (query === undefined || query === "any") return () => query === "any";
  const operators = new Map<string, readonly string[]>(Object.entries(query));
  return (property, operator) => operators.get(property)?.includes(operator) === true;
}

/** The share of a condition that the query expresses. */
type Added = ReturnType<FilterWriter["add"]>;

/** The query that is being written, and the upstream that it is written for. */
interface Writing {
  readonly query: Conditions;
  readonly upstream: QueriedAs;
  readonly evaluates: Evaluates;
}

/**
 * Writes conditions of the STAC query extension: operators on single properties, all of which hold. An upstream that
 * knows a bound only with its end is sent that, and the condition is applied to its answer as well.
 */
export function queryWriter(upstream: QueriedAs, evaluates: Evaluates): FilterWriter {
  const writing: Writing = { query: {}, upstream, evaluates };
  return {
    add: (piece) => addTo(writing, piece),
    addBounds: (property, bounds) => addBounds(writing, property, bounds),
    addPlatforms: (spellings) => {
      if (!evaluates("platform", "in")) return false;
      writing.query.platform = { in: spellings };
      return true;
    },
    written: () => ({ query: writing.query }),
  };
}

/** Adds what has to hold of a property. Its range is at least as narrow as what is there. */
function addBounds(writing: Writing, property: string, bounds: PropertyBounds): Added {
  const { query, upstream, evaluates } = writing;
  const { lower, upper, values, prefix } = bounds;
  // a time is written in more ways than one
  const isTime = TIMES.has(property);
  let isExact = values === undefined || (!isTime && addEqual(writing, property, values));
  if (upstream(property)?.kind !== "same") return isExact ? "exact" : "wider";
  const bound = (given: Bound | undefined, open: string, closed: string): object => {
    if (given === undefined) return {};
    const operator = given.inclusive || !evaluates(property, open) ? closed : open;
    const isTaken = evaluates(property, operator);
    isExact &&= isTaken && given.inclusive === (operator === closed);
    return isTaken ? { [operator]: jsonOf(given) } : {};
  };
  query[property] = { ...query[property], ...bound(lower, "gt", "gte"), ...bound(upper, "lt", "lte") };
  if (Object.keys(query[property]).length === 0) delete query[property];
  if (prefix !== undefined) isExact &&= !isTime && isPlainText(prefix) && set(writing, property, "startsWith", prefix);
  return isExact ? "exact" : "wider";
}

function jsonOf({ value }: Bound): number | string {
  return typeof value === "number" ? value : formatInstant(value);
}

/** Whether a text has none of the characters that have a meaning in the patterns of upstreams. */
function isPlainText(text: string): boolean {
  return !/[*?\\]/.test(text);
}

const exactIf = (isSet: boolean): Added => (isSet ? "exact" : "not");

/** Adds a piece to the query; where that does not say exactly the same, the piece is applied to the answer as well. */
function addTo(writing: Writing, piece: Filter): Added {
  switch (piece.op) {
    case "compare":
      return addComparison(writing, piece.left, piece.operator, piece.right);
    case "between": {
      const added = [
        addComparison(writing, piece.operand, "gte", piece.lower),
        addComparison(writing, piece.operand, "lte", piece.upper),
      ];
      if (added.every((each) => each === "exact")) return "exact";
      return added.every((each) => each === "not") ? "not" : "wider";
    }
    case "in": {
      const values = piece.values.map(plainOf);
      if (!("property" in piece.operand) || values.includes(undefined)) return "not";
      return exactIf(addEqual(writing, piece.operand.property, values));
    }
    case "has": {
      const value = plainOf(piece.value);
      if (!("property" in piece.operand) || value === undefined) return "not";
      return exactIf(addEqual(writing, piece.operand.property, [value]));
    }
    case "text": {
      if (!("property" in piece.operand) || !isPlainText(piece.value)) return "not";
      const { property } = piece.operand;
      return exactIf(
        writing.upstream(property)?.kind === "same" && set(writing, property, piece.operator, piece.value),
      );
    }
    case "like":
      return exactIf(addPattern(writing, piece));
    case "or": {
      const values = equalValues(piece);
      return exactIf(values !== undefined && addEqual(writing, values.property, values.values));
    }
    default:
      return "not";
  }
}

/** A pattern of fixed text with one % at its end, or none. */
function addPattern(writing: Writing, { pattern, operand }: Extract<Filter, { op: "like" }>): boolean {
  if (!("property" in operand) || TIMES.has(operand.property)) return false;
  if (typeof pattern !== "string" || !/^[^\\_%*?]+%?$/.test(pattern)) return false;
  if (!pattern.endsWith("%")) return addEqual(writing, operand.property, [pattern]);
  const isSame = writing.upstream(operand.property)?.kind === "same";
  return isSame && set(writing, operand.property, "startsWith", pattern.slice(0, -1));
}

/** Returns the property and its values of an OR that only lists values of one property. */
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

/** The bound with its end, for upstreams that know no other. */
const CLOSED: Readonly<Partial<Record<Comparison, Comparison>>> = { lt: "lte", gt: "gte" };

function addComparison(writing: Writing, left: Operand, operator: Comparison, right: Operand): Added {
  const { upstream, evaluates } = writing;
  const value = plainOf(right);
  if (!("property" in left) || value === undefined) return "not";
  const { property } = left;
  // how exact the item is written decides whether it is "equal" to a time
  if ("instant" in right && (operator === "eq" || operator === "neq")) return "not";
  if (operator === "eq") return exactIf(addEqual(writing, property, [value]));
  if (upstream(property)?.kind !== "same") return "not";
  const closed = CLOSED[operator];
  if (closed !== undefined && !evaluates(property, operator)) {
    return set(writing, property, closed, value) ? "wider" : "not";
  }
  if (!set(writing, property, operator, value)) return "not";
  // servers that search documents find an item without the property as one whose property differs
  return operator !== "neq" || ALWAYS_THERE.has(property) ? "exact" : "wider";
}

function addEqual(writing: Writing, property: string, values: readonly unknown[]): boolean {
  const as = writing.upstream(property);
  const [value] = values;
  switch (as?.kind) {
    case "same":
      if (values.length !== 1) return set(writing, property, "in", values);
      if (writing.evaluates(property, "eq") || typeof value !== "number") return set(writing, property, "eq", value);
      // both ends of a range say the same
      return set(writing, property, "gte", value) && set(writing, property, "lte", value);
    case "mgrs-grid-code":
      if (!values.every((each) => typeof each === "string" && /^\d\d[A-Z]{3}$/.test(each))) return false;
      return set(writing, as.property, "in", (values as string[]).flatMap(gridCodes));
    case undefined:
      return false;
  }
}

/** An operator can be given once for a property, and only where the upstream evaluates it; else the piece stays local. */
function set({ query, evaluates }: Writing, property: string, operator: string, value: unknown): boolean {
  const conditions = query[property];
  if (!evaluates(property, operator) || (conditions !== undefined && Object.hasOwn(conditions, operator))) return false;
  query[property] = { ...conditions, [operator]: value };
  return true;
}

/** The value of a constant as JSON. */
function plainOf(operand: Operand): Plain | undefined {
  if ("literal" in operand) return operand.literal;
  return "instant" in operand ? formatInstant(operand.instant) : undefined;
}
