import type { Comparison, Filter, Operand } from "@swath/query";
import type { Column } from "./column.ts";

/** A test of positions by the arrays of columns, and the rest of the filter that looks at whole facts. */
export interface SplitFilter {
  readonly tests: readonly ((position: number) => boolean)[];
  readonly rest: readonly Filter[];
}

type Range = Exclude<Comparison, "neq">;
const TESTS: Readonly<Record<Range, (value: number, bound: number) => boolean>> = {
  eq: (value, bound) => value === bound,
  lt: (value, bound) => value < bound,
  lte: (value, bound) => value <= bound,
  gt: (value, bound) => value > bound,
  gte: (value, bound) => value >= bound,
};
const TURNED: Readonly<Record<Range, Range>> = { eq: "eq", lt: "gt", lte: "gte", gt: "lt", gte: "lte" };

/** Splits the conditions of a filter that all have to hold: comparisons of numbers are tested on arrays. */
export function splitFilter(filter: Filter | undefined, columnOf: (name: string) => Column | undefined): SplitFilter {
  const tests: ((position: number) => boolean)[] = [];
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

function rangeTest(
  filter: Filter,
  columnOf: (name: string) => Column | undefined,
): ((position: number) => boolean) | undefined {
  if (filter.op !== "compare" || filter.operator === "neq") return undefined;
  const [left, right] = [sideOf(filter.left), sideOf(filter.right)];
  const isTurned = typeof left === "number";
  const [name, bound] = isTurned ? [right, left] : [left, right];
  if (typeof name !== "string" || typeof bound !== "number") return undefined;
  const numbers = columnOf(name)?.numbers;
  if (numbers === undefined) return undefined;
  const holds = TESTS[isTurned ? TURNED[filter.operator] : filter.operator];
  // an item without a value is NaN, which no comparison holds of
  return (position) => holds(numbers[position] as number, bound);
}

/** The name of a property, or a number. */
function sideOf(operand: Operand): string | number | undefined {
  if ("property" in operand) return operand.property;
  return "literal" in operand && typeof operand.literal === "number" ? operand.literal : undefined;
}
