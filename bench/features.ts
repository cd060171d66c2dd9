/*
 * Statistics of many fields in one request beside those of one, and by rasterio with 32 threads: seconds, memory, and how long the
 * main thread is held up.
 *
 *   node --conditions=@swath/source --expose-gc bench/features.ts [fields]
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { monthlyItems, NORTH, noise, pagedCatalog, WEST, writeMonths } from "../apps/api/test/own/monthly-archive.ts";
import { NO_ANGLES } from "../apps/api/test/tools/no-angles.ts";
import type { FeaturesRequest, IntervalsInto } from "../packages/engine/src/index.ts";
import { prepare, RenderPool } from "../packages/engine/src/node.ts";
import { resolveCrs, transformer } from "../packages/raster/src/index.ts";
import { defaultRegistry as registry } from "../packages/schema/src/index.ts";

const FIELDS = Number(process.argv[2] ?? 100);
const SIDE = 1000;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
const SIZE = 150;
const MB = 2 ** 20;
const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
const places = noise(7, 2 * FIELDS, 100, 10 * SIDE - 300);
const rings = Array.from({ length: FIELDS }, (_, i) => {
  const [x, y] = [WEST + places[2 * i]! + 0.3, NORTH - places[2 * i + 1]! - 0.3];
  return [
    [x, y],
    [x + 0.9 * SIZE, y - 0.2 * SIZE],
    [x + 0.3 * SIZE, y - SIZE],
    [x, y],
  ];
});
const geometryOf = (ring: readonly (readonly number[])[]) => ({
  type: "Polygon",
  coordinates: [ring.map(([x = 0, y = 0]) => toDegrees(x, y))],
});
const requestOf = (count: number): FeaturesRequest<IntervalsInto> => ({
  where: { kind: "features", features: rings.slice(0, count).map((ring) => ({ geometry: geometryOf(ring) })) },
  when: { collections: ["sentinel-2-l2a"], time: { from: "2024-01-01", to: "2024-12-31" }, every: "P1M" },
  what: {
    measures: [
      { name: "ndvi", index: "ndvi" },
      { name: "ratio", expression: "nir / red" },
      { name: "difference", expression: "nir - red" },
    ],
  },
  into: { kind: "intervals" },
});

const directory = await writeMonths({ side: SIDE, blockSize: 512, months: MONTHS });
const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
const settings = { warmsUp: false, render: { blockCacheBytes: 256 * MB, sources } };
const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
const { signal } = new AbortController();

async function run(count: number) {
  const renderer = new RenderPool({ threads: 2, settings });
  await renderer.ping({ signal });
  globalThis.gc?.();
  const rest = process.memoryUsage.rss();
  let peak = rest;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  // time of this thread's own work between two turns: other programs on the machine do not count
  const cpu = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [held, last] = [0, cpu()];
  const turns = setInterval(() => {
    const at = cpu();
    held = Math.max(held, at - last);
    last = at;
  });
  const started = performance.now();
  const parts = { catalog, angles: NO_ANGLES, renderer, registry, now: () => new Date() };
  const prepared = await prepare(parts, requestOf(count), { signal });
  const { features } = await prepared.run({ signal });
  const seconds = (performance.now() - started) / 1000;
  clearInterval(turns);
  clearInterval(watch);
  await renderer.close();
  console.log(
    `${count} fields: ${seconds.toFixed(2)} s, ${prepared.units.toFixed(4)} units, ${((peak - rest) / MB).toFixed(0)} MB above rest, main thread held up ${held.toFixed(0)} ms at most`,
  );
  return features;
}

await run(1);
await run(1);
const features = await run(FIELDS);
const plan = join(directory, "plan.json");
await writeFile(plan, JSON.stringify({ folder: directory, months: MONTHS, fields: rings }));
for (const threads of [1, 32]) {
  const script = join(import.meta.dirname, "peers", "rasterio_fields.py");
  const out = execFileSync("/usr/bin/python3", [script, plan, String(threads)], {
    encoding: "utf8",
    maxBuffer: 64 * MB,
  });
  const { seconds, means } = JSON.parse(out) as { seconds: number; means: (number | null)[][][] };
  const differences = features.flatMap(({ result }, field) =>
    MONTHS.flatMap((_, month) =>
      [0, 1, 2].map((k) => {
        const [own, other] = [result?.intervals[month]?.outputs[k]?.mean ?? 0, means[month]?.[field]?.[k] ?? 0];
        return Math.abs(own - other) / Math.max(1e-3, Math.abs(other));
      }),
    ),
  );
  const largest = differences.reduce((most, each) => Math.max(most, each), 0);
  console.log(`rasterio, ${threads} threads: ${seconds.toFixed(2)} s; largest difference ${largest}`);
}
