// Extractions by the libraries alone, in this thread, as examples/area-to-geotiff makes them: prints what each cost as JSON.
// `librariesProcess` bundles this file and runs it: node --max-semi-space-size=1 FILE JSON
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { areaMemory, writeArea } from "../examples/area-to-geotiff/area.ts";
import { resolveCrs } from "../packages/raster/src/index.ts";
import type { ExtractionPlan } from "./extract-programs.ts";
import { areaGrid, COMMON_NAMES, peakMemory } from "./jobs.ts";
import { measure } from "./measure.ts";

const plan = JSON.parse(process.argv[2]!) as ExtractionPlan;
const scaling = { scale: 0.0001, offset: -0.1, nodata: 0 };
const memory = areaMemory();

async function write(names: readonly string[]): Promise<number> {
  const bands = names.map((name, i) => ({
    name: COMMON_NAMES[i]!,
    path: join(plan.directory, `${name}.tif`),
    ...scaling,
  }));
  const { crs, ...grid } = areaGrid(plan.side);
  await writeArea(bands, { ...grid, crs: resolveCrs(crs) }, plan.out, memory);
  return (await stat(plan.out)).size;
}

for (const names of plan.before) await write(names);
const runs = [];
for (const names of plan.measured) runs.push(await measure(() => write(names)));
console.log(JSON.stringify({ runs, peak: peakMemory() }));
