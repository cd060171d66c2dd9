import type { Comparison, Filter, Operand } from "@swath/query";
import type { Column } from "./column.ts";

/** Narrows positions, in place, to those that fulfil a condition. */
export type Narrow = (positions: Uint32Array) => Uint32Array;

/** Conditions that are tested on the arrays of columns, and the rest of the filter, which looks at whole facts. */
export interface SplitFilter {
  readonly tests: readonly Narrow[];
  readonly rest: readonly Filter[];
}

type Range = Exclude<Comparison, "neq">;
const TURNED: Readonly<Record<Range, Range>> = { eq: "eq", lt: "gt", lte: "gte", gt: "lt", gte: "lte" };

/** Splits the conditions of a filter that all have to hold: comparisons of numbers are tested on arrays. */
export function splitFilter(filter: Filter | undefined, columnOf: (name: string) => Column | undefined): SplitFilter {
  const tests: Narrow[] = [];
  const rest: Filter[] = [];
  const visit = (each: Filter): void => {
    if (each.op === "and") {
      for (const arg of each.args) visit(arg);
      return;
    }
    const test = rangeTest(each, columnOf);
    if (test === undefined) rest.push(each);
    else tests.push(test);
  };
  if (filter !== undefined) visit(filter);
  return { tests, rest };
}

function rangeTest(filter: Filter, columnOf: (name: string) => Column | undefined): Narrow | undefined {
  if (filter.op !== "compare" || filter.operator === "neq") return undefined;
  const [left, right] = [sideOf(filter.left), sideOf(filter.right)];
  const isTurned = typeof left === "number";
  const [name, bound] = isTurned ? [right, left] : [left, right];
  if (typeof name !== "string" || typeof bound !== "number") return undefined;
  const numbers = columnOf(name)?.numbers;
  if (numbers === undefined) return undefined;
  const operator = isTurned ? TURNED[filter.operator] : filter.operator;
  const [low, high] = [
    operator === "lt" || operator === "lte" ? -Infinity : bound,
    operator.startsWith("g") ? Infinity : bound,
  ];
  const isOpen = operator === "lt" || operator === "gt";
  return (positions) => withinRange(positions, numbers, { low, high, isOpen });
}

/** An item without a value is NaN, which no comparison holds of. */
function withinRange(
  positions: Uint32Array,
  numbers: Float64Array,
  { low, high, isOpen }: { readonly low: number; readonly high: number; readonly isOpen: boolean },
): Uint32Array {
  let count = 0;
  for (let i = 0; i < positions.length; i++) {
    const position = positions[i] as number;
    const value = numbers[position] as number;
    // the infinite end is no bound
    if (isOpen ? value > low && value < high : value >= low && value <= high) positions[count++] = position;
  }
  return positions.subarray(0, count);
}

/** The name of a property, or a number. */
function sideOf(operand: Operand): string | number | undefined {
  if ("property" in operand) return operand.property;
  return "literal" in operand && typeof operand.literal === "number" ? operand.literal : undefined;
}
