// One extraction in a process of its own, as the service makes it: prints what it cost as JSON.
// node --conditions=@swath/source bench/extract-child.ts FOLDER SIDE float32|uint16 OUT
import { availableParallelism } from "node:os";
import { RenderPool } from "../apps/api/src/render/pool.ts";
import { areaGrid, extractJob, peakMemory, renderSettings } from "./jobs.ts";
import { cpuNow } from "./measure.ts";

const [directory = "", side = "2500", type = "uint16", path = ""] = process.argv.slice(2);
const sampleType = type === "float32" ? "float32" : "uint16";
const job = extractJob(areaGrid(Number(side)), sampleType, path);
/** Half of what the service has by default. */
const CACHE_BYTES = 256 * 1_048_576;
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism()));
const threads = availableParallelism();
const pool = new RenderPool({ threads, settings: { render: renderSettings(directory, CACHE_BYTES) } });
// all render threads have made areas before: their code is compiled
const signal = new AbortController().signal;
for (let i = 0; i < 6; i++) await pool.extract({ ...job, grid: areaGrid(2100) }, { signal });
const start = performance.now();
const cpu = cpuNow();
let reports = 0;
const outcome = await pool.extract(job, {
  signal,
  onProgress: () => {
    reports++;
  },
});
if (outcome.kind !== "written") throw new Error(`Not written: ${JSON.stringify(outcome)}`);
const cost = {
  wall: performance.now() - start,
  cpu: cpuNow() - cpu,
  peak: peakMemory(),
  bytes: outcome.bytes,
  reports,
};
console.log(JSON.stringify(cost));
await pool.close();
