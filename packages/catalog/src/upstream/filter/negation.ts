import type { Comparison, Filter, Operand } from "@swath/query";

const OPPOSITE: Readonly<Record<Comparison, Comparison>> = {
  eq: "neq",
  neq: "eq",
  lt: "gte",
  lte: "gt",
  gt: "lte",
  gte: "lt",
};

/**
 * The same filter with its NOTs as deep as they go: De Morgan's laws, and `not (a < b)` as `a >= b`, which hold in
 * three-valued logic as well. A NOT stays where the condition has no opposite.
 *
 * @param isList whether a property may be a list: a list fits where one entry does, so `not (a < b)` is not `a >= b`.
 */
export function negationNormalForm(filter: Filter, isList: (property: string) => boolean): Filter {
  const ofArgs = (args: readonly Filter[], isNegated: boolean): Filter[] => args.map((arg) => normal(arg, isNegated));
  const isScalar = (operand: Operand): boolean =>
    "property" in operand
      ? !isList(operand.property)
      : "literal" in operand || "instant" in operand || "date" in operand;
  const normal = (one: Filter, isNegated: boolean): Filter => {
    switch (one.op) {
      case "not":
        return normal(one.arg, !isNegated);
      case "and":
      case "or": {
        const op = isNegated ? (one.op === "and" ? "or" : "and") : one.op;
        return { op, args: ofArgs(one.args, isNegated) };
      }
      case "compare":
        if (!isNegated) return one;
        return isScalar(one.left) && isScalar(one.right)
          ? { ...one, operator: OPPOSITE[one.operator] }
          : { op: "not", arg: one };
      case "between":
        if (!isNegated) return one;
        return [one.operand, one.lower, one.upper].every(isScalar)
          ? {
              op: "or",
              args: [
                { op: "compare", operator: "lt", left: one.operand, right: one.lower },
                { op: "compare", operator: "gt", left: one.operand, right: one.upper },
              ],
            }
          : { op: "not", arg: one };
      default:
        return isNegated ? { op: "not", arg: one } : one;
    }
  };
  return normal(filter, false);
}
