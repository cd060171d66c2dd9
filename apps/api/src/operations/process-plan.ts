import type { Catalog, Item } from "@swath/catalog";
import type { PolygonGeometry } from "@swath/mosaic";
import type { Bbox } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import { type Area, areaBbox, areaOf, areaPolygon } from "../plan/area.ts";
import { extractScenes } from "../plan/extract-scenes.ts";
import { nadirFactorsOf } from "../plan/nadir.ts";
import { checkSize, outputFrame, outputGrid, type SizeCaps } from "../plan/output-grid.ts";
import type { ProcessRequest } from "../plan/process-request.ts";
import { type Product, productOf } from "../plan/product.ts";
import type { ExtractJob } from "../render/extract-job.ts";
import { gridSpec } from "../render/scene-read.ts";
import type { AngleReader } from "../scene-metadata/angle-reader.ts";
import { checkFactors, type SceneDocuments, withFactors } from "../scene-metadata/scene-documents.ts";
import { findScenes, type SceneSelection, selectionOf } from "./process-scenes.ts";

/** A valid request, before its scenes are searched. */
export interface ProcessSpec {
  readonly product: Product;
  readonly area: Area;
  readonly searchBbox: Bbox;
  readonly searchArea: PolygonGeometry;
  readonly frame: ReturnType<typeof outputFrame>;
  readonly selection: SceneSelection;
  readonly caps: SizeCaps;
  readonly registry: CollectionRegistry;
}

/** A job with what its answer says about it. */
export interface ProcessPlan {
  readonly spec: ProcessSpec;
  readonly items: readonly Item[];
  readonly job: Omit<ExtractJob, "path" | "spoolDirectory">;
  /** `{collection}_{date}.tif`, the date being that of the scene on top. */
  readonly filename: string;
}

/**
 * Validates a request without a search: everything that can be refused without one is refused here.
 *
 * @throws {ProblemError} with the code and pointer of what is wrong.
 */
export function readProcess(request: ProcessRequest, caps: SizeCaps, registry: CollectionRegistry): ProcessSpec {
  const product = productOf(request, registry);
  const area = areaOf(request.input.bounds);
  const searchBbox = areaBbox(area);
  const frame = outputFrame(area, request.output);
  const selection = selectionOf(request.input.data[0]?.dataFilter ?? {});
  const scenes = selection.kind === "ids" ? selection.ids.length : 1;
  checkSize({ ...frame, bands: product.bands.length, scenes }, caps);
  return { product, area, searchBbox, searchArea: areaPolygon(area), frame, selection, caps, registry };
}

/** What plans are made with. */
export interface PlanServices {
  readonly catalog: Catalog;
  readonly angles: AngleReader;
  /** Documents of scenes, for collections whose factors are there. */
  readonly sceneDocuments?: SceneDocuments | undefined;
}

export interface PlanOptions {
  readonly signal: AbortSignal;
  /** Ids of scenes that turned out unreadable, for which others are taken. */
  readonly without?: ReadonlySet<string>;
}

/**
 * Searches the scenes and decides what is read of them. No pixel is read, but angles where the product needs them.
 *
 * @throws {ProblemError} `not-found`, `too-many-scenes`, `output-too-large`, `unknown-band` (absent from a scene), or
 *   `invalid-body` for a named scene that misses the area; `units-unavailable` for scenes without factors of their own;
 *   `harmonize-unavailable` and `upstream-unavailable` for angles.
 */
export async function planProcess(
  { catalog, angles, sceneDocuments }: PlanServices,
  spec: ProcessSpec,
  options: PlanOptions,
): Promise<ProcessPlan> {
  const { product, area, searchBbox, searchArea, frame, selection, caps, registry } = spec;
  const found = await findScenes(catalog, selection, {
    match: product.match,
    registry,
    bbox: searchBbox,
    area: searchArea,
    signal: options.signal,
    without: options.without ?? new Set(),
  });
  checkSize({ ...frame, bands: product.bands.length, scenes: found.length }, caps);
  const { collection } = product.match;
  const { signal } = options;
  const isPhysical = product.conversion === "physical";
  const items = isPhysical ? await withFactors(found, collection, sceneDocuments, signal) : found;
  if (isPhysical) {
    const named = product.bands.map(({ name }, i) => ({ name, pointer: product.pointers[i] ?? "/bands" }));
    checkFactors(items, collection, named);
  }
  const scenes = extractScenes(items, product, await nadirFactorsOf(items, product, { angles, signal }));
  const date = items[0]?.properties.datetime?.slice(0, 10) ?? "undated";
  return {
    spec,
    items,
    filename: `${product.match.collection.id}_${date}.tif`,
    job: {
      kind: "extract",
      grid: gridSpec(outputGrid(frame)),
      scenes,
      bands: product.bands.map(({ name }) => name),
      sampleType: product.sampleType,
      nodata: product.nodata,
      ...(product.fills === undefined ? {} : { fills: product.fills }),
      ...(area.polygon === undefined ? {} : { clip: { polygon: area.polygon, crs: area.crs.name } }),
      collection: product.match.collection.id,
      attribution: product.match.collection.attribution,
      units: product.units,
      harmonize: product.harmonize,
    },
  };
}
