import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createGeoTiffWriter } from "../../packages/encode/src/index.ts";
import { fileSink, fileSpool, nodeDeflate } from "../../packages/encode/src/node.ts";
import { type Grid, gridBbox, gridFromBounds } from "../../packages/raster/src/index.ts";
import { writeItems } from "./archive.ts";
import { SCENE_GRID, SIDE } from "./plan.ts";

/** Overpasses of the series, and the days that they span. */
export const OVERPASSES = { sentinel: 400, landsat: 200, days: 5 * 365 } as const;
const DAY_MS = 86_400_000;

/** Ground of the scenes in pixels of another size. */
function gridOf(side: number, pixel: number): Grid {
  const [left, top] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  return gridFromBounds(SCENE_GRID.crs, [left, top - side * pixel, left + side * pixel, top], side, side);
}

interface SeriesFile {
  readonly name: string;
  readonly grid: Grid;
  readonly sampleType: "uint8" | "uint16";
  readonly blockSize: number;
  /** Returns the sample of a pixel, made of its column, its row and 8 bits of noise. */
  readonly sample: (x: number, y: number, noise: number) => number;
}

/** Files as archives have them: Sentinel-2's classes at 20 m, Landsat's bands and bits at 30 m in blocks of 256. */
const FILES: readonly SeriesFile[] = [
  {
    name: "series-SCL",
    grid: gridOf(SIDE / 2, 20),
    sampleType: "uint8",
    blockSize: 1024,
    sample: (x, y) => (((x >> 6) + (y >> 6)) % 9 === 0 ? 5 : 4),
  },
  ...["red", "nir08"].map(
    (name, i): SeriesFile => ({
      name: `series-${name}`,
      grid: gridOf(7680, 30),
      sampleType: "uint16",
      blockSize: 256,
      sample: (x, y, noise) => 9000 + 6000 * i + 12 * ((x >> 4) % 40) + 9 * ((y >> 4) % 50) + noise,
    }),
  ),
  {
    name: "series-qa",
    grid: gridOf(7680, 30),
    sampleType: "uint16",
    blockSize: 256,
    sample: () => 21_824,
  },
];

/** Data directory of a service whose archive has files at `origin`, each under an address of its own. */
export async function seriesService(directory: string, origin: string, run: string): Promise<string> {
  for (const file of FILES) {
    const path = join(directory, `${file.name}.tif`);
    if (!existsSync(path)) await makeFile(file, path);
  }
  const service = join(directory, "series");
  await mkdir(service, { recursive: true });
  const now = new Date();
  const times = (count: number, daysAgo: number): Date[] =>
    Array.from(
      { length: count },
      (_, i) => new Date(now.getTime() - (daysAgo + (i * OVERPASSES.days) / count) * DAY_MS),
    );
  await writeItems(service, now, {
    "sentinel-2-c1-l2a": times(OVERPASSES.sentinel, 10).map((time, i) =>
      sentinelItem(time, i, `${origin}/${run}-s${i}`),
    ),
    "landsat-c2-l2": times(OVERPASSES.landsat, 12).map((time, i) => landsatItem(time, i, `${origin}/${run}-l${i}`)),
  });
  return service;
}

async function makeFile({ name, grid, sampleType, blockSize, sample }: SeriesFile, path: string): Promise<void> {
  const sink = await fileSink(path);
  const { width, height } = grid;
  const options = {
    blockSize,
    overviews: [2, 4, 8],
    overviewResampling: "nearest",
    nodata: 0,
    predictor: 2,
    level: 6,
    deflate: nodeDeflate,
    spool: fileSpool(),
  } as const;
  const writer = await createGeoTiffWriter({ grid, sampleType, bandCount: 1 }, sink, options);
  const valid = new Uint8Array(width * blockSize).fill(1);
  let state = name.length;
  for (let top = 0; top < height; top += blockSize) {
    const rows = Math.min(blockSize, height - top);
    const band = sampleType === "uint8" ? new Uint8Array(width * rows) : new Uint16Array(width * rows);
    for (let i = 0; i < band.length; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      band[i] = sample(i % width, top + Math.floor(i / width), state >>> 24);
    }
    await writer.write({ bands: [band], valid: valid.subarray(0, band.length) });
  }
  await writer.finish();
}

interface Asset {
  readonly href: string;
  readonly type: string;
}

const file = (href: string, facts: object): Asset => ({
  href,
  type: "image/tiff; application=geotiff; profile=cloud-optimized",
  ...facts,
});

function item(id: string, collection: string, grid: Grid, time: Date, properties: object, assets: object): object {
  const [west, south, east, north] = gridBbox(grid);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const datetime = time.toISOString();
  return {
    type: "Feature",
    stac_version: "1.0.0",
    stac_extensions: [],
    id,
    collection,
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [west, south, east, north],
    links: [],
    properties: {
      datetime,
      created: datetime,
      updated: datetime,
      "eo:cloud_cover": 3,
      "proj:epsg": 32633,
      ...properties,
    },
    assets,
  };
}

const day = (time: Date): string => time.toISOString().slice(0, 10).replaceAll("-", "");

function sentinelItem(time: Date, i: number, base: string): object {
  const facts = { "raster:bands": [{ nodata: 0, data_type: "uint16", spatial_resolution: 10 }] };
  return item(
    `S2${"AB"[i % 2]}_T33UVR_${day(time)}T${String(100_000 + i).padStart(6, "0")}_L2A`,
    "sentinel-2-c1-l2a",
    SCENE_GRID,
    time,
    {
      platform: i % 2 === 0 ? "sentinel-2a" : "sentinel-2b",
      constellation: "sentinel-2",
      instruments: ["msi"],
      "grid:code": "MGRS-33UVR",
      "s2:mgrs_tile": "33UVR",
      "s2:processing_baseline": "05.11",
    },
    {
      red: file(`${base}/s1-B04.tif`, facts),
      nir08: file(`${base}/s1-B08.tif`, facts),
      scl: file(`${base}/series-SCL.tif`, {}),
    },
  );
}

function landsatItem(time: Date, i: number, base: string): object {
  const facts = { "raster:bands": [{ scale: 0.0000275, offset: -0.2, nodata: 0, data_type: "uint16" }] };
  return item(
    `LC0${8 + (i % 2)}_L2SP_191025_${day(time)}_02_T1`,
    "landsat-c2-l2",
    gridOf(7680, 30),
    time,
    {
      platform: i % 2 === 0 ? "landsat-8" : "landsat-9",
      instruments: ["oli", "tirs"],
      "landsat:wrs_path": "191",
      "landsat:wrs_row": String(25),
      "landsat:collection_category": "T1",
    },
    {
      red: file(`${base}/series-red.tif`, facts),
      nir08: file(`${base}/series-nir08.tif`, facts),
      qa_pixel: file(`${base}/series-qa.tif`, {}),
    },
  );
}
