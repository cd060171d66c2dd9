import { utmEpsg } from "@swath/raster";
import { hashUnit } from "../country/noise.ts";
import { LANDSAT_COLLECTION, SENTINEL_2_COLLECTION } from "../scenes/scenes.ts";
import type { UpstreamGeometry, UpstreamItem } from "./upstream-item.ts";

/**
 * Items without pixels, over the whole world from 2016 to 2025, for tests of scale: about two thirds Sentinel-2, one
 * third Landsat 4 to 9, some across the antimeridian (MultiPolygon, bbox with west > east), some at the same instant. The same
 * arguments give the same items; ids are unique.
 */
export function syntheticItems(count: number, seed = 1): UpstreamItem[] {
  return Array.from({ length: count }, (_, i) => {
    const random = (n: number): number => hashUnit(seed + 900, i, n);
    // every ninth item shares its instant with the one before it
    const instant = i % 9 === 8 ? i - 1 : i;
    const span = Date.UTC(2026, 0, 1) - Date.UTC(2016, 0, 1);
    const time = Date.UTC(2016, 0, 1) + Math.floor(hashUnit(seed + 900, instant, 1) * span);
    const datetime = `${new Date(time).toISOString().slice(0, -1)}000Z`;
    // every fiftieth item crosses 180°
    const across = i % 50 === 7;
    const lon = across ? 179.7 + 0.6 * random(2) : random(2) * 358 - 179;
    const lat = random(3) * 140 - 62;
    return random(4) < 0.66
      ? sentinel2Item(i, datetime, footprintOf(lon, lat, 1), random)
      : landsatItem(i, datetime, footprintOf(lon, lat, 1.7), random);
  });
}

interface Footprint {
  readonly geometry: UpstreamGeometry;
  readonly bbox: readonly number[];
  readonly lon: number;
  readonly lat: number;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

function wrap(lon: number): number {
  return round(lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
}

function boxRing(west: number, south: number, east: number, north: number): number[][] {
  const [w, s, e, n] = [round(west), round(south), round(east), round(north)];
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
}

/** A box of `size` degrees of latitude, as wide as high on the ground. */
function footprintOf(lon: number, lat: number, size: number): Footprint {
  const half = size / 2 / Math.max(0.2, 1 - (lat / 90) ** 2);
  const [west, east] = [lon - half, lon + half];
  const [south, north] = [lat - size / 2, lat + size / 2];
  const bbox = [wrap(west), round(south), wrap(east), round(north)];
  if (east <= 180 && west >= -180) {
    return { geometry: { type: "Polygon", coordinates: [boxRing(west, south, east, north)] }, bbox, lon, lat };
  }
  const middle = east > 180 ? 180 : -180;
  const sides = [boxRing(wrap(west), south, 180, north), boxRing(-180, south, wrap(east === 180 ? -180 : east), north)];
  return { geometry: { type: "MultiPolygon", coordinates: sides.map((ring) => [ring]) }, bbox, lon: wrap(middle), lat };
}

function common(
  collection: string,
  id: string,
  footprint: Footprint,
  properties: UpstreamItem["properties"],
  keys: object,
): UpstreamItem {
  return {
    type: "Feature",
    stac_version: "1.0.0",
    stac_extensions: [
      "https://stac-extensions.github.io/eo/v1.1.0/schema.json",
      "https://stac-extensions.github.io/projection/v1.1.0/schema.json",
    ],
    id,
    collection,
    geometry: footprint.geometry,
    bbox: footprint.bbox,
    properties,
    links: [],
    assets: Object.fromEntries(
      Object.entries(keys).map(([key, file]) => [
        key,
        {
          href: `https://sandbox.invalid/${collection}/${id}/${file}`,
          type: "image/tiff; application=geotiff; profile=cloud-optimized",
          roles: ["data"],
        },
      ]),
    ),
  };
}

function sentinel2Item(i: number, datetime: string, footprint: Footprint, random: (n: number) => number): UpstreamItem {
  const satellite = "ABC"[Math.floor(random(5) * 3)]!;
  const epsg = utmEpsg(footprint.lon, footprint.lat);
  const zone = epsg % 100;
  const bandLetter = "CDEFGHJKLMNPQRSTUVWX"[Math.max(0, Math.min(19, Math.floor((footprint.lat + 80) / 8)))]!;
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ";
  const square = `${letters[i % 24]}${letters[Math.floor(i / 24) % 20]}`;
  const tile = `${String(zone).padStart(2, "0")}${bandLetter}${square}`;
  const stamp = datetime.slice(0, 19).replaceAll(/[-:]/g, "");
  const properties = {
    created: datetime,
    updated: datetime,
    datetime,
    platform: `sentinel-2${satellite.toLowerCase()}`,
    constellation: "sentinel-2",
    instruments: ["msi"],
    "eo:cloud_cover": round(100 * random(6) ** 1.5),
    "proj:epsg": epsg,
    "mgrs:utm_zone": zone,
    "mgrs:latitude_band": bandLetter,
    "mgrs:grid_square": square,
    "grid:code": `MGRS-${tile}`,
    "s2:processing_baseline": ["02.14", "03.01", "05.00", "05.10", "05.11"][Math.floor(random(7) * 5)]!,
    "s2:nodata_pixel_percentage": random(8) < 0.5 ? 0 : round(80 * random(9)),
    "view:sun_elevation": round(15 + 60 * random(10)),
    "view:sun_azimuth": round(120 + 60 * random(11)),
  };
  // the running number keeps ids unique where two items share instant and tile
  const id = `S2${satellite}_T${tile}_${stamp}_L2A${i % 9 === 8 ? `_${i}` : ""}`;
  return common(SENTINEL_2_COLLECTION, id, footprint, properties, {
    red: "B04.tif",
    nir: "B08.tif",
    scl: "SCL.tif",
    visual: "TCI.tif",
  });
}

function landsatItem(i: number, datetime: string, footprint: Footprint, random: (n: number) => number): UpstreamItem {
  const number = [8, 9, 8, 9, 8, 9, 7, 5][Math.floor(random(5) * 8)]!;
  const path = String((i % 233) + 1).padStart(3, "0");
  const row = String((Math.floor(i / 233) % 120) + 1).padStart(3, "0");
  const sensor = number >= 8 ? "LC" : number === 7 ? "LE" : "LT";
  const stamp = datetime.slice(0, 10).replaceAll("-", "");
  const cover = round(100 * random(6) ** 1.5);
  const properties = {
    created: datetime,
    updated: datetime,
    datetime,
    platform: `landsat-${number}`,
    instruments: number >= 8 ? ["oli", "tirs"] : number === 7 ? ["etm+"] : ["tm"],
    gsd: 30,
    "eo:cloud_cover": cover,
    // Landsat has northern zones in the south
    "proj:epsg": utmEpsg(footprint.lon, Math.abs(footprint.lat)),
    "landsat:wrs_type": "2",
    "landsat:wrs_path": path,
    "landsat:wrs_row": row,
    "landsat:collection_category": random(7) < 0.8 ? "T1" : "T2",
    "landsat:collection_number": "02",
    "landsat:correction": "L2SP",
    "view:sun_elevation": round(15 + 60 * random(10)),
    "view:sun_azimuth": round(120 + 60 * random(11)),
  };
  const id = `${sensor}0${number}_L2SP_${path}${row}_${stamp}_02_T1`;
  return common(LANDSAT_COLLECTION, id, footprint, properties, {
    red: "SR_B4.TIF",
    nir08: "SR_B5.TIF",
    qa_pixel: "QA_PIXEL.TIF",
  });
}
