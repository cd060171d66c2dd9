// One extraction in a process of its own, as the service makes it: prints what it cost as JSON.
// node --conditions=@swath/source bench/extract-child.ts FOLDER SIDE float32|uint16 OUT
import { availableParallelism, tmpdir } from "node:os";
import type { ExtractJob } from "../apps/api/src/process/extract-job.ts";
import { RenderPool } from "../apps/api/src/render/pool.ts";
import { BANDS } from "./data/plan.ts";
import { areaGrid, drawOptions, peakMemory } from "./jobs.ts";
import { cpuNow } from "./measure.ts";

const [directory = "", side = "2500", type = "uint16", path = ""] = process.argv.slice(2);
const sampleType = type === "float32" ? "float32" : "uint16";
const job: ExtractJob = {
  kind: "extract",
  grid: areaGrid(Number(side)),
  scenes: [
    {
      id: "s1",
      datetime: null,
      assets: BANDS.map((band) => ({
        href: `archive:s1-${band}.tif`,
        conversion:
          sampleType === "float32"
            ? { kind: "physical", scale: 0.0001, offset: -0.1, nodata: 0 }
            : { kind: "stored", nodata: 0 },
        nodata: 0,
        scale: 1,
        offset: 0,
      })),
    },
  ],
  bands: ["red", "green", "blue", "nir"],
  sampleType,
  nodata: sampleType === "float32" ? Number.NaN : 0,
  collection: "sentinel-2-l2a",
  units: "dn",
  harmonize: "none",
  path,
  spoolDirectory: tmpdir(),
};
/** Half of what the service has by default. */
const CACHE_BYTES = 256 * 1_048_576;
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism()));
const threads = availableParallelism();
const pool = new RenderPool({ threads, settings: { draw: drawOptions(directory, CACHE_BYTES) } });
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
