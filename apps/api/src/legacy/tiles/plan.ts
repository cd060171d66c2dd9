import { bboxesIntersect } from "@swath/geometry";
import { hashKey, planKey } from "@swath/mosaic";
import { isTile, type Resampling, tileBbox, tileGrid } from "@swath/raster";
import { findBand, findByUpstream, toNativeAsset } from "@swath/schema";
import { type AssetRead, RENDER_VERSION, type SceneRead, type TileJob } from "../../render/job.ts";
import { footprintOf } from "../../render/scene-read.ts";
import { gridSpec, MAX_TILE_SCENES, type Plan } from "../../render/tile-plan.ts";
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

/** Whether the box of an item meets a tile; an item without a box may lie anywhere. */
export function touchesTile({ bbox }: LegacyItem, { z, x, y }: Pick<TileAddress, "z" | "x" | "y">): boolean {
  return bbox === undefined || bboxesIntersect(bbox, tileBbox(SET, z, x, y));
}

/**
 * Plans a picture of scenes, first on top. Stored numbers are drawn as the files have them: ranges and expressions
 * of this host are in the numbers of the product at hand.
 *
 * @throws {LegacyError} 404 where no item has the assets.
 */
export function planLegacyTile(items: readonly LegacyItem[], query: TileQuery, address: TileAddress): Plan<TileJob> {
  const reads = items.map((item) => sceneOf(item, query));
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
      resampling: query.resampling ?? usualResampling(items, query),
      ...(expression === undefined ? {} : { expression }),
      ...(rescale === undefined ? {} : { rescale }),
      ...(colormap === undefined ? {} : { colormap }),
    },
    format,
  };
  const key = planKey(job as never);
  const missing = items.filter((_, i) => reads[i] instanceof LegacyError).map(({ id }) => id);
  return { job, key, etag: `"r${RENDER_VERSION}-${hashKey(key)}"`, missing };
}

function sceneOf(item: LegacyItem, { assets, bandsOf, nodata }: TileQuery): SceneRead | LegacyError {
  const reads: AssetRead[] = [];
  const collection = findByUpstream(item.collection);
  for (const name of assets) {
    const href = item.files.get(name);
    if (href === undefined) {
      const names = [...item.files.keys()].map((each) => `'${each}'`).join(", ");
      return LegacyError.detail(404, `'${name}' is not valid, should be one of [${names}]`);
    }
    const native = collection === undefined ? undefined : toNativeAsset(collection, name);
    const isBand = collection !== undefined && native !== undefined && findBand(collection, native) !== undefined;
    const bands = bandsOf.get(name) ?? (isBand ? [0] : undefined);
    reads.push({ href, ...(bands === undefined ? {} : { bands }), ...(nodata === undefined ? {} : { nodata }) });
  }
  return { id: item.id, footprint: footprintOf(item), assets: reads };
}

/** Classes are never mixed; what is looked at is drawn as the service draws it everywhere. */
function usualResampling([first]: readonly LegacyItem[], { assets }: TileQuery): Resampling {
  const collection = first === undefined ? undefined : findByUpstream(first.collection);
  if (collection === undefined) return "bilinear";
  const kinds = assets.map((name) => findBand(collection, toNativeAsset(collection, name) ?? name)?.kind);
  return kinds.some((kind) => kind === "class" || kind === "bits") ? "nearest" : "bilinear";
}
