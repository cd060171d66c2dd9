// Reads each undamaged file, then its damaged ones, and prints a line of JSON for each:
// node --expose-gc read-cases.ts TASK FIRST, the number of cases that are passed over. See run.ts.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gridFromBounds, type Window } from "@swath/raster";
import { type Cog, CogError, memorySource, openCog, readGrid, readWindow } from "../../src/index.ts";
import { nodeCodecs } from "../../src/node.ts";
import { damaged } from "./cases.ts";
import { type Line, MAX_SAMPLES, MAX_SIDE, type Task } from "./run.ts";

/** Bytes in objects and buffers from which on garbage is collected before a case. */
const GARBAGE = 60e6;

const [, , taskPath = "", first = "0"] = process.argv;
const { files } = JSON.parse(readFileSync(taskPath, "utf8")) as Task;
let place = 0;

for (const { path, damages } of files) {
  const bytes = new Uint8Array(readFileSync(path));
  for (let i = -1; i < damages.length; i++, place++) {
    if (place < Number(first)) continue;
    // garbage of the cases before is not memory of this one
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > GARBAGE) globalThis.gc?.();
    const start = performance.now();
    const key = `${path}, case ${i}`;
    const window = damages[i]?.window;
    const outcome = await read(i < 0 ? bytes : damaged(bytes, damages[i]!), key, window);
    const expected = window === undefined ? {} : { expected: (await read(bytes, path, window)).digest ?? "" };
    const line: Line = {
      i,
      ...outcome,
      ...expected,
      ms: performance.now() - start,
      peak: process.resourceUsage().maxRSS / 1024,
    };
    console.log(JSON.stringify(line));
  }
}

async function read(
  file: Uint8Array,
  key: string,
  window?: Window,
): Promise<Pick<Line, "digest" | "error" | "untyped">> {
  try {
    const cog = await openCog(memorySource(file, key), { codecs: nodeCodecs });
    if (window !== undefined) return { digest: await digestOf(cog, 0, window) };
    const digest = await digestOf(cog, 0);
    // what else a file is asked for: its coarsest level, and pixels on another grid. Only the full resolution is compared
    const others = [() => digestOf(cog, cog.levels.length - 1), () => warp(cog)];
    for (const other of others) await other().catch(rethrowUntyped);
    return { digest };
  } catch (error) {
    if (error instanceof CogError) return { error: error.code };
    return { error: "untyped", untyped: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function digestOf(cog: Cog, level: number, part?: Window): Promise<string> {
  const { width, height } = cog.levels[level]!;
  const window = part ?? { x: 0, y: 0, width: Math.min(width, MAX_SIDE), height: Math.min(height, MAX_SIDE) };
  const most = Math.max(1, Math.floor(MAX_SAMPLES / (window.width * window.height)));
  const bands = Array.from({ length: Math.min(cog.bandCount, most) }, (_, band) => band);
  const raster = await readWindow(cog, level, window, { bands });
  const hash = createHash("md5").update(`${width} ${height} ${cog.bandCount} ${cog.sampleType}`);
  for (const { buffer, byteOffset, byteLength } of raster.bands)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest("hex");
}

/** The whole file on a grid of 64 x 64 pixels of its own CRS. */
async function warp(cog: Cog): Promise<void> {
  const { crs, transform, width, height } = cog.grid;
  const [a, b, c, d, e, f] = transform;
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([x = 0, y = 0]) => [a * x + b * y + c, d * x + e * y + f] as const);
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const bounds = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)] as const;
  if (!cog.georeferenced || !(bounds[0] < bounds[2] && bounds[1] < bounds[3])) return;
  await readGrid(cog, gridFromBounds(crs, [...bounds], 64, 64), { bands: [0] });
}

function rethrowUntyped(error: unknown): void {
  if (!(error instanceof CogError)) throw error;
}
