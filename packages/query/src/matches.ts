import { footprintShape, type Geometry, type Shape, shapesIntersect, toShape } from "@swath/geometry";
import { matchesInterval } from "./datetime.ts";
import type { Comparison, Filter, Operand } from "./filter.ts";
import { isObject } from "./input-location.ts";
import { compareInstants, findInstant, type Instant, truncateInstant } from "./instant.ts";
import { propertyOf, type SearchItem } from "./item.ts";

/** True, false, or unknown. */
type Truth = boolean | undefined;
type Value = string | number | boolean | Instant | readonly unknown[] | undefined;

/**
 * Whether the filter is true of the item, under three-valued logic: a condition on a property that the item lacks
 * is unknown, so is its opposite, and an unknown filter does not match (CQL2, OGC 21-065r2 §6.3).
 */
export function matchesFilter(filter: Filter, item: SearchItem): boolean {
  return truthOf(filter, item) === true;
}

function truthOf(filter: Filter, item: SearchItem): Truth {
  switch (filter.op) {
    case "and":
      return all(filter.args, item);
    case "or":
      return not(all(filter.args, item, not));
    case "not":
      return not(truthOf(filter.arg, item));
    case "compare":
      return compare(filter.operator, evaluate(filter.left, item), evaluate(filter.right, item));
    case "isNull":
      return evaluate(filter.operand, item) === undefined;
    case "like":
      return ofText(evaluate(filter.operand, item), (text) => isLike(text, filter.pattern));
    case "between": {
      const value = evaluate(filter.operand, item);
      const bounds = [
        compare("gte", value, evaluate(filter.lower, item)),
        compare("lte", value, evaluate(filter.upper, item)),
      ];
      return bounds.includes(false) ? false : bounds.includes(undefined) ? undefined : true;
    }
    case "in": {
      const value = evaluate(filter.operand, item);
      const found = filter.values.map((entry) => compare("eq", value, evaluate(entry, item)));
      return found.includes(true) ? true : value === undefined || found.includes(undefined) ? undefined : false;
    }
    case "text": {
      const { operator, value } = filter;
      return ofText(evaluate(filter.operand, item), (text) =>
        operator === "contains" ? text.includes(value) : text[operator](value),
      );
    }
    case "has":
      return compare("eq", evaluate(filter.operand, item), evaluate(filter.value, item));
    case "spatial": {
      if (!isGeometry(item.geometry)) return undefined;
      const meet = shapesIntersect(footprintShape(item.geometry), shapeOf(filter.geometry));
      return meet === (filter.operator === "intersects");
    }
    case "temporal":
      return temporal(filter, item);
  }
}

/** Shapes of filters' geometries, which are compared with many items. */
const shapes = new WeakMap<Geometry, Shape>();

function shapeOf(geometry: Geometry): Shape {
  const known = shapes.get(geometry);
  if (known !== undefined) return known;
  const shape = toShape(geometry);
  shapes.set(geometry, shape);
  return shape;
}

function not(truth: Truth): Truth {
  return truth === undefined ? undefined : !truth;
}

/** The conjunction of `turn` of each: false as soon as one is false, else unknown where one is unknown. */
function all(args: readonly Filter[], item: SearchItem, turn: (truth: Truth) => Truth = (truth) => truth): Truth {
  let result: Truth = true;
  for (const arg of args) {
    const truth = turn(truthOf(arg, item));
    if (truth === false) return false;
    if (truth === undefined) result = undefined;
  }
  return result;
}

function evaluate(operand: Operand, item: SearchItem): Value {
  if ("literal" in operand) return operand.literal;
  if ("instant" in operand) return operand.instant;
  if ("casei" in operand) {
    const value = evaluate(operand.casei, item);
    return typeof value === "string" ? value.toLowerCase() : value;
  }
  const value = propertyOf(item, operand.property);
  const known = Array.isArray(value) || ["string", "number", "boolean"].includes(typeof value);
  return known ? (value as Value) : undefined;
}

/** Compares two values; of a list it is enough that one entry fits, and `neq` is the opposite of `eq`. */
function compare(operator: Comparison, left: Value, right: Value): Truth {
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

function some(entries: readonly unknown[], test: (entry: Value) => Truth): Truth {
  const truths = entries.map((entry) => test(entry as Value));
  return truths.includes(true) ? true : truths.includes(undefined) ? undefined : false;
}

/** Less than, equal to or greater than zero; `undefined` for values that have no order. */
function differenceOf(left: Value, right: Value): number | undefined {
  if (isInstant(right)) {
    const moment = typeof left === "string" ? findInstant(left) : isInstant(left) ? left : undefined;
    return moment === undefined ? undefined : compareInstants(moment, truncateInstant(right, moment.digits));
  }
  if (isInstant(left)) {
    const difference = differenceOf(right, left);
    return difference === undefined ? undefined : -difference;
  }
  if (typeof left === "boolean" || typeof right === "boolean") {
    return typeof left === typeof right ? Number(left) - Number(right) : undefined;
  }
  if (typeof left === "string" && typeof right === "string") return left === right ? 0 : left < right ? -1 : 1;
  const [a, b] = [numberOf(left), numberOf(right)];
  return a === undefined || b === undefined ? undefined : a - b;
}

function numberOf(value: Value): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
}

function isInstant(value: unknown): value is Instant {
  return isObject(value) && typeof value.nanoseconds === "bigint";
}

function isGeometry(value: unknown): value is Geometry {
  return isObject(value) && (Array.isArray(value.coordinates) || Array.isArray(value.geometries));
}

function ofText(value: Value, test: (text: string) => boolean): Truth {
  if (Array.isArray(value)) return some(value, (entry) => ofText(entry, test));
  return typeof value === "string" ? test(value) : undefined;
}

/** LIKE without a regular expression, so that no pattern takes more than length × length steps. */
function isLike(text: string, pattern: string): boolean {
  const tokens = [...pattern.matchAll(/\\(.)|(%)|(_)|([^\\]|\\$)/gsu)].map(([, escaped, any, one, plain]) => ({
    kind: any === undefined ? (one === undefined ? "plain" : "one") : "any",
    character: escaped ?? plain,
  }));
  const characters = [...text];
  let [at, token, lastAny, resume] = [0, 0, -1, 0];
  while (at < characters.length) {
    const { kind, character } = tokens[token] ?? { kind: "end", character: undefined };
    if (kind === "any") {
      [lastAny, resume] = [token, at];
      token += 1;
    } else if (kind === "one" || (kind === "plain" && character === characters[at])) {
      token += 1;
      at += 1;
    } else if (lastAny >= 0) {
      resume += 1;
      [token, at] = [lastAny + 1, resume];
    } else {
      return false;
    }
  }
  return tokens.slice(token).every(({ kind }) => kind === "any");
}

function temporal(filter: Extract<Filter, { op: "temporal" }>, item: SearchItem): Truth {
  const { property, interval, operator } = filter;
  const properties = property === "datetime" ? item.properties : { datetime: item.properties[property] };
  if (operator === "intersects") return matchesInterval(interval, properties);
  const bound = operator === "before" ? interval.start : interval.end;
  if (bound === undefined) return false;
  return compare(operator === "before" ? "lt" : "gt", evaluate({ property }, item), bound);
}
