import type { ImageCache } from "@swath/engine/node/images";
import { MEDIA_TYPES } from "@swath/engine/node/images";
import { tileBbox } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import type { WebContext } from "@swath/web";
import { conditional, headerList } from "@swath/web/answers";
import { LegacyError } from "../errors.ts";
import type { LegacyItem, LegacyItems } from "../items.ts";
import { parseTileJsonPath, parseTilePath, type TileAddress, type TileTarget } from "./address.ts";
import { checkTile, outside, planLegacyTile, touchesTile } from "./plan.ts";
import { parseTileQuery } from "./query.ts";
import { tileJson } from "./tile-json.ts";

/** Scenes that a mosaic may name. */
const MAX_IDS = 100;
/** Scenes of a mosaic that names none, as titiler-stacapi takes them. */
const DEFAULT_LIMIT = 10;
/** Scenes that a header names. */
const MAX_NAMED = 20;
const CACHE = "private, max-age=3600";

/** The parts that render tiles. */
export interface TileParts {
  readonly images: ImageCache;
  readonly registry: CollectionRegistry;
}

/** Serves tiles and TileJSON; undefined for paths that are neither. */
export async function serveTiles(
  c: WebContext,
  items: LegacyItems,
  { images, registry }: TileParts,
  { path, root }: { readonly path: string; readonly root: string },
): Promise<Response | undefined> {
  const parameters = new URL(c.req.url).searchParams;
  const address = parseTilePath(path);
  if (address !== undefined) return serveTile(c, items, { images, registry }, address, parameters);
  const target = parseTileJsonPath(path);
  return target === undefined ? undefined : serveTileJson(c, items, target, parameters, root);
}

async function serveTile(
  c: WebContext,
  items: LegacyItems,
  { images, registry }: TileParts,
  address: TileAddress,
  parameters: URLSearchParams,
): Promise<Response> {
  const query = parseTileQuery(parameters);
  checkTile(address);
  const found = await scenesOf(items, address, parameters, address);
  const touching = found.filter((item) => touchesTile(item, address));
  if (touching.length === 0) {
    if (address.item !== undefined) throw outside(address);
    return new Response(null, { status: 204, headers: { "Cache-Control": "no-store" } });
  }
  const plan = planLegacyTile(touching, query, address, registry);
  return conditional(c, { etag: plan.etag, cacheControl: CACHE }, async () => {
    const image = await images.render(plan.key, plan.job, { signal: c.get("signal") });
    const skipped = [...plan.missing, ...image.skipped];
    if (address.item !== undefined && image.skipped.length > 0) {
      throw LegacyError.detail(502, `A file of ${address.item} cannot be read.`);
    }
    return new Response(image.bytes, {
      headers: {
        "Content-Type": MEDIA_TYPES[image.format],
        "Content-Length": String(image.bytes.byteLength),
        // an image that lacks scenes is not to be cached
        ...(skipped.length === 0
          ? {}
          : { "X-Scenes-Skipped": headerList(skipped, MAX_NAMED) ?? "", "Cache-Control": "no-store" }),
      },
    });
  });
}

/** The scene of the path, or those that `ids` names in that order, or the newest ones over the tile. */
async function scenesOf(
  items: LegacyItems,
  { collection, item }: TileTarget,
  parameters: URLSearchParams,
  tile?: TileAddress,
): Promise<readonly LegacyItem[]> {
  if (item !== undefined) return [await items.item(collection, item)];
  const ids = (parameters.get("ids") ?? "").split(",").filter((id) => id !== "");
  if (ids.length > MAX_IDS) throw LegacyError.detail(400, `Expected at most ${MAX_IDS} ids, got ${ids.length}.`);
  if (ids.length > 0) return items.named(collection, [...new Set(ids)]);
  const datetime = parameters.get("datetime");
  const limit = Number(parameters.get("limit") ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_IDS) {
    throw LegacyError.detail(400, `Expected a limit from 1 to ${MAX_IDS}.`);
  }
  if (tile === undefined) return [];
  return items.search({
    collections: [collection],
    bbox: [...tileBbox("WebMercatorQuad", tile.z, tile.x, tile.y)],
    limit,
    ...(datetime === null ? {} : { datetime }),
  });
}

async function serveTileJson(
  c: WebContext,
  items: LegacyItems,
  target: TileTarget,
  parameters: URLSearchParams,
  root: string,
): Promise<Response> {
  parseTileQuery(parameters);
  const found = await scenesOf(items, target, parameters);
  return c.json(tileJson(root, target, parameters, found), 200, { "Cache-Control": CACHE });
}
