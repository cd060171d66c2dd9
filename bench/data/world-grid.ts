import { existsSync } from "node:fs";
import { link, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFiles, type PlannedFile } from "./dataset.ts";
import type { FileLayout } from "./plan.ts";

/** Degrees of a pixel: one minute of arc. */
const PIXEL = 1 / 60;
const WEST = -(179 + 50 / 60);
const NORTH = 89 + 50 / 60;
const BLOCK = 512;
/** Pixels of the columns and rows of files, which divide 21580 × 10780 into pieces of at most 5000 × 5000. */
const COLUMNS = [5000, 5000, 5000, 5000, 1580] as const;
const ROWS = [5000, 5000, 780] as const;

const DAY_MS = 86_400_000;

/** One file of the grid. */
export interface GridFile {
  readonly name: string;
  readonly layout: FileLayout;
}

/** Fifteen files that cover the world without overlap, as those of the public `titiler-benchmark` do. */
export const GRID_FILES: readonly GridFile[] = COLUMNS.flatMap((width, column) =>
  ROWS.map((height, row) => {
    const [west, north] = [WEST + 5000 * column * PIXEL, NORTH - 5000 * row * PIXEL];
    const bounds = [west, north - height * PIXEL, west + width * PIXEL, north] as const;
    return { name: `world_${column}_${row}`, layout: { crs: "EPSG:4326", bounds, width, height, blockSize: BLOCK } };
  }),
);

/** Makes the files of the grid in a folder that is kept, unless they are there: 0.6 GB. */
export async function makeGrid(directory: string, print: (line: string) => void): Promise<string> {
  const content = join(directory, "world-files");
  await mkdir(content, { recursive: true });
  const planned = GRID_FILES.map(
    ({ name, layout }, i): PlannedFile => ({
      plan: { name, kind: "visual", shift: 211 + 97 * i, filled: 1 },
      layout,
      path: join(content, `${name}.tif`),
    }),
  );
  await makeFiles(
    planned.filter(({ path }) => !existsSync(path)),
    print,
  );
  return content;
}

/** The collection of a folder of {@link gridFolder}. */
export const GRID_COLLECTION = "world";

/** The day of a copy of the grid. */
export const gridDay = (copy: number): string =>
  new Date(Date.UTC(2021, 0, 1) + copy * DAY_MS).toISOString().slice(0, 10);

/**
 * Makes a folder of one collection in which the grid is there on so many days. Copies are hard links: the same bytes, and other files
 * to whoever opens them.
 */
export async function gridFolder(content: string, folder: string, copies: number): Promise<void> {
  for (let copy = 0; copy < copies; copy++) {
    const day = join(folder, gridDay(copy));
    await mkdir(day, { recursive: true });
    for (const { name } of GRID_FILES) await link(join(content, `${name}.tif`), join(day, `${name}.tif`));
  }
  await writeFile(join(folder, "world.json"), JSON.stringify(COLLECTION_FILE));
}

const COLLECTION_FILE = {
  id: GRID_COLLECTION,
  title: "World",
  description: "A generated image of the world in three bands of bytes.",
  license: "other",
  licenseLink: { href: "https://spdx.org/licenses/", title: "Not stated", type: "text/html" },
  providers: [],
  attribution: "Generated",
  start: "2021-01-01T00:00:00Z",
  defaultTime: "all",
  upstream: {
    name: "archive",
    collection: GRID_COLLECTION,
    absentProperties: ["eo:cloud_cover"],
    assets: { data: "data" },
    files: [{ path: "{date}/world_{column}_{row}.tif" }],
  },
  bands: ["b1", "b2", "b3"].map((name, i) => ({
    name,
    asset: "data",
    index: i + 1,
    kind: "ancillary",
    description: `Band ${i + 1} as it is stored`,
    gsd: 1852,
    dataType: "uint8",
    scale: 1,
    offset: 0,
    nodata: 0,
    unit: "DN",
  })),
  pseudoBands: ["dataMask"],
  units: ["DN"],
  processUnits: ["DN"],
  defaultUnits: "DN",
  harmonize: { default: "none", levels: { none: "Values as they are stored." } },
  zoom: { min: 0, max: 7 },
  recipes: { "true-color": { assets: ["data"], minzoom: 0, maxzoom: 7 } },
};
