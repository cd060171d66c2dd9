import type { Catalog, Item } from "@swath/catalog";
import type { SizeCaps } from "@swath/engine";
import type { ExtractJob, ExtractScene, TileJob } from "@swath/engine/node/jobs";
import {
  type Area,
  areaOf,
  checkSize,
  displayScene,
  extractScenes,
  gridSpec,
  nodataTag,
  type Product,
  productOf,
  styleOf,
} from "@swath/engine/node/jobs";
import { itemTime } from "@swath/query";
import { type Grid, gridFromBounds } from "@swath/raster";
import {
  type CollectionRegistry,
  type CollectionSchema,
  defaultBands,
  fileOfBand,
  findBand,
  suggest,
  toNativeAsset,
  toUpstreamAsset,
} from "@swath/schema";
import { LegacyError } from "../errors.ts";
import { type DownloadFrame, downloadFrame, previewGrid } from "./grid.ts";
import type { DownloadRequest } from "./request.ts";
import { downloadScenes } from "./scenes.ts";

/** Limits of a request that is answered at once: it has no limit of pixels a side of its own. */
export const SYNC_DOWNLOAD_CAPS: SizeCaps = {
  side: 20_000,
  values: 150_000_000,
  valuesTimesScenes: Number.POSITIVE_INFINITY,
};

/** Twice the square of the widest preview. */
const MAX_PREVIEW_PIXELS = 12_500_000;

/** A valid request, before its scenes are searched. */
export interface DownloadSpec {
  readonly request: DownloadRequest;
  readonly collection: CollectionSchema;
  readonly product: Product;
  /** Upstream asset names, in the order of the product's bands. */
  readonly names: readonly string[];
  readonly area: Area;
  readonly caps: SizeCaps;
  readonly registry: CollectionRegistry;
}

/** One file to write; its path is decided later. */
export interface PlannedFile {
  readonly filename: string;
  readonly job: Omit<ExtractJob, "path" | "spoolDirectory">;
}

export interface DownloadPlan {
  readonly spec: DownloadSpec;
  readonly items: readonly Item[];
  readonly considered: readonly string[];
  readonly frame: DownloadFrame;
  readonly grid: Grid;
  readonly files: readonly PlannedFile[];
  readonly preview?: TileJob;
}

/**
 * Validates a request without a search: everything that can be refused without one is refused here.
 *
 * @throws {LegacyError} or {ProblemError} with what is wrong.
 */
export function readDownload(request: DownloadRequest, caps: SizeCaps, registry: CollectionRegistry): DownloadSpec {
  const [collection] = registry.findByUpstream(request.collection, "default");
  if (collection === undefined) throw LegacyError.detail(404, `There is no collection ${request.collection}.`);
  const names = bandNames(collection, request.bands);
  const bands = names.map((name) => findBand(collection, toNativeAsset(collection, name) ?? name));
  const natives = bands.flatMap((band) => (band === undefined ? [] : [band.name]));
  const twice = natives.find((name, i) => natives.indexOf(name) !== i);
  if (twice !== undefined) {
    const asked = names.filter((_, i) => natives[i] === twice).join(" and ");
    throw LegacyError.detail(400, `A band is requested twice: ${asked}.`);
  }
  const { units, harmonize, clamp } = request;
  const product = productOf({ collection }, { bands: natives, units, harmonize, clipNegative: clamp });
  const area = areaOf({ bbox: request.bbox });
  const spec = { request, collection, product, names, area, caps, registry };
  const known = downloadFrame(area, request, product.bands, undefined);
  if (known !== undefined) checkSize({ ...known, bands: names.length, scenes: 1 }, caps);
  return spec;
}

/** Upstream asset names; native ones are taken too. */
function bandNames(collection: CollectionSchema, asked: readonly string[] | null | undefined): readonly string[] {
  if (asked == null) return defaultBands(collection).map(({ name }) => toUpstreamAsset(collection, name) ?? name);
  const unknown = asked.filter((name) => findBand(collection, toNativeAsset(collection, name) ?? name) === undefined);
  if (unknown.length === 0) return asked;
  const known = collection.bands.map(({ name }) => toUpstreamAsset(collection, name) ?? name);
  const hints = unknown.flatMap((name) => suggest(name, known).slice(0, 1));
  const hint = hints.length === 0 ? "" : ` Did you mean ${hints.join(", ")}?`;
  throw LegacyError.detail(400, `Unknown bands: ${unknown.join(", ")}.${hint} Known: ${known.join(", ")}.`);
}

export interface PlanOptions {
  readonly signal: AbortSignal;
  /** Ids of scenes that turned out unreadable. */
  readonly without?: ReadonlySet<string>;
}

/**
 * Searches the scenes and decides what is read of them. No pixel is read.
 *
 * @throws {LegacyError} or {ProblemError} with what is wrong.
 */
export async function planDownload(
  catalog: Catalog,
  spec: DownloadSpec,
  { signal, without = new Set() }: PlanOptions,
): Promise<DownloadPlan> {
  const { request, collection, product, names, area, caps } = spec;
  const { items, considered } = await downloadScenes(catalog, request, {
    collection: collection.id,
    area,
    signal,
    without,
  });
  checkBands(spec, items);
  const frame = downloadFrame(area, request, product.bands, items[0]) as DownloadFrame;
  checkSize({ ...frame, bands: names.length, scenes: items.length }, caps);
  const grid = gridFromBounds(frame.crs, frame.bounds, frame.width, frame.height);
  const date = itemTime(items[0]?.properties ?? {})?.slice(0, 10) ?? "undated";
  const scenes = extractScenes(items, product);
  const job = {
    kind: "extract",
    grid: gridSpec(grid),
    sampleType: product.sampleType,
    nodata: product.nodata,
    collection: collection.id,
    attribution: collection.attribution,
    units: product.units,
    harmonize: product.harmonize,
    countsValid: true,
  } as const;
  const stem = `${request.collection}_${date}`;
  const files =
    request.output === "multiband"
      ? [{ filename: `${stem}.tif`, job: { ...job, scenes, bands: names } }]
      : names.map((name, i) => ({
          filename: `${stem}_${name}.tif`,
          job: {
            ...job,
            nodata: product.nodata ?? nodataTag(product, product.bands.slice(i, i + 1)),
            scenes: scenes.map((scene) => bandOf(scene, i)),
            bands: [name],
          },
        }));
  const preview = request.preview == null ? undefined : previewJob(spec, items, frame, request.preview.width);
  return { spec, items, considered, frame, grid, files, ...(preview === undefined ? {} : { preview }) };
}

/** One band of a scene. */
function bandOf({ read, scales, ...scene }: ExtractScene, band: number): ExtractScene {
  return { ...scene, scales: scales.slice(band, band + 1), read: { ...read, files: read.files.slice(band, band + 1) } };
}

/** @throws {LegacyError} 422 `band-unavailable` where a scene lacks a band, naming both. */
function checkBands({ names, product }: DownloadSpec, items: readonly Item[]): void {
  for (const item of items) {
    const i = product.bands.findIndex((band) => item.assets[fileOfBand(band).asset] === undefined);
    if (i < 0) continue;
    const message = `Scene ${item.id} has no band ${names[i]}.`;
    throw new LegacyError(422, { detail: { code: "band-unavailable", band: names[i], item: item.id, message } });
  }
}

/**
 * True colour of the same scenes over the same box.
 *
 * @throws {LegacyError} 422 where no scene has the files for it, 413 for a box too tall for the width.
 */
function previewJob(
  { collection, registry }: DownloadSpec,
  items: readonly Item[],
  frame: DownloadFrame,
  width: number,
): TileJob {
  const preset = registry.resolvePreset("true-color");
  const recipe = registry.recipeOf(preset.id, collection.id);
  const reads = items.map((item) =>
    recipe === undefined ? undefined : displayScene(item, collection, recipe, preset),
  );
  const scenes = reads.filter((scene) => scene !== undefined);
  if (recipe === undefined || scenes.length === 0) {
    const band = recipe?.assets.join(", ") ?? "visual";
    const message = `No scene has the band that a preview is rendered from: ${band}.`;
    throw new LegacyError(422, { detail: { code: "band-unavailable", band, item: items[0]?.id, message } });
  }
  const grid = gridSpec(previewGrid(frame, width));
  const requestedPreviewPixels = grid.width * grid.height;
  if (requestedPreviewPixels > MAX_PREVIEW_PIXELS) {
    const limits = { maxPreviewPixels: MAX_PREVIEW_PIXELS, requestedPreviewPixels };
    const detail = `The preview would have ${requestedPreviewPixels} pixels, at most ${MAX_PREVIEW_PIXELS}: ask for less width.`;
    throw LegacyError.detail(413, detail, { limits });
  }
  return { kind: "tile", grid, scenes, more: false, style: styleOf(recipe), format: "png", countsValid: true };
}
