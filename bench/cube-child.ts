// Twelve months of NDVI of a polygon, by a process graph or by statistics, in this process with two render threads: prints what each
// run cost, the peak of memory and the means as JSON: node FILE DIRECTORY SIDE openeo|statistics

import { StatisticsOfArea, statisticsRequest } from "../apps/api/src/bodies/statistics.ts";
import { monthlyItems, NORTH, pagedCatalog, WEST } from "../apps/api/test/own/monthly-archive.ts";
import { NO_ANGLES } from "../apps/api/test/tools/no-angles.ts";
import type { GraphRequest } from "../packages/engine/src/index.ts";
import { prepare, RenderPool } from "../packages/engine/src/node.ts";
import { resolveCrs, transformer } from "../packages/raster/src/index.ts";
import { defaultRegistry as registry } from "../packages/schema/src/index.ts";
import { openResultFolder } from "../packages/store/src/node.ts";
import { peakMemory } from "./jobs.ts";
import { measure } from "./measure.ts";

const [directory = "", side = "1000", by = "openeo"] = process.argv.slice(2);
const SIDE = Number(side);
const ROUNDS = 5;
const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
const settings = {
  blockCacheBytes: 128 << 20,
  sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
};
const renderer = new RenderPool({ threads: 2, settings: { render: settings } });
const { catalog } = pagedCatalog(monthlyItems({ side: SIDE, months: MONTHS }));
const options = { signal: new AbortController().signal };
const now = (): Date => new Date();

const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
/** Half a pixel within the corners of the scenes, so that the grid is that of the files. */
const square = (size: number) => {
  const at = (x: number, y: number) => toDegrees(WEST + x, NORTH - y);
  const [first, last] = [5, size - 5];
  const ring = [at(first, first), at(first, last), at(last, last), at(last, first), at(first, first)];
  return { type: "Polygon" as const, coordinates: [ring] };
};

async function byStatistics(size: number): Promise<readonly (number | null)[]> {
  const request = StatisticsOfArea.parse({
    input: { bounds: { geometry: square(size) }, data: [{ type: "sentinel-2-l2a" }] },
    aggregation: {
      timeRange: { from: "2024-01-01", to: "2024-12-31" },
      aggregationInterval: { of: "P1M" },
    },
    expression: "(B08 - B04) / (B08 + B04)",
    // a graph has no mask of its own
    cloudMask: { exclude: [] },
  });
  const parts = { catalog, angles: NO_ANGLES, renderer, registry, now };
  const { intervals } = await (await prepare(parts, statisticsRequest(request), options)).run(options);
  return intervals.map(({ outputs }) => outputs[0]?.mean ?? null);
}

async function byGraph(size: number): Promise<readonly (number | null)[]> {
  const graph = {
    load: {
      process_id: "load_collection",
      arguments: {
        id: "sentinel-2-l2a",
        spatial_extent: null,
        temporal_extent: ["2024-01-01", "2025-01-01"],
        bands: ["B04", "B08"],
      },
    },
    ndvi: { process_id: "ndvi", arguments: { data: { from_node: "load" } } },
    mean: {
      process_id: "aggregate_spatial",
      arguments: {
        data: { from_node: "ndvi" },
        geometries: square(size),
        reducer: {
          process_graph: {
            mean: { process_id: "mean", arguments: { data: { from_parameter: "data" } }, result: true },
          },
        },
      },
    },
    save: { process_id: "save_result", arguments: { data: { from_node: "mean" }, format: "JSON" }, result: true },
  };
  const results = openResultFolder(directory);
  const request: GraphRequest = {
    where: { kind: "graph" },
    when: {},
    what: { graph: { nodes: graph } },
    into: { kind: "graph" },
  };
  const parts = { catalog, registry, renderer, results, now };
  const { content } = await (await prepare(parts, request, options)).run(options);
  const rows = JSON.parse(new TextDecoder().decode("bytes" in content ? content.bytes : undefined)) as object;
  return Object.values(rows).map(([[value]]) => value);
}

const compute = by === "openeo" ? byGraph : byStatistics;
try {
  // at rest everything is loaded and has been used once
  await compute(2000);
  const rest = process.memoryUsage.rss();
  let values: readonly (number | null)[] = [];
  const runs = [];
  for (let round = 0; round < ROUNDS; round++) {
    runs.push(
      await measure(async () => {
        values = await compute(10 * SIDE);
        return 0;
      }),
    );
  }
  console.log(JSON.stringify({ runs, peak: peakMemory(), rest, values }));
} finally {
  await renderer.close();
}
