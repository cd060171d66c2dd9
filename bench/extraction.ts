import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { BANDS, bandPath } from "./data/plan.ts";
import { areaGrid } from "./jobs.ts";
import { NODE_FLAGS } from "./measure.ts";

const run = promisify(execFile);

export interface BigCost {
  readonly wall: number;
  readonly cpu: number;
  readonly peak: number;
}

/** Runs an extraction in a process of its own. */
export async function extractHere(directory: string, side: number, type: "float32" | "uint16"): Promise<BigCost> {
  const out = join(tmpdir(), `swath-bench-${process.pid}.tif`);
  const script = join(import.meta.dirname, "extract-child.ts");
  const { stdout } = await run(process.execPath, [...NODE_FLAGS, script, directory, String(side), type, out]);
  await rm(out, { force: true });
  return JSON.parse(stdout) as BigCost;
}

/** The same by gdalwarp, from a VRT of the four bands to a tiled deflate GeoTIFF, on two threads. */
export async function extractByGdal(
  directory: string,
  side: number,
  type: "float32" | "uint16",
  multi: boolean,
): Promise<BigCost> {
  const vrt = join(tmpdir(), `swath-bench-${process.pid}.vrt`);
  const scaled = join(tmpdir(), `swath-bench-${process.pid}-scaled.vrt`);
  const out = join(tmpdir(), `swath-bench-${process.pid}-gdal.tif`);
  await run("gdalbuildvrt", ["-q", "-separate", vrt, ...BANDS.map((band) => bandPath(directory, band))]);
  let input = vrt;
  if (type === "float32") {
    const scale = ["-ot", "Float32", "-a_scale", "1", "-a_offset", "0"];
    const bands = BANDS.flatMap((_, i) => [`-scale_${i + 1}`, "0", "10000", "-0.1", "0.9"]);
    await run("gdal_translate", ["-q", "-of", "VRT", ...scale, ...bands, vrt, scaled]);
    input = scaled;
  }
  const { crs, transform, width, height } = areaGrid(side);
  const [pixel, , west, , , north] = transform;
  const extent = [west, north - pixel * height, west + pixel * width, north].map(String);
  const args = [
    ...["-q", "-overwrite", "-r", "near", "-t_srs", crs, "-te", ...extent, "-ts", String(width), String(height)],
    ...(multi ? ["-multi", "-wo", "NUM_THREADS=2", "-wm", "256"] : []),
    ...["-co", "TILED=YES", "-co", "COMPRESS=DEFLATE", "-co", "ZLEVEL=1", "-co", "NUM_THREADS=2"],
    ...["-co", "BLOCKXSIZE=512", "-co", "BLOCKYSIZE=512", "-co", `PREDICTOR=${type === "float32" ? 3 : 2}`],
    input,
    out,
  ];
  const script = join(import.meta.dirname, "peers/run_command.py");
  const { stdout } = await run("/usr/bin/python3", [script, "gdalwarp", ...args]);
  for (const file of [vrt, scaled, out]) await rm(file, { force: true });
  return JSON.parse(stdout) as BigCost;
}
