import { fileURLToPath, pathToFileURL } from "node:url";
import type { Item } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { openCog, readGrid } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { classify, rasterizePolygon, toPhysical } from "@swath/mosaic";
import { evaluateExpression, type Grid, parseExpression, type Raster, resolveCrs } from "@swath/raster";
import { bandScaling, keepTable, resolveBand, resolveCollection } from "@swath/schema";

/** A GeoJSON Polygon in longitude and latitude. */
export interface Field {
  readonly type: "Polygon";
  readonly coordinates: readonly (readonly (readonly [number, number])[])[];
}

/** The values that one scene gives for a field. */
export interface Observation {
  readonly date: string;
  readonly platform: string;
  /** Mean over the clear pixels. */
  readonly ndvi: number;
  /** Share of the field's pixels that are clear, 0 to 1. */
  readonly clear: number;
}

const NDVI = parseExpression("(nir08 - red) / (nir08 + red)", ["red", "nir08"]);

/** Stored mask values to keep: each sensor's own numbers, one set of class names. */
const KEEP = {
  "sentinel-2-l2a": keepTable("scl", ["cloud", "cloud_shadow", "cirrus", "snow_ice"]),
  "landsat-ot-l2": keepTable("qa_pixel", ["cloud", "cloud_shadow", "cirrus", "snow_ice"]),
};
type CollectionId = keyof typeof KEEP;
const COLLECTIONS = Object.keys(KEEP) as CollectionId[];

/** NDVI of a field on `grid` from every scene of an archive that sees it clear, oldest first. */
export async function ndviOfField(archive: string, field: Field, grid: Grid): Promise<Observation[]> {
  const catalog = await openArchive(archive);
  const inside = rasterizePolygon(field, grid, resolveCrs("EPSG:4326"));
  const total = inside.filter((value) => value === 1).length;
  const observations: Observation[] = [];
  for (const collection of COLLECTIONS) {
    const { items } = await catalog.search({ collections: [collection], intersects: field, sortby: [], limit: 100 });
    for (const item of items) {
      const values = (await ndviOfScene(archive, collection, item, grid)).filter(
        (value, i) => inside[i] === 1 && !Number.isNaN(value),
      );
      if (values.length === 0) continue;
      observations.push({
        date: String(item.properties.datetime).slice(0, 10),
        platform: String(item.properties.platform),
        ndvi: values.reduce((sum, value) => sum + value) / values.length,
        clear: values.length / total,
      });
    }
  }
  return observations.sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** NDVI of each pixel; NaN where the scene has no clear pixel. */
async function ndviOfScene(archive: string, collection: CollectionId, item: Item, grid: Grid) {
  const read = (name: string): Promise<Raster | undefined> => readBand(archive, collection, item, name, grid);
  const { maskBand = "" } = resolveCollection(collection);
  const [red, nir, mask] = [await read("red"), await read("nir08"), await read(maskBand)];
  const [redNumbers, nirNumbers, maskNumbers] = [red, nir, mask].map((raster) => raster?.bands[0]);
  if (!(red && nir && mask && redNumbers && nirNumbers && maskNumbers)) return new Float32Array();
  // stored numbers to reflectance by this scene's own scale and offset, which the processing baseline decides
  const reflectance = [
    toPhysical(redNumbers, red.valid, bandScaling(collection, "red", item.properties)),
    toPhysical(nirNumbers, nir.valid, bandScaling(collection, "nir08", item.properties)),
  ];
  const clear = classify(maskNumbers, KEEP[collection]);
  const { values, valid } = evaluateExpression(NDVI, reflectance, clear);
  return values.map((value, i) => (valid[i] === 1 ? value : Number.NaN));
}

async function readBand(archive: string, collection: CollectionId, item: Item, name: string, grid: Grid) {
  const href = item.assets[resolveBand(collection, name).name]?.href;
  if (href === undefined) return undefined;
  const file = fileURLToPath(new URL(href.replace("archive:", ""), pathToFileURL(`${archive}/`)));
  return readGrid(await openCog(fileSource(file)), grid, { level: "full" });
}
