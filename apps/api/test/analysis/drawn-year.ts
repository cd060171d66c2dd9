import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Item, MergeableCatalog } from "@swath/catalog";
import { encodeGeoTiff } from "@swath/encode";
import { type Grid, gridFromBounds, resolveCrs, transformer } from "@swath/raster";
import { granuleDocument } from "../own/granule-document.ts";

/**
 * A year of small scenes of Sentinel-2B and Landsat 8 over twenty fields, drawn with the brightness that the kernel model
 * gives each pixel for the directions to sun and sensor. Everything is computed here again, by other formulas than the
 * service's: vectors for the kernels, the Astronomical Almanac for the sun, a straight line for the orbit's track.
 */

const CRS = resolveCrs("EPSG:32633");
const toDegrees = transformer(CRS, resolveCrs("EPSG:4326"));
/** Upper left corner of the fields, at the western edge of the swath of path 191. */
const [WEST, NORTH] = [310_200, 5_080_200];
const FIELD = 300;
const [COLUMNS, ROWS] = [5, 4];
export const FIELDS = COLUMNS * ROWS;
export const BBOX = [WEST, NORTH - ROWS * FIELD, WEST + COLUMNS * FIELD, NORTH];
/** Upper left corner of the granule 33TUL. */
const GRANULE = [300_000, 5_100_000] as const;

type Vector = readonly [east: number, north: number, up: number];
type Band = "red" | "nir08";

/** Roy et al. 2016: f_iso, f_vol, f_geo. */
const WEIGHTS = { red: [0.169, 0.0574, 0.0227], nir08: [0.3093, 0.1535, 0.033] } as const;
/** Slope and offset of OLI = slope × MSI + offset, HLS v2.0, Sentinel-2B. */
const MSI = { red: [0.9761, 0.001], nir08: [0.9966, 0] } as const;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const direction = (zenith: number, azimuth: number): Vector => [
  Math.sin(radians(zenith)) * Math.sin(radians(azimuth)),
  Math.sin(radians(zenith)) * Math.cos(radians(azimuth)),
  Math.cos(radians(zenith)),
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** The kernel model by vectors: shadows and crowns fall where the directions meet the plane at height 1. */
function brightness(band: Band, sun: Vector, view: Vector): number {
  const phase = Math.atan2(Math.hypot(...cross(sun, view)), dot(sun, view));
  const [sunUp, viewUp] = [sun[2], view[2]];
  const volume = ((Math.PI / 2 - phase) * Math.cos(phase) + Math.sin(phase)) / (sunUp + viewUp) - Math.PI / 4;
  const foot = (v: Vector): Vector => [v[0] / v[2], v[1] / v[2], 0];
  const [a, b] = [foot(sun), foot(view)];
  const apart = Math.hypot(a[0] - b[0], a[1] - b[1], cross(a, b)[2]);
  const secants = 1 / sunUp + 1 / viewUp;
  const cosine = Math.min(1, (2 * apart) / secants);
  const angle = Math.acos(cosine);
  const overlap = ((angle - Math.sin(angle) * cosine) * secants) / Math.PI;
  const crowns = overlap - secants + (1 + Math.cos(phase)) / (2 * sunUp * viewUp);
  const [iso, vol, geo] = WEIGHTS[band];
  return iso + vol * volume + geo * crowns;
}

/** Astronomical Almanac, low precision (0.01 degrees); Michalsky 1988, doi:10.1016/0038-092X(88)90045-X. */
export function almanacSun(time: string, longitude: number, latitude: number): readonly [number, number] {
  const days = (Date.parse(time) - Date.parse("2000-01-01T12:00:00Z")) / 86_400_000;
  const hours = (((Date.parse(time) / 3_600_000) % 24) + 24) % 24;
  const anomaly = radians(357.528 + 0.9856003 * days);
  const ecliptic = radians(280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly));
  const obliquity = radians(23.439 - 4e-7 * days);
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const sidereal = radians(15 * (6.697375 + 0.0657098242 * days + hours) + longitude);
  const angle = sidereal - ascension;
  const phi = radians(latitude);
  const up = Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(angle);
  const east = -Math.cos(declination) * Math.sin(angle);
  const north = Math.cos(phi) * Math.sin(declination) - Math.sin(phi) * Math.cos(declination) * Math.cos(angle);
  return [Math.acos(up) * (180 / Math.PI), ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360];
}

/** Zhang et al. 2016. */
function prescribed(latitude: number): Vector {
  const l = latitude;
  const zenith =
    31.0076 - 0.1272 * l + 0.01187 * l ** 2 + 2.4e-5 * l ** 3 - 9.48e-7 * l ** 4 - 1.95e-9 * l ** 5 + 6.15e-11 * l ** 6;
  return direction(zenith, 0);
}

/** View of Sentinel-2 from relative orbit 22, which is west of the fields: zenith and azimuth, degrees. */
const msiView = (x: number): readonly [number, number] => [8.4 + (x - 310_000) * 6.5e-5, 287];

/** View of Landsat 8: its track is a line through the middle of 191/028 (13.64° E, 46.04° N), leaning by 14.5 degrees. */
function oliView(longitude: number, latitude: number): readonly [number, number] {
  const [east, north] = [(longitude - 13.64) * 111.32 * Math.cos(radians(latitude)), (latitude - 46.04) * 111.13];
  // the track goes to 194.5 degrees; east of it is positive
  const beside = east * Math.cos(radians(14.5)) - north * Math.sin(radians(14.5));
  const zenith = (Math.atan(beside / 705) * 180) / Math.PI + (beside / 6371) * (180 / Math.PI);
  return zenith < 0 ? [-zenith, 104.5] : [zenith, 284.5];
}

/** Returns the reflectance of a field that OLI sees from straight above under the prescribed sun. */
export function truthOf(field: number, month: number): Readonly<Record<Band, number>> {
  const season = Math.sin((Math.PI * (month - 0.5)) / 12) ** 2;
  const vigour = 0.15 + (0.8 * field) / (FIELDS - 1);
  return { red: 0.14 - 0.1 * season * vigour, nir08: 0.2 + 0.24 * season * vigour };
}

interface Sensor {
  readonly name: "sentinel" | "landsat";
  readonly collection: string;
  readonly platform: string;
  readonly pixel: number;
  readonly files: Readonly<Record<Band, string>>;
  readonly time: (month: number) => string;
  readonly view: (x: number, longitude: number, latitude: number) => readonly [number, number];
  /** Stored number of what OLI would see. */
  readonly stored: (band: Band, reflectance: number) => number;
}

const day = (month: number, rest: string): string => `2024-${String(month).padStart(2, "0")}-${rest}Z`;
const SENSORS: readonly Sensor[] = [
  {
    name: "sentinel",
    collection: "sentinel-2-l2a",
    platform: "sentinel-2b",
    pixel: 20,
    files: { red: "B04", nir08: "B8A" },
    time: (month) => day(month, "15T10:07:41"),
    view: msiView,
    stored: (band, reflectance) => ((reflectance - MSI[band][1]) / MSI[band][0] + 0.1) / 0.0001,
  },
  {
    name: "landsat",
    collection: "landsat-ot-l2",
    platform: "landsat-8",
    pixel: 30,
    files: { red: "SR_B4", nir08: "SR_B5" },
    time: (month) => day(month, "16T09:52:03"),
    view: (_x, longitude, latitude) => oliView(longitude, latitude),
    stored: (_band, reflectance) => (reflectance + 0.2) / 0.0000275,
  },
];

/** A number from 0 to 1 for each pixel, by which values are rounded up or down so that means stay. */
function dither(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function drawBand(sensor: Sensor, band: Band, month: number, grid: Grid): Uint16Array {
  const samples = new Uint16Array(grid.width * grid.height);
  const random = dither(1000 * month + (band === "red" ? 1 : 2) + (sensor.name === "landsat" ? 7 : 0));
  for (let i = 0; i < samples.length; i++) {
    const [x, y] = [
      WEST + ((i % grid.width) + 0.5) * sensor.pixel,
      NORTH - (Math.floor(i / grid.width) + 0.5) * sensor.pixel,
    ];
    const [longitude, latitude] = toDegrees(x, y);
    const field = Math.floor((NORTH - y) / FIELD) * COLUMNS + Math.floor((x - WEST) / FIELD);
    const sun = direction(...almanacSun(sensor.time(month), longitude, latitude));
    const view = direction(...sensor.view(x, longitude, latitude));
    const seen =
      (truthOf(field, month)[band] * brightness(band, sun, view)) / brightness(band, prescribed(latitude), [0, 0, 1]);
    samples[i] = Math.floor(sensor.stored(band, seen) + random());
  }
  return samples;
}

export const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
export const sceneId = (sensor: Sensor["name"], month: number): string => `${sensor}-${month}`;

/** Writes all scenes, and gives the folder and a catalog of their items. */
export async function drawYear(): Promise<{ readonly directory: string; readonly catalog: MergeableCatalog }> {
  const directory = await mkdtemp(join(tmpdir(), "swath-drawn-"));
  const items: Item[] = [];
  for (const sensor of SENSORS) {
    const [width, height] = [(COLUMNS * FIELD) / sensor.pixel, (ROWS * FIELD) / sensor.pixel];
    const grid = gridFromBounds(CRS, [WEST, NORTH - ROWS * FIELD, WEST + COLUMNS * FIELD, NORTH], width, height);
    for (const month of MONTHS) {
      const id = sceneId(sensor.name, month);
      for (const band of ["red", "nir08"] as const) {
        const bands = [drawBand(sensor, band, month, grid)];
        const valid = new Uint8Array(width * height).fill(1);
        const bytes = await encodeGeoTiff({ grid, bands, valid }, { blockSize: 64, nodata: 0 });
        await writeFile(join(directory, `${id}-${band}.tif`), bytes);
      }
      if (sensor.name === "sentinel") {
        const angles = {
          sun: (x: number, y: number) => almanacSun(sensor.time(month), ...toDegrees(x, y)),
          view: msiView,
        };
        await writeFile(join(directory, `${id}.xml`), granuleDocument(GRANULE, angles, [3, 8]));
      }
      items.push(itemOf(sensor, month, grid));
    }
  }
  const catalog: MergeableCatalog = {
    search: async () => ({ items: [] }),
    searchAt: async () => ({ items: [], values: [], hasNext: false, hasPrev: false, gapAt: () => [] }),
    has: async () => true,
    item: async (collection, id) => items.find((item) => item.id === id && item.collection === collection),
    extent: async () => ({ spatial: { bbox: [] }, temporal: { interval: [] } }),
    ping: async () => {},
  };
  return { directory, catalog };
}

function itemOf(sensor: Sensor, month: number, { width, height, transform }: Grid): Item {
  const id = sceneId(sensor.name, month);
  const [west, north] = toDegrees(WEST - 500, NORTH + 500);
  const [east, south] = toDegrees(WEST + COLUMNS * FIELD + 500, NORTH - ROWS * FIELD - 500);
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const isLandsat = sensor.name === "landsat";
  return {
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: [],
    id,
    collection: sensor.collection,
    geometry: { type: "Polygon", coordinates: [ring] } as NonNullable<Item["geometry"]>,
    bbox: [west, south, east, north],
    properties: {
      datetime: sensor.time(month),
      platform: sensor.platform,
      "eo:cloud_cover": 0,
      "proj:code": "EPSG:32633",
      ...(isLandsat ? { "landsat:wrs_path": "191" } : { "s2:processing_baseline": "05.10" }),
    },
    assets: {
      ...Object.fromEntries(
        (["red", "nir08"] as const).map((band) => [
          sensor.files[band],
          { href: `archive:${id}-${band}.tif`, "proj:shape": [height, width], "proj:transform": [...transform] },
        ]),
      ),
      ...(isLandsat ? {} : { granule_metadata: { href: `archive:${id}.xml` } }),
    },
    links: [],
  };
}

/** The mean of each field, row by row, of a raster over `BBOX`. */
export function fieldMeans(values: ArrayLike<number>, pixel: number): readonly number[] {
  const [sums, counts] = [new Float64Array(FIELDS), new Float64Array(FIELDS)];
  const width = (COLUMNS * FIELD) / pixel;
  for (let i = 0; i < values.length; i++) {
    const [column, row] = [(i % width) * pixel, Math.floor(i / width) * pixel];
    const field = Math.floor(row / FIELD) * COLUMNS + Math.floor(column / FIELD);
    sums[field]! += values[i]!;
    counts[field]! += 1;
  }
  return [...sums].map((sum, field) => sum / counts[field]!);
}
