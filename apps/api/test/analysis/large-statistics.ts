import { prepare, RenderPool } from "@swath/engine/node";
import { defaultRegistry as registry } from "@swath/schema";
import { StatisticsOfArea, statisticsRequest } from "../../src/bodies/statistics.ts";
import { monthlyItems, NORTH, pagedCatalog, WEST } from "../own/monthly-archive.ts";
import { NO_ANGLES } from "../tools/no-angles.ts";

/**
 * Statistics of pixels and months by two render threads, in a process of its own, which prints by how
 * much its memory grew above that at rest: `node large-statistics.ts DIRECTORY SIDE MONTHS`.
 */
const [directory = "", side = "", months = ""] = process.argv.slice(2);
const SIDE = Number(side);
const MONTHS = Array.from({ length: Number(months) }, (_, i) => i + 1);
const settings = {
  blockCacheBytes: 128 << 20,
  sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
};
const renderer = new RenderPool({ threads: 2, settings: { render: settings } });
const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
const request = (size: number) =>
  StatisticsOfArea.parse({
    input: {
      bounds: {
        bbox: [WEST, NORTH - size, WEST + size, NORTH],
        properties: { crs: "EPSG:32633" },
      },
      data: [{ type: "sentinel-2-l2a" }],
    },
    aggregation: {
      timeRange: { from: "2024-01-01", to: new Date(Date.UTC(2024, MONTHS.length, 0)).toISOString().slice(0, 10) },
      aggregationInterval: { of: "P1M" },
      resx: 10,
      resy: 10,
    },
    index: "ndvi",
    calculations: { default: { percentiles: [5, 25, 50, 75, 95], histogram: { nBins: 50 } } },
  });
const parts = { catalog, angles: NO_ANGLES, renderer, registry, now: () => new Date() };
const { signal } = new AbortController();
const compute = async (size: number) =>
  (await prepare(parts, statisticsRequest(request(size)), { signal })).run({ signal });
try {
  // at rest everything is loaded and has been used once
  await compute(1000);
  globalThis.gc?.();
  const rest = process.memoryUsage.rss();
  let peak = rest;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const started = performance.now();
  const { intervals } = await compute(10 * SIDE);
  const seconds = (performance.now() - started) / 1000;
  clearInterval(watch);
  const values = intervals.map(({ outputs }) => outputs[0]?.count ?? 0);
  console.log(JSON.stringify({ grownMb: (peak - rest) / 2 ** 20, restMb: rest / 2 ** 20, seconds, values }));
} finally {
  await renderer.close();
}
