import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { gdalCogFindings, gdalInfoText, gdalTranslate } from "../../../test/tools/gdal-process.ts";

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
  return JSON.parse(await gdalInfoText(path, options)) as GdalInfo;
}

/** Returns the samples that GDAL reads: all bands of a level, band after band, in native byte order; or its mask. */
export async function gdalPixels(path: string, level?: number, band?: "mask"): Promise<Uint8Array> {
  const raw = `${path}.${level ?? "full"}.${band ?? "all"}.raw`;
  const overview = level === undefined ? [] : [`OVERVIEW_LEVEL=${level}`];
  const format = [...(band === undefined ? [] : ["-b", band]), "-of", "ENVI", "-co", "INTERLEAVE=BSQ"];
  await gdalTranslate(path, raw, format, overview);
  return new Uint8Array(await readFile(raw));
}

/** The errors of GDAL's own COG validation, with every block's leader and trailer checked; empty when the file is valid. */
export async function validateCog(path: string): Promise<string> {
  return (await gdalCogFindings(path)).join("\n");
}
