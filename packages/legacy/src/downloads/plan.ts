import type { Catalog, Item } from "@swath/catalog";
import { type ExtractionRequest, Refusal, type SizeCaps } from "@swath/engine";
import { type PreparedExtraction, prepare } from "@swath/engine/node";
import { displayScene, type GridSpec, styleOf, type TileJob } from "@swath/engine/node/jobs";
import {
  type CollectionRegistry,
  type CollectionSchema,
  defaultBands,
  findBand,
  suggest,
  toNativeAsset,
  toUpstreamAsset,
} from "@swath/schema";
import { LegacyError } from "../errors.ts";
import type { DownloadParts } from "../service.ts";
import { downloadFrame, previewGrid } from "./grid.ts";
import type { DownloadRequest } from "./request.ts";
import { namedScenes } from "./scenes.ts";

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
  /** The request to the engine, without the scenes that are named. */
  readonly asked: ExtractionRequest;
}

/**
 * Validates what is in words of these hosts alone.
 *
 * @throws {LegacyError} or {Refusal} with what is wrong.
 */
export function readDownload(request: DownloadRequest, caps: SizeCaps, registry: CollectionRegistry): DownloadSpec {
  const [collection] = registry.findByUpstream(request.collection, "default");
  if (collection === undefined) throw LegacyError.detail(404, `There is no collection ${request.collection}.`);
  const bandNames = upstreamNames(collection, request.bands);
  const bands = bandNames.flatMap((name) => findBand(collection, toNativeAsset(collection, name) ?? name) ?? []);
  const natives = bands.map(({ name }) => name);
  const twice = natives.find((name, i) => natives.indexOf(name) !== i);
  if (twice !== undefined) {
    const asked = bandNames.filter((_, i) => natives[i] === twice).join(" and ");
    throw LegacyError.detail(400, `A band is requested twice: ${asked}.`);
  }
  const { bbox, datetime, order, units, harmonize, clamp, output } = request;
  const asked: ExtractionRequest = {
    where: { kind: "area", bbox, frame: downloadFrame(request, bands) },
    when: {
      collections: [collection.id],
      // as given by a search: newest first
      ...(datetime == null
        ? {}
        : { time: datetime, order: order === "as_given" ? "mostRecent" : "leastCC", samePlatform: true }),
    },
    what: { bands: natives, units, harmonize, clipNegative: clamp },
    into: { kind: "geotiff", files: output === "multiband" ? "one" : "per-band", bandNames, caps },
  };
  return { request, collection, asked };
}

/** Upstream asset names; native ones are taken too. */
function upstreamNames(collection: CollectionSchema, asked: readonly string[] | null | undefined): readonly string[] {
  if (asked == null) return defaultBands(collection).map(({ name }) => toUpstreamAsset(collection, name) ?? name);
  const unknown = asked.filter((name) => findBand(collection, toNativeAsset(collection, name) ?? name) === undefined);
  if (unknown.length === 0) return asked;
  const known = collection.bands.map(({ name }) => toUpstreamAsset(collection, name) ?? name);
  const hints = unknown.flatMap((name) => suggest(name, known).slice(0, 1));
  const hint = hints.length === 0 ? "" : ` Did you mean ${hints.join(", ")}?`;
  throw LegacyError.detail(400, `Unknown bands: ${unknown.join(", ")}.${hint} Known: ${known.join(", ")}.`);
}

/** A download whose scenes are found. */
export interface PreparedDownload extends Pick<PreparedExtraction, "run"> {
  /** Ids of the scenes that it names; absent: it names a time. */
  readonly named?: readonly string[];
}

/**
 * Searches the scenes and checks what is read of them. No pixel is read.
 *
 * @throws {LegacyError} or {Refusal} with what is wrong.
 */
export async function prepareDownload(
  parts: DownloadParts,
  spec: DownloadSpec,
  options: { readonly signal: AbortSignal },
): Promise<PreparedDownload> {
  const { request, collection, asked } = spec;
  const { catalog, registry } = parts;
  const named = await namedScenes(catalog, request, collection.id, options);
  const byId = new Map(named?.items.map((item) => [item.id, item]));
  const when = named === undefined ? asked.when : { ...asked.when, ids: [...byId.keys()] };
  // named scenes are not asked of the upstream again
  const item: Catalog["item"] = async (id, itemId, asking) => byId.get(itemId) ?? catalog.item(id, itemId, asking);
  const known = { ...parts, catalog: { ...catalog, item } };
  return inOldWords(spec, async () => {
    const prepared = await prepare(known, { ...asked, when }, options);
    const { items, job } = await prepared.check(options);
    planPreview(spec, items, job.grid, registry);
    return {
      run: (running) => inOldWords(spec, () => prepared.run(running)),
      ...(named === undefined ? {} : { named: named.considered }),
    };
  });
}

/** Puts refusals of scenes into the words that clients know. */
async function inOldWords<T>({ asked }: DownloadSpec, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "not-found" && error.path.length === 0) {
      throw LegacyError.detail(404, "There are no scenes over the box in the datetime window.");
    }
    const [fault] = error.faults;
    if (error.code !== "unknown-band" || fault?.scene === undefined) throw error;
    const band = asked.into.bandNames?.[Number(fault.path.at(-1))];
    throw bandUnavailable(band, fault.scene, `Scene ${fault.scene} has no band ${band}.`);
  }
}

function bandUnavailable(band: string | undefined, item: string | undefined, message: string): LegacyError {
  return new LegacyError(422, { detail: { code: "band-unavailable", band, item, message } });
}

/**
 * True colour of the same scenes over the same box, where the request asks for it.
 *
 * @throws {LegacyError} 422 where no scene has the files for it, 413 for a box too tall for the width.
 */
export function planPreview(
  { request, collection }: DownloadSpec,
  items: readonly Item[],
  of: GridSpec,
  registry: CollectionRegistry,
): TileJob | undefined {
  if (request.preview == null) return undefined;
  const preset = registry.resolvePreset("true-color");
  const recipe = registry.recipeOf(preset.id, collection.id);
  const scenes =
    recipe === undefined ? [] : items.flatMap((item) => displayScene(item, collection, recipe, preset) ?? []);
  if (recipe === undefined || scenes.length === 0) {
    const band = recipe?.assets.join(", ") ?? "visual";
    throw bandUnavailable(band, items[0]?.id, `No scene has the band that a preview is rendered from: ${band}.`);
  }
  const grid = previewGrid(of, request.preview.width);
  const requestedPreviewPixels = grid.width * grid.height;
  if (requestedPreviewPixels > MAX_PREVIEW_PIXELS) {
    const limits = { maxPreviewPixels: MAX_PREVIEW_PIXELS, requestedPreviewPixels };
    const detail = `The preview would have ${requestedPreviewPixels} pixels, at most ${MAX_PREVIEW_PIXELS}: ask for less width.`;
    throw LegacyError.detail(413, detail, { limits });
  }
  return { kind: "tile", grid, scenes, more: false, style: styleOf(recipe), format: "png", countsValid: true };
}
