import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/account-api";
import { type TileRequest, withDays } from "@swath/engine";
import { type FinishedImages, findImage } from "@swath/engine/node";
import { parseDatetime } from "@swath/query";
import { TILE_MATRIX_SETS } from "@swath/raster";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web";
import { JSON_TYPE } from "../../documents/media-types.ts";
import type { MemberNames } from "../../errors/refusals.ts";
import { CACHE_DOCUMENT, CACHE_FALLBACK } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { IMAGES } from "../../http/request/route-access.ts";
import type { Extents } from "../../operations/extents.ts";
import type { RecentScenes } from "../../operations/recent-scenes.ts";
import type { ImageParts } from "../../operations/services.ts";
import { describeTileSet, tileSetBounds, tileSetCentre } from "../../operations/tile-json.ts";
import { Format, IMAGE_RESPONSES, type ImageRequest, sendImage } from "./images.ts";
import { PresetPath } from "./presets.ts";

const TileSetPath = PresetPath.extend({
  tileMatrixSetId: z.string().openapi({ enum: Object.keys(TILE_MATRIX_SETS), description: "Tile matrix set." }),
});
const whole = (description: string) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "Expected a whole number")
    .transform(Number)
    .openapi({ type: "integer", minimum: 0, description });
const TilePath = TileSetPath.extend({
  z: whole("Zoom."),
  x: whole("Column, from the west."),
  y: whole("Row, from the north."),
  format: Format,
});
const TileQuery = z.strictObject({
  collection: z.string().optional().openapi({ description: "Collection id or alias; default: the preset's." }),
  datetime: z.string().optional().openapi({
    description:
      "Window of acquisitions, RFC 3339; a year (`2024`) or month (`2024-07`) is all of it; default: the preset's `defaultWindow` ending now.",
  }),
});
const TileJsonQuery = TileQuery.extend({ format: Format.optional() });

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
    "when.collections": "collection",
    "when.time": "datetime",
    "into.format": "format",
  },
};

/** Reads the scenes that parameters ask for. */
function whenOf({ collection, datetime }: z.infer<typeof TileQuery>): TileRequest["when"] {
  if (datetime !== undefined) parseDatetime(withDays(datetime));
  return { ...(collection === undefined ? {} : { collections: [collection] }), time: datetime };
}

/** The image of a tile, which all ways to ask for it share. */
export function tileRequest(
  services: ImageParts,
  request: TileRequest,
  options: { readonly signal: AbortSignal },
): ImageRequest {
  // a default window ends at the last full hour
  const time = request.when.time ?? Math.floor(services.now().getTime() / 3_600_000);
  return {
    address: JSON.stringify([request, time]),
    async plan() {
      const planned = await findImage(services, request, options);
      const settled = "private, max-age=86400, stale-while-revalidate=86400";
      return { planned, cacheControl: planned.isSettled ? settled : "private, max-age=3600" };
    },
  };
}

export function registerTiles(router: Router, services: TileServices, images: FinishedImages): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/tiles/{presetId}/{tileMatrixSetId}/tilejson.json",
      operationId: "getTileJson",
      tag: "Rendering",
      summary: "TileJSON of a preset",
      access: PUBLIC,
      etag: true,
      params: TileSetPath,
      query: TileJsonQuery,
      members: TILE_PARAMETERS,
      responses: { 200: { description: "TileJSON 3.0.0.", content: { [JSON_TYPE]: { schema: TileJson } } } },
    },
    async (c, { params, query }) => {
      const { tiles, extent, isCurrent, attribution } = await describeTileSet(
        services,
        {
          where: { tileMatrixSet: params.tileMatrixSetId },
          when: whenOf(query),
          what: { preset: params.presetId },
        },
        { signal: c.get("signal") },
      );
      const { preset, set, minzoom, maxzoom } = tiles;
      const recent = await services.recentScenes.of(tiles.collection, { signal: c.get("signal") });
      const bounds = tileSetBounds(set, extent);
      const search = new URLSearchParams();
      if (query.collection !== undefined) search.set("collection", query.collection);
      if (query.datetime !== undefined) search.set("datetime", query.datetime);
      const template = `${c.get("baseUrl")}/v1/tiles/${preset.id}/${set}/{z}/{x}/{y}.${query.format ?? "png"}`;
      const body: z.infer<typeof TileJson> = {
        tilejson: "3.0.0",
        name: preset.title,
        ...(preset.description === undefined ? {} : { description: preset.description }),
        version: "1.0.0",
        attribution,
        scheme: "xyz",
        tiles: [search.size === 0 ? template : `${template}?${search}`],
        minzoom,
        maxzoom,
        bounds,
        center: tileSetCentre(tiles, bounds, recent),
        ...(set === "WorldCRS84Quad"
          ? { crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", tileMatrixSet: TILE_MATRIX_SETS[set].uri }
          : {}),
      };
      const cacheControl = isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK;
      return sendDocument(c, body, { cacheControl, version: SCHEMA_VERSION });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/tiles/{presetId}/{tileMatrixSetId}/{z}/{x}/{y}.{format}",
      operationId: "getTile",
      tag: "Rendering",
      summary: "Map tile of a preset",
      description:
        "256 × 256 pixels, rows from the north. Of the scenes in the window the least cloudy is on top; at most 50 are used.",
      access: IMAGES,
      cost: "by-plan",
      etag: true,
      params: TilePath,
      query: TileQuery,
      members: TILE_PARAMETERS,
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const { presetId: preset, tileMatrixSetId: tileMatrixSet, z: zoom, x, y, format } = params;
      const request: TileRequest = {
        where: { kind: "tile", tileMatrixSet, z: zoom, x, y },
        when: whenOf(query),
        what: { preset },
        into: { kind: "image", format },
      };
      return sendImage(c, images, tileRequest(services, request, { signal: c.get("signal") }));
    },
  );
}
