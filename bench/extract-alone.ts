// An area by the libraries alone, in this thread, as examples/area-to-geotiff does it: prints what it cost as JSON.
// `extractAlone` bundles this file and runs it: node --max-semi-space-size=1 FILE FOLDER SIDE RUNS-BEFORE OUT
import { areaMemory, writeArea } from "../examples/area-to-geotiff/area.ts";
import { resolveCrs } from "../packages/raster/src/index.ts";
import { BANDS, bandPath } from "./data/plan.ts";
import { areaGrid, peakMemory } from "./jobs.ts";
import { cpuNow } from "./measure.ts";

const [directory = "", side = "2500", runsBefore = "0", path = ""] = process.argv.slice(2);
const scaling = { scale: 0.0001, offset: -0.1, nodata: 0 };
const bands = BANDS.map((name) => ({ name, path: bandPath(directory, name), ...scaling }));
const { crs, ...place } = areaGrid(Number(side));
const grid = { ...place, crs: resolveCrs(crs) };
const memory = areaMemory();
for (let i = 0; i < Number(runsBefore); i++) await writeArea(bands, grid, path, memory);
const start = performance.now();
const cpu = cpuNow();
await writeArea(bands, grid, path, memory);
const wall = performance.now() - start;
console.log(JSON.stringify({ wall, cpu: cpuNow() - cpu, peak: peakMemory(), allCpu: cpuNow() }));
