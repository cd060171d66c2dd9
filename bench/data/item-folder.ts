import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

const BANDS = ["blue", "green", "red", "nir"];

/** Numbers from 0 to 1, the same in each run (Park and Miller 1988). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The id of an item of such a folder. */
export const itemId = (i: number): string => `S2A_T${String(i).padStart(7, "0")}_L2A`;

/** Makes a folder of that many items in a file of lines, unless it is there. */
export async function itemFolder(directory: string, count: number): Promise<string> {
  const folder = join(directory, `items-${count}`);
  const path = join(folder, "items.ndjson");
  if (existsSync(path)) return folder;
  await mkdir(folder, { recursive: true });
  const next = random(7);
  const out = createWriteStream(`${path}.part`);
  for (let i = 0; i < count; i++) if (!out.write(`${JSON.stringify(itemOf(i, next))}\n`)) await once(out, "drain");
  out.end();
  await once(out, "finish");
  await rename(`${path}.part`, path);
  return folder;
}

/** An item of Sentinel-2 somewhere on land or sea, 2016 to 2025, with files beside it. */
function itemOf(i: number, next: () => number): object {
  const [west, south] = [next() * 358 - 179, next() * 140 - 70];
  const ring = [
    [west, south],
    [west + 1.2, south + 0.02],
    [west + 1.18, south + 1],
    [west - 0.02, south + 0.98],
    [west, south],
  ];
  const datetime = new Date(Date.UTC(2016, 0, 1) + Math.floor(next() * 3.15e11)).toISOString();
  const id = itemId(i);
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
