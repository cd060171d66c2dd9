import type { Extent } from "@swath/catalog";
import type { Interval } from "@swath/query";
import { attributionFor, type CollectionSchema } from "@swath/schema";
import type { Services } from "../services.ts";
import { readTileSet, type TileSet, type TileSetInput } from "./tile.ts";

/** What a TileJSON document says of the tiles of a preset. */
export interface TileSetFacts {
  readonly tiles: TileSet;
  readonly extent: Extent;
  /** Credit line of all years in which scenes of the window can be. */
  readonly attribution: string;
}

/** @throws as `readTileSet`; {CatalogError} */
export async function describeTileSet(
  { catalog, registry, now }: Pick<Services, "catalog" | "registry" | "now">,
  input: TileSetInput,
  { signal }: { readonly signal: AbortSignal },
): Promise<TileSetFacts> {
  const time = now();
  const tiles = readTileSet(registry, input, time);
  const { collection, window } = tiles;
  const extent = await catalog.extent(collection.id, { signal });
  return { tiles, extent, attribution: attributionFor(collection, yearsOf(window, collection, time)) };
}

/** Years in which scenes of a window can be: from the collection's first to this one. */
function yearsOf(window: Interval, collection: CollectionSchema, now: Date): number[] {
  const yearOf = (instant: Interval["start"], otherwise: Date): number =>
    (instant === undefined ? otherwise : new Date(Number(instant.nanoseconds / 1_000_000n))).getUTCFullYear();
  const begin = new Date(collection.start);
  const first = Math.max(yearOf(window.start, begin), begin.getUTCFullYear());
  const last = Math.min(yearOf(window.end, now), now.getUTCFullYear());
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
