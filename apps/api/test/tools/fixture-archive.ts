import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gdalInfo } from "./gdal.ts";

interface FixtureScene {
  readonly id: string;
  readonly collection: "sentinel-2-c1-l2a" | "landsat-c2-l2";
  readonly datetime: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Upstream asset key to a file below the fixture folder. */
  readonly files: Readonly<Record<string, string>>;
}

const S2 = "cog/sentinel-2-l2a";
const LANDSAT = "cog/landsat-c2-l2";
const S2_KEYS = {
  coastal: "B01",
  blue: "B02",
  green: "B03",
  red: "B04",
  rededge1: "B05",
  rededge2: "B06",
  rededge3: "B07",
  nir: "B08",
  nir08: "B8A",
  nir09: "B09",
  swir16: "B11",
  swir22: "B12",
  scl: "SCL",
  aot: "AOT",
};
const SR_KEYS = {
  coastal: "SR_B1",
  blue: "SR_B2",
  green: "SR_B3",
  red: "SR_B4",
  nir08: "SR_B5",
  swir16: "SR_B6",
  swir22: "SR_B7",
  lwir11: "ST_B10",
  qa_pixel: "QA_PIXEL",
};

function landsat(id: string, keys: readonly (keyof typeof SR_KEYS)[]): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, `${LANDSAT}/${id}/${id}_${SR_KEYS[key]}.TIF`]));
}

const SOME = ["red", "nir08", "lwir11", "qa_pixel"] as const;

const SCENES: readonly FixtureScene[] = [
  {
    id: "S2A_29RKH_20200219_0_L2A",
    collection: "sentinel-2-c1-l2a",
    datetime: "2020-02-19T11:21:08Z",
    properties: { platform: "sentinel-2a", "s2:processing_baseline": "02.14" },
    files: Object.fromEntries(
      Object.entries(S2_KEYS).map(([key, band]) => [key, `${S2}/S2A_29RKH_20200219_0_L2A/${band}.tif`]),
    ),
  },
  {
    id: "S2A_T32TLS_20220618_L2A",
    collection: "sentinel-2-c1-l2a",
    datetime: "2022-06-18T10:26:00Z",
    properties: { platform: "sentinel-2a", "s2:processing_baseline": "04.00" },
    files: { coastal: `${S2}/baseline-04.00-T32TLS-20220618-B01-60m.c1-layout.tif` },
  },
  {
    id: "S2B_T36_20230101_L2A",
    collection: "sentinel-2-c1-l2a",
    datetime: "2023-01-01T08:20:00Z",
    properties: { platform: "sentinel-2b", "s2:processing_baseline": "05.09" },
    files: { red: `${S2}/T36-sudan-native-10m-B04.tif`, nir: `${S2}/T36-sudan-native-10m-B08.tif` },
  },
  {
    id: "LC08_L2SP_001062_20201031_02_T2",
    collection: "landsat-c2-l2",
    datetime: "2020-10-31T14:29:51Z",
    properties: { platform: "landsat-8" },
    files: landsat("LC08_L2SP_001062_20201031_20201106_02_T2", Object.keys(SR_KEYS) as (keyof typeof SR_KEYS)[]),
  },
  {
    id: "LC08_L2SP_008059_20191201_02_T1",
    collection: "landsat-c2-l2",
    datetime: "2019-12-01T15:12:00Z",
    properties: { platform: "landsat-8" },
    files: landsat("LC08_L2SP_008059_20191201_20200825_02_T1", SOME),
  },
  {
    id: "LC08_L2SR_099120_20191129_02_T2",
    collection: "landsat-c2-l2",
    datetime: "2019-11-29T00:00:00Z",
    properties: { platform: "landsat-8" },
    files: landsat("LC08_L2SR_099120_20191129_20201016_02_T2", ["red", "nir08", "qa_pixel"]),
  },
  {
    id: "LC09_L2SP_086023_20220101_02_T1",
    collection: "landsat-c2-l2",
    datetime: "2022-01-01T23:00:00Z",
    properties: { platform: "landsat-9" },
    files: { qa_pixel: `${LANDSAT}/QA_PIXEL-across-dateline-utm60.tif` },
  },
];

type Position = readonly [number, number];

/** The outline that GDAL gives, cut at the antimeridian where it crosses it (RFC 7946, 3.1.9). */
function cut(ring: readonly Position[]): unknown {
  const lons = ring.map(([lon]) => lon);
  if (Math.max(...lons) - Math.min(...lons) < 180) return { type: "Polygon", coordinates: [ring] };
  const lats = ring.map(([, lat]) => lat);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const west = Math.min(...lons.filter((lon) => lon > 0));
  const east = Math.max(...lons.filter((lon) => lon < 0));
  const box = (a: number, b: number): Position[][] => [
    [
      [a, south],
      [b, south],
      [b, north],
      [a, north],
      [a, south],
    ],
  ];
  return { type: "MultiPolygon", coordinates: [box(west, 180), box(-180, east)] };
}

/** Writes an archive of real scenes in `directory`: items in the upstream's shape over links to the fixtures. */
export async function makeFixtureArchive(fixtures: string, directory: string): Promise<void> {
  await mkdir(join(directory, "items"), { recursive: true });
  await mkdir(join(directory, "assets"));
  for (const folder of await readdir(join(fixtures, "cog"))) {
    await symlink(join(fixtures, "cog", folder), join(directory, "assets", folder));
  }
  const lines = new Map<string, string[]>();
  for (const scene of SCENES) {
    const files = Object.entries(scene.files);
    const info = await gdalInfo(join(fixtures, files[0]?.[1] ?? ""));
    const ring = info.wgs84Extent?.coordinates[0] ?? [];
    const geometry = cut(ring);
    const lons = ring.map(([lon]) => lon);
    const lats = ring.map(([, lat]) => lat);
    const wraps = (geometry as { type: string }).type === "MultiPolygon";
    const west = wraps ? Math.min(...lons.filter((lon) => lon > 0)) : Math.min(...lons);
    const east = wraps ? Math.max(...lons.filter((lon) => lon < 0)) : Math.max(...lons);
    const item = {
      type: "Feature",
      stac_version: "1.0.0",
      stac_extensions: [],
      id: scene.id,
      collection: scene.collection,
      geometry,
      bbox: [west, Math.min(...lats), east, Math.max(...lats)],
      properties: { datetime: scene.datetime, "eo:cloud_cover": 10, ...scene.properties },
      links: [],
      assets: Object.fromEntries(
        files.map(([key, path]) => [
          key,
          {
            href: path.replace(/^cog\//, "assets/"),
            type: "image/tiff; application=geotiff; profile=cloud-optimized",
            roles: ["data"],
          },
        ]),
      ),
    };
    lines.set(scene.collection, [...(lines.get(scene.collection) ?? []), JSON.stringify(item)]);
  }
  for (const [collection, items] of lines) {
    await writeFile(join(directory, "items", `${collection}.ndjson`), `${items.join("\n")}\n`);
  }
}

/** The items of an archive as the upstream sends them. */
export async function upstreamItems(directory: string): Promise<Map<string, UpstreamItem>> {
  const items = new Map<string, UpstreamItem>();
  for (const name of await readdir(join(directory, "items"))) {
    for (const line of (await readFile(join(directory, "items", name), "utf8")).split("\n")) {
      if (line === "") continue;
      const item = JSON.parse(line) as UpstreamItem;
      items.set(item.id, item);
    }
  }
  return items;
}

export interface UpstreamItem {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly title?: string }>>;
}
