import type { Document } from "../fixtures.ts";

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const TILES = ["13TDE", "05CNL", "01LAC", "32TMT", "60KYF"];
const DAY = 86_400_000;

/** A footprint of about a degree; those over the antimeridian are split there. */
function footprint(west: number, south: number): Document {
  const box = (from: number, to: number): number[][] => [
    [from, south],
    [to, south + 0.1],
    [to - 0.05, south + 1.1],
    [from, south + 1],
    [from, south],
  ];
  if (west + 1 <= 180) return { type: "Polygon", coordinates: [box(west, west + 1)] };
  return { type: "MultiPolygon", coordinates: [[box(west, 180)], [box(-180, west + 1 - 360)]] };
}

/** Light items in the shape of Earth Search v1: Sentinel-2 C1 and Landsat 5, 7, 8 and 9, with equal times and clouds among them. */
export function upstreamItems(count: number, seed = 1): Document[] {
  const random = randomOf(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: count }, (_, i): Document => {
    // a third of the items shares its time with others
    const day = Math.floor(random() * Math.max(5, count / 20));
    const at = Date.UTC(2024, 0, 1) + day * DAY + (random() < 0.3 ? 0 : Math.floor(random() * DAY));
    const datetime = new Date(at).toISOString().replace("Z", random() < 0.5 ? "000Z" : "Z");
    const west = pick([-105.5, 9.2, 179.4, -179.9, 178.9]) + Math.round(random() * 8) / 16;
    const south = pick([39.6, -17.3, 47.1]) + Math.round(random() * 8) / 16;
    const common = {
      datetime,
      created: new Date(at + DAY).toISOString(),
      updated: new Date(at + 2 * DAY).toISOString(),
      "eo:cloud_cover": pick([0, 0.04, 20, Math.round(random() * 10000) / 100]),
      "view:sun_elevation": Math.round(random() * 90),
    };
    const base = { type: "Feature", stac_version: "1.0.0", geometry: footprint(west, south), links: [] };
    if (random() < 0.6) {
      const tile = pick(TILES);
      const satellite = pick(["a", "b", "c"]);
      return {
        ...base,
        id: `S2${satellite.toUpperCase()}_T${tile}_${i.toString(36).padStart(5, "0")}_L2A`,
        collection: "sentinel-2-c1-l2a",
        properties: {
          ...common,
          platform: `sentinel-2${satellite}`,
          constellation: "sentinel-2",
          instruments: ["msi"],
          "proj:epsg": 32613,
          "mgrs:utm_zone": Number(tile.slice(0, 2)),
          "mgrs:latitude_band": tile[2],
          "mgrs:grid_square": tile.slice(3),
          // older items write the zone without its zero
          "grid:code": `MGRS-${random() < 0.5 ? tile : tile.replace(/^0/, "")}`,
          "s2:processing_baseline": pick(["02.14", "04.00", "05.10"]),
          "s2:nodata_pixel_percentage": Math.round(random() * 100),
        },
        assets: {
          red: { href: `assets/${i}/B04.tif`, type: "image/tiff; application=geotiff; profile=cloud-optimized" },
        },
      };
    }
    const number = pick(["5", "7", "8", "8", "9"]);
    const sensor = { 5: "T", 7: "E" }[number] ?? "C";
    return {
      ...base,
      id: `L${sensor}0${number}_L2SP_${i.toString(36).padStart(6, "0")}_02_T1`,
      collection: "landsat-c2-l2",
      properties: {
        ...common,
        platform: `landsat-${number}`,
        instruments: ["oli", "tirs"],
        gsd: 30,
        "proj:epsg": 32613,
        "landsat:wrs_path": pick(["033", "010"]),
        "landsat:wrs_row": pick(["032", "065"]),
        "landsat:collection_category": pick(["T1", "T2"]),
      },
      assets: {
        red: { href: `assets/${i}/x_SR_B4.TIF`, type: "image/tiff; application=geotiff; profile=cloud-optimized" },
      },
    };
  });
}
