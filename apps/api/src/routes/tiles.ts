import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { type Filter, type Interval, matchesFilter, parseDatetime } from "@swath/query";
import { isTile, matrixSize, TILE_MATRIX_SETS, type TileMatrixSetId, tileBbox } from "@swath/raster";
import {
  attributionFor,
  type CollectionSchema,
  findCollection,
  type Preset,
  type Recipe,
  SCHEMA_VERSION,
} from "@swath/schema";
import { IMAGES, PUBLIC } from "../access/route-access.ts";
import { CACHE_DOCUMENT, JSON_TYPE, sendDocument } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import type { PictureCache } from "../render/picture-cache.ts";
import { planTile, recipeOf } from "../render/tile-plan.ts";
import { isSettled, windowEnding } from "../render/time-window.ts";
import type { Services } from "../services.ts";
import { Format, IMAGE_RESPONSES, sendPicture } from "./pictures.ts";
import { PresetPath, presetOf } from "./presets.ts";
import { aliasFilter } from "./search-scope.ts";

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
  datetime: z
    .string()
    .optional()
    .openapi({ description: "Window of acquisitions; default: the preset's `defaultWindow` ending now." }),
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

interface Drawn {
  readonly preset: Preset;
  readonly set: TileMatrixSetId;
  readonly collection: CollectionSchema;
  /** What the alias restricts, by which the collection was named. */
  readonly filter: Filter | undefined;
  readonly recipe: Recipe;
  readonly minzoom: number;
  readonly maxzoom: number;
}

function invalid(pointer: string, detail: string): ProblemError {
  return new ProblemError("invalid-parameter", detail, { errors: [{ pointer, detail }] });
}

/** What is drawn: the preset and tile matrix set of the path, the collection of the query. */
function drawnBy(params: { presetId: string; tileMatrixSetId: string }, collectionName: string | undefined): Drawn {
  const preset = presetOf(params.presetId);
  const set = (preset.tileMatrixSets ?? []).find((id) => id === params.tileMatrixSetId);
  if (set === undefined) {
    throw new ProblemError("not-found", `Preset ${preset.id} has no tile matrix set "${params.tileMatrixSetId}".`);
  }
  const name = collectionName ?? preset.collection;
  const match = findCollection(name);
  if (match === undefined) {
    const detail = `No collection is called "${name}".`;
    throw new ProblemError("unknown-collection", detail, { errors: [{ pointer: "collection", detail }] });
  }
  const { collection } = match;
  const recipe = recipeOf(preset, collection);
  if (recipe === undefined || preset.collections?.includes(collection.id) === false) {
    throw invalid(
      "collection",
      `Preset ${preset.id} draws ${(preset.collections ?? []).join(", ")}, not ${collection.id}.`,
    );
  }
  return {
    preset,
    set,
    collection,
    filter: aliasFilter(match),
    recipe,
    minzoom: recipe.minzoom ?? preset.minzoom,
    maxzoom: recipe.maxzoom ?? preset.maxzoom,
  };
}

function checkTile({ set, minzoom, maxzoom }: Drawn, { z: zoom, x, y }: { z: number; x: number; y: number }): void {
  if (zoom < minzoom || zoom > maxzoom) {
    throw new ProblemError("zoom-out-of-range", `Expected a zoom from ${minzoom} to ${maxzoom}, got ${zoom}.`, {
      limits: { minzoom, maxzoom, requestedZoom: zoom },
      errors: [{ pointer: "z", detail: `Expected ${minzoom} to ${maxzoom}, got ${zoom}.` }],
    });
  }
  if (isTile(set, zoom, x, y)) return;
  const { width, height } = matrixSize(set, zoom);
  throw x >= width
    ? invalid("x", `Expected a column from 0 to ${width - 1} at zoom ${zoom}, got ${x}.`)
    : invalid("y", `Expected a row from 0 to ${height - 1} at zoom ${zoom}, got ${y}.`);
}

function windowOf(preset: Preset, datetime: string | undefined, now: Date): Interval {
  return datetime === undefined ? windowEnding(now, preset.defaultWindow ?? "P90D") : parseDatetime(datetime);
}

/** Years in which scenes of a window can lie: from the collection's first to this one. */
function yearsOf(window: Interval, collection: CollectionSchema, now: Date): number[] {
  const yearOf = (instant: Interval["start"], otherwise: Date): number =>
    (instant === undefined ? otherwise : new Date(Number(instant.nanoseconds / 1_000_000n))).getUTCFullYear();
  const begin = new Date(collection.start);
  const first = Math.max(yearOf(window.start, begin), begin.getUTCFullYear());
  const last = Math.min(yearOf(window.end, now), now.getUTCFullYear());
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** West, south, east, north of a tile matrix set; the antimeridian is never crossed. */
function boundsOf(set: TileMatrixSetId, extent: readonly number[]): [number, number, number, number] {
  const limit = set === "WebMercatorQuad" ? 85.0511287798066 : 90;
  const [west = -180, south = -limit, east = 180, north = limit] = extent;
  const wraps = west > east;
  return [wraps ? -180 : west, Math.max(south, -limit), wraps ? 180 : east, Math.min(north, limit)];
}

export function registerTiles(router: Router, services: Services, pictures: PictureCache): void {
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
      responses: { 200: { description: "TileJSON 3.0.0.", content: { [JSON_TYPE]: { schema: TileJson } } } },
    },
    async (c, { params, query }) => {
      const { preset, set, collection, minzoom, maxzoom } = drawnBy(params, query.collection);
      const now = services.now();
      const window = windowOf(preset, query.datetime, now);
      const extent = await services.catalog.extent(collection.id, { signal: c.get("signal") });
      const [west, south, east, north] = boundsOf(set, extent.spatial.bbox[0] ?? []);
      const search = new URLSearchParams();
      if (query.collection !== undefined) search.set("collection", query.collection);
      if (query.datetime !== undefined) search.set("datetime", query.datetime);
      const template = `${c.get("baseUrl")}/v1/tiles/${preset.id}/${set}/{z}/{x}/{y}.${query.format ?? "png"}`;
      const body: z.infer<typeof TileJson> = {
        tilejson: "3.0.0",
        name: preset.title,
        ...(preset.description === undefined ? {} : { description: preset.description }),
        version: "1.0.0",
        attribution: attributionFor(collection, yearsOf(window, collection, now)),
        scheme: "xyz",
        tiles: [search.size === 0 ? template : `${template}?${search}`],
        minzoom,
        maxzoom,
        bounds: [west, south, east, north],
        center: [(west + east) / 2, (south + north) / 2, Math.min(maxzoom, minzoom + 2)],
        ...(set === "WorldCRS84Quad"
          ? { crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84", tileMatrixSet: TILE_MATRIX_SETS[set].uri }
          : {}),
      };
      return sendDocument(c, body, { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION });
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
      etag: true,
      params: TilePath,
      query: TileQuery,
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const drawn = drawnBy(params, query.collection);
      checkTile(drawn, params);
      if (drawn.preset.formats?.includes(params.format) === false) {
        throw invalid(
          "format",
          `Preset ${drawn.preset.id} is drawn as ${drawn.preset.formats.join(", ")}, not ${params.format}.`,
        );
      }
      const now = services.now();
      const window = windowOf(drawn.preset, query.datetime, now);
      const { collection, recipe, preset, set, filter } = drawn;
      const address = { set, z: params.z, x: params.x, y: params.y };
      const found = await services.tileScenes.search(
        {
          collection: collection.id,
          datetime: window,
          bbox: tileBbox(set, params.z, params.x, params.y),
          ...(preset.maxCloudCoverage === undefined ? {} : { maxCloudCover: preset.maxCloudCoverage }),
        },
        { signal: c.get("signal") },
      );
      const items = found.items.filter((item) => filter === undefined || matchesFilter(filter, item));
      const scenes = { items, more: found.truncated };
      return sendPicture(c, pictures, planTile(collection, recipe, scenes, address, params.format), {
        collection,
        items,
        cacheControl: isSettled(window, now)
          ? "private, max-age=86400, stale-while-revalidate=86400"
          : "private, max-age=3600",
      });
    },
  );
}
