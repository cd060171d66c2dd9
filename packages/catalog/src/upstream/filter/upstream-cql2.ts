import { bboxShape, toShape } from "@swath/geometry";
import {
  allOf,
  type Comparison,
  type Filter,
  filterProperties,
  findDay,
  type Instant,
  type Operand,
} from "@swath/query";
import { upstreamCollections } from "@swath/schema/upstreams";
import { gridCodes } from "../../names/mgrs.ts";
import { platformSpellings } from "../../names/platform.ts";
import { ALWAYS_THERE, COLLECTION, isAbout, isTrueOf, LISTS, TIMES } from "../../names/queried-as.ts";
import { fitsClasses } from "./cql2-classes.ts";
import { nullOf, valuedOf } from "./cql2-null.ts";
import { isSharedList, isSharedTime, literalOf, sharedValue } from "./cql2-operands.ts";
import { isNearAntimeridian } from "./upstream-area.ts";
import { anyOf, type Cql2Context, exactly, NEVER, oneOf, type UpstreamCondition } from "./upstream-condition.ts";

/**
 * A condition of the service as CQL2 in the upstream's vocabulary: properties that it writes as the service does,
 * MGRS tiles as grid codes, platforms in each of their spellings, collections by their ids there, dates as the two
 * times around them. BETWEEN and IN are written with comparisons where the upstream does not name them.
 *
 * @param filter with its NOTs at the leaves, as `negationNormalForm` gives it.
 * @returns `undefined` for what the upstream cannot be asked.
 */
export function toUpstreamCql2(filter: Filter, context: Cql2Context): UpstreamCondition | undefined {
  switch (filter.op) {
    case "and": {
      const parts = filter.args.map((arg) => toUpstreamCql2(arg, context));
      const sayable = parts.filter((part) => part !== undefined);
      const all = allOf(...sayable.map((part) => part.filter));
      return all && { filter: all, isExact: parts.every((part) => part?.isExact === true) };
    }
    case "or": {
      const parts = filter.args.map((arg) => toUpstreamCql2(arg, context));
      const sayable = parts.filter((part) => part !== undefined);
      if (sayable.length < parts.length || parts.length === 0) return undefined;
      return { filter: anyOf(sayable.map((part) => part.filter)), isExact: sayable.every((part) => part.isExact) };
    }
    default: {
      const leaf = leafOf(filter, context);
      return leaf !== undefined && fitsClasses(leaf.filter, context.classes) ? leaf : undefined;
    }
  }
}

function leafOf(filter: Filter, context: Cql2Context): UpstreamCondition | undefined {
  const known = ofKnownValues(filter, context);
  if (known !== undefined) return known;
  if (filter.op !== "not") return positiveOf(filter, context);
  const leaf = filter.arg.op === "isNull" ? valuedOf(filter.arg, context) : positiveOf(filter.arg, context);
  if (filter.arg.op === "isNull") return leaf;
  // the opposite of a condition that is true for more items is true for fewer
  if (leaf?.isExact !== true) return undefined;
  return { filter: { op: "not", arg: leaf.filter }, isExact: areAlwaysThere(filter) };
}

/** Servers that search documents take an item without the property as one whose property differs. */
function areAlwaysThere(filter: Filter): boolean {
  return [...filterProperties(filter)].every((name) => name === "id" || name === "geometry" || ALWAYS_THERE.has(name));
}

/** A condition on the collection, the constellation or the platform, whose values are known. */
function ofKnownValues(filter: Filter, { collections, classes }: Cql2Context): UpstreamCondition | undefined {
  if (filterProperties(filter).size === 0) return undefined;
  const areKnown = collections.every(({ platforms }) => platforms.length > 0);
  if (areKnown && isAbout(filter, ["platform"])) {
    const platforms = collections.flatMap((collection) => collection.platforms);
    return {
      filter: platformsOf(
        platforms.filter((platform) => isTrueOf(filter, { platform })),
        classes,
      ),
      isExact: true,
    };
  }
  const hasConstellations = collections.every(({ constellation }) => constellation !== undefined);
  if (!isAbout(filter, hasConstellations ? [...COLLECTION, "constellation"] : COLLECTION)) return undefined;
  const fitting = collections.filter(({ id, constellation }) => isTrueOf(filter, { constellation }, id));
  const each = fitting.map(({ upstream, platforms }) => {
    const ids = oneOf("collection", upstreamCollections(upstream), classes);
    return platforms.length === 0 ? ids : allOf(ids, platformsOf(platforms, classes));
  });
  return { filter: anyOf(each), isExact: true };
}

function platformsOf(platforms: readonly string[], classes: ReadonlySet<string>): Filter {
  return oneOf("platform", [...new Set(platforms)].flatMap(platformSpellings), classes);
}

function positiveOf(filter: Filter, context: Cql2Context): UpstreamCondition | undefined {
  const { upstream, classes } = context;
  switch (filter.op) {
    case "compare":
      return comparisonOf(filter.left, filter.operator, filter.right, context);
    case "between": {
      const lower = comparisonOf(filter.operand, "gte", filter.lower, context);
      const upper = comparisonOf(filter.operand, "lte", filter.upper, context);
      return lower && upper && exactly(allOf(lower.filter, upper.filter));
    }
    case "in": {
      if (filter.values.length === 0) return exactly(NEVER);
      const values = filter.values.map(literalOf);
      if ("property" in filter.operand && values.every((value) => value !== undefined)) {
        const found = equalTo(filter.operand.property, values, context);
        if (found !== undefined) return found;
      }
      const each = filter.values.map((value) => comparisonOf(filter.operand, "eq", value, context));
      const sayable = each.filter((one) => one !== undefined);
      return sayable.length < each.length ? undefined : exactly(anyOf(sayable.map((one) => one.filter)));
    }
    case "has": {
      const value = literalOf(filter.value);
      return "property" in filter.operand && value !== undefined
        ? equalTo(filter.operand.property, [value], context)
        : undefined;
    }
    case "text":
    case "like": {
      const operand = sharedValue(filter.operand, upstream);
      if (operand === undefined || ("property" in operand && TIMES.has(operand.property))) {
        return gridCodesLike(filter, context);
      }
      return exactly({ ...filter, operand });
    }
    case "isNull":
      return nullOf(filter, context);
    case "spatial": {
      const isShape = (operand: Operand): boolean =>
        "geometry" in operand ||
        // a box across the antimeridian is refused or misread
        ("bbox" in operand && (operand.bbox[0] ?? 0) <= (operand.bbox[operand.bbox.length / 2] ?? 0)) ||
        ("property" in operand && operand.property === "geometry");
      if (context.isPlane && [filter.left, filter.right].some(isAtAntimeridian)) return undefined;
      return isShape(filter.left) && isShape(filter.right) ? exactly(filter) : undefined;
    }
    case "temporal":
      return [filter.left, filter.right].every((operand) => isSharedTime(operand, upstream))
        ? exactly(filter)
        : undefined;
    case "array":
      return classes.has("array-functions") && [filter.left, filter.right].every((each) => isSharedList(each, upstream))
        ? exactly(filter)
        : undefined;
    case "boolean":
      return "literal" in filter.operand && filter.operand.literal === false ? exactly(NEVER) : undefined;
    default:
      return undefined;
  }
}

/** Whether footprints that cross 180 degrees may share a point with a constant geometry. */
function isAtAntimeridian(operand: Operand): boolean {
  if ("geometry" in operand) return isNearAntimeridian(toShape(operand.geometry));
  if (!("bbox" in operand)) return false;
  const [west = 0, south = 0] = operand.bbox;
  const [east = 0, north = 0] = operand.bbox.slice(operand.bbox.length / 2);
  return isNearAntimeridian(bboxShape([west, south, east, north]));
}

/** The operator that means the same once its operands have changed sides. */
const TURNED = { eq: "eq", neq: "neq", lt: "gt", lte: "gte", gt: "lt", gte: "lte" } as const;

function comparisonOf(
  left: Operand,
  operator: Comparison,
  right: Operand,
  context: Cql2Context,
): UpstreamCondition | undefined {
  if (!("property" in left) && "property" in right) return comparisonOf(right, TURNED[operator], left, context);
  const { upstream } = context;
  if ("property" in left) {
    const { property } = left;
    const isNegated = operator === "neq";
    const value = literalOf(right);
    if (value !== undefined && (operator === "eq" || isNegated)) {
      const equal = equalTo(property, [value], context);
      if (equal === undefined || !isNegated) return equal;
      return { filter: { op: "not", arg: equal.filter }, isExact: ALWAYS_THERE.has(property) };
    }
    // servers order text by the rules of a language
    if (typeof value === "string" || typeof value === "boolean" || LISTS.has(property)) return undefined;
    if ("date" in right) return dayComparison(property, operator, right.date, context);
  }
  const [a, b] = [sharedValue(left, upstream), sharedValue(right, upstream)];
  if (a === undefined || b === undefined) return undefined;
  const isExact = operator !== "neq" || areAlwaysThere({ op: "compare", operator, left, right });
  return { filter: { op: "compare", operator, left: a, right: b }, isExact };
}

/** A comparison with a whole day as one with the times at which it and the next one begin. */
function dayComparison(
  property: string,
  operator: Comparison,
  date: string,
  { upstream }: Cql2Context,
): UpstreamCondition | undefined {
  const day = findDay(date);
  if (day === undefined || !TIMES.has(property) || upstream(property)?.kind !== "same") return undefined;
  const next: Instant = { nanoseconds: day.end.nanoseconds + 1n, digits: 0 };
  const than = (one: Comparison, instant: Instant): Filter => ({
    op: "compare",
    operator: one,
    left: { property },
    right: { instant },
  });
  switch (operator) {
    case "eq":
      return exactly(allOf(than("gte", day.start), than("lt", next)));
    case "neq":
      return exactly(anyOf([than("lt", day.start), than("gte", next)]));
    case "lt":
    case "gte":
      return exactly(than(operator, day.start));
    case "lte":
      return exactly(than("lt", next));
    case "gt":
      return exactly(than("gte", next));
  }
}

/** Whether the property, or an entry of it, has one of these values. */
function equalTo(
  property: string,
  values: readonly (string | number | boolean)[],
  { upstream, classes }: Cql2Context,
): UpstreamCondition | undefined {
  const as = property === "id" ? ({ kind: "same" } as const) : upstream(property);
  if (as?.kind === "mgrs-grid-code") {
    if (!values.every((value) => typeof value === "string" && /^\d\d[A-Z]{3}$/.test(value))) return undefined;
    return exactly(oneOf(as.property, (values as string[]).flatMap(gridCodes), classes));
  }
  if (as === undefined || TIMES.has(property)) return undefined;
  if (!LISTS.has(property)) return exactly(oneOf(property, values, classes));
  const array = values.map((literal) => ({ literal }));
  return exactly({ op: "array", operator: "overlaps", left: { property }, right: { array } });
}

/** A tile by its beginning, as a grid code by its own; a zone below 10 is also written without its zero. */
function gridCodesLike(
  filter: Extract<Filter, { op: "text" | "like" }>,
  { upstream }: Cql2Context,
): UpstreamCondition | undefined {
  const as = "property" in filter.operand ? upstream(filter.operand.property) : undefined;
  if (as?.kind !== "mgrs-grid-code") return undefined;
  const pattern = filter.op === "like" ? filter.pattern : filter.operator === "startsWith" ? `${filter.value}%` : "";
  const prefix = typeof pattern === "string" ? /^(\d\d[A-Z]{0,3})%$/.exec(pattern)?.[1] : undefined;
  if (prefix === undefined) return undefined;
  const likes = gridCodes(prefix).map((code): Filter => {
    return { op: "like", operand: { property: as.property }, pattern: `${code}%` };
  });
  // "05" alone is also the beginning "5" of zones 50 to 59
  return { filter: anyOf(likes), isExact: !/^0\d$/.test(prefix) };
}
