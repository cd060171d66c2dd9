import {
  type Comparison,
  type Filter,
  filterProperties,
  formatInstant,
  matchesFilter,
  type Operand,
} from "@swath/query";
import type { CollectionSchema, QueryableFile } from "@swath/schema";
import { gridCodes } from "./mgrs.ts";
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
}

type Conditions = Record<string, Record<string, unknown>>;

/** Properties that every upstream item has, so that "not equal" says the same here and there. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(["datetime", "created", "updated", "eo:cloud_cover"]);

/** Properties of every collection whose values the upstream writes as the service does. */
const SAME: ReadonlySet<string> = new Set([
  "datetime",
  "constellation",
  "instruments",
  "eo:cloud_cover",
  "gsd",
  "created",
  "updated",
  "view:sun_elevation",
]);

/** How a property is queried at an upstream; `undefined`: its responses are filtered here. */
type QueriedAs = (property: string) => QueryableFile["upstream"];

/** How the properties that these collections add, and the common ones, are queried at the upstream. */
function queriedAs(collections: readonly CollectionSchema[]): QueriedAs {
  const added = new Map(collections.flatMap(({ queryables }) => queryables.map((each) => [each.name, each.upstream])));
  return (property) => (SAME.has(property) ? { kind: "same" } : added.get(property));
}

/**
 * Splits a filter at its ANDs and converts each part to the upstream's `query` where that is possible. A part about
 * the collection or the platform is decided here, since their values are known; the remaining platforms are sent
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
  const pieces = filter === undefined ? [] : conjuncts(filter);
  for (const piece of pieces.filter((one) => isAbout(one, "svc:source_collection"))) {
    collections = collections.filter(({ id }) => isTrueOf(piece, { "svc:source_collection": id }));
  }
  const upstream = queriedAs(known);
  const areKnown = collections.every(({ platforms }) => platforms.length > 0);
  const holdsOthers = collections.some((collection) => collection.upstream.holdsOtherPlatforms === true);
  const all = collections.flatMap((collection) => collection.platforms);
  let platforms = all;
  for (const piece of pieces) {
    if (isAbout(piece, "svc:source_collection")) continue;
    if (areKnown && isAbout(piece, "platform")) {
      platforms = platforms.filter((platform) => isTrueOf(piece, { platform }));
    } else if (!addTo(query, piece, upstream)) {
      local.push(piece);
    }
  }
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
  };
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === "and" ? filter.args.flatMap(conjuncts) : [filter];
}

function isTrueOf(filter: Filter, properties: Readonly<Record<string, unknown>>): boolean {
  return matchesFilter(filter, { id: "", properties });
}

/** Whether nothing but this property decides the filter. */
function isAbout(filter: Filter, property: string): boolean {
  return [...filterProperties(filter)].every((name) => name === property);
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
      // the upstream looks for a pattern in which these characters have a meaning
      if (!("property" in piece.operand) || /[*?\\]/.test(piece.value)) return false;
      const { property } = piece.operand;
      return upstream(property)?.kind === "same" && set(query, property, piece.operator, piece.value);
    }
    default:
      return false;
  }
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
function plainOf(operand: Operand): string | number | boolean | undefined {
  if ("literal" in operand) return operand.literal;
  return "instant" in operand ? formatInstant(operand.instant) : undefined;
}
