import type { Filter, Operand } from "../filter.ts";
import { propertyOf, type SearchItem } from "../item.ts";
import { listsRelate } from "./array.ts";
import { compare, type Value } from "./compare.ts";
import { isLike } from "./like.ts";
import { type Evaluate, evaluateOperand, spanOf } from "./operand.ts";
import { operandsRelate } from "./spatial.ts";
import { spansRelate } from "./temporal.ts";
import { every, not, some, type Truth } from "./truth.ts";

/**
 * Whether the filter is true of the item, under three-valued logic: a condition on a property that the item lacks
 * is unknown, so is its opposite, and an unknown filter does not match (CQL2, OGC 21-065r2 §6.3).
 */
export function matchesFilter(filter: Filter, item: SearchItem): boolean {
  return truthOf(filter, item) === true;
}

function truthOf(filter: Filter, item: SearchItem): Truth {
  const evaluate: Evaluate = (operand) => truthOf(operand.filter, item);
  const value = (operand: Operand): Value => evaluateOperand(operand, item, evaluate);
  switch (filter.op) {
    case "and":
      return every(filter.args, (arg) => truthOf(arg, item));
    case "or":
      return some(filter.args, (arg) => truthOf(arg, item));
    case "not":
      return not(truthOf(filter.arg, item));
    case "compare":
      return compare(filter.operator, value(filter.left), value(filter.right));
    case "isNull":
      return isNull(filter.operand, item, value);
    case "like":
      return ofText(value(filter.operand), (text) => isLike(text, filter.pattern, filter));
    case "between": {
      const given = value(filter.operand);
      return every(
        [compare("gte", given, value(filter.lower)), compare("lte", given, value(filter.upper))],
        (truth) => truth,
      );
    }
    case "in": {
      const given = value(filter.operand);
      // without a value it is unknown, whatever the list holds
      if (given === undefined) return undefined;
      return some(filter.values, (entry) => compare("eq", given, value(entry)));
    }
    case "text": {
      const { operator, value: part } = filter;
      return ofText(value(filter.operand), (text) =>
        operator === "contains" ? text.includes(part) : text[operator](part),
      );
    }
    case "has":
      return compare("eq", value(filter.operand), value(filter.value));
    case "spatial":
      return operandsRelate(filter.operator, filter.left, filter.right, item);
    case "temporal": {
      const [left, right] = [spanOf(filter.left, item, evaluate), spanOf(filter.right, item, evaluate)];
      return left === undefined || right === undefined ? undefined : spansRelate(filter.operator, left, right);
    }
    case "array":
      return listsRelate(filter.operator, value(filter.left), value(filter.right));
    case "boolean": {
      const given = value(filter.operand);
      return typeof given === "boolean" ? given : undefined;
    }
  }
}

function isNull(operand: Operand, item: SearchItem, value: (operand: Operand) => Value): boolean {
  if ("geometry" in operand || "bbox" in operand) return false;
  if ("property" in operand) return (propertyOf(item, operand.property) ?? undefined) === undefined;
  if ("interval" in operand) return operand.interval.some((bound) => bound !== ".." && value(bound) === undefined);
  return value(operand) === undefined;
}

function ofText(value: Value, test: (text: string) => boolean): Truth {
  if (Array.isArray(value)) return some(value, (entry) => ofText(entry, test));
  return typeof value === "string" ? test(value) : undefined;
}
