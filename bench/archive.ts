/**
 * A folder of 100,000 items as an upstream: the costs of the first and the second start, memory, and searches.
 *
 *   node --conditions=@swath/source --expose-gc bench/archive.ts [items]
 */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchiveOf } from "../apps/api/src/open/own-archive.ts";
import { type ItemQuery, parseDatetime, parseQuery } from "../packages/query/src/index.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const SEARCHES = 300;
const BANDS = ["blue", "green", "red", "rededge1", "rededge2", "rededge3", "nir", "nir08", "swir16", "swir22", "scl"];

/** Numbers from 0 to 1, the same in each run (Park and Miller 1988). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const next = random(7);

/** An item of Sentinel-2 somewhere on land or sea, 2016 to 2025, with files beside it. */
function item(i: number): object {
  const [west, south] = [next() * 358 - 179, next() * 140 - 70];
  const ring = [
    [west, south],
    [west + 1.2, south + 0.02],
    [west + 1.18, south + 1],
    [west - 0.02, south + 0.98],
    [west, south],
  ];
  const datetime = new Date(Date.UTC(2016, 0, 1) + Math.floor(next() * 3.15e11)).toISOString();
  const id = `S2A_T${String(i).padStart(6, "0")}_${datetime.slice(0, 10).replaceAll("-", "")}_L2A`;
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection: "sentinel-2-c1-l2a",
    bbox: [west - 0.02, south, west + 1.2, south + 1],
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: {
      datetime,
      platform: "sentinel-2a",
      instruments: ["msi"],
      "eo:cloud_cover": Number((next() * 100).toFixed(3)),
      "view:sun_elevation": 20 + next() * 50,
      "s2:processing_baseline": "05.10",
      "mgrs:utm_zone": 33,
      "mgrs:latitude_band": "U",
      "mgrs:grid_square": "UP",
      "proj:epsg": 32633,
      created: datetime,
    },
    assets: Object.fromEntries(
      BANDS.map((key) => [
        key,
        {
          href: `files/${id}/${key}.tif`,
          type: "image/tiff; application=geotiff; profile=cloud-optimized",
          "proj:shape": [10_980, 10_980],
          "proj:transform": [10, 0, 300_000, 0, -10, 5_000_000],
          "raster:bands": [{ nodata: 0, data_type: "uint16", scale: 0.0001, offset: -0.1 }],
        },
      ]),
    ),
  };
}

function rss(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1e6;
}

const work = await mkdtemp(join(tmpdir(), "swath-bench-archive-"));
const folder = join(work, "folder");
await mkdir(folder);
const out = createWriteStream(join(folder, "items.ndjson"));
for (let i = 0; i < COUNT; i++) if (!out.write(`${JSON.stringify(item(i))}\n`)) await once(out, "drain");
out.end();
await once(out, "finish");
const { size } = await stat(join(folder, "items.ndjson"));

const environment = {
  archive: { path: folder, pollSeconds: 0 },
  dataDir: work,
  upstreams: {},
  profile: "full" as const,
};

async function start(name: string) {
  const before = rss();
  const started = performance.now();
  const archive = await openArchiveOf(environment);
  if (archive === undefined) throw new Error("Expected an archive.");
  const seconds = (performance.now() - started) / 1000;
  console.log(`${name}: ${seconds.toFixed(1)} s, ${archive.catalog.size} items, RSS +${Math.round(rss() - before)} MB`);
  return archive;
}

console.log(`${COUNT} items, ${Math.round(size / 1e6)} MB of NDJSON`);
if (process.argv.includes("second")) {
  (await start("first start")).close();
}
const before = rss();
const archive = await start("start");
console.log(`index: ${Math.round(archive.catalog.bytes / 1e6)} MB of arrays`);

const filterOf = (cloud: number) => parseQuery({ "eo:cloud_cover": { lte: cloud } }, { in: "body", pointer: "/query" });

async function measure(name: string, query: (i: number) => ItemQuery): Promise<void> {
  const times: number[] = [];
  let found = 0;
  for (let i = 0; i < SEARCHES; i++) {
    const asked = query(i);
    const started = performance.now();
    found += (await archive.catalog.search(asked)).numberMatched ?? 0;
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1);
  const matched = Math.round(found / SEARCHES);
  console.log(`${name}: p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)} ms (${matched} matched on average)`);
}

const collections = ["sentinel-2-l2a"];
const cloud = [{ field: "eo:cloud_cover", direction: "asc" as const }];
const box = (width: number, height: number) => {
  const [west, south] = [next() * (360 - width) - 180, next() * (150 - height) - 75];
  return [west, south, west + width, south + height] as const;
};
const year = (i: number) => parseDatetime(`${2016 + (i % 9)}-01-01T00:00:00Z/${2017 + (i % 9)}-12-31T00:00:00Z`);
const square = ([west, south, east, north]: readonly [number, number, number, number]) => ({
  type: "Polygon" as const,
  coordinates: [
    [
      [west, south],
      [east, south],
      [(west + east) / 2, north],
      [west, south],
    ] as [number, number][],
  ],
});
await archive.catalog.search({ collections, sortby: cloud, limit: 1 });
await measure("box of 10 degrees, two years, cloud cover, by cloud cover", (i) => ({
  collections,
  bbox: box(10, 10),
  datetime: year(i),
  filter: filterOf(40),
  sortby: cloud,
  limit: 100,
}));
await measure("box of 120 x 60 degrees, two years, cloud cover, by cloud cover", (i) => ({
  collections,
  bbox: box(120, 60),
  datetime: year(i),
  filter: filterOf(40),
  sortby: cloud,
  limit: 100,
}));
await measure("the world, cloud cover, by cloud cover", (i) => ({
  collections,
  bbox: [-180, -90, 180, 90],
  filter: filterOf(20 + (i % 60) + i / 1000),
  sortby: cloud,
  limit: 100,
}));
await measure("triangle of 20 degrees, newest first", () => ({
  collections,
  intersects: square(box(20, 20)),
  sortby: [],
  limit: 100,
}));
await measure("no condition, 1,000 items, newest first", (i) => ({
  collections,
  filter: filterOf(99 + i / 1000),
  sortby: [],
  limit: 1000,
}));
console.log(`after searches: RSS +${Math.round(rss() - before)} MB`);
archive.close();
await rm(work, { recursive: true, force: true });
