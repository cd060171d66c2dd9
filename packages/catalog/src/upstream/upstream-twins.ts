import { allOf, type Filter, findInstant, type ItemQuery } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { FallbackFile } from "@swath/schema/files";
import type { Place, PlacedPage } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import { OVERPASS_MS } from "../item/satellites.ts";
import { type Acquisition, Acquisitions, acquisitionOf } from "../item/twins.ts";
import type { Entry, OrderedSource } from "../order/ordered-source.ts";

/** Items of one request for other acquisitions: one answer of an upstream. */
const PAGE = 250;
/** Pages of a lookup: ten thousand scenes on the tiles and in the time of one page of the upstream. */
const MAX_PAGES = 40;

/** Searches the collections of an upstream that come before one that fills gaps. */
type SearchFirst = (query: ItemQuery, place: Place | undefined, fallback: FallbackFile) => Promise<PlacedPage>;

/**
 * Sources of a collection that fills gaps, without the items whose acquisition an earlier collection has: whether
 * that one matches the search or not, since a scene must not come back because its better form is too cloudy.
 */
export function withoutTwins(searchFirst: SearchFirst) {
  return (source: OrderedSource, fallback: FallbackFile, owner: CollectionSchema): OrderedSource => ({
    ...source,
    open: (...from) => {
      const reader = source.open(...from);
      return {
        read: async (wanted) => {
          const batch = await reader.read(wanted);
          const twins = await twinsOf(batch.entries, fallback, owner, searchFirst);
          return { ...batch, entries: batch.entries.filter((entry) => !twins.has(entry)) };
        },
      };
    },
  });
}

async function twinsOf(
  entries: readonly Entry[],
  fallback: FallbackFile,
  { id }: CollectionSchema,
  searchFirst: SearchFirst,
): Promise<ReadonlySet<Entry>> {
  const own = entries.flatMap((entry) => {
    const acquisition = acquisitionOf(entry.item, fallback.tile);
    return acquisition === undefined ? [] : [{ entry, acquisition }];
  });
  if (own.length === 0) return new Set();
  const firsts = await acquisitionsAround(
    own.map(({ acquisition }) => acquisition),
    fallback,
    id,
    searchFirst,
  );
  return new Set(own.filter(({ acquisition }) => firsts.has(acquisition)).map(({ entry }) => entry));
}

/** Returns the acquisitions of the earlier collections on the tiles and around the times of these items. */
async function acquisitionsAround(
  all: readonly Acquisition[],
  fallback: FallbackFile,
  collection: string,
  searchFirst: SearchFirst,
): Promise<Acquisitions> {
  const { tile } = fallback;
  const times = all.map(({ time }) => time);
  const at = (time: number) => findInstant(new Date(time).toISOString());
  const [start, end] = [at(Math.min(...times) - OVERPASS_MS), at(Math.max(...times) + OVERPASS_MS)];
  const names = all.map((each) => JSON.parse(each.tile) as string[]);
  const args = tile.map((property, i): Filter => {
    const values = [...new Set(names.flatMap((each) => each[i] ?? []))].map((literal) => ({ literal }));
    return { op: "in", operand: { property }, values };
  });
  const filter = allOf(...args);
  const query: ItemQuery = {
    collections: [collection],
    datetime: { ...(start && { start }), ...(end && { end }) },
    ...(filter === undefined ? {} : { filter }),
    sortby: [{ field: "datetime", direction: "asc" }],
    limit: PAGE,
  };
  const found = new Acquisitions();
  let place: Place | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await searchFirst(query, place, fallback);
    for (const item of page.items) {
      const acquisition = acquisitionOf(item, tile);
      if (acquisition !== undefined) found.add(acquisition);
    }
    if (!page.hasNext) return found;
    place = { gap: page.gapAt(page.items.length, "next"), direction: "next" };
  }
  throw new CatalogError("too-many", "More scenes match than can be compared: ask for less time or area.");
}
