// Extractions in a process of its own, as the service makes them: prints what each cost as JSON.
// `swathProcess` runs it: node --conditions=@swath/source bench/extract-child.ts JSON
import { availableParallelism } from "node:os";
import { RenderPool } from "../packages/engine/src/node.ts";
import type { ExtractionPlan } from "./extract-programs.ts";
import { areaGrid, extractJob, peakMemory, renderSettings } from "./jobs.ts";
import { measure } from "./measure.ts";
import { CACHE_MB } from "./peers.ts";

const plan = JSON.parse(process.argv[2]!) as ExtractionPlan;
const { directory, type, side, out } = plan;
process.env.UV_THREADPOOL_SIZE ??= String(Math.max(4, availableParallelism()));
const threads = availableParallelism();
const settings = { render: renderSettings(directory, CACHE_MB * 1_048_576) };
const pool = new RenderPool({ threads, settings });
const signal = new AbortController().signal;

async function extract(names: readonly string[]): Promise<number> {
  const outcome = await pool.extract(extractJob(areaGrid(side), type, out, names), { signal });
  if (outcome.kind !== "written") throw new Error(`Not written: ${JSON.stringify(outcome)}`);
  return outcome.bytes;
}

for (const names of plan.before) await extract(names);
const runs = [];
for (const names of plan.measured) runs.push(await measure(() => extract(names)));
console.log(JSON.stringify({ runs, peak: peakMemory() }));
await pool.close();
