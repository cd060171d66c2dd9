// Search in an archive of 12,000 items: node --conditions=@swath/source bench/archive.ts
import { createArchiveCatalog } from "../src/index.ts";
import { upstreamItems } from "../test/upstream/upstream-items.ts";

const RUNS = 15;
const items = upstreamItems(12_000, 3);
const query = {
  collections: [],
  bbox: [-110, 30, 20, 60] as const,
  sortby: [{ field: "eo:cloud_cover", direction: "asc" as const }],
  limit: 1000,
};

/** Milliseconds of each run; `prepare` is not counted. */
async function measure<T>(
  name: string,
  prepare: () => Promise<T>,
  run: (prepared: T) => Promise<number>,
): Promise<void> {
  const times: number[] = [];
  let used = 0;
  for (let i = 0; i < RUNS; i++) {
    const prepared = await prepare();
    const started = performance.now();
    used += await run(prepared);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const [least = 0, most = 0] = [times[0], times.at(-1)];
  console.log(`${name}: ${least.toFixed(2)} ms at least, ${most.toFixed(2)} at most (${used / RUNS} items)`);
}

globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const open = createArchiveCatalog({ items });
globalThis.gc?.();
console.log(`memory: ${Math.round((process.memoryUsage().heapUsed - before) / 1e6)} MB for ${items.length} items`);

await measure(
  "open",
  async () => undefined,
  async () => {
    const catalog = createArchiveCatalog({ items });
    return (await catalog.search({ ...query, limit: 1 })).numberMatched ?? 0;
  },
);
await measure(
  "first page of 1,000, box and cloud order",
  async () => createArchiveCatalog({ items }),
  async (catalog) => {
    return (await catalog.search(query)).items.length;
  },
);
const first = await open.search(query);
await measure(
  "second page of 1,000",
  async () => first.next ?? "",
  async (token) => {
    return (await open.search({ ...query, token })).items.length;
  },
);
