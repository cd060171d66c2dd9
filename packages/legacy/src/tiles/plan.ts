import type { TileJob } from "@swath/engine/node/jobs";
import {
  DISPLAY,
  type FileRead,
  footprintOf,
  gridSpec,
  type ImagePlan,
  MAX_TILE_SCENES,
  planImage,
  type SceneRead,
} from "@swath/engine/node/jobs";
import { bboxesIntersect } from "@swath/geometry";
import { isTile, tileBbox, tileGrid } from "@swath/raster";
import type { Resampling } from "@swath/raster/warp";
import { type CollectionRegistry, type CollectionSchema, findBand, toNativeAsset } from "@swath/schema";
import { LegacyError } from "../errors.ts";
import type { LegacyItem } from "../items.ts";
import type { TileAddress } from "./address.ts";
import type { TileQuery } from "./query.ts";

const SET = "WebMercatorQuad";

/** @throws {LegacyError} 404 for a tile that the matrix set does not have. */
export function checkTile({ z, x, y }: Pick<TileAddress, "z" | "x" | "y">): void {
  if (z < 0 || z > 24 || !isTile(SET, z, x, y)) throw outside({ z, x, y });
}

export function outside({ z, x, y }: Pick<TileAddress, "z" | "x" | "y">): LegacyError {
  return LegacyError.detail(404, `Tile(x=${x}, y=${y}, z=${z}) is outside bounds`);
}

/** Whether the box of an item intersects a tile; true for an item without a box. */
export function touchesTile({ bbox }: LegacyItem, { z, x, y }: Pick<TileAddress, "z" | "x" | "y">): boolean {
  return bbox === undefined || bboxesIntersect(bbox, tileBbox(SET, z, x, y));
}

/**
 * Plans an image of scenes, first on top. Samples are styled as they are stored: ranges and expressions of this host
 * are in the stored numbers of each product.
 *
 * @throws {LegacyError} 404 where no item has the assets.
 */
export function planLegacyTile(
  items: readonly LegacyItem[],
  query: TileQuery,
  address: TileAddress,
  registry: CollectionRegistry,
): ImagePlan<TileJob> {
  const collectionOf = (item: LegacyItem): CollectionSchema | undefined =>
    registry.findByUpstream(item.collection, "default")[0];
  const resampling = query.resampling ?? defaultResampling(items[0] && collectionOf(items[0]), query);
  const reads = items.map((item) => namedAssets(item, collectionOf(item), query, resampling));
  const scenes = reads.filter((scene): scene is SceneRead => !(scene instanceof LegacyError));
  const [fault] = reads.filter((read) => read instanceof LegacyError);
  if (scenes.length === 0 && fault !== undefined) throw fault;
  const { z, x, y, size, format } = address;
  const { expression, rescale, colormap } = query;
  const job: TileJob = {
    kind: "tile",
    grid: gridSpec(tileGrid(SET, z, x, y, size)),
    scenes: scenes.slice(0, MAX_TILE_SCENES),
    more: scenes.length > MAX_TILE_SCENES,
    style: {
      ...(expression === undefined ? {} : { expression }),
      ...(rescale === undefined ? {} : { rescale }),
      ...(colormap === undefined ? {} : { colormap }),
    },
    format,
  };
  return planImage(
    job,
    items.filter((_, i) => reads[i] instanceof LegacyError).map(({ id }) => id),
  );
}

/** Returns the assets of an item that are read; the error of an asset that it does not have. */
function namedAssets(
  item: LegacyItem,
  collection: CollectionSchema | undefined,
  { assets, bandsOf, nodata }: TileQuery,
  resampling: Resampling,
): SceneRead | LegacyError {
  const files: FileRead[] = [];
  for (const name of assets) {
    const href = item.files.get(name);
    if (href === undefined) {
      const names = [...item.files.keys()].map((each) => `'${each}'`).join(", ");
      return LegacyError.detail(404, `'${name}' is not valid, should be one of [${names}]`);
    }
    const native = collection === undefined ? undefined : toNativeAsset(collection, name);
    const isBand = collection !== undefined && native !== undefined && findBand(collection, native) !== undefined;
    const bands = bandsOf.get(name) ?? (isBand ? [0] : undefined);
    files.push({ href, ...(bands === undefined ? {} : { bands }), ...(nodata === undefined ? {} : { nodata }) });
  }
  return { id: item.id, footprint: footprintOf(item), files, ...DISPLAY, resampling };
}

/** Nearest neighbour for classes, bilinear for everything else, as in the service's own tiles. */
function defaultResampling(collection: CollectionSchema | undefined, { assets }: TileQuery): Resampling {
  if (collection === undefined) return "bilinear";
  const kinds = assets.map((name) => findBand(collection, toNativeAsset(collection, name) ?? name)?.kind);
  return kinds.some((kind) => kind === "class" || kind === "bits") ? "nearest" : "bilinear";
}
