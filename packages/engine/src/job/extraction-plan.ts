import type { Item } from "@swath/catalog";
import { unwrapBbox } from "@swath/geometry";
import { itemTime } from "@swath/query";
import { type Grid, utmEpsg } from "@swath/raster";
import type { CollectionRegistry } from "@swath/schema";
import { zoneOf } from "../items/placement.ts";
import { checkSize, FILE_CAPS } from "../limits/limits.ts";
import { extractScenes, productOfScenes } from "../read/extract-scenes.ts";
import { type SceneMetadata, type ScenesToRead, scenesToRead } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { ExtractionRequest, Frame, GeoTiffInto, SizeCaps } from "../request.ts";
import type { ExtractJob } from "../run/extract/extract-job.ts";
import { gridSpec } from "../run/scene/scene-read.ts";
import { type Product, productOf } from "../what/product.ts";
import { onlyCollection } from "../when/collections.ts";
import { type SceneSelection, selectionOf } from "../when/process-scenes.ts";
import { type Area, areaOf } from "../where/area.ts";
import { outputGrid } from "../where/frame.ts";

/** A valid request, before its scenes are searched. */
export interface AskedExtraction {
  readonly product: Product;
  readonly area: Area;
  readonly frame: Frame;
  /** Absent: it has the CRS of the scene on top. */
  readonly grid?: Grid;
  readonly selection: SceneSelection;
  readonly files: NonNullable<GeoTiffInto["files"]>;
  /** Absent: those of the product. */
  readonly bandNames?: readonly string[];
  readonly caps: SizeCaps;
  readonly registry: CollectionRegistry;
}

/** A valid request whose scenes are known. */
export interface ExtractionSpec extends AskedExtraction {
  readonly grid: Grid;
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
export function readExtraction(request: ExtractionRequest, registry: CollectionRegistry): AskedExtraction {
  const { where, when, into } = request;
  const { caps = FILE_CAPS, files = "one", bandNames } = into;
  const { frame = {} } = where;
  const product = productOf(onlyCollection(when, registry), request.what, into);
  if (bandNames !== undefined) checkNames(bandNames, product);
  const area = areaOf(where);
  const selection = selectionOf(when);
  const named = bandNames === undefined ? {} : { bandNames };
  const asked = { product, area, frame, selection, files, ...named, caps, registry };
  if (frame.nativeCrs === true) {
    if (frame.crs === undefined) return asked;
    throw new Refusal("invalid", ["where", "frame", "crs"], "Expected no CRS: it is that of the scene on top.");
  }
  const grid = outputGrid(area, frame);
  const scenes = selection.kind === "ids" ? selection.ids.length : 1;
  checkSize({ ...grid, bands: product.bands.length, scenes }, caps);
  return { ...asked, grid };
}

/** Refuses names that are not one for each band of the file. */
function checkNames(bandNames: readonly string[], { hasDefaultBands, math, bands }: Product): void {
  const path = ["into", "bandNames"];
  if (hasDefaultBands) throw new Refusal("invalid", path, "Expected bands or an expression beside their names.");
  const { length } = math?.expressions ?? bands;
  if (new Set(bandNames).size === length && bandNames.length === length) return;
  throw new Refusal("invalid", path, `Expected ${length} different names, got ${bandNames.join(", ")}.`);
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
 * @throws {Refusal} `output-too-large`; `invalid` for an area that the CRS of the scene on top cannot hold;
 *   `harmonize-unavailable` where an item says too little for the level.
 */
export function extractionScenes(asked: AskedExtraction, items: readonly Item[]): ExtractionScenes {
  const { area, frame, caps } = asked;
  const product = productOfScenes(asked.product, items);
  const grid = asked.grid ?? outputGrid(area, { ...frame, crs: nativeCrs(items[0], area) });
  checkSize({ ...grid, bands: product.bands.length, scenes: items.length }, caps);
  return { spec: { ...asked, product, grid }, items, toRead: [scenesToRead(items, product)] };
}

/** The UTM zone of the scene on top; of one in another CRS, that of the area's middle. */
function nativeCrs(top: Item | undefined, area: Area): string {
  const own = top === undefined ? undefined : zoneOf(top);
  if (own !== undefined) return own;
  const [west, south, east, north] = unwrapBbox(area.bbox);
  return `EPSG:${utmEpsg((west + east) / 2, (south + north) / 2)}`;
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
      bands: spec.bandNames ?? (product.math === undefined ? product.names : product.outputs.map(({ name }) => name)),
      ...(product.math === undefined ? {} : { math: product.math }),
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
