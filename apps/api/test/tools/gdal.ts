import { execFile, execFileSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gdalCogFindings, gdalInfoText, gdalTranslate, gdalWarpTo } from "../../../../test/tools/gdal-process.ts";

const run = promisify(execFile);

/** Whether GDAL's programs are installed, and GDAL for Debian's Python, on which they depend there. */
export const hasGdal = works("gdalwarp", ["--version"]) && works("/usr/bin/python3", ["-c", "import osgeo.gdal"]);
/** Whether GDAL's own check of Cloud-Optimized GeoTIFFs is. */
export const hasCogCheck = works("/usr/bin/python3", ["-c", "import osgeo_utils.samples"]);
/** Whether SciPy is, for Debian's Python. */
export const hasScipy = works("/usr/bin/python3", ["-c", "import scipy.stats"]);

function works(program: string, parameters: readonly string[]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export interface GdalInfo {
  readonly size: [number, number];
  readonly geoTransform: number[];
  readonly coordinateSystem?: { readonly wkt: string };
  readonly wgs84Extent?: { readonly type: "Polygon"; readonly coordinates: [number, number][][] };
  readonly metadata: Record<string, Record<string, string>>;
  readonly bands: {
    readonly type: "Byte" | "UInt16" | "Int16" | "Float32";
    readonly block: [number, number];
    readonly description?: string;
    readonly noDataValue?: number | "NaN";
    readonly scale?: number;
    readonly offset?: number;
    readonly overviews?: unknown[];
  }[];
}

export async function gdalInfo(path: string): Promise<GdalInfo> {
  return JSON.parse((await gdalInfoText(path)).replaceAll(/: (nan|NaN)\b/g, ': "NaN"')) as GdalInfo;
}

/** Arrays of samples by ENVI's numbers of their types. */
const ARRAYS: Readonly<
  Record<number, typeof Uint8Array | typeof Uint16Array | typeof Int16Array | typeof Float32Array>
> = { 1: Uint8Array, 2: Int16Array, 4: Float32Array, 12: Uint16Array };
type GdalSamples = Uint8Array | Uint16Array | Int16Array | Float32Array;

/** Bands of a file of ENVI, whose header names their number and type: a program to ask takes longer than the file. */
async function readRaw(path: string): Promise<GdalSamples[]> {
  const header = await readFile(path.replace(/\.bin$/, ".hdr"), "utf8");
  const field = (name: string): number => Number(new RegExp(`^${name}\\s*= *(\\d+)`, "m").exec(header)?.[1]);
  const Samples = ARRAYS[field("data type")];
  if (Samples === undefined) throw new Error(`GDAL wrote samples of another type:\n${header}`);
  const bytes = await readFile(path);
  const length = field("samples") * field("lines") * Samples.BYTES_PER_ELEMENT;
  return Array.from(
    { length: field("bands") },
    (_, i) => new Samples(bytes.buffer.slice(bytes.byteOffset + i * length, bytes.byteOffset + (i + 1) * length)),
  );
}

/** Every band of a file as GDAL reads it. */
export async function gdalPixels(path: string, directory: string): Promise<GdalSamples[]> {
  const out = join(directory, `${Math.random().toString(36).slice(2)}.bin`);
  await gdalTranslate(path, out, ["-of", "ENVI", "-co", "INTERLEAVE=BSQ"]);
  try {
    return await readRaw(out);
  } finally {
    await rm(out, { force: true });
  }
}

export interface WarpTarget {
  /** `EPSG:n`. */
  readonly crs: string;
  readonly bounds: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** The first band on a grid by `gdalwarp -r near -et 0`, which chooses the overview itself. */
export async function gdalWarp(path: string, target: WarpTarget, directory: string): Promise<GdalSamples> {
  const out = join(directory, `${Math.random().toString(36).slice(2)}.bin`);
  const { crs, bounds, width, height } = target;
  const parameters = ["-r", "near", "-et", "0", "-t_srs", crs, "-of", "ENVI"];
  const grid = ["-te", ...bounds.map(String), "-ts", String(width), String(height)];
  await gdalWarpTo(path, out, [...parameters, ...grid]);
  try {
    return (await readRaw(out))[0] as GdalSamples;
  } finally {
    await rm(out, { force: true });
  }
}

/** Pixels of a GeoJSON file on a grid by `gdal_rasterize`: 1 inside. */
export async function gdalRasterize(geojson: string, target: WarpTarget, directory: string): Promise<GdalSamples> {
  const out = join(directory, `${Math.random().toString(36).slice(2)}.tif`);
  const { bounds, width, height } = target;
  const grid = ["-te", ...bounds.map(String), "-ts", String(width), String(height)];
  await run("gdal_rasterize", ["-q", "-burn", "1", "-ot", "Byte", ...grid, geojson, out]);
  try {
    return (await gdalPixels(out, directory))[0] as GdalSamples;
  } finally {
    await rm(out, { force: true });
  }
}

/** Returns the findings of GDAL's validation of Cloud-Optimized GeoTIFFs for each file: warnings and errors. */
export async function gdalCogFaults(paths: readonly string[]): Promise<Record<string, readonly string[]>> {
  const found = paths.map(async (path) => [path, await gdalCogFindings(path)] as const);
  return Object.fromEntries(await Promise.all(found));
}
