import type { Geometry } from "@swath/geometry";
import { type Filter, filterProperties } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { platformSpellings } from "../../names/platform.ts";
import { CLOUD_COVER, COLLECTION, isAbout, isTrueOf, LISTS, queriedAs } from "../../names/queried-as.ts";
import type { Abilities } from "../abilities/upstream-conformance.ts";
import { cql2Writer } from "./cql2-writer.ts";
import type { FilterWriter } from "./filter-writer.ts";
import { impliedBounds, type PropertyBounds } from "./implied-bounds.ts";
import { negationNormalForm } from "./negation.ts";
import { evaluating, queryWriter } from "./upstream-query.ts";

/** A `query` of the STAC query extension in the upstream's vocabulary, and what has to be asked of the answer besides. */
export interface UpstreamFilter {
  readonly query: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** A filter of CQL2 in the upstream's vocabulary, to be sent instead of `query`, which is empty then. */
  readonly cql2?: Filter;
  /**
   * The part of the filter that the upstream cannot evaluate exactly: each item of its answer is matched against it.
   */
  readonly local: Filter | undefined;
  /** The collections that the search can still concern. */
  readonly collections: readonly CollectionSchema[];
  /**
   * Whether the answer may hold items that no condition here drops: items of other platforms, or without a cloud cover.
   */
  readonly holdsOthers: boolean;
  /** The only ids that can match; absent: the filter says nothing of ids. */
  readonly ids?: readonly string[];
  /** An area that each match intersects, to be sent where the search has none of its own. */
  readonly area?: Geometry;
}

/**
 * Splits a filter at its ANDs and converts each part to the upstream's `query` where that is possible; of the other
 * parts it sends the bounds that they imply (`impliedBounds`), and these parts are applied to the answer. A part about
 * the collection, the constellation or the platform is decided here, since their values are known; the remaining
 * platforms are sent in each of their spellings, and only where the user or an upstream collection with other platforms
 * requires it.
 *
 * Where the upstream takes CQL2 that says more of the filter, or no `query`, all conditions are sent as CQL2: servers
 * refuse a search with both. Where it takes neither, none is sent.
 *
 * @param known collections that may share a property with those asked.
 */
export function toUpstreamFilter(
  filter: Filter | undefined,
  asked: readonly CollectionSchema[],
  known: readonly CollectionSchema[],
  { hasQuery, cql2, kind }: Abilities,
): UpstreamFilter {
  const pieces = filter === undefined ? [] : conjuncts(negationNormalForm(filter, (name) => LISTS.has(name)));
  const evaluates = evaluating(hasQuery ? kind.conditions : {});
  const byQuery = splitFilter(pieces, asked, queryWriter(queriedAs(known), evaluates));
  if (cql2.size === 0 || (hasQuery && byQuery.rank.local === 0)) return byQuery.filter;
  const isPlane = kind.area.longitudes === "plane";
  const byCql2 = splitFilter(pieces, asked, cql2Writer(queriedAs(known), cql2, isPlane));
  return hasQuery && !saysMore(byCql2.rank, byQuery.rank) ? byQuery.filter : byCql2.filter;
}

/**
 * The share of a filter that an upstream is asked: parts that are also applied here, and those of them that are sent as
 * well.
 */
interface Rank {
  readonly local: number;
  readonly sent: number;
}

function saysMore(one: Rank, other: Rank): boolean {
  return one.local < other.local || (one.local === other.local && one.sent > other.sent);
}

function splitFilter(
  pieces: readonly Filter[],
  asked: readonly CollectionSchema[],
  writer: FilterWriter,
): { readonly filter: UpstreamFilter; readonly rank: Rank } {
  let collections = asked;
  const local: Filter[] = [];
  let sent = 0;
  let isCoverSent = false;
  // the upstream is never asked for members that the service itself writes: its items may lack them
  const isDecided = (piece: Filter): boolean =>
    isAbout(piece, COLLECTION) ||
    (isAbout(piece, ["constellation"]) && asked.every(({ constellation }) => constellation !== undefined));
  for (const piece of pieces.filter(isDecided)) {
    collections = collections.filter(({ id, constellation }) => isTrueOf(piece, { constellation }, id));
  }
  const areKnown = collections.every(({ platforms }) => platforms.length > 0);
  const holdsOthers = collections.some((collection) => collection.upstream.holdsOtherPlatforms === true);
  const all = collections.flatMap((collection) => collection.platforms);
  let isUnasked = false;
  let platforms = all;
  for (const piece of pieces) {
    if (isDecided(piece)) continue;
    if (areKnown && isAbout(piece, ["platform"])) {
      platforms = platforms.filter((platform) => isTrueOf(piece, { platform }));
      continue;
    }
    const added = writer.add(piece, collections);
    if (added !== "exact") local.push(piece);
    if (added === "wider") sent += 1;
    isCoverSent ||= added !== "not" && filterProperties(piece).has("eo:cloud_cover");
  }
  const implied = impliedBounds({ op: "and", args: pieces });
  const own = impliedBounds({ op: "and", args: local });
  for (const [property, bounds] of own.properties) {
    // the range of all pieces together, which may name an operator more than once
    const { lower, upper } = implied.properties.get(property) ?? {};
    writer.addBounds(property, { ...bounds, ...(lower && { lower }), ...(upper && { upper }) });
  }
  const holdsInvalid = isCoverSent && !isCoverBounded(writer, implied.properties.get("eo:cloud_cover"));
  const ids = implied.properties.get("id")?.values?.map(String);
  const named = implied.properties.get("collection")?.values;
  if (named !== undefined) collections = collections.filter(({ id }) => named.includes(id));
  if (areKnown) {
    collections = collections.filter((collection) =>
      collection.platforms.some((platform) => platforms.includes(platform)),
    );
    if (holdsOthers || platforms.length < all.length) {
      isUnasked = !writer.addPlatforms([...new Set(platforms)].flatMap(platformSpellings));
    }
  }
  return {
    rank: { local: local.length, sent },
    filter: {
      ...writer.written(),
      local: local.length > 1 ? { op: "and", args: local } : local[0],
      collections,
      holdsOthers:
        isUnasked ||
        holdsInvalid ||
        (holdsOthers && !areKnown) ||
        collections.some((collection) => collection.upstream.isDividedById === true),
      ...(ids === undefined ? {} : { ids }),
      ...(implied.areas[0] === undefined ? {} : { area: implied.areas[0] }),
    },
  };
}

/**
 * Whether a cloud cover out of its range, which is none here, does not match what is sent of one: so that the upstream
 * counts what the service gives. Where a condition leaves a side open, the end of the range is sent as well.
 */
function isCoverBounded(writer: FilterWriter, { lower, upper, values }: PropertyBounds = {}): boolean {
  const { least, most } = CLOUD_COVER;
  if (values !== undefined) return values.every((value) => Number(value) >= least && Number(value) <= most);
  // it may match what has no cloud cover
  if (lower === undefined && upper === undefined) return false;
  const isAdded = (side: "lower" | "upper", value: number): boolean =>
    writer.addBounds("eo:cloud_cover", { [side]: { value, inclusive: true } }) === "exact";
  const isFrom = lower !== undefined && Number(lower.value) >= least;
  const isTo = upper !== undefined && Number(upper.value) <= most;
  return (isFrom || isAdded("lower", least)) && (isTo || isAdded("upper", most));
}

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.op === "and" ? filter.args.flatMap(conjuncts) : [filter];
}
