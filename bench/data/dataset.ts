import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { gridBbox } from "../../packages/raster/src/index.ts";
import { DEFAULT_SEED, SANDBOX_VERSION } from "../../packages/sandbox/src/plan.ts";
import { planScenes } from "../../packages/sandbox/src/scenes.ts";
import {
  BANDS,
  bandPath,
  FILES,
  type FilePlan,
  POINT_FILES,
  pointPath,
  SCENE_GRID,
  SCENES,
  SIDE,
  visualPath,
} from "./plan.ts";

/** Raised when the files would come out differently. */
const VERSION = 1;

export interface Dataset {
  readonly directory: string;
  /** Bytes of decoded level 0 per byte of the whole file, by file. */
  readonly ratios: Readonly<Record<string, number>>;
}

/** Makes the benchmark's archive in a folder that is kept between runs: about 2.6 GB, a minute on two cores. */
export async function makeDataset(print: (line: string) => void): Promise<Dataset> {
  const root = process.env.SWATH_BENCH_DIR ?? join(tmpdir(), "swath-bench");
  const directory = join(root, `v${VERSION}`);
  await mkdir(join(directory, "points"), { recursive: true });
  const missing = FILES.filter((plan) => !existsSync(join(directory, `${plan.name}.tif`)));
  if (missing.length > 0) {
    print(`Making ${missing.length} files of ${SIDE} × ${SIDE} in ${directory} ...`);
    for (const name of await readdir(directory)) if (name.endsWith(".part")) await rm(join(directory, name));
    const queue = [...missing];
    const work = async (): Promise<void> => {
      for (let plan = queue.shift(); plan !== undefined; plan = queue.shift()) {
        const start = performance.now();
        await makeFile(plan, join(directory, `${plan.name}.tif`));
        print(`  ${plan.name}.tif  ${((performance.now() - start) / 1000).toFixed(1)} s`);
      }
    };
    await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  }
  for (const scene of SCENES.slice(2)) await link("s2-TCI.tif", visualPath(directory, scene));
  for (let i = 0; i < POINT_FILES; i++) await link(`../s1-${BANDS[i % BANDS.length]}.tif`, pointPath(directory, i));
  await writeArchive(directory);
  const ratios: Record<string, number> = {};
  for (const { name, kind } of FILES) {
    const { size } = await stat(join(directory, `${name}.tif`));
    // overviews add a third
    ratios[name] = (SIDE * SIDE * (kind === "visual" ? 3 : 2) * 1.33) / size;
  }
  return { directory, ratios };
}

function makeFile(plan: FilePlan, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./file-worker.ts", import.meta.url), { workerData: { plan, path } });
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
}

async function link(target: string, path: string): Promise<void> {
  if (!existsSync(path)) await symlink(target, path);
}

/** Data directory of a service that takes the benchmark's archive for its own synthetic one. */
export const serviceDirectory = (directory: string): string => join(directory, "service");

/** An archive of six days of one tile, the newest and clearest covering all of it. */
async function writeArchive(directory: string): Promise<void> {
  const archive = join(serviceDirectory(directory), "sandbox");
  const today = new Date();
  const now = today.toISOString().slice(0, 10);
  await mkdir(join(archive, "items"), { recursive: true });
  await link("../..", join(archive, "files"));
  const lines = SCENES.map((scene, i) => JSON.stringify(itemOf(scene, i, today)));
  await writeFile(join(archive, "items", "sentinel-2-c1-l2a.ndjson"), `${lines.join("\n")}\n`);
  const info = {
    type: "swath-sandbox-archive",
    version: SANDBOX_VERSION,
    seed: DEFAULT_SEED,
    now,
    collections: ["sentinel-2-c1-l2a"],
    frames: [...new Set(planScenes(today).map(({ frame }) => frame))],
    items: SCENES.length,
    bytes: 0,
  };
  await writeFile(join(archive, "archive.json"), JSON.stringify(info));
}

/** An item as Earth Search sends it. */
function itemOf(scene: (typeof SCENES)[number], i: number, today: Date): object {
  const [west, south, east, north] = gridBbox(SCENE_GRID);
  const [x, y] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const datetime = new Date(today.getTime() - (i + 2) * 86_400_000).toISOString();
  const file = (href: string, data_type: string, bands: number) => ({
    href,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    "proj:shape": [SIDE, SIDE],
    "proj:transform": [10, 0, x, 0, -10, y],
    "raster:bands": Array.from({ length: bands }, () => ({ nodata: 0, data_type, spatial_resolution: 10 })),
  });
  const band = (name: (typeof BANDS)[number]) => file(bandPath("files", name), "uint16", 1);
  return {
    type: "Feature",
    stac_version: "1.0.0",
    stac_extensions: [],
    id: `S2A_T33UVR_${datetime.slice(0, 10).replaceAll("-", "")}T100031_L2A`,
    collection: "sentinel-2-c1-l2a",
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [west, south, east, north],
    links: [],
    properties: {
      datetime,
      created: datetime,
      updated: datetime,
      platform: "sentinel-2a",
      constellation: "sentinel-2",
      instruments: ["msi"],
      "eo:cloud_cover": i,
      "proj:epsg": 32633,
      "grid:code": "MGRS-33UVR",
      "s2:processing_baseline": "05.11",
    },
    assets: {
      visual: file(visualPath("files", scene), "uint8", 3),
      red: band("B04"),
      green: band("B03"),
      blue: band("B02"),
      nir: band("B08"),
    },
  };
}
