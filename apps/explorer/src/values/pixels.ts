// The part of the page that handles pixels and projections; loaded when it is first needed.
import { memorySource, openCog, readWindow } from "@swath/cog";
import { resolveCrs, transformBounds, transformer } from "@swath/raster";
import type { Bbox } from "../geometry/area.ts";

const DEGREES = resolveCrs("EPSG:4326");
/** Points along each side that the service, too, puts on a box before it moves it to another CRS. */
const EDGE_POINTS = 21;

/** A point in degrees moved to a CRS. */
export function project(epsg: number, lon: number, lat: number): readonly [number, number] {
  return transformer(DEGREES, resolveCrs(`EPSG:${epsg}`))(lon, lat);
}

/** Width and height of a box in the units of a CRS, measured as the service measures it. */
export function spanIn(epsg: number, bbox: Bbox): readonly [number, number] {
  const crs = resolveCrs(`EPSG:${epsg}`);
  const [minX, minY, maxX, maxY] = epsg === 4326 ? bbox : transformBounds(bbox, DEGREES, crs, EDGE_POINTS);
  return [maxX - minX, maxY - minY];
}

/** A GeoTIFF that has come whole: each band row-major, NaN where there is no data. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bands: ReadonlyMap<string, Float64Array>;
  readonly metadata: Readonly<Record<string, string>>;
}

export async function readPixels(bytes: Uint8Array, names: readonly string[]): Promise<Pixels> {
  const cog = await openCog(memorySource(bytes));
  const [level] = cog.levels;
  if (level === undefined) throw new Error("The file holds no image.");
  const { width, height } = level;
  const raster = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  const bands = raster.bands.map((samples, i) => {
    const { name, scale = 1, offset = 0 } = cog.bands[i] ?? {};
    const values = Float64Array.from(samples, (value, p) =>
      value === cog.nodata || raster.valid[p] === 0 ? Number.NaN : value * scale + offset,
    );
    return [names[i] ?? name ?? `b${i + 1}`, values] as const;
  });
  return { width, height, bands: new Map(bands), metadata: cog.metadata };
}
