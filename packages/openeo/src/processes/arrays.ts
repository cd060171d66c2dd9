import { OpenEoError } from "../errors.ts";
import type { Expression } from "../expression/expression.ts";
import type { Fold, FoldName } from "../expression/operations.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation, ProcessFunction } from "../interpreter/compilation.ts";
import { fromExpression, type PixelValues, type Value } from "../interpreter/values.ts";

/** Folds that pixels of an area, whose order is not defined, cannot have. */
const ORDERED: ReadonlySet<FoldName> = new Set(["first", "last", "product"] as const);

/** A fold of `data`: an array, or the pixels of an area. */
function foldData(given: Arguments, { expressions }: Compilation, fold: Fold): Value {
  const data = given.operands("data");
  if (data.kind === "pixels") {
    if (ORDERED.has(fold.name)) {
      throw new OpenEoError("ProcessUnsupported", "The pixels of an area cannot be reduced by this process.");
    }
    return fromExpression(expressions.reduced(fold, data.of, data.area));
  }
  return fromExpression(expressions.fold(fold, data.values, data.isOpen));
}

function reducer(process: string, name: FoldName, at?: number): readonly [string, ProcessFunction] {
  return [
    process,
    (given, compilation) => {
      const ignoresNodata = given.boolean("ignore_nodata", true);
      return foldData(given, compilation, { name, ignoresNodata, ...(at === undefined ? {} : { at }) });
    },
  ];
}

const COUNT: Fold = { name: "count", ignoresNodata: true };

/** Counts the pixels of an area, or those of them that are finite numbers (`is_valid` of openEO). */
export function countOf({ of, area, inside }: PixelValues, which: "all" | "valid", { expressions }: Compilation) {
  return expressions.reduced(COUNT, which === "all" ? inside : validOnly(of, expressions), area);
}

/** The difference of infinities is NaN, so infinity is no data too; values that are read are finite. */
const validOnly = (value: Expression, expressions: Compilation["expressions"]): Expression =>
  value.kind === "input" ? value : expressions.operation("subtract", value, value);

/** The number of values: those that are finite, all, or those for which a condition is true. */
function count(given: Arguments, compilation: Compilation): Value {
  const condition = given.value("condition");
  const { expressions } = compilation;
  const data = given.operands("data");
  if (data.kind === "pixels" && (condition === true || condition === null)) {
    return fromExpression(countOf(data, condition === true ? "all" : "valid", compilation));
  }
  const always = expressions.constant(1);
  const counted = (value: Expression): Expression => {
    if (condition === true) return always;
    if (condition === null) return validOnly(value, expressions);
    const answer = given.scalar(
      "condition",
      compilation.call(given.callback("condition"), { x: fromExpression(value), context: given.value("context") }),
    );
    if (answer.type !== "boolean" && answer.kind !== "constant") {
      throw given.invalid("condition", "a process graph that gives true or false", answer);
    }
    return expressions.operation("if", answer, always, expressions.nothing);
  };
  if (data.kind === "operands") return fromExpression(expressions.fold(COUNT, data.values.map(counted), data.isOpen));
  // a condition may hold where there is no pixel
  const within = expressions.operation("if", data.inside, counted(data.of), expressions.nothing);
  return fromExpression(expressions.reduced(COUNT, within, data.area));
}

const MAX_QUANTILES = 1000;

function quantiles(given: Arguments, { expressions }: Compilation): Value {
  const ignoresNodata = given.boolean("ignore_nodata", true);
  const probabilities = probabilitiesOf(given);
  const data = given.operands("data");
  if (probabilities.some((at, i) => i > 0 && Number(at) <= Number(probabilities[i - 1]))) {
    throw new OpenEoError("AscendingProbabilitiesRequired", "Expected probabilities that ascend.");
  }
  const items = probabilities.map((at): Value => {
    if (typeof at !== "number" || !(at >= 0 && at <= 1) || probabilities.length > MAX_QUANTILES) {
      throw given.invalid("probabilities", "an array of numbers from 0 to 1");
    }
    const fold: Fold = { name: "quantile", ignoresNodata, at };
    return fromExpression(
      data.kind === "pixels"
        ? expressions.reduced(fold, data.of, data.area)
        : expressions.fold(fold, data.values, data.isOpen),
    );
  });
  return { kind: "array", items };
}

/** Probabilities as they are given, or those between intervals of equal share. */
function probabilitiesOf(given: Arguments): readonly unknown[] {
  const [has, hasNumber] = [given.has("probabilities"), given.has("q")];
  if (has && hasNumber) throw new OpenEoError("QuantilesParameterConflict", "Expected probabilities or q, got both.");
  if (!has && !hasNumber) throw new OpenEoError("QuantilesParameterMissing", "Expected probabilities, got nothing.");
  const name = hasNumber ? "q" : "probabilities";
  const asked = given.value(name);
  if (name === "probabilities" && typeof asked !== "number") return given.array(name).items;
  if (typeof asked === "number" && Number.isInteger(asked) && asked >= 2 && asked <= MAX_QUANTILES) {
    return Array.from({ length: asked - 1 }, (_, i) => (i + 1) / asked);
  }
  throw given.invalid(name, `a whole number of intervals from 2 to ${MAX_QUANTILES}`);
}

/** An item by its index, or by its label. */
function arrayElement(given: Arguments): Value {
  const data = given.array("data");
  const [byIndex, byLabel] = [given.has("index"), given.has("label")];
  if (byIndex && byLabel) {
    throw new OpenEoError("ArrayElementParameterConflict", "Expected index or label, got both.");
  }
  if (!byIndex && !byLabel) {
    throw new OpenEoError("ArrayElementParameterMissing", "Expected index or label, got neither.");
  }
  const index = byIndex ? given.number("index") : positionOf(data, given);
  if (data.isOpen === true) return data.items[0] ?? null;
  const item = Number.isInteger(index) && index >= 0 ? data.items[index] : undefined;
  if (item !== undefined) return item;
  if (given.boolean("return_nodata", false)) return null;
  const asked = byIndex ? `index ${index}` : `label ${JSON.stringify(given.value("label"))}`;
  const labels = data.labels === undefined ? "" : `; labels are ${data.labels.slice(0, 20).join(", ")}`;
  const message = `The array of ${data.items.length} has no ${asked}${labels}.`;
  throw new OpenEoError("ArrayElementNotAvailable", message);
}

function positionOf({ labels, indexOf }: ReturnType<Arguments["array"]>, given: Arguments): number {
  const label = given.label("label");
  return indexOf?.(label) ?? labels?.indexOf(label) ?? -1;
}

/** Processes on arrays. */
export const ARRAYS: readonly (readonly [string, ProcessFunction])[] = [
  ["array_element", arrayElement],
  ["count", count],
  ["quantiles", quantiles],
  reducer("first", "first"),
  reducer("last", "last"),
  reducer("mean", "mean"),
  reducer("median", "quantile", 0.5),
  reducer("min", "min"),
  reducer("max", "max"),
  reducer("sum", "sum"),
  reducer("product", "product"),
  reducer("sd", "sd"),
  reducer("variance", "variance"),
];
