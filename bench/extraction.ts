import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
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

/**
 * How Node is run for the libraries alone: little memory for young objects, one thread that compiles, two kinds of code, not three,
 * and one arena of glibc's for all threads.
 */
const ALONE_FLAGS = ["--max-semi-space-size=1", "--v8-pool-size=1", "--no-maglev"];
const ALONE_ENV = { MALLOC_ARENA_MAX: "1" };

/**
 * The same of float32 by the libraries alone, in one thread, bundled as a program would be.
 *
 * @param cold the process starts for it, and its start counts; else it has made the area six times before
 */
export async function extractAlone(directory: string, side: number, cold: boolean): Promise<BigCost> {
  const out = join(tmpdir(), `swath-bench-${process.pid}-alone.tif`);
  const script = await bundle(join(import.meta.dirname, "extract-alone.ts"));
  const start = performance.now();
  const args = [...ALONE_FLAGS, script, directory, String(side), cold ? "0" : "6", out];
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ...ALONE_ENV } });
  const wall = performance.now() - start;
  await rm(out, { force: true });
  const cost = JSON.parse(stdout) as BigCost & { readonly allCpu: number };
  return cold ? { wall, cpu: cost.allCpu, peak: cost.peak } : cost;
}

let bundled: Promise<string> | undefined;

/** Everything that a script needs in one folder, without types. It is made once. */
function bundle(script: string): Promise<string> {
  bundled ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), "swath-bench-alone-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await build({
      input: script,
      platform: "node",
      resolve: { conditionNames: ["@swath/source", "node", "import"] },
      output: { dir: folder, entryFileNames: "main.mjs", minify: true },
    });
    return join(folder, "main.mjs");
  })();
  return bundled;
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
