import type { Extent } from "@swath/catalog";
import type { Extents } from "@swath/catalog/node";
import type { ImageFormat, TileSet } from "@swath/engine/node/images";
import { formatDatetime } from "@swath/query";
import { matrixSize, type TileMatrixSetId } from "@swath/raster";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";
import type { ImageParts } from "./services.ts";
import { describeTileSet, tileSetBounds } from "./tile-json.ts";

const FORMATS: readonly ImageFormat[] = ["png", "jpg", "webp"];

/** A layer of the Web Map Tile Service: a preset of one of its collections. */
export interface LayerName {
  /** The preset's id for its default collection, `{preset}.{collection}` for others. */
  readonly identifier: string;
  readonly preset: Preset;
  readonly collectionId: string;
}

/** Rows and columns of one tile matrix that hold tiles, both ends included. */
export interface MatrixLimits {
  readonly zoom: number;
  readonly minRow: number;
  readonly maxRow: number;
  readonly minColumn: number;
  readonly maxColumn: number;
}

/** Facts about a layer for the capabilities document. */
export interface Layer extends LayerName {
  readonly collection: CollectionSchema;
  /** West, south, east, north in degrees; the antimeridian is never crossed. */
  readonly bbox: readonly [west: number, south: number, east: number, north: number];
  /** Acquisitions that are shown unless asked for others, as the `datetime` parameter has them. */
  readonly time: string;
  readonly attribution: string;
  readonly formats: readonly ImageFormat[];
  readonly sets: readonly { readonly id: TileMatrixSetId; readonly limits: readonly MatrixLimits[] }[];
}

/** The layers of the presets that are listed first, or of one preset. */
export function layerNames(registry: CollectionRegistry, presetId?: string): readonly LayerName[] {
  const presets = presetId === undefined ? registry.presets : [registry.findPreset(presetId) ?? []].flat();
  return presets.flatMap((preset) =>
    (preset.collections ?? []).map((collectionId) => ({
      identifier: collectionId === preset.collection ? preset.id : `${preset.id}.${collectionId}`,
      preset,
      collectionId,
    })),
  );
}

/** The layer of this identifier. */
export function findLayer(registry: CollectionRegistry, identifier: string): LayerName | undefined {
  const [presetId = ""] = identifier.split(".");
  return layerNames(registry, presetId).find((each) => each.identifier === identifier);
}

/**
 * Describes layers, except those of collections that the upstream lacks.
 *
 * @returns with `isCurrent` false where the catalog did not say how far a collection reaches.
 */
export async function describeLayers(
  services: Pick<ImageParts, "registry" | "lowZooms" | "now"> & { readonly extents: Extents },
  names: readonly LayerName[],
  options: { readonly signal: AbortSignal },
): Promise<{ readonly layers: readonly Layer[]; readonly isCurrent: boolean }> {
  const described = await Promise.all(names.map((name) => describeLayer(services, name, options)));
  return {
    layers: described.filter(({ isThere }) => isThere).map(({ layer }) => layer),
    isCurrent: described.every(({ isCurrent }) => isCurrent),
  };
}

async function describeLayer(
  services: Parameters<typeof describeLayers>[0],
  name: LayerName,
  options: { readonly signal: AbortSignal },
): Promise<{ readonly layer: Layer; readonly isCurrent: boolean; readonly isThere: boolean }> {
  const { preset, collectionId } = name;
  const sets = preset.tileMatrixSets ?? [];
  const request = {
    where: { tileMatrixSet: sets[0] ?? "" },
    when: { collections: [collectionId] },
    what: { preset: preset.id },
  };
  const { tiles, extent, isCurrent, isThere, attribution } = await describeTileSet(services, request, options);
  const minzoom = services.lowZooms?.draws(request) === true ? 0 : tiles.minzoom;
  const { maxzoom } = tiles;
  const zooms = Array.from({ length: maxzoom - minzoom + 1 }, (_, i) => minzoom + i);
  return {
    isCurrent,
    isThere,
    layer: {
      ...name,
      collection: tiles.collection,
      bbox: tileSetBounds("WorldCRS84Quad", extent),
      time: timeOf(tiles, extent),
      attribution,
      formats: preset.formats ?? FORMATS,
      sets: sets.map((id) => ({ id, limits: zooms.map((zoom) => limitsOf(id, zoom, tileSetBounds(id, extent))) })),
    },
  };
}

/** The window of tiles; where it is all of a collection's time, from its first item on. */
function timeOf({ collection, window }: Pick<TileSet, "collection" | "window">, { temporal }: Extent): string {
  const [start = null] = temporal.interval[0] ?? [];
  return collection.defaultTime === "all" && start !== null ? `${start}/..` : formatDatetime(window);
}

function limitsOf(
  set: TileMatrixSetId,
  zoom: number,
  [west, south, east, north]: readonly [number, number, number, number],
): MatrixLimits {
  const { width, height } = matrixSize(set, zoom);
  const within = (index: number, count: number): number => Math.min(Math.max(index, 0), count - 1);
  // an edge between two tiles belongs to the tile inside
  const first = (share: number, count: number): number => within(Math.floor(share * count), count);
  const last = (share: number, count: number): number => within(Math.ceil(share * count) - 1, count);
  return {
    zoom,
    minColumn: first((west + 180) / 360, width),
    maxColumn: last((east + 180) / 360, width),
    minRow: first(fromNorth(set, north), height),
    maxRow: last(fromNorth(set, south), height),
  };
}

/** Share of the tile matrix set's height above a latitude, 0 at its northern edge. */
function fromNorth(set: TileMatrixSetId, latitude: number): number {
  if (set === "WorldCRS84Quad") return (90 - latitude) / 180;
  return (1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2;
}
