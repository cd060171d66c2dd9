import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gridBbox } from "../../packages/raster/src/index.ts";
import { DEFAULT_SEED, SANDBOX_VERSION } from "../../packages/sandbox/src/scenes/plan.ts";
import { planScenes } from "../../packages/sandbox/src/scenes/scenes.ts";
import { BANDS, linkedBands, SCENE_GRID, SCENES, SIDE, visualPath } from "./plan.ts";

export async function link(target: string, path: string): Promise<void> {
  if (!existsSync(path)) await symlink(target, path);
}

/** Data directory of a service that takes the benchmark's archive for its own synthetic one. */
export const serviceDirectory = (directory: string): string => join(directory, "service");

/** Scenes of the archive from the newest to the oldest: two mosaics of six, the first of which has a complete scene on top. */
const ITEM_SCENES = [...SCENES, "s2", "s1", ...SCENES.slice(2)] as const;
const DAY_MS = 86_400_000;
/** Days between the two mosaics. */
const APART = 30;

/** Times of the archive's scenes, RFC 3339. */
export interface ArchiveTimes {
  /**
   * The time of each scene, newest first; the first has the bands of `bandPath`, the others files that only they have.
   */
  readonly scenes: readonly string[];
  /** Interval of six scenes, of which the top one covers everything. */
  readonly mosaic: string;
  /** Interval of six scenes, of which the top one covers half and the next one everything. */
  readonly mosaicEdge: string;
}

export async function archiveTimes(directory: string): Promise<ArchiveTimes> {
  const items = await readFile(itemsPath(directory), "utf8");
  const scenes = items
    .trim()
    .split("\n")
    .map((line) => String(JSON.parse(line).properties.datetime));
  const interval = (first: number, last: number): string => `${scenes[last]}/${scenes[first]}`;
  const count = SCENES.length;
  return { scenes, mosaic: interval(0, count - 1), mosaicEdge: interval(count, 2 * count - 1) };
}

const itemsPath = (directory: string): string =>
  join(serviceDirectory(directory), "sandbox/items/sentinel-2-c1-l2a.ndjson");

/** Writes the items of the archive, dated by today: a service takes it for its own synthetic one. */
export async function writeArchive(directory: string): Promise<void> {
  const today = new Date();
  await mkdir(join(serviceDirectory(directory), "sandbox"), { recursive: true });
  await link("../..", join(serviceDirectory(directory), "sandbox", "files"));
  await writeItems(serviceDirectory(directory), today, {
    "sentinel-2-c1-l2a": ITEM_SCENES.map((_, i) => itemOf(i, today)),
  });
}

/** A data directory whose archive has the items of the benchmark's, with files at another address. */
export async function farDirectory(directory: string, address: string): Promise<string> {
  const service = join(directory, "far");
  const items = (await readFile(itemsPath(directory), "utf8")).replaceAll('"href":"files/', `"href":"${address}/`);
  const parsed = items
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  await writeItems(service, new Date(), { "sentinel-2-c1-l2a": parsed });
  return service;
}

/** A data directory whose archive has so many scenes of one place, a day apart, and the interval that holds them. */
export async function manyScenes(
  directory: string,
  count: number,
): Promise<{ readonly service: string; readonly interval: string }> {
  const service = join(directory, `scenes-${count}`);
  const [line = ""] = (await readFile(itemsPath(directory), "utf8")).split("\n");
  const newest = JSON.parse(line) as { readonly id: string; readonly properties: { readonly datetime: string } };
  const times = Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(newest.properties.datetime) - i * DAY_MS).toISOString(),
  );
  const items = times.map((datetime) => ({
    ...newest,
    id: `S2A_T33UVR_${datetime.slice(0, 10).replaceAll("-", "")}T100031_L2A`,
    properties: { ...newest.properties, datetime, created: datetime, updated: datetime },
  }));
  await writeItems(service, new Date(), { "sentinel-2-c1-l2a": items });
  await link("../..", join(service, "sandbox", "files"));
  return { service, interval: `${times.at(-1)}/${times[0]}` };
}

/** Writes items by upstream collection into the data directory of a service, which takes them for its synthetic archive. */
export async function writeItems(
  service: string,
  today: Date,
  items: Readonly<Record<string, readonly object[]>>,
): Promise<void> {
  const archive = join(service, "sandbox");
  await mkdir(join(archive, "items"), { recursive: true });
  for (const [collection, own] of Object.entries(items)) {
    const lines = own.map((item) => JSON.stringify(item));
    await writeFile(join(archive, "items", `${collection}.ndjson`), `${lines.join("\n")}\n`);
  }
  const info = {
    type: "swath-sandbox-archive",
    version: SANDBOX_VERSION,
    seed: DEFAULT_SEED,
    now: today.toISOString().slice(0, 10),
    collections: Object.keys(items),
    frames: [...new Set(planScenes(today).map(({ frame }) => frame))],
    items: Object.values(items).flat().length,
    bytes: 0,
  };
  await writeFile(join(archive, "archive.json"), JSON.stringify(info));
}

/** An item as Earth Search sends it. @param i its number, newest first */
function itemOf(i: number, today: Date): object {
  const place = i % SCENES.length; // in its mosaic: the less cloud the further on top
  const [west, south, east, north] = gridBbox(SCENE_GRID);
  const [x, y] = [SCENE_GRID.transform[2], SCENE_GRID.transform[5]];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const daysAgo = place + 2 + (i < SCENES.length ? 0 : APART);
  const datetime = new Date(today.getTime() - daysAgo * DAY_MS).toISOString();
  const file = (href: string, data_type: string, bands: number) => ({
    href,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    "proj:shape": [SIDE, SIDE],
    "proj:transform": [10, 0, x, 0, -10, y],
    "raster:bands": Array.from({ length: bands }, () => ({ nodata: 0, data_type, spatial_resolution: 10 })),
  });
  const names = i === 0 ? BANDS.map((band) => `s1-${band}`) : linkedBands(i - 1);
  const [red, green, blue, nir] = names.map((name) => file(`files/${name}.tif`, "uint16", 1));
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
      "eo:cloud_cover": place,
      "proj:epsg": 32633,
      "grid:code": "MGRS-33UVR",
      "s2:processing_baseline": "05.11",
    },
    assets: {
      visual: file(visualPath("files", ITEM_SCENES[i]!), "uint8", 3),
      red,
      green,
      blue,
      nir,
    },
  };
}
