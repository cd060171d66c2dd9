import { allOf, type Comparison, type Filter, type Operand } from "../filter.ts";
import { below, faultAt, type InputLocation, insideJson, isObject, jsonOf, shown } from "../input-location.ts";
import { findDay, findInstant } from "../instant.ts";
import { findQueryable, QUERYABLES, type Queryable, type Queryables } from "../queryables.ts";

const COMPARISONS = ["eq", "neq", "lt", "lte", "gt", "gte"] as const satisfies readonly Comparison[];
const TEXT_OPERATORS = ["startsWith", "endsWith", "contains"] as const;
/** The operators of the STAC query extension. */
export const QUERY_OPERATORS = [...COMPARISONS, ...TEXT_OPERATORS, "in"] as const;

/** The most values one `in` may list. */
const MAX_VALUES = 1000;

type Named = Queryable & { readonly name: string };

/**
 * Reads the `query` parameter (STAC query extension): JSON text in a query, an object in a body. Several operators are
 * joined by AND. Numbers may come as numeric text and text of digits with `pad` as numbers; a date alone stands for its
 * whole day. `contains` matches an entry of a list of text, and a part of a text.
 *
 * @param queryables the properties that are taken; by default those of every collection.
 * @throws {QueryError} for a property outside of `queryables`, an operator outside of `QUERY_OPERATORS`, or a value
 *   of the wrong type. In a body the pointer names the member.
 * @example parseQuery('{"eo:cloud_cover":{"lte":20}}')
 */
export function parseQuery(
  input: unknown,
  location: InputLocation = { in: "query", pointer: "query" },
  queryables: Queryables = QUERYABLES,
): Filter {
  if (location.in === "query" && typeof input !== "string")
    throw faultAt(location, `Expected text, got ${shown(input)}.`);
  const query = location.in === "query" ? jsonOf(String(input), location) : input;
  if (!isObject(query)) throw faultAt(location, `Expected an object of properties, got ${shown(query)}.`);
  const args = Object.entries(query).flatMap(([name, conditions]) => {
    const at = below(insideJson(location), name);
    const queryable = findQueryable(name, queryables);
    if (queryable === undefined) {
      const known = Object.keys(queryables);
      const unknown = { given: name, known };
      throw faultAt(at, `Unknown property ${shown(name)}. Expected one of ${known.join(", ")}.`, { unknown });
    }
    if (!isObject(conditions)) throw faultAt(at, `Expected an object of operators, got ${shown(conditions)}.`);
    return Object.entries(conditions).map(([operator, value]) =>
      condition(queryable, operator, value, below(at, operator)),
    );
  });
  return allOf(...args) ?? { op: "and", args };
}

function condition(queryable: Named, operator: string, value: unknown, location: InputLocation): Filter {
  const operand: Operand = { property: queryable.name };
  const comparison = COMPARISONS.find((known) => known === operator);
  if (comparison !== undefined) return comparisonOf(queryable, comparison, value, location);
  if (operator === "in") {
    if (!Array.isArray(value) || value.length > MAX_VALUES) {
      throw faultAt(location, `Expected an array of at most ${MAX_VALUES} values, got ${shown(value)}.`);
    }
    return { op: "in", operand, values: value.map((entry, i) => literalOf(queryable, entry, below(location, i))) };
  }
  const text = TEXT_OPERATORS.find((known) => known === operator);
  if (text === undefined) {
    const unknown = { given: operator, known: QUERY_OPERATORS };
    throw faultAt(location, `Unknown operator ${shown(operator)}. Expected one of ${QUERY_OPERATORS.join(", ")}.`, {
      unknown,
    });
  }
  if (queryable.kind !== "string" && queryable.kind !== "strings") {
    throw faultAt(location, `"${text}" compares text, but "${queryable.name}" is ${kindInWords(queryable)}.`);
  }
  if (typeof value !== "string") throw faultAt(location, `Expected text, got ${shown(value)}.`);
  if (text === "contains" && queryable.kind === "strings") return { op: "has", operand, value: { literal: value } };
  return { op: "text", operator: text, operand, value };
}

function comparisonOf(queryable: Named, operator: Comparison, value: unknown, location: InputLocation): Filter {
  const left: Operand = { property: queryable.name };
  const day = queryable.kind === "instant" && typeof value === "string" ? findDay(value) : undefined;
  if (day === undefined) return { op: "compare", operator, left, right: literalOf(queryable, value, location) };
  const [lower, upper] = [{ instant: day.start }, { instant: day.end }];
  const within: Filter = { op: "between", operand: left, lower, upper };
  if (operator === "eq") return within;
  if (operator === "neq") return { op: "not", arg: within };
  return { op: "compare", operator, left, right: operator === "lt" || operator === "gte" ? lower : upper };
}

function literalOf(queryable: Named, value: unknown, location: InputLocation): Operand {
  switch (queryable.kind) {
    case "number": {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      if (typeof number === "number" && Number.isFinite(number)) return { literal: number };
      break;
    }
    case "instant": {
      const instant = typeof value === "string" ? findInstant(value) : undefined;
      if (instant !== undefined) return { instant };
      break;
    }
    case "boolean":
      if (typeof value === "boolean") return { literal: value };
      break;
    case "date":
      if (typeof value === "string" && findDay(value) !== undefined) return { date: value };
      break;
    case "geometry":
      break;
    default: {
      const { pad } = queryable;
      const digits = pad !== undefined && (typeof value === "number" || typeof value === "string") ? `${value}` : "";
      if (/^\d+$/.test(digits)) return { literal: digits.padStart(pad ?? 0, "0") };
      if (typeof value === "string") return { literal: value };
    }
  }
  throw faultAt(location, `"${queryable.name}" is ${kindInWords(queryable)}, got ${shown(value)}.`);
}

function kindInWords({ kind }: Queryable): string {
  return {
    number: "a number",
    instant: "a date-time (RFC 3339)",
    date: "a date (RFC 3339)",
    string: "text",
    strings: "a list of text",
    boolean: "a truth value",
    geometry: "a geometry, which only intersects and filter compare",
  }[kind];
}
