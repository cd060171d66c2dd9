import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import { BANDS, bandPath } from "./data/plan.ts";
import { areaGrid, type SampleType } from "./jobs.ts";
import { NODE_FLAGS, type Run } from "./measure.ts";
import { GDAL_ENV, PYTHON } from "./peers.ts";

const execute = promisify(execFile);

/** Instructions for a process that makes extractions. */
export interface ExtractionPlan {
  readonly directory: string;
  readonly type: SampleType;
  /** Pixels along each side. */
  readonly side: number;
  /** Path of the GeoTIFF; each run replaces it. */
  readonly out: string;
  /** Extractions that are made first and not measured: names of the four files of each. */
  readonly before: readonly (readonly string[])[];
  /** Extractions that are measured. */
  readonly measured: readonly (readonly string[])[];
}

/** Costs of the runs in one process. */
export interface ProcessRuns {
  readonly runs: readonly Run[];
  /** Greatest resident bytes. */
  readonly peak: number;
}

/** A program that makes extractions: its command line, and settings of its environment. */
export interface Program {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The service's code, two render threads. */
export const swathProgram = (plan: ExtractionPlan): Program => ({
  command: [process.execPath, ...NODE_FLAGS, join(import.meta.dirname, "extract-child.ts"), JSON.stringify(plan)],
  env: {},
});

/**
 * The libraries alone, in one thread, bundled as a program would be: little memory for young objects, one thread that compiles,
 * two kinds of code instead of three, and one arena of glibc's for all threads.
 */
export async function librariesProgram(plan: ExtractionPlan): Promise<Program> {
  const script = await bundle(join(import.meta.dirname, "extract-alone.ts"));
  const flags = ["--max-semi-space-size=1", "--v8-pool-size=1", "--no-maglev"];
  return { command: [process.execPath, ...flags, script, JSON.stringify(plan)], env: { MALLOC_ARENA_MAX: "1" } };
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

/** Runs a program that reports the cost of its own runs. */
export async function reportedRuns({ command, env }: Program): Promise<ProcessRuns> {
  const [file = "", ...args] = command;
  const { stdout } = await execute(file, args, { env: { ...process.env, ...env } });
  return JSON.parse(stdout) as ProcessRuns;
}

/** Runs a program from its launch to its end, as the kernel counts it, and measures the file that it wrote. */
export async function launched({ command, env }: Program, out: string): Promise<Run & { readonly peak: number }> {
  await rm(out, { force: true });
  const script = join(import.meta.dirname, "peers/run_command.py");
  const { stdout } = await execute(PYTHON, [script, ...command], { env: { ...process.env, ...env } });
  const { wall, cpu, peak, code } = JSON.parse(stdout);
  if (code !== 0) throw new Error(`${command[0]} ended with code ${code}.`);
  return { wall, cpu, peak, bytes: (await stat(out)).size };
}

/**
 * Options by which GDAL writes a tiled GeoTIFF fastest: bands one after the other, zlib level 1, all cores, and for floats that are
 * scaled integers no predictor, which makes them smaller too.
 */
export const creationOptions = (type: SampleType): readonly string[] => [
  ...["TILED=YES", "INTERLEAVE=BAND", "COMPRESS=DEFLATE", "ZLEVEL=1", `PREDICTOR=${type === "float32" ? 1 : 2}`],
  ...["BLOCKXSIZE=512", "BLOCKYSIZE=512", "NUM_THREADS=ALL_CPUS"],
];

const cogOptions = (type: SampleType): readonly string[] => {
  const predictor = type === "float32" ? "NO" : "YES";
  return [
    ...["COMPRESS=DEFLATE", "LEVEL=1", `PREDICTOR=${predictor}`, "BLOCKSIZE=512", "NUM_THREADS=ALL_CPUS"],
    ...["OVERVIEW_COMPRESS=DEFLATE", `OVERVIEW_PREDICTOR=${predictor}`, "OVERVIEW_RESAMPLING=NEAREST"],
  ];
};

/** Megabytes of source and target that gdalwarp keeps at once. */
export const WARP_MEMORY_MB = 256;

/** gdalwarp to a GeoTIFF without overviews, or to a Cloud-Optimized GeoTIFF with them, which is what ours are. */
export function gdalwarpProgram(input: string, side: number, type: SampleType, out: string, cog: boolean): Program {
  const { crs, extent, width, height } = extentOf(side);
  const creation = cog ? ["-of", "COG", ...pairs("-co", cogOptions(type))] : pairs("-co", creationOptions(type));
  return {
    command: [
      ...["gdalwarp", "-q", "-overwrite", "-r", "near", "-multi", "-wo", "NUM_THREADS=ALL_CPUS"],
      ...["-wm", String(WARP_MEMORY_MB), "-t_srs", crs, "-te", ...extent.map(String)],
      ...["-ts", String(width), String(height), ...creation, input, out],
    ],
    env: { ...GDAL_ENV, GDAL_NUM_THREADS: "ALL_CPUS" },
  };
}

const pairs = (flag: string, values: readonly string[]): string[] => values.flatMap((value) => [flag, value]);

/** The place and size of an extraction as GDAL is told. */
export function extentOf(side: number) {
  const { crs, transform, width, height } = areaGrid(side);
  const [pixel, , west, , , north] = transform;
  return { crs, extent: [west, north - pixel * height, west + pixel * width, north] as const, width, height };
}

/** The four bands as one dataset for gdalwarp, made beforehand and not counted; float32 is reflectance. */
export async function warpInput(directory: string, folder: string, type: SampleType): Promise<string> {
  const stack = join(folder, "stack.vrt");
  await execute("gdalbuildvrt", ["-q", "-separate", stack, ...BANDS.map((band) => bandPath(directory, band))]);
  if (type !== "float32") return stack;
  const scaled = join(folder, "scaled.vrt");
  const bands = BANDS.flatMap((_, i) => [`-scale_${i + 1}`, "0", "10000", "-0.1", "0.9"]);
  await execute("gdal_translate", ["-q", "-of", "VRT", "-ot", "Float32", ...bands, stack, scaled]);
  return scaled;
}
