import { OpenEoError } from "../errors.ts";
import type { Expression, ValueType } from "../expression/expression.ts";
import type { Operation } from "../expression/operations.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation, ProcessFunction } from "../interpreter/compilation.ts";
import { fromExpression, type Value } from "../interpreter/values.ts";

/** A process that is one operation on its arguments. */
function operation(
  name: Operation,
  parameters: readonly string[],
  type: ValueType | "any" = "number",
): readonly [string, ProcessFunction] {
  return [
    name,
    (given, { expressions }) =>
      fromExpression(expressions.operation(name, ...parameters.map((parameter) => given.operand(parameter, type)))),
  ];
}

const XY = ["x", "y"] as const;

/** Texts are compared where both operands are texts; values of different types are never equal. */
function equality(name: "eq" | "neq"): readonly [string, ProcessFunction] {
  return [
    name,
    (given, { expressions }) => {
      const [x, y] = [given.value("x"), given.value("y")];
      if (typeof x === "string" || typeof y === "string") {
        if (x === null || y === null) return null;
        const isEqual = typeof x === "string" && typeof y === "string" && sameText(x, y, given);
        return isEqual === (name === "eq");
      }
      const [left, right] = [given.operand("x", "any"), given.operand("y", "any")];
      const result =
        x !== null && y !== null && left.type !== right.type
          ? differentTypes(left, right, name, expressions)
          : given.has("delta")
            ? withinDelta(left, right, given, name, expressions)
            : expressions.operation(name, left, right);
      return fromExpression(result);
    },
  ];
}

function sameText(x: string, y: string, given: Arguments): boolean {
  if (given.boolean("case_sensitive", true)) return x === y;
  return x.toLowerCase() === y.toLowerCase();
}

/** Never equal; no data where either is no data. */
function differentTypes(
  x: Expression,
  y: Expression,
  name: "eq" | "neq",
  expressions: Compilation["expressions"],
): Expression {
  const isMissing = expressions.operation(
    "or",
    expressions.operation("is_nodata", x),
    expressions.operation("is_nodata", y),
  );
  const answer = expressions.constant(name === "eq" ? 0 : 1, "boolean");
  return expressions.operation("if", isMissing, expressions.nothing, answer);
}

function withinDelta(
  x: Expression,
  y: Expression,
  given: Arguments,
  name: "eq" | "neq",
  expressions: Compilation["expressions"],
): Expression {
  const delta = given.number("delta");
  if (!(delta > 0)) throw given.invalid("delta", "a number above 0");
  const difference = expressions.operation("absolute", expressions.operation("subtract", x, y));
  return expressions.operation(name === "eq" ? "lte" : "gt", difference, expressions.constant(delta));
}

function between(given: Arguments, { expressions }: Compilation): Value {
  const [x, min, max] = ["x", "min", "max"].map((name) => given.operand(name, "number")) as [
    Expression,
    Expression,
    Expression,
  ];
  const above = expressions.operation("gte", x, min);
  const below = expressions.operation(given.boolean("exclude_max", false) ? "lt" : "lte", x, max);
  return fromExpression(expressions.operation("and", above, below));
}

function linearScaleRange(given: Arguments, { expressions }: Compilation): Value {
  const x = given.operand("x", "number");
  const [low, high] = [given.number("inputMin"), given.number("inputMax")];
  const [from, to] = [
    given.has("outputMin") ? given.number("outputMin") : 0,
    given.has("outputMax") ? given.number("outputMax") : 1,
  ];
  if (!(low < high)) {
    throw new OpenEoError("ProcessParameterInvalid", `Expected inputMin below inputMax, got ${low} and ${high}.`);
  }
  const one = (name: Operation, ...operands: Expression[]): Expression => expressions.operation(name, ...operands);
  const constant = (value: number): Expression => expressions.constant(value);
  const clipped = one("clip", x, constant(low), constant(high));
  const share = one("divide", one("subtract", clipped, constant(low)), constant(high - low));
  return fromExpression(one("add", one("multiply", share, constant(to - from)), constant(from)));
}

function normalizedDifference(given: Arguments, { expressions }: Compilation): Value {
  const [x, y] = [given.operand("x", "number"), given.operand("y", "number")];
  return fromExpression(differenceOver(x, y, expressions));
}

/** (x − y) / (x + y). */
export function differenceOver(x: Expression, y: Expression, expressions: Compilation["expressions"]): Expression {
  return expressions.operation("divide", expressions.operation("subtract", x, y), expressions.operation("add", x, y));
}

function choose(given: Arguments, { expressions }: Compilation): Value {
  const value = given.operand("value", "boolean");
  if (value.kind === "constant") return given.value(value.value === 1 ? "accept" : "reject");
  const accept = given.operand("accept", "any");
  const reject = given.has("reject") ? given.operand("reject", "any") : expressions.nothing;
  return fromExpression(expressions.operation("if", value, accept, reject));
}

/** Whether a value is missing: texts, arrays and cubes never are. */
function isNodata(given: Arguments, { expressions }: Compilation): Value {
  const value = given.value("x");
  if (typeof value === "string" || (typeof value === "object" && value?.kind === "array")) return false;
  return fromExpression(expressions.operation("is_nodata", given.operand("x", "any")));
}

/** The no-data value of all cubes is NaN; any other value that is no number is NaN too, as the definition says. */
function isNan(given: Arguments, { expressions }: Compilation): Value {
  const value = given.value("x");
  if (typeof value === "number") return false;
  if (value === null || typeof value !== "object" || value.kind === "array") return true;
  return fromExpression(expressions.operation("is_nodata", given.operand("x", "any")));
}

function clip(given: Arguments, { expressions }: Compilation): Value {
  const [min, max] = [given.number("min"), given.number("max")];
  if (min > max) throw new OpenEoError("MinMaxSwapped", `Expected min up to max, got ${min} and ${max}.`);
  const x = given.operand("x", "number");
  return fromExpression(expressions.operation("clip", x, expressions.constant(min), expressions.constant(max)));
}

/** Processes on numbers and booleans. */
export const MATH: readonly (readonly [string, ProcessFunction])[] = [
  operation("add", XY),
  operation("subtract", XY),
  operation("multiply", XY),
  operation("divide", XY),
  operation("power", ["base", "p"]),
  operation("sqrt", ["x"]),
  operation("ln", ["x"]),
  operation("log", ["x", "base"]),
  operation("exp", ["p"]),
  operation("absolute", ["x"]),
  ["clip", clip],
  equality("eq"),
  equality("neq"),
  operation("lt", XY),
  operation("lte", XY),
  operation("gt", XY),
  operation("gte", XY),
  ["between", between],
  operation("and", XY, "boolean"),
  operation("or", XY, "boolean"),
  operation("not", ["x"], "boolean"),
  ["if", choose],
  ["is_nodata", isNodata],
  ["is_nan", isNan],
  ["linear_scale_range", linearScaleRange],
  ["normalized_difference", normalizedDifference],
];
