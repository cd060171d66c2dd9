import { type Bbox, bboxGeometry, type Geometry } from "@swath/geometry";
import {
  type Comparison,
  compareInstants,
  type Filter,
  findDay,
  type Instant,
  type Operand,
  type TemporalOperator,
  truncateInstant,
} from "@swath/query";

/** A number or a time that values of a property lie above or below. */
export interface Bound {
  readonly value: number | Instant;
  /** Whether the value itself is allowed. */
  readonly inclusive: boolean;
}

/**
 * The bounds that a filter implies for one property: where they do not hold, the filter is not true. All members hold
 * together.
 */
export interface PropertyBounds {
  readonly lower?: Bound;
  readonly upper?: Bound;
  /** The only values it may have; one entry of a list is among them. */
  readonly values?: readonly (string | number)[];
  /** Text that its value begins with. */
  readonly prefix?: string;
}

/**
 * Conditions that hold for every item for which a filter is true. They are necessary but not sufficient: the filter
 * still decides.
 */
export interface ImpliedBounds {
  readonly properties: ReadonlyMap<string, PropertyBounds>;
  /** Areas each of which the footprint intersects. */
  readonly areas: readonly Geometry[];
}

const NOTHING: ImpliedBounds = { properties: new Map(), areas: [] };

/**
 * Derives the conditions that a filter implies for single properties and for the footprint, for searches that cannot
 * take the filter itself. An AND implies everything that its parts imply; an OR implies what its parts have in common,
 * as one range that holds theirs.
 *
 * @param filter with its NOTs driven to the leaves, as `negationNormalForm` does; what is under a NOT implies nothing.
 */
export function impliedBounds(filter: Filter): ImpliedBounds {
  switch (filter.op) {
    case "and":
      return filter.args.map(impliedBounds).reduce(both, NOTHING);
    case "or":
      return filter.args.length === 0 ? NOTHING : filter.args.map(impliedBounds).reduce(either);
    case "compare":
      return comparison(filter.left, filter.operator, filter.right);
    case "between":
      return both(comparison(filter.operand, "gte", filter.lower), comparison(filter.operand, "lte", filter.upper));
    case "in":
      return filter.values.length === 0
        ? NOTHING
        : filter.values.map((value) => comparison(filter.operand, "eq", value)).reduce(either);
    case "has":
      return comparison(filter.operand, "eq", filter.value);
    case "text":
      return filter.operator === "startsWith" ? of(filter.operand, { prefix: filter.value }) : NOTHING;
    case "like":
      return typeof filter.pattern === "string" ? like(filter.operand, filter.pattern) : NOTHING;
    case "temporal":
      return temporal(filter.operator, filter.left, filter.right);
    case "spatial": {
      const area = areaOf(filter.left, filter.right) ?? areaOf(filter.right, filter.left);
      return area === undefined || filter.operator === "disjoint" ? NOTHING : { ...NOTHING, areas: [area] };
    }
    default:
      return NOTHING;
  }
}

function of(operand: Operand, bounds: PropertyBounds): ImpliedBounds {
  return "property" in operand ? { properties: new Map([[operand.property, bounds]]), areas: [] } : NOTHING;
}

/** The operator that means the same once its operands have changed sides. */
const TURNED = { eq: "eq", neq: "neq", lt: "gt", lte: "gte", gt: "lt", gte: "lte" } as const;

function comparison(left: Operand, operator: Comparison, right: Operand): ImpliedBounds {
  if (!("property" in left)) return "property" in right ? comparison(right, TURNED[operator], left) : NOTHING;
  if (operator === "neq") return NOTHING;
  if ("literal" in right && typeof right.literal === "boolean") return NOTHING;
  if ("literal" in right && typeof right.literal === "string") {
    return operator === "eq" ? of(left, { values: [right.literal] }) : NOTHING;
  }
  if ("literal" in right && typeof right.literal === "number" && operator === "eq") {
    return of(left, { values: [right.literal] });
  }
  const range = rangeOf(right);
  if (range === undefined) return NOTHING;
  const { first, last } = range;
  switch (operator) {
    case "eq":
      return of(left, { lower: from(first), upper: { value: last, inclusive: true } });
    case "lt":
      return of(left, { upper: { value: first, inclusive: false } });
    case "lte":
      return of(left, { upper: { value: last, inclusive: true } });
    case "gt":
      return of(left, { lower: from(last) });
    case "gte":
      return of(left, { lower: from(first) });
  }
}

/**
 * A lower bound. An item's time is as exact as it is written: one without a fraction is compared with the bound's whole
 * second, so this is where the range begins.
 */
function from(value: number | Instant): Bound {
  return typeof value === "number" ? { value, inclusive: true } : { value: truncateInstant(value, 0), inclusive: true };
}

interface Range<T = number | Instant> {
  readonly first: T;
  readonly last: T;
}

/** The first and last value that a constant stands for. */
function rangeOf(operand: Operand): Range | undefined {
  if ("literal" in operand && typeof operand.literal === "number") {
    return { first: operand.literal, last: operand.literal };
  }
  return timesOf(operand);
}

function timesOf(operand: Operand): Range<Instant> | undefined {
  if ("instant" in operand) return { first: operand.instant, last: operand.instant };
  const day = "date" in operand ? findDay(operand.date) : undefined;
  return day === undefined ? undefined : { first: day.start, last: day.end };
}

/** Derives bounds from the literal beginning of a LIKE pattern. */
function like(operand: Operand, pattern: string): ImpliedBounds {
  const [, fixed = "", rest = ""] = /^((?:[^\\%_]|\\.)*)(.*)$/su.exec(pattern) ?? [];
  const prefix = fixed.replace(/\\(.)/gsu, "$1");
  if (rest === "") return of(operand, { values: [prefix] });
  return prefix === "" ? NOTHING : of(operand, { prefix });
}

/** A time in relation to a constant time or interval. Other relations than these three mean that both share a time. */
function temporal(operator: TemporalOperator, left: Operand, right: Operand): ImpliedBounds {
  if (!("property" in left)) {
    const turned = operator === "after" ? "before" : operator === "before" ? "after" : operator;
    return "property" in right ? temporal(turned, right, left) : NOTHING;
  }
  if (operator === "disjoint") return NOTHING;
  const [start, end] = "interval" in right ? right.interval : [right, right];
  const first = start === ".." ? undefined : timesOf(start)?.first;
  const last = end === ".." ? undefined : timesOf(end)?.last;
  if (operator === "before") {
    return first === undefined ? NOTHING : of(left, { upper: { value: first, inclusive: true } });
  }
  if (operator === "after") return last === undefined ? NOTHING : of(left, { lower: from(last) });
  return of(left, {
    ...(first === undefined ? {} : { lower: from(first) }),
    ...(last === undefined ? {} : { upper: { value: last, inclusive: true } }),
  });
}

function areaOf(one: Operand, other: Operand): Geometry | undefined {
  if (!("property" in one) || one.property !== "geometry") return undefined;
  if ("geometry" in other) return other.geometry;
  if (!("bbox" in other)) return undefined;
  const [west = 0, south = 0, third = 0, fourth = 0, fifth, sixth] = other.bbox;
  const box: Bbox =
    fifth === undefined || sixth === undefined ? [west, south, third, fourth] : [west, south, fourth, fifth];
  return bboxGeometry(box);
}

function both(a: ImpliedBounds, b: ImpliedBounds): ImpliedBounds {
  const properties = new Map(a.properties);
  for (const [name, bounds] of b.properties) {
    const known = properties.get(name);
    properties.set(name, known === undefined ? bounds : narrowed(known, bounds));
  }
  return { properties, areas: [...a.areas, ...b.areas] };
}

function narrowed(a: PropertyBounds, b: PropertyBounds): PropertyBounds {
  const lower = tightest(a.lower, b.lower, 1);
  const upper = tightest(a.upper, b.upper, -1);
  // two lists stay two conditions, since a property may be a list itself: the shorter one is implied like the other
  const values = [a.values, b.values].flatMap((list) => (list === undefined ? [] : [list]));
  const prefixes = [a.prefix, b.prefix].flatMap((text) => (text === undefined ? [] : [text]));
  const shortest = values.sort((one, other) => one.length - other.length)[0];
  const longest = prefixes.sort((one, other) => other.length - one.length)[0];
  return {
    ...(lower === undefined ? {} : { lower }),
    ...(upper === undefined ? {} : { upper }),
    ...(shortest === undefined ? {} : { values: shortest }),
    ...(longest === undefined ? {} : { prefix: longest }),
  };
}

/** The larger (`sign` 1) or smaller (-1) bound; the other where one is absent. */
function tightest(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const difference = compareBounds(a, b);
  if (difference === undefined) return a;
  if (difference === 0) return a.inclusive ? b : a;
  return difference * sign > 0 ? a : b;
}

function either(a: ImpliedBounds, b: ImpliedBounds): ImpliedBounds {
  const properties = new Map<string, PropertyBounds>();
  for (const [name, bounds] of a.properties) {
    const other = b.properties.get(name);
    const common = other === undefined ? {} : widened(bounds, other);
    if (Object.keys(common).length > 0) properties.set(name, common);
  }
  return { properties, areas: [] };
}

/** Returns bounds that hold where either one holds: the union of both lists, and the range around both. */
function widened(a: PropertyBounds, b: PropertyBounds): PropertyBounds {
  const lower = loosest(lowerOf(a), lowerOf(b), -1);
  const upper = loosest(upperOf(a), upperOf(b), 1);
  const values =
    a.values === undefined || b.values === undefined ? undefined : [...new Set([...a.values, ...b.values])];
  const prefix = commonPrefix(a, b);
  return {
    ...(lower === undefined || values !== undefined ? {} : { lower }),
    ...(upper === undefined || values !== undefined ? {} : { upper }),
    ...(values === undefined ? {} : { values }),
    ...(prefix === undefined || values !== undefined ? {} : { prefix }),
  };
}

function lowerOf({ lower, values }: PropertyBounds): Bound | undefined {
  return lower ?? extreme(values, Math.min);
}

function upperOf({ upper, values }: PropertyBounds): Bound | undefined {
  return upper ?? extreme(values, Math.max);
}

function extreme(values: PropertyBounds["values"], choose: (...numbers: number[]) => number): Bound | undefined {
  const numbers = (values ?? []).filter((value) => typeof value === "number");
  return values === undefined || numbers.length < values.length || numbers.length === 0
    ? undefined
    : { value: choose(...numbers), inclusive: true };
}

function loosest(a: Bound | undefined, b: Bound | undefined, sign: 1 | -1): Bound | undefined {
  if (a === undefined || b === undefined) return undefined;
  const difference = compareBounds(a, b);
  if (difference === undefined) return undefined;
  if (difference === 0) return a.inclusive ? a : b;
  return difference * sign > 0 ? a : b;
}

function commonPrefix(a: PropertyBounds, b: PropertyBounds): string | undefined {
  const texts = [a, b].flatMap(({ prefix, values }) => (prefix === undefined ? (values ?? [""]) : [prefix]));
  const [first = ""] = texts.map(String);
  let length = first.length;
  for (const text of texts.map(String)) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return length === 0 || texts.some((text) => typeof text !== "string") ? undefined : first.slice(0, length);
}

function compareBounds({ value: a }: Bound, { value: b }: Bound): number | undefined {
  if (typeof a === "number" || typeof b === "number") {
    return typeof a === typeof b ? Math.sign(Number(a) - Number(b)) : undefined;
  }
  return compareInstants(a, b);
}
