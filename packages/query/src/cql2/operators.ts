import {
  ARITHMETIC_OPERATORS,
  ARRAY_OPERATORS,
  type ArithmeticOperator,
  type ArrayOperator,
  type Comparison,
  SPATIAL_OPERATORS,
  type SpatialOperator,
  TEMPORAL_OPERATORS,
  type TemporalOperator,
} from "../filter.ts";

/** The signs of comparisons in both encodings. */
export const COMPARISON_SIGNS: Readonly<Record<Comparison, string>> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
};

/** The operators of CQL2. Any other name is a function of the server. */
export type Operator =
  | { readonly kind: "and" | "or" | "not" | "like" | "between" | "in" | "isNull" | "casei" | "accenti" }
  | { readonly kind: "compare"; readonly operator: Comparison }
  | { readonly kind: "arithmetic"; readonly operator: ArithmeticOperator }
  | { readonly kind: "spatial"; readonly operator: SpatialOperator }
  | { readonly kind: "temporal"; readonly operator: TemporalOperator }
  | { readonly kind: "array"; readonly operator: ArrayOperator };

const OPERATORS = new Map<string, Operator>([
  ...(["and", "or", "not", "like", "between", "in", "isNull", "casei", "accenti"] as const).map(
    (kind) => [kind.toLowerCase(), { kind }] as const,
  ),
  ...Object.entries(COMPARISON_SIGNS).map(
    ([operator, sign]) => [sign, { kind: "compare", operator: operator as Comparison }] as const,
  ),
  ...ARITHMETIC_OPERATORS.map((operator) => [operator, { kind: "arithmetic", operator }] as const),
  ...SPATIAL_OPERATORS.map((operator) => [`s_${operator}`, { kind: "spatial", operator }] as const),
  ...TEMPORAL_OPERATORS.map((operator) => [`t_${operator.toLowerCase()}`, { kind: "temporal", operator }] as const),
  ...ARRAY_OPERATORS.map((operator) => [`a_${operator.toLowerCase()}`, { kind: "array", operator }] as const),
]);

/** The operator of a name as either encoding writes it, in any case; `undefined` for a function. */
export function findOperator(name: string): Operator | undefined {
  return OPERATORS.get(name.toLowerCase());
}

/** Words that are never a property without quotes. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  "AND",
  "OR",
  "NOT",
  "LIKE",
  "BETWEEN",
  "IN",
  "IS",
  "NULL",
  "TRUE",
  "FALSE",
  "DIV",
]);
