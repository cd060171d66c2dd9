import { z } from "@hono/zod-openapi";
import { MAP, MAP_PATH, PUBLIC } from "@swath/accounts/hono";
import type { RecentScenes } from "@swath/catalog";
import type { Extents } from "@swath/catalog/node";
import type { AreaWhere, Request as EngineRequest, ImageInto, TileRequest } from "@swath/engine";
import { type FinishedImages, findImage, readTileSet } from "@swath/engine/node/images";
import { withDays } from "@swath/engine/search";
import { parseDatetime } from "@swath/query";
import { TILE_MATRIX_SETS } from "@swath/raster";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web/answers";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { ProblemError } from "../../errors/problems.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import { CACHE_DOCUMENT, CACHE_FALLBACK, sharedByMap } from "../../http/answer/documents.ts";
import { type AppContext, apiUrlOf, checkMap, mapOf } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { IMAGES } from "../../http/request/route-access.ts";
import { withCollection } from "../../operations/presets.ts";
import type { ImageParts } from "../../operations/services.ts";
import { describeTileSet, tileSetBounds, tileSetCentre } from "../../operations/tile-json.ts";
import { IMAGE_RESPONSES, type ImageRequest, rangesOfView, rangesText, sendImage } from "./images.ts";
import {
  IMAGE_PARAMETERS,
  type ImageDialect,
  isOfView,
  styleParameters,
  type TileJsonValues,
  type TileValues,
  whole,
} from "./parameters.ts";
import { PresetPath } from "./presets.ts";

const TileSetPath = PresetPath.extend({
  tileMatrixSetId: z.string().openapi({ enum: Object.keys(TILE_MATRIX_SETS), description: "Tile matrix set." }),
});
const tilePath = ({ row, format }: ImageDialect) =>
  TileSetPath.extend({ z: whole("Zoom."), x: whole("Column, from the west."), y: row, format });

const TileJson = z
  .object({
    tilejson: z.literal("3.0.0"),
    name: z.string(),
    description: z.string().optional(),
    version: z.string(),
    attribution: z.string(),
    scheme: z.literal("xyz"),
    tiles: z.array(z.string()),
    minzoom: z.int(),
    maxzoom: z.int(),
    bounds: z.array(z.number()),
    center: z.array(z.number()),
    "svc:rescale": z.array(z.array(z.number()).length(2)).optional(),
    crs: z.string().optional(),
    tileMatrixSet: z.string().optional(),
  })
  .meta({ id: "TileJSON" });

/** The services that tiles use. */
export interface TileServices extends ImageParts {
  readonly extents: Extents;
  readonly recentScenes: RecentScenes;
}

/** Names of the members of the engine's request in the addresses of tiles. */
const TILE_PARAMETERS: MemberNames = {
  in: "query",
  names: {
    "where.z": "z",
    "where.x": "x",
    "where.y": "y",
    ...IMAGE_PARAMETERS,
    "when.time": "datetime",
    "into.format": "format",
    "where.bbox": "bbox",
  },
};

/** Reads the scenes that parameters ask for. */
function whenOf({ collection, datetime }: TileValues): TileRequest["when"] {
  if (datetime !== undefined) parseDatetime(withDays(datetime));
  return { ...(collection === undefined ? {} : { collections: [collection] }), time: datetime };
}

/** @throws {ProblemError} `insufficient-scope` where the map of a request does not show the preset or the collection. */
export function checkTileOfMap(c: AppContext, { registry, now }: ImageParts, request: TileRequest): void {
  if (mapOf(c) === undefined) return;
  const { preset, collection } = readTileSet(registry, request, now());
  checkMap(c, { preset: preset.id, collection: collection.id });
}

type ViewRequest = EngineRequest<AreaWhere, ImageInto>;

/** The image of a tile or of a view, which all ways to ask for it share. */
export function tileRequest(
  services: ImageParts,
  request: TileRequest | ViewRequest,
  options: { readonly signal: AbortSignal },
): ImageRequest {
  // a default window ends at the last full hour
  const time = request.when.time ?? Math.floor(services.now().getTime() / 3_600_000);
  return {
    address: JSON.stringify([request, time]),
    async plan() {
      const planned = await findImage(services, request, { ...options, lowZooms: services.lowZooms });
      const settled = "private, max-age=86400, stale-while-revalidate=86400";
      return { planned, cacheControl: planned.isSettled ? settled : "private, max-age=3600" };
    },
  };
}

const invalidParameter = (pointer: string, detail: string): ProblemError =>
  new ProblemError("invalid-parameter", `${pointer}: ${detail}`, { errors: [{ pointer, detail }] });

/** Documents that a caller has paid for. */
const CACHE_OWN = "private, max-age=3600";

export function registerTiles(
  router: Router,
  services: TileServices,
  images: FinishedImages,
  dialect: ImageDialect,
): void {
  /** The parameters with the ranges of the view in place of its percentiles, which its tiles then have all alike. */
  const withRanges = async (
    c: AppContext,
    { presetId, tileMatrixSetId }: z.infer<typeof TileSetPath>,
    { bbox, ...query }: TileJsonValues,
  ): Promise<TileJsonValues & { readonly ranges?: Awaited<ReturnType<typeof rangesOfView>> }> => {
    if (!isOfView(query.rescale)) {
      if (bbox === undefined) return query;
      throw invalidParameter("bbox", "Expected none: it is for percentiles, such as rescale=p2,p98.");
    }
    if (bbox === undefined) throw invalidParameter("bbox", "Expected the box of the view beside percentiles.");
    const { when } = await withCollection(services, {
      where: { tileMatrixSet: tileMatrixSetId },
      when: whenOf(query),
      what: dialect.what(presetId, { ...query, rescale: undefined }),
    });
    const view: ViewRequest = {
      where: { kind: "area", bbox: bbox.split(",").map(Number), frame: { size: 256 } },
      when,
      what: dialect.what(presetId, query),
      into: { kind: "image", format: "png" },
    };
    const [collection = ""] = when.collections ?? [];
    checkMap(c, { preset: presetId, collection: services.registry.find(collection)?.collection.id ?? collection });
    const ranges = await rangesOfView(c, images, tileRequest(services, view, { signal: c.get("signal") }));
    return { ...query, rescale: rangesText(ranges), ranges };
  };
  const sendTileJson = async (
    c: AppContext,
    path: z.infer<typeof TileSetPath>,
    asked: z.infer<ImageDialect["tileJson"]>,
  ): Promise<Response> => {
    const { presetId, tileMatrixSetId: set } = path;
    const { registry } = services;
    const { ranges, ...query } = await withRanges(c, path, asked);
    const request = await withCollection(services, {
      where: { tileMatrixSet: set },
      when: whenOf(query),
      what: dialect.what(presetId, query),
    });
    const { tiles, extent, isCurrent, attribution } = await describeTileSet(services, request, {
      signal: c.get("signal"),
    });
    const { preset, minzoom, maxzoom } = tiles;
    checkMap(c, { preset: preset.id, collection: tiles.collection.id });
    const recent = await services.recentScenes.of(tiles.collection, { signal: c.get("signal") });
    const bounds = tileSetBounds(tiles.set, extent);
    const search = styleParameters(query);
    // tiles without a collection are of the preset's own, or of that of the first preset
    const own = (registry.findPreset(presetId) ?? registry.presets[0])?.collection;
    if (query.collection === undefined && own !== tiles.collection.id) search.set("collection", tiles.collection.id);
    if (query.datetime !== undefined) search.set("datetime", query.datetime);
    const template = `${apiUrlOf(c)}/tiles/${preset.id}/${set}/{z}/{x}/{y}.${query.format ?? "png"}`;
    const body: z.infer<typeof TileJson> = {
      tilejson: "3.0.0",
      name: preset.title,
      ...(preset.description === undefined ? {} : { description: preset.description }),
      version: "1.0.0",
      attribution,
      scheme: "xyz",
      tiles: [search.size === 0 ? template : `${template}?${search}`],
      minzoom: services.lowZooms?.draws(request) === true ? 0 : minzoom,
      maxzoom,
      bounds,
      center: tileSetCentre(tiles, bounds, recent),
      ...(ranges === undefined ? {} : { "svc:rescale": ranges.map((range) => [...range]) }),
      ...(tiles.set === "WorldCRS84Quad"
        ? { crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", tileMatrixSet: TILE_MATRIX_SETS[tiles.set].uri }
        : {}),
    };
    if (ranges !== undefined) return sendDocument(c, body, { cacheControl: CACHE_OWN, version: SCHEMA_VERSION });
    const kept = isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK;
    const cacheControl = mapOf(c) === undefined ? kept : sharedByMap(kept);
    return sendDocument(c, body, { cacheControl, version: SCHEMA_VERSION });
  };
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/tiles/{presetId}/{tileMatrixSetId}/tilejson.json",
      operationId: "getTileJson",
      byMap: true,
      tag: "Rendering",
      summary: "TileJSON of a preset",
      access: PUBLIC,
      ...(dialect.hasViews
        ? {
            cost: "by-plan" as const,
            accessOf: (c: AppContext) => (isOfView(c.req.query("rescale")) ? IMAGES : PUBLIC),
          }
        : {}),
      etag: true,
      params: TileSetPath,
      query: dialect.tileJson,
      members: TILE_PARAMETERS,
      problems: dialect.hasViews ? [...router.access.refusals(IMAGES), 422] : [422],
      responses: { 200: { description: "TileJSON 3.0.0.", content: { [JSON_TYPE]: { schema: TileJson } } } },
    },
    (c, { params, query }) => sendTileJson(c, params, query),
  );
  if (router.access.reads("map")) {
    addRoute(
      router,
      {
        method: "get",
        path: `${MAP_PATH}/{mapToken}/presets/{presetId}/tilejson.json`,
        operationId: "getTileJsonOfPreset",
        tag: "Maps",
        summary: "TileJSON of a preset in Web Mercator, by a map token",
        access: MAP,
        cost: "by-plan",
        etag: true,
        params: PresetPath.extend({ mapToken: z.string().openapi({ description: "Map token." }) }),
        query: dialect.tileJson,
        members: TILE_PARAMETERS,
        problems: [422],
        responses: { 200: { description: "TileJSON 3.0.0.", content: { [JSON_TYPE]: { schema: TileJson } } } },
      },
      (c, { params: { presetId }, query }) => sendTileJson(c, { presetId, tileMatrixSetId: "WebMercatorQuad" }, query),
    );
  }
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/tiles/{presetId}/{tileMatrixSetId}/{z}/{x}/{y}.{format}",
      operationId: "getTile",
      byMap: true,
      tag: "Rendering",
      summary: "Map tile of a preset",
      description:
        "256 × 256 pixels, rows from the north. Of the scenes in the window the least cloudy is on top; at most 50 are used.",
      access: IMAGES,
      cost: "by-plan",
      etag: true,
      params: tilePath(dialect),
      query: dialect.tile,
      members: TILE_PARAMETERS,
      problems: [422],
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const { presetId: preset, tileMatrixSetId: tileMatrixSet, z: zoom, x, y: row, format } = params;
      const size = row.size ?? (query.tile_size === 512 ? 512 : undefined);
      const request: TileRequest = {
        where: { kind: "tile", tileMatrixSet, z: zoom, x, y: row.y, ...(size === undefined ? {} : { size }) },
        when: whenOf(query),
        what: dialect.what(preset, query),
        into: { kind: "image", format },
      };
      checkTileOfMap(c, services, request);
      return sendImage(c, images, tileRequest(services, request, { signal: c.get("signal") }));
    },
  );
}
