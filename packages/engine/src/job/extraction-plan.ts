import type { Item } from "@swath/catalog";
import { itemTime } from "@swath/query";
import type { Grid } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import { checkSize, FILE_CAPS } from "../limits/limits.ts";
import { extractScenes, productOfScenes } from "../read/extract-scenes.ts";
import { type SceneMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import type { ExtractionRequest, SizeCaps } from "../request.ts";
import type { ExtractJob } from "../run/extract/extract-job.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import { type Product, productOf } from "../what/product.ts";
import { onlyCollection } from "../when/collections.ts";
import { type SceneSelection, selectionOf } from "../when/process-scenes.ts";
import { type Area, areaOf } from "../where/area.ts";
import { outputGrid } from "../where/frame.ts";

/** A valid request, before its scenes are searched. */
export interface ExtractionSpec {
  readonly product: Product;
  readonly area: Area;
  readonly grid: Grid;
  readonly selection: SceneSelection;
  readonly caps: SizeCaps;
  readonly registry: CollectionRegistry;
}

/** A job with what its answer says about it. */
export interface ExtractionPlan {
  readonly spec: ExtractionSpec;
  readonly items: readonly Item[];
  readonly job: Omit<ExtractJob, "path" | "spoolDirectory">;
  /** `{collection}_{date}.tif`, the date being that of the scene on top. */
  readonly filename: string;
}

/**
 * Validates a request without a search: everything that can be refused without one is refused here.
 *
 * @throws {Refusal} with the code and path of what is wrong.
 */
export function readExtraction(request: ExtractionRequest, registry: CollectionRegistry): ExtractionSpec {
  const { where, when, into } = request;
  const { caps = FILE_CAPS } = into;
  const product = productOf(onlyCollection(when, registry), request.what, into);
  const area = areaOf(where);
  const grid = outputGrid(area, where.frame);
  const selection = selectionOf(when);
  const scenes = selection.kind === "ids" ? selection.ids.length : 1;
  checkSize({ ...grid, bands: product.bands.length, scenes }, caps);
  return { product, area, grid, selection, caps, registry };
}

/** The scenes of a request; nothing of them is read. */
export interface ExtractionScenes {
  /** Its product has the bands that the scenes can give. */
  readonly spec: ExtractionSpec;
  /** In mosaicking order, first on top. */
  readonly items: readonly Item[];
  /** Whose metadata is needed. */
  readonly toRead: readonly ScenesToRead[];
}

/**
 * The bands that scenes can give, and whether the file may have its size now that their number is known. Nothing of them is
 * read.
 *
 * @param items in mosaicking order, first on top
 * @throws {Refusal} `output-too-large`; `harmonize-unavailable` where an item says too little for the level.
 */
export function extractionScenes(spec: ExtractionSpec, items: readonly Item[]): ExtractionScenes {
  const product = productOfScenes(spec.product, items);
  checkSize({ ...spec.grid, bands: product.bands.length, scenes: items.length }, spec.caps);
  return { spec: { ...spec, product }, items, toRead: [scenesToRead(items, product)] };
}

/**
 * Plans the reads of the scenes, once their metadata is known.
 *
 * @throws {Refusal} `unknown-band` (absent from a scene); `units-unavailable` for scenes without factors of their own;
 *   `harmonize-unavailable`.
 */
export function planExtraction(
  { spec, items: found }: ExtractionScenes,
  { complete, factors }: SceneMetadata,
): ExtractionPlan {
  const { product, area, grid } = spec;
  const items = found.map(complete);
  const scenes = extractScenes(items, product, factors);
  const date = itemTime(items[0]?.properties ?? {})?.slice(0, 10) ?? "undated";
  return {
    spec,
    items,
    filename: `${product.match.collection.id}_${date}.tif`,
    job: {
      kind: "extract",
      grid: gridSpec(grid),
      scenes,
      ...(product.math === undefined
        ? { bands: product.names }
        : { bands: product.outputs.map(({ name }) => name), math: product.math }),
      sampleType: product.sampleType,
      nodata: product.nodata,
      ...(product.fills === undefined ? {} : { fills: product.fills }),
      ...(product.mask === undefined ? {} : { mask: product.mask }),
      ...(area.polygon === undefined ? {} : { clip: area.clip }),
      collection: product.match.collection.id,
      attribution: product.match.collection.attribution,
      units: product.units,
      harmonize: product.harmonize,
    },
  };
}
