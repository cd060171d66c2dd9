import { type Crs, type Grid, resolveCrs, transformer } from "@swath/raster";
import { dayNumber } from "../country/seasons.ts";
import { VALLEY_BOUNDS, VALLEY_LANDSAT_BOUNDS, VALLEY_PATH, VALLEY_TILE } from "../country/valley/place.ts";
import { type Acquisition, isoDay, planAcquisitions } from "./plan.ts";

/** All scenes except elevation are in UTM zone 33N. */
export const SANDBOX_CRS = resolveCrs("EPSG:32633");
const DEGREES = resolveCrs("EPSG:4326");
export const SENTINEL_2_COLLECTION = "sentinel-2-c1-l2a";
export const LANDSAT_COLLECTION = "landsat-c2-l2";
export const HLS_L30_COLLECTION = "HLSL30_2.0";
export const HLS_S30_COLLECTION = "HLSS30_2.0";
export const SENTINEL_1_COLLECTION = "sentinel-1-rtc";
export const DEM_COLLECTION = "cop-dem-glo-30";

/** Ids of the upstream collections of the archive. */
export const SANDBOX_COLLECTIONS = [
  SENTINEL_2_COLLECTION,
  LANDSAT_COLLECTION,
  HLS_L30_COLLECTION,
  HLS_S30_COLLECTION,
  SENTINEL_1_COLLECTION,
  DEM_COLLECTION,
] as const;

/** Coordinates in the CRS of the scene: easting and northing in metres, or longitude and latitude. */
export type Ring = readonly (readonly [number, number])[];

/** One scene of the archive: a granule, a scene or a tile of elevation. */
export interface SandboxScene {
  readonly id: string;
  /** Its upstream collection. */
  readonly collection: (typeof SANDBOX_COLLECTIONS)[number];
  readonly acquisition: Acquisition;
  /** CRS of the files. */
  readonly crs: Crs;
  /** Acquisition time, ISO 8601. */
  readonly datetime: string;
  /** Time of the product's making, ISO 8601. */
  readonly generated: string;
  /** MGRS tile (`33TUL`), WRS-2 path and row (`191028`), or tile of elevation (`N45E013`). */
  readonly place: string;
  /** Scenes with the same `frame` have the same pixels. */
  readonly frame: string;
  /** Pixel width in units of the CRS of the finest files; coarser files are 2 and 6 times as wide (Sentinel-2 only). */
  readonly pixel: number;
  /** West, south, east, north of the files in units of the CRS. */
  readonly bounds: readonly [number, number, number, number];
  /** Outline of the pixels with data, counterclockwise and convex. */
  readonly footprint: Ring;
}

/** Width of the pixels of a full scene, in pixels of the sensor. */
export const DECIMATION = 10;

interface Tile {
  readonly name: string;
  readonly west: number;
  readonly north: number;
}

/** Two neighbours of the Sentinel-2 tiling grid; 33TUL ends at 409,800 m, 33TVL begins at 399,960 m. */
const TILES: readonly Tile[] = [
  { name: "33TUL", west: 300_000, north: 5_100_000 },
  { name: "33TVL", west: 399_960, north: 5_100_000 },
];
const TILE_SIZE = 109_800;

/** Full-resolution patches: the middle of the largest city, a whole number of 60 m pixels from the tile's corner. */
const SENTINEL_2_PATCH = { tile: "33TUL", bounds: [361_800, 5_039_400, 369_000, 5_046_600] } as const;
const LANDSAT_PATCH = { path: 191, bounds: [357_015, 5_036_655, 372_375, 5_052_015] } as const;

/** Edge of a swath: easting at northing 5,045,000, and how far it moves east per metre north (descending orbits). */
const SWATH_LEAN = 0.21;
const SWATHS: Readonly<Record<number, { readonly edge: number; readonly side: "west" | "east" }>> = {
  22: { edge: 458_000, side: "west" },
  122: { edge: 350_000, side: "east" },
};

interface Path {
  readonly row: number;
  /** Centre of the scene, metres (WRS-2 191/028 is near 13.64° E, 190/028 near 15.19° E, both near 46.04° N). */
  readonly centre: readonly [number, number];
}
const PATHS: Readonly<Record<number, Path>> = {
  191: { row: 28, centre: [394_800, 5_098_800] },
  190: { row: 28, centre: [514_800, 5_098_200] },
  [VALLEY_PATH]: { row: 28, centre: [274_800, 5_099_100] },
};
/** Half the width and length of a Landsat scene, and its turn (cosine, sine of 13°). */
const LANDSAT_HALF = [91_500, 88_000] as const;
const LANDSAT_TURN = [0.9744, 0.225] as const;

/** All scenes of an archive made at `now`, newest first. */
export function planScenes(now: Date): readonly SandboxScene[] {
  const today = dayNumber(now);
  const optical = planAcquisitions(now).flatMap((acquisition) =>
    acquisition.sensor === "sentinel-2" ? sentinel2Scenes(acquisition, today) : [landsatScene(acquisition, today)],
  );
  return [...optical, ...optical.flatMap((scene) => hlsScene(scene, today)), ...radarScenes(today), ...demTiles()].sort(
    (a, b) => (a.datetime < b.datetime ? 1 : a.datetime > b.datetime ? -1 : a.id < b.id ? 1 : -1),
  );
}

/** Corner of the valley's tile of Sentinel-2, of which the valley is all that there is. */
const VALLEY: Tile = { name: VALLEY_TILE, west: 199_980, north: 5_100_000 };

function sentinel2Scenes(acquisition: Acquisition, today: number): SandboxScene[] {
  const { date, platform, track } = acquisition;
  const satellite = `S2${platform.slice(-1).toUpperCase()}`;
  const minute = track === 22 ? "10:07" : "09:59";
  const patch = acquisition.native
    ? SENTINEL_2_PATCH
    : acquisition.valley
      ? ({ tile: VALLEY_TILE, bounds: VALLEY_BOUNDS } as const)
      : undefined;
  const tiles = patch === undefined ? TILES : [...TILES, VALLEY].filter((tile) => tile.name === patch.tile);
  return tiles.map((tile) => {
    const bounds: SandboxScene["bounds"] =
      patch?.bounds ?? ([tile.west, tile.north - TILE_SIZE, tile.west + TILE_SIZE, tile.north] as const);
    const second = SECONDS[tile.name] ?? "38.214";
    return {
      // the time in an id is the start of the datastrip, minutes before the granule was seen
      id: `${satellite}_T${tile.name}_${date.replaceAll("-", "")}T${track === 22 ? "100211" : "095331"}_L2A`,
      collection: SENTINEL_2_COLLECTION,
      acquisition,
      crs: SANDBOX_CRS,
      datetime: `${date}T${minute}:${second}000Z`,
      generated: productTime(date, today, 1),
      place: tile.name,
      frame: patch === undefined ? tile.name : `${tile.name}-native`,
      pixel: patch === undefined ? 10 * DECIMATION : 10,
      bounds,
      footprint: swathFootprint(bounds, track),
    };
  });
}

/** Second at which a tile is seen. */
const SECONDS: Readonly<Record<string, string>> = { "33TUL": "41.586", [VALLEY_TILE]: "43.102" };

const SENSORS: Readonly<Record<string, string>> = { "landsat-5": "LT", "landsat-7": "LE" };

/** Dates and tiles that are also there as HLS: one Landsat and one Sentinel-2 scene of 2024, and the newest of each. */
const HLS_TILE = TILES.find(({ name }) => name === "33TUL")!;
const HLS_TRACKS: readonly number[] = [22, 191];

/** A scene as HLS: on the grid of an MGRS tile, 30 m (ten times as wide here). */
function hlsScene({ acquisition, datetime, footprint, place, frame }: SandboxScene, today: number): SandboxScene[] {
  const { date, sensor, track } = acquisition;
  const isHere = sensor === "landsat" ? place === "191028" : place === HLS_TILE.name;
  const isNew = dayNumber(new Date(date)) > today - 30;
  const isWanted = isHere && HLS_TRACKS.includes(track) && !frame.endsWith("-native");
  if (!isWanted || !(isNew || /^2024-07-0[45]$/.test(date))) return [];
  const bounds: SandboxScene["bounds"] = [
    HLS_TILE.west,
    HLS_TILE.north - TILE_SIZE,
    HLS_TILE.west + TILE_SIZE,
    HLS_TILE.north,
  ];
  const product = sensor === "landsat" ? "L30" : "S30";
  const dayOfYear = String(Math.round(yearDay(date))).padStart(3, "0");
  const time = datetime.slice(11, 19).replaceAll(":", "");
  return [
    {
      id: `HLS.${product}.T${HLS_TILE.name}.${date.slice(0, 4)}${dayOfYear}T${time}.v2.0`,
      collection: sensor === "landsat" ? HLS_L30_COLLECTION : HLS_S30_COLLECTION,
      acquisition,
      crs: SANDBOX_CRS,
      datetime,
      generated: productTime(date, today, 2),
      place: HLS_TILE.name,
      frame: `${HLS_TILE.name}-hls`,
      pixel: 30 * DECIMATION,
      bounds,
      footprint: sensor === "landsat" ? clipRing(footprint, bounds) : footprint,
    },
  ];
}

/** Day of the year from 1. */
function yearDay(date: string): number {
  return dayNumber(new Date(date)) - dayNumber(new Date(`${date.slice(0, 4)}-01-01`)) + 1;
}

/** Two overpasses of Sentinel-1, which sees through clouds: the west of the country, with pixels of 300 m. */
function radarScenes(today: number): SandboxScene[] {
  const bounds: SandboxScene["bounds"] = [300_000, 4_990_200, 510_000, 5_100_000];
  return ["2024-07-03", isoDay(today - 4)].map((date, i) => {
    const stamp = (time: string): string => `${date.replaceAll("-", "")}T${time}`;
    return {
      id: `S1A_IW_GRDH_1SDV_${stamp("051129")}_${stamp("051154")}_0${54_594 + i * 400}_06A4F1_rtc`,
      collection: SENTINEL_1_COLLECTION,
      acquisition: { date, sensor: "sentinel-1", platform: "sentinel-1a", track: 95, cloud: 0 },
      crs: SANDBOX_CRS,
      datetime: `${date}T05:11:41.500000Z`,
      generated: productTime(date, today, 1),
      place: "33TUL",
      frame: "sentinel-1",
      pixel: 300,
      bounds,
      footprint: ringOf(bounds),
    };
  });
}

/** Pixel width of elevation in degrees: ten times that of the real tiles, which are 3,600 pixels wide. */
const DEM_PIXEL = 1 / 360;

/** Elevation in tiles of one degree, whose edges are half a pixel north and west of the degree, as those of the real ones. */
function demTiles(): SandboxScene[] {
  const date = "2021-04-22";
  return [45, 46].flatMap((south) =>
    [12, 13, 14, 15].map((west): SandboxScene => {
      const [x, y] = [west - DEM_PIXEL / 2, south + DEM_PIXEL / 2];
      const bounds: SandboxScene["bounds"] = [x, y, x + 1, y + 1];
      return {
        id: `Copernicus_DSM_COG_10_N${south}_00_E0${west}_00_DEM`,
        collection: DEM_COLLECTION,
        acquisition: { date, sensor: "dem", platform: "tandem-x", track: 0, cloud: 0 },
        crs: DEGREES,
        datetime: `${date}T00:00:00Z`,
        generated: `${date}T00:00:00Z`,
        place: `N${south}E0${west}`,
        frame: "dem",
        pixel: DEM_PIXEL,
        bounds,
        footprint: ringOf(bounds),
      };
    }),
  );
}

/** A convex ring cut at the edges of a box. */
function clipRing(ring: Ring, [west, south, east, north]: SandboxScene["bounds"]): Ring {
  const sides: ((point: readonly [number, number]) => number)[] = [
    ([x]) => west - x,
    ([x]) => x - east,
    ([, y]) => south - y,
    ([, y]) => y - north,
  ];
  return sides.reduce<Ring>((kept, beyond) => cutRing(kept, beyond), ring);
}

function landsatScene(acquisition: Acquisition, today: number): SandboxScene {
  const { date, platform, track } = acquisition;
  const path = PATHS[track]!;
  const place = `${track}0${path.row}`;
  const patch = acquisition.native ? LANDSAT_PATCH.bounds : acquisition.valley ? VALLEY_LANDSAT_BOUNDS : undefined;
  const ring = patch === undefined ? landsatFootprint(path.centre) : ringOf(patch);
  // edges of Landsat pixels are at 15 m past multiples of 30 m
  const snap = 30 * DECIMATION;
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  const bounds: SandboxScene["bounds"] = patch ?? [
    Math.floor(Math.min(...xs) / snap) * snap + 15 - snap,
    Math.floor(Math.min(...ys) / snap) * snap + 15 - snap,
    Math.ceil(Math.max(...xs) / snap) * snap + 15 + snap,
    Math.ceil(Math.max(...ys) / snap) * snap + 15 + snap,
  ];
  return {
    id: `${SENSORS[platform] ?? "LC"}0${platform.slice(-1)}_L2SP_${place}_${date.replaceAll("-", "")}_02_T1`,
    collection: LANDSAT_COLLECTION,
    acquisition,
    crs: SANDBOX_CRS,
    datetime: `${date}T09:5${track % 10}:26.656958Z`,
    generated: productTime(date, today, 9),
    place,
    frame: patch === undefined ? place : `${place}-native`,
    pixel: patch === undefined ? 30 * DECIMATION : 30,
    bounds,
    footprint: ring,
  };
}

/** Products appear some days after the overpass, never after the archive was made. */
function productTime(date: string, today: number, days: number): string {
  const day = Math.min(dayNumber(new Date(date)) + days, today);
  return `${isoDay(day)}T03:23:58.819Z`;
}

function ringOf([west, south, east, north]: SandboxScene["bounds"]): Ring {
  return [
    [west, north],
    [west, south],
    [east, south],
    [east, north],
  ];
}

/** Half the width of a swath of Sentinel-2, metres. */
const HALF_SWATH = 145_000;

/** Returns the middle of a Sentinel-2 swath at a northing: its easting, and how far it leans to the east, radians. */
export function swathMiddle(track: number, northing: number): { readonly easting: number; readonly lean: number } {
  const { edge, side } = SWATHS[track]!;
  const lean = Math.atan(SWATH_LEAN);
  const away = HALF_SWATH / Math.cos(lean);
  return { easting: edge + (northing - 5_045_000) * SWATH_LEAN + (side === "west" ? -away : away), lean };
}

function swathFootprint(bounds: SandboxScene["bounds"], track: number): Ring {
  const { edge, side } = SWATHS[track]!;
  const beyond = ([x, y]: readonly [number, number]): number => {
    const d = x - (edge + (y - 5_045_000) * SWATH_LEAN);
    return side === "west" ? d : -d;
  };
  return cutRing(ringOf(bounds), beyond);
}

/** The part of a convex ring where `beyond` is at most 0. */
function cutRing(ring: Ring, beyond: (point: readonly [number, number]) => number): Ring {
  const kept: [number, number][] = [];
  for (let i = 0; i < ring.length; i++) {
    const a = ring[i]!;
    const b = ring[(i + 1) % ring.length]!;
    const da = beyond(a);
    const db = beyond(b);
    if (da <= 0) kept.push([a[0], a[1]]);
    if (da < 0 !== db < 0 && da !== db) {
      const t = da / (da - db);
      kept.push([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t]);
    }
  }
  return kept;
}

function landsatFootprint([cx, cy]: readonly [number, number]): Ring {
  const [halfWidth, halfLength] = LANDSAT_HALF;
  const [cos, sin] = LANDSAT_TURN;
  const corner = (across: number, along: number): readonly [number, number] => [
    cx + across * halfWidth * cos - along * halfLength * sin,
    cy - across * halfWidth * sin - along * halfLength * cos,
  ];
  return [corner(-1, -1), corner(-1, 1), corner(1, 1), corner(1, -1)];
}

/** The grid of a scene's files whose pixels are `factor` times as wide as its finest. */
export function sceneGrid(scene: SandboxScene, factor: 1 | 2 | 6 = 1): Grid {
  const [west, south, east, north] = scene.bounds;
  const pixel = scene.pixel * factor;
  return {
    crs: scene.crs,
    transform: [pixel, 0, west, 0, -pixel, north],
    width: Math.round((east - west) / pixel),
    height: Math.round((north - south) / pixel),
  };
}

/**
 * First and last-plus-one column with data in each row of a grid: a pixel has data when its centre is in the footprint.
 */
export function footprintSpans(footprint: Ring, grid: Grid): Int32Array {
  const spans = new Int32Array(grid.height * 2);
  const [pixel, , west, , , north] = grid.transform;
  for (let row = 0; row < grid.height; row++) {
    const y = north - (row + 0.5) * pixel;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < footprint.length; i++) {
      const [ax, ay] = footprint[i]!;
      const [bx, by] = footprint[(i + 1) % footprint.length]!;
      if (ay <= y === by <= y) continue;
      const x = ax + ((y - ay) / (by - ay)) * (bx - ax);
      if (x < low) low = x;
      if (x > high) high = x;
    }
    if (low > high) continue;
    spans[row * 2] = Math.max(0, Math.ceil((low - west) / pixel - 0.5));
    spans[row * 2 + 1] = Math.min(grid.width, Math.floor((high - west) / pixel - 0.5) + 1);
  }
  return spans;
}

const toDegrees = transformer(SANDBOX_CRS, DEGREES);
const toMetres = transformer(DEGREES, SANDBOX_CRS);

/** Longitude and latitude to easting and northing of EPSG:32633. */
export function toUtm(lon: number, lat: number): [number, number] {
  const [x, y] = toMetres(lon, lat);
  return [x, y];
}

/** Easting and northing of EPSG:32633 to longitude and latitude. */
export function toLonLat(x: number, y: number): [number, number] {
  const [lon, lat] = toDegrees(x, y);
  return [lon, lat];
}

/** A footprint as a closed GeoJSON ring of longitudes and latitudes, counterclockwise, six decimals. */
export function degreesRing(ring: Ring, crs: Crs): [number, number][] {
  const points = ring.map(([x, y]): [number, number] => {
    const [lon, lat] = crs === DEGREES ? [x, y] : toDegrees(x, y);
    return [Math.round(lon * 1e6) / 1e6, Math.round(lat * 1e6) / 1e6];
  });
  return [...points, points[0]!];
}
