import type { ArithmeticOperator, IntervalBound, Operand } from "../filter.ts";
import { propertyOf, type SearchItem } from "../item.ts";
import { itemTime } from "../parameters/datetime.ts";
import { asMoment, type Value } from "./compare.ts";
import { foldAccents, foldCase } from "./like.ts";
import { dayOf, type Moment, momentOf } from "./moment.ts";
import type { Span } from "./temporal.ts";
import type { Truth } from "./truth.ts";

/** Evaluates the condition that an operand holds; given by the caller, which evaluates conditions. */
export type Evaluate = (operand: Extract<Operand, { filter: unknown }>) => Truth;

/** The value of an operand for an item. Intervals and geometries have none: see `spanOf` and `shapeOf`. */
export function evaluateOperand(operand: Operand, item: SearchItem, evaluate: Evaluate): Value {
  if ("literal" in operand) return operand.literal;
  if ("property" in operand) {
    return scalarOf(operand.property === "datetime" ? itemTime(item.properties) : propertyOf(item, operand.property));
  }
  if ("instant" in operand) return momentOf(operand.instant);
  if ("date" in operand) return dayOf(operand.date);
  if ("casei" in operand || "accenti" in operand) {
    return folds.get(operand) ?? foldOperand(operand, item, evaluate);
  }
  if ("array" in operand) return operand.array.map((entry) => evaluateOperand(entry, item, evaluate));
  if ("filter" in operand) return evaluate(operand);
  if (!("arithmetic" in operand)) return undefined;
  const [left, right] = [evaluateOperand(operand.left, item, evaluate), evaluateOperand(operand.right, item, evaluate)];
  return typeof left === "number" && typeof right === "number" ? calculate(operand.arithmetic, left, right) : undefined;
}

/** The interval of time that an operand is; `undefined` where the item has no such time. */
export function spanOf(operand: Operand, item: SearchItem, evaluate: Evaluate): Span | undefined {
  if ("interval" in operand) {
    const [start, end] = operand.interval.map((bound) => boundOf(bound, item, evaluate));
    return start === undefined || end === undefined
      ? undefined
      : { start: start.moment, end: end.moment, isMoment: false };
  }
  // STAC: an item without datetime is from start_datetime to end_datetime
  const isStretch =
    "property" in operand && operand.property === "datetime" && typeof item.properties.datetime !== "string";
  const moment = isStretch ? undefined : asMoment(evaluateOperand(operand, item, evaluate));
  if (moment !== undefined) return { start: moment, end: moment, isMoment: true };
  if (!isStretch) return undefined;
  const [start, end] = ["start_datetime", "end_datetime"].map((name) => asMoment(scalarOf(propertyOf(item, name))));
  return start === undefined && end === undefined ? undefined : { start, end, isMoment: false };
}

function boundOf(
  bound: IntervalBound,
  item: SearchItem,
  evaluate: Evaluate,
): { readonly moment: Moment | undefined } | undefined {
  const value = bound === ".." ? bound : evaluateOperand(bound, item, evaluate);
  if (value === "..") return { moment: undefined };
  const moment = asMoment(value);
  return moment === undefined ? undefined : { moment };
}

function scalarOf(value: unknown): Value {
  const known = Array.isArray(value) || ["string", "number", "boolean"].includes(typeof value);
  return known ? (value as Value) : undefined;
}

type Fold = Extract<Operand, { casei: unknown } | { accenti: unknown }>;

/** Texts of filters without case or accents, which are compared with many items. */
const folds = new WeakMap<Fold, Value>();

function foldOperand(operand: Fold, item: SearchItem, evaluate: Evaluate): Value {
  const [inner, fold] = "casei" in operand ? [operand.casei, foldCase] : [operand.accenti, foldAccents];
  const value = folded(evaluateOperand(inner, item, evaluate), fold);
  if ("literal" in inner || folds.has(inner as Fold)) folds.set(operand, value);
  return value;
}

function folded(value: Value, fold: (text: string) => string): Value {
  if (Array.isArray(value)) return value.map((entry) => folded(entry as Value, fold));
  return typeof value === "string" ? fold(value) : value;
}

/** The value is unknown where the result is no finite number, as after a division by zero. */
function calculate(operator: ArithmeticOperator, left: number, right: number): number | undefined {
  const result = resultOf(operator, left, right);
  return Number.isFinite(result) ? result : undefined;
}

function resultOf(operator: ArithmeticOperator, left: number, right: number): number {
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return left / right;
    case "%":
      return left % right;
    case "div":
      return Math.trunc(left / right);
    case "^":
      return left ** right;
  }
}
