import type { Catalog, Item } from "@swath/catalog";
import type { PolygonGeometry } from "@swath/mosaic";
import type { Bbox } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import { extractScenes } from "../read/extract-scenes.ts";
import { type MetadataReaders, readMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import type { ExtractionRequest } from "../request.ts";
import type { ExtractJob } from "../run/extract-job.ts";
import { gridSpec } from "../run/scene-read.ts";
import { type Product, productOf, productOfScenes } from "../what/product.ts";
import { onlyCollection } from "../when/collections.ts";
import { findScenes, type SceneSelection, selectionOf } from "../when/process-scenes.ts";
import { type Area, areaBbox, areaOf, areaPolygon } from "../where/area.ts";
import { checkSize, JOB_CAPS, outputFrame, outputGrid, type SizeCaps, SYNC_CAPS } from "../where/output-grid.ts";

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

const CAPS: Readonly<Record<ExtractionRequest["into"]["caps"], SizeCaps>> = { now: SYNC_CAPS, job: JOB_CAPS };

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
export function readProcess(request: ExtractionRequest, registry: CollectionRegistry): ProcessSpec {
  const { where, when, into } = request;
  const caps = CAPS[into.caps];
  const product = productOf(onlyCollection(when, registry), request.what, into);
  const area = areaOf(where);
  const searchBbox = areaBbox(area);
  const frame = outputFrame(area, where.frame ?? {});
  const selection = selectionOf(when);
  const scenes = selection.kind === "ids" ? selection.ids.length : 1;
  checkSize({ ...frame, bands: product.bands.length, scenes }, caps);
  return { product, area, searchBbox, searchArea: areaPolygon(area), frame, selection, caps, registry };
}

/** The scenes of a request; nothing of them is read. */
export interface ProcessScenes {
  /** Its product has the bands that the scenes can give. */
  readonly spec: ProcessSpec;
  /** In mosaicking order, first on top. */
  readonly items: readonly Item[];
  /** Whose metadata is needed. */
  readonly toRead: ScenesToRead;
}

export interface SceneSearchOptions {
  readonly signal: AbortSignal;
  /** Ids of scenes that turned out unreadable, for which others are taken. */
  readonly without?: ReadonlySet<string>;
}

/**
 * Searches the scenes of a request. Nothing of them is read: the size of the file is checked with their number.
 *
 * @throws {ProblemError} `not-found`, `too-many-scenes`, `output-too-large`, or `invalid-body` for a named scene that misses
 *   the area; `harmonize-unavailable` where an item says too little for the level.
 */
export async function findProcessScenes(
  catalog: Catalog,
  spec: ProcessSpec,
  { signal, without = new Set() }: SceneSearchOptions,
): Promise<ProcessScenes> {
  const { searchBbox: bbox, searchArea: area, frame, selection, caps, registry } = spec;
  const { match } = spec.product;
  const items = await findScenes(catalog, selection, { match, registry, bbox, area, signal, without });
  const product = productOfScenes(spec.product, items);
  checkSize({ ...frame, bands: product.bands.length, scenes: items.length }, caps);
  return { spec: { ...spec, product }, items, toRead: scenesToRead(items, product) };
}

/**
 * Decides what is read of the scenes. No pixel is read, but metadata documents where the product needs them.
 *
 * @throws {ProblemError} `unknown-band` (absent from a scene); `units-unavailable` for scenes without factors of their own;
 *   `harmonize-unavailable` and `upstream-unavailable` for angles.
 */
export async function planProcess(
  readers: MetadataReaders,
  { spec, items: found, toRead }: ProcessScenes,
  { signal }: { readonly signal: AbortSignal },
): Promise<ProcessPlan> {
  const { product, area, frame } = spec;
  const { complete, factors } = await readMetadata([toRead], readers, signal);
  const items = found.map(complete);
  const scenes = extractScenes(items, product, factors);
  const date = items[0]?.properties.datetime?.slice(0, 10) ?? "undated";
  return {
    spec,
    items,
    filename: `${product.match.collection.id}_${date}.tif`,
    job: {
      kind: "extract",
      grid: gridSpec(outputGrid(frame)),
      scenes,
      bands: product.names,
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
