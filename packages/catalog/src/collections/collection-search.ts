import { type Bbox, bboxGeometry, geometriesIntersect, type Position } from "@swath/geometry";
import {
  compareItems,
  type Fields,
  type Filter,
  type Interval,
  matchesFilter,
  matchesInterval,
  parseBbox,
  parseDatetime,
  parseFields,
  parseFilterMembers,
  parseLimit,
  parseSortby,
  type Queryables,
  type SearchItem,
  type SortField,
} from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { Extent } from "../catalog.ts";

/** A search of collections (STAC collection search extension). */
export interface CollectionSearch {
  readonly bbox?: Bbox | undefined;
  readonly datetime?: Interval | undefined;
  /** Words or phrases in lower case, of which one has to be in a collection's texts; none: all collections match. */
  readonly words: readonly string[];
  readonly filter?: Filter | undefined;
  /** Empty: in the order of the list. */
  readonly sortby: readonly SortField[];
  /** Collections of a page; infinite where none is asked for. */
  readonly limit: number;
  /** Members of the documents to return; `undefined`: all. */
  readonly fields?: Fields | undefined;
}

/** The parameters of a collection search, as text. */
export type CollectionParameters = {
  readonly [name in
    | "bbox"
    | "datetime"
    | "limit"
    | "q"
    | "filter"
    | "filter-lang"
    | "filter-crs"
    | "sortby"
    | "fields"]?: string | undefined;
};

/** The parts of a collection that it is found by. */
export interface SearchedCollection {
  readonly collection: CollectionSchema;
  readonly extent: Extent;
}

const text = (title: string) => ({ kind: "string", schema: { title, type: "string" } }) as const;
const texts = (title: string) =>
  ({ kind: "strings", schema: { title, type: "array", items: { type: "string" } } }) as const;
const time = (title: string) => ({ kind: "instant", schema: { title, type: "string", format: "date-time" } }) as const;

/** The names that a filter of collections may use. */
const COLLECTION_QUERYABLES: Queryables = {
  id: text("Collection id"),
  title: text("Title"),
  description: text("Description"),
  keywords: texts("Keywords"),
  license: text("License"),
  constellation: text("Constellation"),
  platform: texts("Platforms"),
  instruments: texts("Instruments"),
  start_datetime: time("First acquisition"),
  end_datetime: time("Last acquisition; null where the archive grows"),
  geometry: { kind: "geometry", schema: { title: "Spatial extent", format: "geometry-any" } },
};

const COLLECTION_SORTABLES = Object.keys(COLLECTION_QUERYABLES).filter((name) => name !== "geometry");

/** @throws {QueryError} for a parameter that does not parse. */
export function parseCollectionSearch(parameters: CollectionParameters): CollectionSearch {
  const { bbox, datetime, limit, q = "", sortby, fields } = parameters;
  const values = new Map<string, unknown>(Object.entries(parameters).filter(([, value]) => value !== undefined));
  return {
    bbox: bbox === undefined ? undefined : parseBbox(bbox),
    datetime: datetime === undefined ? undefined : parseDatetime(datetime),
    words: q
      .split(",")
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== ""),
    filter: parseFilterMembers(values, "query", COLLECTION_QUERYABLES),
    sortby: sortby === undefined ? [] : parseSortby(sortby, { in: "query", pointer: "sortby" }, COLLECTION_SORTABLES),
    limit: limit === undefined ? Number.POSITIVE_INFINITY : parseLimit(limit),
    fields: fields === undefined ? undefined : shownFields(parseFields(fields)),
  };
}

/** Fields that name none to include leave out what they exclude, and nothing else: an item's default ones are none here. */
function shownFields({ include = [], exclude }: Fields): Fields {
  return { ...(include.length === 0 ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) };
}

/** Those of some collections that a search finds, in its order. */
export function foundCollections<T extends SearchedCollection>(
  all: readonly T[],
  search: CollectionSearch,
): readonly T[] {
  const { bbox, datetime, words, filter, sortby } = search;
  const found = all.filter(
    (each) =>
      (bbox === undefined || touches(each.extent, bbox)) &&
      (datetime === undefined || overlaps(each.extent, datetime)) &&
      (words.length === 0 || words.some((word) => textOf(each.collection).includes(word))) &&
      (filter === undefined || matchesFilter(filter, searchItem(each))),
  );
  if (sortby.length === 0) return found;
  const compare = compareItems(sortby);
  return found
    .map((each) => ({ each, item: searchItem(each) }))
    .sort((a, b) => compare(a.item, b.item))
    .map(({ each }) => each);
}

/** A collection as filters and orders look at it. */
function searchItem({ collection, extent }: SearchedCollection): SearchItem {
  const { id, title, description, keywords, license, constellation, platforms, instruments } = collection;
  const [start, end] = extent.temporal.interval[0] ?? [];
  return {
    id,
    geometry: areaOf(extent),
    properties: {
      title,
      description,
      keywords,
      license,
      constellation,
      platform: platforms,
      instruments,
      start_datetime: start ?? undefined,
      end_datetime: end ?? undefined,
    },
  };
}

/** Boxes of an extent; of several the first encloses the others. */
function boxesOf({ spatial }: Extent): readonly Bbox[] {
  return spatial.bbox.length > 1 ? spatial.bbox.slice(1) : spatial.bbox;
}

function areaOf(extent: Extent): unknown {
  const polygons = boxesOf(extent).flatMap((box): Position[][][] => {
    const geometry = bboxGeometry(box) as { type: string; coordinates: never };
    return geometry.type === "MultiPolygon" ? geometry.coordinates : [geometry.coordinates];
  });
  return { type: "MultiPolygon", coordinates: polygons };
}

function touches(extent: Extent, box: Bbox): boolean {
  return boxesOf(extent).some((each) => geometriesIntersect(bboxGeometry(each), bboxGeometry(box)));
}

function overlaps({ temporal }: Extent, interval: Interval): boolean {
  return temporal.interval.some(
    ([start, end]) => matchesInterval(interval, { start_datetime: start, end_datetime: end }) !== false,
  );
}

/** Returns the text that describes a collection. */
function textOf({ id, title, description, keywords }: CollectionSchema): string {
  return [id, title, description, ...keywords].join("\n").toLowerCase();
}
