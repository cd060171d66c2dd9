import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Whether GDAL's tools are on the PATH. */
export const hasGdal = ((): boolean => {
  try {
    execFileSync("gdalinfo", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

export interface GdalBand {
  readonly block: readonly [number, number];
  readonly type: string;
  readonly colorInterpretation: string;
  readonly description?: string;
  readonly noDataValue?: number | string;
  readonly scale?: number;
  readonly offset?: number;
  readonly unit?: string;
  readonly overviews?: readonly { readonly size: readonly [number, number] }[];
  readonly mask?: { readonly flags: readonly string[] };
}

export interface GdalInfo {
  readonly size: readonly [number, number];
  readonly geoTransform: readonly number[];
  readonly coordinateSystem: { readonly wkt: string; readonly proj4?: string };
  readonly metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bands: readonly GdalBand[];
}

export async function gdalInfo(path: string, ...options: string[]): Promise<GdalInfo> {
  return JSON.parse((await run("gdalinfo", ["-json", ...options, path])).stdout) as GdalInfo;
}

/** Returns the samples that GDAL reads: all bands of a level, band after band, in native byte order; or its mask. */
export async function gdalPixels(path: string, level?: number, band?: "mask"): Promise<Uint8Array> {
  const { readFile } = await import("node:fs/promises");
  const raw = `${path}.${level ?? "full"}.${band ?? "all"}.raw`;
  const overview = level === undefined ? [] : ["-oo", `OVERVIEW_LEVEL=${level}`];
  const format = [...(band === undefined ? [] : ["-b", band]), "-of", "ENVI", "-co", "INTERLEAVE=BSQ"];
  await run("gdal_translate", ["-q", ...overview, ...format, path, raw], {
    env: { ...process.env, GDAL_PAM_ENABLED: "NO" },
  });
  return new Uint8Array(await readFile(raw));
}

/** The errors of GDAL's own COG validation, with every block's leader and trailer checked; empty when the file is valid. */
export async function validateCog(path: string): Promise<string> {
  const script = ["-m", "osgeo_utils.samples.validate_cloud_optimized_geotiff", "--full-check=yes"];
  const { stdout, stderr } = await run("/usr/bin/python3", [...script, path]).catch(
    (error: unknown) => error as { stdout: string; stderr: string },
  );
  return stdout.includes("is a valid cloud optimized GeoTIFF") && !stdout.includes("warning")
    ? ""
    : `${stdout}${stderr}`;
}
