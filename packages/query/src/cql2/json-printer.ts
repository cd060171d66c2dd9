import type { Filter, IntervalBound, Operand, Pattern } from "../filter.ts";
import { formatInstant } from "../instant.ts";
import { asCql2 } from "./as-cql2.ts";
import { COMPARISON_SIGNS } from "./operators.ts";

/**
 * A filter in CQL2 JSON (OGC 21-065r2, cql2.json), as a value for `JSON.stringify`: `parseCql2Json(toCql2Json(filter))`
 * equals `filter` for every filter that was read as CQL2. Conditions of the query extension are written in the words of
 * CQL2.
 */
export function toCql2Json(filter: Filter): unknown {
  switch (filter.op) {
    case "and":
    case "or": {
      const [first] = filter.args;
      if (first === undefined) return filter.op === "and";
      return filter.args.length === 1 ? toCql2Json(first) : operation(filter.op, filter.args.map(toCql2Json));
    }
    case "not":
      return operation("not", [toCql2Json(filter.arg)]);
    case "compare":
      return operation(COMPARISON_SIGNS[filter.operator], [operandOf(filter.left), operandOf(filter.right)]);
    case "isNull":
      return operation("isNull", [operandOf(filter.operand)]);
    case "like":
      return operation("like", [operandOf(filter.operand), patternOf(filter.pattern)]);
    case "between":
      return operation("between", [filter.operand, filter.lower, filter.upper].map(operandOf));
    case "in":
      if (filter.values.length === 0) return toCql2Json(asCql2(filter));
      return operation("in", [operandOf(filter.operand), filter.values.map(operandOf)]);
    case "spatial":
    case "temporal":
    case "array":
      return operation(`${filter.op[0]}_${filter.operator}`, [operandOf(filter.left), operandOf(filter.right)]);
    case "boolean":
      return operandOf(filter.operand);
    case "text":
    case "has":
      return toCql2Json(asCql2(filter));
  }
}

function operandOf(operand: Operand): unknown {
  if ("property" in operand) return { property: operand.property };
  if ("literal" in operand) return operand.literal;
  if ("instant" in operand) return { timestamp: formatInstant(operand.instant) };
  if ("date" in operand) return { date: operand.date };
  if ("interval" in operand) return { interval: operand.interval.map(boundOf) };
  if ("geometry" in operand) return operand.geometry;
  if ("bbox" in operand) return { bbox: operand.bbox };
  if ("array" in operand) return operand.array.map(operandOf);
  if ("casei" in operand) return operation("casei", [operandOf(operand.casei)]);
  if ("accenti" in operand) return operation("accenti", [operandOf(operand.accenti)]);
  if ("filter" in operand) return toCql2Json(operand.filter);
  if ("function" in operand) return operation(operand.function, operand.args.map(operandOf));
  return operation(operand.arithmetic, [operandOf(operand.left), operandOf(operand.right)]);
}

function boundOf(bound: IntervalBound): unknown {
  if (bound === "..") return bound;
  if ("instant" in bound) return formatInstant(bound.instant);
  return "date" in bound ? bound.date : operandOf(bound);
}

function patternOf(pattern: Pattern): unknown {
  if (typeof pattern === "string") return pattern;
  return "casei" in pattern
    ? operation("casei", [patternOf(pattern.casei)])
    : operation("accenti", [patternOf(pattern.accenti)]);
}

function operation(op: string, args: readonly unknown[]): unknown {
  return { op, args };
}
