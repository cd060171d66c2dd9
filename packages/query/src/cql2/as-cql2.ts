import type { Filter } from "../filter.ts";

/**
 * A condition of the query extension in the words of CQL2: part of a text by LIKE, an entry of a list by A_CONTAINS, and
 * an empty list, in which no value is, by a comparison that is false of every value and unknown without one.
 */
export function asCql2(filter: Extract<Filter, { op: "text" | "has" | "in" }>): Filter {
  const { operand } = filter;
  if (filter.op === "in") return { op: "compare", operator: "neq", left: operand, right: operand };
  if (filter.op === "has") {
    return { op: "array", operator: "contains", left: operand, right: { array: [filter.value] } };
  }
  const part = filter.value.replace(/[\\%_]/g, "\\$&");
  const [before, after] = [filter.operator === "startsWith" ? "" : "%", filter.operator === "endsWith" ? "" : "%"];
  return { op: "like", operand, pattern: `${before}${part}${after}` };
}
