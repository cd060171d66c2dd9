import type { Expression, Input } from "./expression.ts";
import { foldValues, OPERATIONS } from "./operations.ts";

/**
 * Computes expressions of single numbers: reduced values, constants, and expressions of these.
 *
 * @param reduced the number of each `reduced` expression, by its id
 * @returns one per expression; NaN is no data
 */
export function evaluateNumbers(
  expressions: readonly Expression[],
  reduced: ReadonlyMap<number, number>,
): readonly number[] {
  const known = new Map<number, number>();
  const compute = (each: Expression): number => {
    switch (each.kind) {
      case "constant":
        return each.value;
      case "operation": {
        const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = each.operands.map((operand) => known.get(operand.id)!);
        return OPERATIONS[each.operation](x, y, z);
      }
      case "fold":
        return foldValues(
          each.fold,
          each.operands.map((operand) => known.get(operand.id)!),
        );
      default:
        return reduced.get(each.id) ?? Number.NaN;
    }
  };
  for (const each of inOrder(expressions)) known.set(each.id, compute(each));
  return expressions.map(({ id }) => known.get(id)!);
}

/** Expressions and all that they are made of on the same pixels, each once, operands first. */
export function inOrder(expressions: Iterable<Expression>): readonly Expression[] {
  const found = new Map<number, Expression>();
  const open = [...expressions];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (found.has(each.id)) continue;
    found.set(each.id, each);
    if ("operands" in each) open.push(...each.operands);
  }
  // operands are made before the expressions that use them
  return [...found.values()].sort((a, b) => a.id - b.id);
}

/** The values of scenes that expressions are made of, whatever the pixels: those behind `reduced` and `resampled` ones too. */
export function inputsOf(expressions: Iterable<Expression>): readonly Input[] {
  const found = new Map<number, Expression>();
  const open = [...expressions];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (found.has(each.id)) continue;
    found.set(each.id, each);
    if ("operands" in each) open.push(...each.operands);
    else if ("of" in each) open.push(each.of);
  }
  return [...found.values()].flatMap((each) => (each.kind === "input" ? [each.input] : []));
}
