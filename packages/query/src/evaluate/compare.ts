import type { Comparison } from "../filter.ts";
import { compareMoments, isMoment, type Moment, measuredMoment } from "./moment.ts";
import { not, some, type Truth } from "./truth.ts";

/** The value of an operand for one item; `undefined` where the item has none. */
export type Value = string | number | boolean | Moment | readonly unknown[] | undefined;

/** Compares two values; a list fits where one entry does, and `neq` is the opposite of `eq`. */
export function compare(operator: Comparison, left: Value, right: Value): Truth {
  if (left === undefined || right === undefined) return undefined;
  if (operator === "neq") return not(compare("eq", left, right));
  if (Array.isArray(left)) return some(left, (entry) => compare(operator, entry, right));
  if (Array.isArray(right)) return some(right, (entry) => compare(operator, left, entry));
  const difference = differenceOf(left, right);
  if (difference === undefined) return undefined;
  switch (operator) {
    case "eq":
      return difference === 0;
    case "lt":
      return difference < 0;
    case "lte":
      return difference <= 0;
    case "gt":
      return difference > 0;
    case "gte":
      return difference >= 0;
  }
}

/** Less than, equal to or greater than zero; `undefined` for values that have no order. */
export function differenceOf(left: Value, right: Value): number | undefined {
  if (isMoment(left) || isMoment(right)) {
    const [a, b] = [asMoment(left), asMoment(right)];
    return a === undefined || b === undefined ? undefined : compareMoments(a, b);
  }
  if (typeof left === "boolean" || typeof right === "boolean") {
    return typeof left === typeof right ? Number(left) - Number(right) : undefined;
  }
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  const [a, b] = [numberOf(left), numberOf(right)];
  return a === undefined || b === undefined ? undefined : a - b;
}

/** By code units, but two times by the moments they mean, since one moment is written in several ways. */
function compareText(left: string, right: string): number {
  if (left === right) return 0;
  if (LIKE_A_DATE.test(left) && LIKE_A_DATE.test(right)) {
    const [a, b] = [measuredMoment(left), measuredMoment(right)];
    if (a !== undefined && b !== undefined) return compareMoments(a, b);
  }
  return left < right ? -1 : 1;
}

const LIKE_A_DATE = /^\d{4}-\d\d-\d\d/;

/** The value as a moment: text of an item is one where it is written as a date-time or a date. */
export function asMoment(value: Value): Moment | undefined {
  return typeof value === "string" ? measuredMoment(value) : isMoment(value) ? value : undefined;
}

function numberOf(value: Value): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}
