import { QueryError } from "../../errors.ts";
import type { ArithmeticOperator, Filter, IntervalBound, Operand, Pattern } from "../../filter.ts";
import { formatInstant } from "../../instant.ts";
import { asCql2 } from "../as-cql2.ts";
import { COMPARISON_SIGNS, KEYWORDS } from "../operators.ts";
import { isIdentifier } from "./tokens.ts";
import { formatNumber, formatWkt } from "./wkt-printer.ts";

/** The precedence of a piece of text; a piece of a lower level goes into parentheses. */
const LEVEL = { or: 1, and: 2, not: 3, predicate: 4, sum: 5, product: 6, power: 7, primary: 8 } as const;

type Piece = readonly [text: string, level: number];

/**
 * A filter in CQL2 text (OGC 21-065r2), for every filter that `parseCql2Text` and `parseCql2Json` give the same again:
 * `parseCql2Text(formatCql2Text(filter))` equals `filter`. Conditions of the query extension are written in the words of
 * CQL2: a part of text as LIKE, an entry of a list as A_CONTAINS.
 *
 * @throws {QueryError} for text that ends in a backslash, which CQL2 text cannot write, and a function whose name is
 *   no identifier.
 */
export function formatCql2Text(filter: Filter): string {
  return conditionOf(filter)[0];
}

function conditionOf(filter: Filter): Piece {
  switch (filter.op) {
    case "and":
    case "or":
      return joined(filter.op, filter.args);
    case "not":
      return negationOf(filter.arg);
    case "compare":
      return [
        `${at(LEVEL.sum, operandOf(filter.left))} ${COMPARISON_SIGNS[filter.operator]} ${at(LEVEL.sum, operandOf(filter.right))}`,
        LEVEL.predicate,
      ];
    case "isNull":
    case "like":
    case "between":
      return predicateOf(filter, "");
    case "in":
      return filter.values.length === 0 ? conditionOf(asCql2(filter)) : predicateOf(filter, "");
    case "spatial":
    case "temporal":
    case "array": {
      const name = `${filter.op[0]}_${filter.operator}`.toUpperCase();
      return [`${name}(${operandOf(filter.left)[0]}, ${operandOf(filter.right)[0]})`, LEVEL.primary];
    }
    case "boolean":
      return operandOf(filter.operand);
    case "text":
    case "has":
      return conditionOf(asCql2(filter));
  }
}

/** Fewer than two conditions, which CQL2 cannot join, are that condition or what joining none means. */
function joined(op: "and" | "or", args: readonly Filter[]): Piece {
  const [first] = args;
  if (first === undefined) return [op === "and" ? "TRUE" : "FALSE", LEVEL.primary];
  if (args.length === 1) return conditionOf(first);
  // one level up: (a AND b) AND c is not a AND b AND c
  const parts = args.map((arg) => at(LEVEL[op] + 1, conditionOf(arg)));
  return [parts.join(` ${op.toUpperCase()} `), LEVEL[op]];
}

function negationOf(filter: Filter): Piece {
  const isFree = filter.op === "text" || (filter.op === "in" && filter.values.length === 0);
  const plain = isFree ? asCql2(filter) : filter;
  switch (plain.op) {
    case "isNull":
    case "like":
    case "between":
    case "in":
      return predicateOf(plain, "NOT ");
    default:
      return [`NOT ${at(LEVEL.predicate, conditionOf(plain))}`, LEVEL.not];
  }
}

type Negatable = Extract<Filter, { op: "isNull" | "like" | "between" | "in" }>;

function predicateOf(filter: Negatable, not: "" | "NOT "): Piece {
  const value = at(LEVEL.sum, operandOf(filter.operand));
  switch (filter.op) {
    case "isNull":
      return [`${value} IS ${not}NULL`, LEVEL.predicate];
    case "like":
      return [`${value} ${not}LIKE ${formatPattern(filter.pattern)}`, LEVEL.predicate];
    case "between": {
      const [lower, upper] = [filter.lower, filter.upper].map((bound) => at(LEVEL.sum, operandOf(bound)));
      return [`${value} ${not}BETWEEN ${lower} AND ${upper}`, LEVEL.predicate];
    }
    case "in": {
      const values = filter.values.map((entry) => operandOf(entry)[0]);
      return [`${value} ${not}IN (${values.join(", ")})`, LEVEL.predicate];
    }
  }
}

function operandOf(operand: Operand): Piece {
  if ("property" in operand) return [formatName(operand.property), LEVEL.primary];
  if ("literal" in operand) return formatLiteral(operand.literal);
  if ("instant" in operand) return [`TIMESTAMP('${formatInstant(operand.instant)}')`, LEVEL.primary];
  if ("date" in operand) return [`DATE('${operand.date}')`, LEVEL.primary];
  if ("interval" in operand) return [`INTERVAL(${operand.interval.map(formatBound).join(", ")})`, LEVEL.primary];
  if ("geometry" in operand) return [formatWkt(operand.geometry), LEVEL.primary];
  if ("bbox" in operand) return [`BBOX(${operand.bbox.map(formatNumber).join(", ")})`, LEVEL.primary];
  if ("array" in operand) return [`(${operand.array.map((entry) => operandOf(entry)[0]).join(", ")})`, LEVEL.primary];
  if ("casei" in operand) return [`CASEI(${operandOf(operand.casei)[0]})`, LEVEL.primary];
  if ("accenti" in operand) return [`ACCENTI(${operandOf(operand.accenti)[0]})`, LEVEL.primary];
  if ("filter" in operand) return conditionOf(operand.filter);
  if ("function" in operand) {
    if (!isIdentifier(operand.function)) throw unwritable(`the function name ${JSON.stringify(operand.function)}`);
    return [`${operand.function}(${operand.args.map((arg) => operandOf(arg)[0]).join(", ")})`, LEVEL.primary];
  }
  return arithmeticOf(operand.arithmetic, operand.left, operand.right);
}

const ARITHMETIC_LEVELS: Readonly<Record<ArithmeticOperator, number>> = {
  "+": LEVEL.sum,
  "-": LEVEL.sum,
  "*": LEVEL.product,
  "/": LEVEL.product,
  "%": LEVEL.product,
  div: LEVEL.product,
  "^": LEVEL.power,
};

/** From left to right, so that only the right side of the same level has parentheses; powers have them on both. */
function arithmeticOf(operator: ArithmeticOperator, left: Operand, right: Operand): Piece {
  const level = ARITHMETIC_LEVELS[operator];
  const first = at(operator === "^" ? level + 1 : level, operandOf(left));
  return [`${first} ${operator} ${at(level + 1, operandOf(right))}`, level];
}

/** The piece where this level or a higher one is needed. */
function at(level: number, [text, own]: Piece): string {
  return own < level ? `(${text})` : text;
}

function formatBound(bound: IntervalBound): string {
  if (bound === "..") return "'..'";
  if ("instant" in bound) return `'${formatInstant(bound.instant)}'`;
  return "date" in bound ? `'${bound.date}'` : operandOf(bound)[0];
}

function formatPattern(pattern: Pattern): string {
  if (typeof pattern === "string") return formatText(pattern);
  return "casei" in pattern ? `CASEI(${formatPattern(pattern.casei)})` : `ACCENTI(${formatPattern(pattern.accenti)})`;
}

function formatLiteral(value: string | number | boolean): Piece {
  if (typeof value === "string") return [formatText(value), LEVEL.primary];
  if (typeof value === "boolean") return [value ? "TRUE" : "FALSE", LEVEL.primary];
  // -2 ^ 2 is read in two ways in the world: the number gets parentheses
  return [formatNumber(value), value < 0 || Object.is(value, -0) ? LEVEL.product : LEVEL.primary];
}

/** A quote is doubled, except after a backslash, where '' would be read as \' and the end. */
function formatText(text: string): string {
  if (text.endsWith("\\")) throw unwritable("text that ends in a backslash");
  return `'${text.replace(/(\\?)'/g, (_, backslash: string) => (backslash === "" ? "''" : "\\\\'"))}'`;
}

function formatName(name: string): string {
  return isIdentifier(name) && !KEYWORDS.has(name.toUpperCase()) ? name : `"${name.replaceAll('"', '""')}"`;
}

function unwritable(what: string): QueryError {
  return new QueryError("invalid-filter", "filter", `CQL2 text cannot write ${what}.`);
}
