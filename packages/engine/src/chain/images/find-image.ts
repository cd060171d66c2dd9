import { unwrapBbox } from "@swath/geometry";
import { itemTime, parseBbox } from "@swath/query";
import { type Bbox, type Grid, tileBbox, tileGrid } from "@swath/raster";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { Preset } from "@swath/schema/presets";
import { type PresetRecipe, planMosaic, planPreview } from "../../job/image-plan.ts";
import { withFactors } from "../../metadata/scene-documents.ts";
import { presetNamed } from "../../names.ts";
import type { EngineParts } from "../../parts.ts";
import { bandsRead, previewRecipe } from "../../read/recipe-bands.ts";
import { readMember } from "../../read-member.ts";
import { Refusal } from "../../refusal.ts";
import type { AreaImageRequest, AreaWhere, ImageRequest, ItemImageRequest, TileRequest, What } from "../../request.ts";
import { ImageCache } from "../../run/image/image-cache.ts";
import { getItem } from "../../when/items.ts";
import { lackingScenes } from "../../when/scene-walk.ts";
import { isSettledFor } from "../../when/time-window.ts";
import { checkZoomOf, mercatorGrid } from "../../where/mercator-grid.ts";
import type { Prepared } from "../prepared.ts";
import { type FinishedImage, finishImage, type ImagePayment, type PlannedImage, unitsOfImage } from "./images.ts";
import type { LowZooms } from "./low-zooms.ts";
import { scenesOfMosaic } from "./mosaic-scenes.ts";
import { checkTile, drawnBy, readMosaic, readTileSet, type TileSet } from "./tile-set.ts";

/** Pixels of the long edge of an area whose request names none. */
const DEFAULT_SIZE = 512;
const DAY_MS = 86_400_000;

/** An image that is planned. */
export interface PreparedImage extends Prepared<FinishedImage> {
  readonly planned: PlannedImage;
}

/**
 * Finds the scenes of an image and plans it; to run it costs what it says, of which nothing is given back.
 *
 * @throws as `findImage`.
 */
export async function prepareImage(
  { images, renderer, ...services }: FindServices & Pick<EngineParts, "renderer" | "images">,
  request: ImageRequest,
  options: { readonly signal: AbortSignal },
): Promise<PreparedImage> {
  const planned = await findImage(services, request, options);
  return {
    planned,
    units: unitsOfImage(planned),
    isSettled: planned.isSettled,
    key: () => planned.plan.key,
    async run({ signal }) {
      let end: (stands: boolean) => void = () => {};
      const whenEnded: ImagePayment["whenEnded"] = (listener) => {
        end = listener;
      };
      const paid: ImagePayment = { admit: async () => {}, isLikely: () => true, lower: () => {}, whenEnded };
      try {
        const finished = await finishImage(images ?? new ImageCache(renderer, 0), planned, paid, { signal });
        end(true);
        return finished;
      } catch (error) {
        end(false);
        throw error;
      }
    },
  };
}

/** The parts of the engine that find and plan images. */
export type FindServices = Pick<EngineParts, "catalog" | "tileScenes" | "registry" | "sceneDocuments" | "now">;

/** Options of finding an image. */
export interface FindOptions {
  readonly signal: AbortSignal;
  /** Tiles below the lowest zooms of presets; absent: there are none. */
  readonly lowZooms?: Pick<LowZooms, "draws" | "plan"> | undefined;
}

/**
 * Finds the scenes of an image and plans it: a map tile or an area by the scenes, order and style of a preset, or one item on
 * its own grid. No pixel is read.
 *
 * @throws {Refusal} `not-found` for an unknown preset, tile matrix set or item, `unknown-collection`, `zoom-out-of-range`,
 *   `invalid` for a box that Web Mercator cannot hold, a collection or format that the preset lacks and a bad time,
 *   `unknown-band` for an item that lacks a file of the recipe and where all scenes do; `upstream-unavailable` where there is no scene and an upstream
 *   did not answer: an empty image would look as if there were no data.
 * @throws {CatalogError}
 */
export function findImage(services: FindServices, request: ImageRequest, options: FindOptions): Promise<PlannedImage> {
  const { where } = request;
  if (where.kind === "tile") return findTile(services, { ...request, where }, options);
  if (where.kind === "item") return findItemImage(services, { ...request, where }, options);
  return findAreaImage(services, { ...request, where }, options);
}

async function findTile(
  services: Omit<FindServices, "catalog">,
  request: TileRequest,
  options: FindOptions,
): Promise<PlannedImage> {
  const tiles = readTileSet(services.registry, request, services.now());
  const { where, into } = request;
  const low = where.z < tiles.minzoom && options.lowZooms?.draws(request) === true ? options.lowZooms : undefined;
  checkTile(low === undefined ? tiles : { ...tiles, minzoom: 0 }, where);
  const { id, formats } = tiles.preset;
  if (into.format !== "auto" && formats?.includes(into.format) === false) {
    const detail = `Preset ${id} is drawn as ${formats.join(", ")}, not ${into.format}.`;
    throw new Refusal("invalid", ["into", "format"], detail);
  }
  if (low !== undefined) return low.plan(request, options);
  const { z, x, y, size } = where;
  const bbox = tileBbox(tiles.set, z, x, y);
  return findMosaic(services, tiles, { bbox, grid: tileGrid(tiles.set, z, x, y, size), format: into.format }, options);
}

async function findAreaImage(
  services: Omit<FindServices, "catalog">,
  request: AreaImageRequest,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { frame, ...place } = request.where;
  const tiles = readMosaic(
    services.registry,
    { ...request, where: { tileMatrixSet: "WebMercatorQuad" } },
    services.now(),
  );
  const bounds = unwrapBbox(boxOf(place));
  const size = frame?.size ?? DEFAULT_SIZE;
  const grid = mercatorGrid(bounds, size);
  checkZoomOf(grid, size, { ...tiles, name: `Preset ${tiles.preset.id}` });
  return findMosaic(services, tiles, { bbox: bounds, grid, format: request.into.format }, options);
}

/** Images are drawn of boxes in degrees. */
function boxOf({ bbox, geometry, crs }: Omit<AreaWhere, "frame">): Bbox {
  if (geometry !== undefined)
    throw new Refusal("invalid", ["where", "geometry"], "Expected bbox: an image shows a box.");
  if (crs !== undefined) throw new Refusal("invalid", ["where", "crs"], "Expected none: the box is in degrees.");
  return readMember(["where", "bbox"], (at) => parseBbox(bbox === undefined ? undefined : [...bbox], at));
}

interface MosaicView {
  /** Degrees, without the pixels around it; east may be beyond 180. */
  readonly bbox: Bbox;
  readonly grid: Grid;
  readonly format: ImageRequest["into"]["format"];
}

async function findMosaic(
  services: Omit<FindServices, "catalog">,
  tiles: TileSet,
  { bbox, grid, format }: MosaicView,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const scenes = await scenesOfMosaic(services, tiles, { bbox, grid }, options);
  const plan = planMosaic(tiles, scenes, grid, format);
  if (plan.job.scenes.length === 0 && scenes.items.length > 0) {
    throw scenes.missing === undefined ? lackingFiles(tiles, scenes.items.length) : lackingScenes(scenes.missing);
  }
  return {
    plan,
    collection: tiles.collection,
    bands: bandsRead(tiles),
    items: scenes.items,
    window: tiles.window,
    isSettled: isSettledFor(tiles.window, services.now()),
    ...(scenes.missing === undefined ? {} : { missing: scenes.missing }),
  };
}

/** An image whose scenes all lack a file is no empty one: they have data, of other bands. */
function lackingFiles({ recipe, collection }: TileSet, count: number): Refusal {
  const lists = [recipe, ...(recipe.alternatives ?? [])].map(({ assets }) => [...new Set(assets)].join(", "));
  const scenes =
    count === 1 ? `The scene of ${collection.id} here lacks` : `The ${count} scenes of ${collection.id} here lack`;
  return new Refusal("unknown-band", [], `${scenes} a file that the image is drawn from: ${lists.join(", or ")}.`);
}

async function findItemImage(
  services: Pick<EngineParts, "catalog" | "registry" | "sceneDocuments" | "now">,
  { where, when, what, into }: ItemImageRequest,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { registry, now } = services;
  const preset = what.preset === undefined ? undefined : presetNamed(what.preset, registry);
  const collectionId = when.collections?.[0] ?? preset?.collection ?? "";
  const { item: found, collection } = await getItem(services, { collectionId, itemId: where.id }, options);
  const drawn = isOwn(what)
    ? drawnBy(registry, { collection }, what, undefined)
    : recipeOf(registry, collection, preset);
  const [item = found] = await withFactors([found], collection, services.sceneDocuments, options.signal);
  const plan = planPreview({ ...drawn, collection }, item, where.maxSize, into.format === "auto" ? "png" : into.format);
  if (plan === undefined) {
    const path = ["where", "id", "files"];
    throw new Refusal("unknown-band", path, `Item ${item.id} lacks a file that its preview is drawn from.`, {
      faults: [{ path, detail: `The recipe reads ${drawn.recipe.assets.join(", ")}.` }],
    });
  }
  const age = now().getTime() - Date.parse(String(itemTime(item.properties)));
  return { plan, collection, bands: bandsRead({ ...drawn, collection }), items: [item], isSettled: age > DAY_MS };
}

/** Whether a request says what is drawn itself. */
const isOwn = ({ bands, expression }: What): boolean => bands !== undefined || expression !== undefined;

/** The recipe of the preset asked for, else true colour, or the first one of the collection. */
function recipeOf(
  registry: CollectionRegistry,
  collection: CollectionSchema,
  preset: Preset | undefined,
): Pick<PresetRecipe, "preset" | "recipe"> {
  if (preset !== undefined) return drawnBy(registry, { collection }, {}, preset);
  const drawn = previewRecipe(collection);
  if (drawn !== undefined) return { preset: registry.resolvePreset(drawn.preset), recipe: drawn.recipe };
  throw new Refusal("not-found", [], `Items of ${collection.id} have no preview: no recipe draws them.`);
}
