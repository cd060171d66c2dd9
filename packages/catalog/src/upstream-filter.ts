import type { Geometry } from "@swath/geometry";
import {
  type Comparison,
  type Filter,
  filterProperties,
  formatInstant,
  matchesFilter,
  type Operand,
} from "@swath/query";
import type { CollectionSchema, QueryableFile } from "@swath/schema";
import { type Bound, impliedBounds, type PropertyBounds } from "./implied-bounds.ts";
import { gridCodes } from "./mgrs.ts";
import { negationNormalForm } from "./negation.ts";
import { platformSpellings } from "./platform.ts";

/** A `query` of the STAC query extension in the upstream's vocabulary, and what has to be asked of the answer besides. */
export interface UpstreamFilter {
  readonly query: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the upstream cannot be asked, or not exactly: to be matched against each item of its answer. */
  readonly local: Filter | undefined;
  /** The collections that the search can still concern. */
  readonly collections: readonly CollectionSchema[];
  /** Whether the answer may hold items of platforms that none of the collections has. */
  readonly holdsOthers: boolean;
  /** The only ids that can match; absent: the filter says nothing of ids. */
  readonly ids?: readonly string[];
  /** An area that each match intersects, to be sent where the search has none of its own. */
  readonly area?: Geometry;
}

type Plain = string | number | boolean;
type Conditions = Record<string, Record<string, unknown>>;

/** Properties that every upstream item has, so that "not equal" says the same here and there. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(["datetime", "created", "updated", "eo:cloud_cover"]);

/** Properties of every collection whose values the upstream writes as the service does. */
const SAME: ReadonlySet<string> = new Set([
  "datetime",
  "instruments",
  "eo:cloud_cover",
  "gsd",
  "created",
  "updated",
  "view:sun_elevation",
]);

/** Properties that are times. */
const TIMES: ReadonlySet<string> = new Set(["datetime", "created", "updated"]);

/** Properties that are lists of text: a condition on one is true where it is true of an entry. */
const LISTS: ReadonlySet<string> = new Set(["instruments"]);

/** Names of the collection in filters. */
const COLLECTION = ["svc:source_collection", "collection"] as const;

/** How a property is queried at an upstream; `undefined`: its responses are filtered here. */
type QueriedAs = (property: string) => QueryableFile["upstream"];

/** How the properties that these collections add, and the common ones, are queried at the upstream. */
function queriedAs(collections: readonly CollectionSchema[]): QueriedAs {
  const added = new Map(collections.flatMap(({ queryables }) => queryables.map((each) => [each.name, each.upstream])));
  return (property) => (SAME.has(property) ? { kind: "same" } : added.get(property));
}

/**
 * Splits a filter at its ANDs and converts each part to the upstream's `query` where that is possible; of the parts
 * where it is not, what they imply is sent (`impliedBounds`), and they are applied to the answer. A part about
 * the collection, the constellation or the platform is decided here, since their values are known; the remaining platforms are sent
 * in each of their spellings, and only where the user or an upstream collection with other platforms requires it.
 *
 * @param known collections that may share a property with those asked; default those.
 */
export function toUpstreamFilter(
  filter: Filter | undefined,
  asked: readonly CollectionSchema[],
  known: readonly CollectionSchema[] = asked,
): UpstreamFilter {
  let collections = asked;
  const query: Conditions = {};
  const local: Filter[] = [];
  const pieces = filter === undefined ? [] : conjuncts(negationNormalForm(filter, (name) => LISTS.has(name)));
  // what the service writes into its items itself is never asked of the upstream, whose items may lack it
  const isDecided = (piece: Filter): boolean =>
    isAbout(piece, COLLECTION) ||
    (isAbout(piece, ["constellation"]) && asked.every(({ constellation }) => constellation !== undefined));
  for (const piece of pieces.filter(isDecided)) {
    collections = collections.filter(({ id, constellation }) => isTrueOf(piece, { constellation }, id));
  }
  const upstream = queriedAs(known);
  const areKnown = collections.every(({ platforms }) => platforms.length > 0);
  const holdsOthers = collections.some((collection) => collection.upstream.holdsOtherPlatforms === true);
  const all = collections.flatMap((collection) => collection.platforms);
  let platforms = all;
  for (const piece of pieces) {
    if (isDecided(piece)) continue;
    if (areKnown && isAbout(piece, ["platform"])) {
      platforms = platforms.filter((platform) => isTrueOf(piece, { platform }));
    } else if (!addTo(query, piece, upstream)) {
      local.push(piece);
    }
  }
  const implied = impliedBounds({ op: "and", args: pieces });
  const own = local.length === 0 ? implied : impliedBounds({ op: "and", args: local });
  for (const [property, bounds] of own.properties) {
    // the range of all pieces together, which may name an operator more than once
    const { lower, upper } = implied.properties.get(property) ?? {};
    addBounds(query, property, { ...bounds, ...(lower && { lower }), ...(upper && { upper }) }, upstream);
  }
  const ids = implied.properties.get("id")?.values?.map(String);
  const named = implied.properties.get("collection")?.values;
  if (named !== undefined) collections = collections.filter(({ id }) => named.includes(id));
  if (areKnown) {
    collections = collections.filter((collection) =>
      collection.platforms.some((platform) => platforms.includes(platform)),
    );
    if (holdsOthers || platforms.length < all.length) {
      query.platform = { in: [...new Set(platforms)].flatMap(platformSpellings) };
    }
  }
  return {
    query,
    local: local.length > 1 ? { op: "and", args: local } : local[0],
    collections,
    holdsOthers: holdsOthers && !areKnown,
    ...(ids === undefined ? {} : { ids }),
    ...(implied.areas[0] === undefined ? {} : { area: implied.areas[0] }),
  };
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === "and" ? filter.args.flatMap(conjuncts) : [filter];
}

function isTrueOf(filter: Filter, properties: Readonly<Record<string, unknown>>, collection?: string): boolean {
  const item = { id: "", properties: { ...properties, "svc:source_collection": collection } };
  return matchesFilter(filter, collection === undefined ? { id: "", properties } : { ...item, collection });
}

/** Whether these properties, or one of them, alone decide the filter. */
function isAbout(filter: Filter, properties: readonly string[]): boolean {
  return [...filterProperties(filter)].every((name) => properties.includes(name));
}

/** Adds what has to hold of a property. Its range is at least as narrow as what is there. */
function addBounds(query: Conditions, property: string, bounds: PropertyBounds, upstream: QueriedAs): void {
  const { lower, upper, values, prefix } = bounds;
  // a time is written in more ways than one
  const isTime = TIMES.has(property);
  if (values !== undefined && !isTime) addEqual(query, property, values, upstream);
  if (upstream(property)?.kind !== "same") return;
  query[property] = {
    ...query[property],
    ...(lower && { [lower.inclusive ? "gte" : "gt"]: jsonOf(lower) }),
    ...(upper && { [upper.inclusive ? "lte" : "lt"]: jsonOf(upper) }),
  };
  if (Object.keys(query[property]).length === 0) delete query[property];
  if (prefix !== undefined && !isTime && isPlainText(prefix)) set(query, property, "startsWith", prefix);
}

function jsonOf({ value }: Bound): number | string {
  return typeof value === "number" ? value : formatInstant(value);
}

/** Whether a text has none of the characters that have a meaning in the patterns of upstreams. */
function isPlainText(text: string): boolean {
  return !/[*?\\]/.test(text);
}

/** Adds a piece to the query. @returns whether the query now says exactly the same; if not, the piece is also local. */
function addTo(query: Conditions, piece: Filter, upstream: QueriedAs): boolean {
  switch (piece.op) {
    case "compare":
      return addComparison(query, piece.left, piece.operator, piece.right, upstream);
    case "between":
      return (
        addComparison(query, piece.operand, "gte", piece.lower, upstream) &&
        addComparison(query, piece.operand, "lte", piece.upper, upstream)
      );
    case "in": {
      const values = piece.values.map(plainOf);
      if (!("property" in piece.operand) || values.includes(undefined)) return false;
      return addEqual(query, piece.operand.property, values, upstream);
    }
    case "has": {
      const value = plainOf(piece.value);
      if (!("property" in piece.operand) || value === undefined) return false;
      return addEqual(query, piece.operand.property, [value], upstream);
    }
    case "text": {
      if (!("property" in piece.operand) || !isPlainText(piece.value)) return false;
      const { property } = piece.operand;
      return upstream(property)?.kind === "same" && set(query, property, piece.operator, piece.value);
    }
    case "like": {
      // a fixed text with one % at its end, or none
      const { pattern, operand } = piece;
      if (!("property" in operand) || TIMES.has(operand.property)) return false;
      if (typeof pattern !== "string" || !/^[^\\_%*?]+%?$/.test(pattern)) return false;
      return pattern.endsWith("%")
        ? upstream(operand.property)?.kind === "same" &&
            set(query, operand.property, "startsWith", pattern.slice(0, -1))
        : addEqual(query, operand.property, [pattern], upstream);
    }
    case "or": {
      const values = equalValues(piece);
      return values !== undefined && addEqual(query, values.property, values.values, upstream);
    }
    default:
      return false;
  }
}

/** The property and its values, of an OR that says no more than that it has one of these values. */
function equalValues(filter: Filter): { readonly property: string; readonly values: readonly Plain[] } | undefined {
  if (filter.op === "or") {
    const parts = filter.args.map(equalValues);
    const [first] = parts;
    if (first === undefined || parts.some((part) => part?.property !== first.property)) return undefined;
    return { property: first.property, values: [...new Set(parts.flatMap((part) => part?.values ?? []))] };
  }
  const isEqual = filter.op === "compare" && filter.operator === "eq";
  if (!isEqual && filter.op !== "in") return undefined;
  const operand = filter.op === "in" ? filter.operand : filter.left;
  const values = (filter.op === "in" ? filter.values : [filter.right]).map((value) =>
    "literal" in value ? value.literal : undefined,
  );
  if (!("property" in operand) || TIMES.has(operand.property) || values.includes(undefined)) return undefined;
  return { property: operand.property, values: values.filter((value) => value !== undefined) };
}

function addComparison(
  query: Conditions,
  left: Operand,
  operator: Comparison,
  right: Operand,
  upstream: QueriedAs,
): boolean {
  const value = plainOf(right);
  if (!("property" in left) || value === undefined) return false;
  // how exact the item is written decides whether it is "equal" to a time
  if ("instant" in right && (operator === "eq" || operator === "neq")) return false;
  if (operator === "eq") return addEqual(query, left.property, [value], upstream);
  if (upstream(left.property)?.kind !== "same") return false;
  const isSet = set(query, left.property, operator, value);
  return isSet && (operator !== "neq" || ALWAYS_THERE.has(left.property));
}

function addEqual(query: Conditions, property: string, values: readonly unknown[], upstream: QueriedAs): boolean {
  const as = upstream(property);
  switch (as?.kind) {
    case "same":
      return values.length === 1 ? set(query, property, "eq", values[0]) : set(query, property, "in", values);
    case "mgrs-grid-code":
      if (!values.every((value) => typeof value === "string" && /^\d\d[A-Z]{3}$/.test(value))) return false;
      return set(query, as.property, "in", (values as string[]).flatMap(gridCodes));
    case undefined:
      return false;
  }
}

/** An operator can be given once for a property; a second one stays local. */
function set(query: Conditions, property: string, operator: string, value: unknown): boolean {
  const conditions = query[property];
  if (conditions !== undefined && Object.hasOwn(conditions, operator)) return false;
  query[property] = { ...conditions, [operator]: value };
  return true;
}

/** The value of a constant as JSON. */
function plainOf(operand: Operand): Plain | undefined {
  if ("literal" in operand) return operand.literal;
  return "instant" in operand ? formatInstant(operand.instant) : undefined;
}
