import type { Catalog, Item } from "@swath/catalog";
import type { BandConversion, PolygonGeometry } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import type { Bbox } from "@swath/raster";
import { type BandScaling, bandScaling } from "@swath/schema";
import { gridSpec } from "../render/tile-plan.ts";
import { type Area, areaBbox, areaOf, areaPolygon } from "./area.ts";
import type { ExtractAsset, ExtractJob, ExtractScene } from "./extract-job.ts";
import { checkSize, outputFrame, outputGrid, type SizeCaps } from "./output-grid.ts";
import { type Product, productOf } from "./product.ts";
import type { ProcessRequest } from "./request.ts";
import { findScenes, type SceneWish, wishOf } from "./scenes.ts";

/** A request read and found good, before scenes are looked for. */
export interface ProcessSpec {
  readonly product: Product;
  readonly area: Area;
  readonly searchBbox: Bbox;
  readonly searchArea: PolygonGeometry;
  readonly frame: ReturnType<typeof outputFrame>;
  readonly wish: SceneWish;
  readonly caps: SizeCaps;
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
 * Reads a request: pure, and all that can be refused without a search is refused here.
 *
 * @throws {ProblemError} with the code and pointer of what is wrong.
 */
export function readProcess(request: ProcessRequest, caps: SizeCaps): ProcessSpec {
  const product = productOf(request);
  const area = areaOf(request.input.bounds);
  const searchBbox = areaBbox(area);
  const frame = outputFrame(area, request.output);
  const wish = wishOf(request.input.data[0]?.dataFilter ?? {});
  const scenes = wish.kind === "ids" ? wish.ids.length : 1;
  checkSize({ ...frame, bands: product.bands.length, scenes }, caps);
  return { product, area, searchBbox, searchArea: areaPolygon(area), frame, wish, caps };
}

export interface PlanOptions {
  readonly signal: AbortSignal;
  /** Scenes found unreadable, for which others are taken. */
  readonly without?: ReadonlySet<string>;
}

/**
 * Finds the scenes and decides what is read of them. No pixel is read.
 *
 * @throws {ProblemError} `not-found`, `too-many-scenes`, `output-too-large`, `unknown-band` (absent from a scene), or
 *   `invalid-body` for a named scene that misses the area.
 */
export async function planProcess(catalog: Catalog, spec: ProcessSpec, options: PlanOptions): Promise<ProcessPlan> {
  const { product, area, searchBbox, searchArea, frame, wish, caps } = spec;
  const items = await findScenes(catalog, wish, {
    match: product.match,
    bbox: searchBbox,
    area: searchArea,
    signal: options.signal,
    without: options.without ?? new Set(),
  });
  checkSize({ ...frame, bands: product.bands.length, scenes: items.length }, caps);
  const scenes = items.map((item) => sceneOf(item, product));
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
      ...(area.polygon === undefined ? {} : { clip: { polygon: area.polygon, crs: area.crs.name } }),
      collection: product.match.collection.id,
      units: product.units,
      harmonize: product.harmonize,
    },
  };
}

/**
 * What is read of an item for a product.
 *
 * @throws {ProblemError} `unknown-band` where the item lacks one of its bands.
 */
export function sceneOf(item: Item, product: Product): ExtractScene {
  const { collection } = product.match;
  const errors = product.bands.flatMap(({ name }, i) => {
    if (item.assets[name] !== undefined) return [];
    return [{ pointer: product.pointers[i] ?? "/bands", detail: `Scene ${item.id} has no band ${name}.` }];
  });
  if (errors.length > 0) {
    throw new ProblemError("unknown-band", errors.map(({ detail }) => detail).join(" "), { errors });
  }
  return {
    id: item.id,
    datetime: item.properties.datetime,
    assets: product.bands.map((band) => {
      const scaling = bandScaling(collection, band, item.properties);
      return assetOf(item.assets[band.name]?.href ?? "", scaling, product);
    }),
  };
}

function assetOf(href: string, scaling: BandScaling, product: Product): ExtractAsset {
  const { scale, offset, dnOffset, nodata } = scaling;
  const known = nodata === undefined ? {} : { nodata };
  const { clipNegative } = product;
  switch (product.conversion) {
    case "physical": {
      const conversion: BandConversion = { kind: "physical", scale, offset, clipNegative, ...known };
      return { href, conversion, ...known, scale: 1, offset: 0 };
    }
    case "offset-removed": {
      const conversion: BandConversion = { kind: "offset-removed", dnOffset, clipNegative, ...known };
      // what was taken out of the numbers is taken out of their offset too
      return { href, conversion, ...known, scale, offset: dnOffset === 0 ? offset : 0 };
    }
    case "stored":
      return { href, conversion: { kind: "stored", nodata: product.nodata }, ...known, scale, offset };
  }
}
