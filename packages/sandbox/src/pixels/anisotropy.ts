import { REFLECTANCE_BANDS, type ReflectanceBand } from "../country/spectra.ts";
import { type Direction, sensorOver, sunOver } from "../scenes/directions.ts";
import { LANDSAT_COLLECTION, type SandboxScene, SENTINEL_2_COLLECTION, toLonLat, toUtm } from "../scenes/scenes.ts";

type Vector = readonly [east: number, north: number, up: number];

/** Isotropic, volumetric and geometric weight: Roy et al. 2016, doi:10.1016/j.rse.2016.01.023. */
const WEIGHTS: Readonly<Partial<Record<ReflectanceBand, readonly [iso: number, vol: number, geo: number]>>> = {
  blue: [0.0774, 0.0372, 0.0079],
  green: [0.1306, 0.058, 0.0178],
  red: [0.169, 0.0574, 0.0227],
  nir: [0.3093, 0.1535, 0.033],
  nir08: [0.3093, 0.1535, 0.033],
  swir16: [0.343, 0.1154, 0.0453],
  swir22: [0.2658, 0.0639, 0.0387],
};
/** Height of crowns over their radius: the h/b of LiSparseReciprocal. */
const CROWNS = 2;
const NADIR: Vector = [0, 0, 1];

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function vectorOf({ zenith, azimuth }: Direction): Vector {
  const [z, a] = [radians(zenith), radians(azimuth)];
  return [Math.sin(z) * Math.sin(a), Math.sin(z) * Math.cos(a), Math.cos(z)];
}

/**
 * RossThick and LiSparseReciprocal (Lucht, Schaaf and Strahler 2000, doi:10.1109/36.841980) by vectors to sun and sensor:
 * rays through crowns meet the plane one unit below where `foot` says.
 */
function kernelSum([iso, vol, geo]: readonly [number, number, number], sun: Vector, sensor: Vector): number {
  const phase = Math.atan2(Math.hypot(...cross(sun, sensor)), dot(sun, sensor));
  const [sunUp, sensorUp] = [sun[2], sensor[2]];
  const volume = ((Math.PI / 2 - phase) * Math.cos(phase) + Math.sin(phase)) / (sunUp + sensorUp) - Math.PI / 4;
  const foot = (v: Vector): Vector => [v[0] / v[2], v[1] / v[2], 0];
  const [a, b] = [foot(sun), foot(sensor)];
  const apart = Math.hypot(a[0] - b[0], a[1] - b[1], cross(a, b)[2]);
  const secants = 1 / sunUp + 1 / sensorUp;
  const cosine = Math.min(1, (CROWNS * apart) / secants);
  const overlap = ((Math.acos(cosine) - Math.sin(Math.acos(cosine)) * cosine) * secants) / Math.PI;
  const crowns = overlap - secants + (1 + Math.cos(phase)) / (2 * sunUp * sensorUp);
  return iso + vol * volume + geo * crowns;
}

/** The sun under which the truth is seen from straight above: Zhang et al. 2016, doi:10.1016/j.rse.2016.07.005. */
function prescribedSun(latitude: number): Vector {
  const terms = [31.0076, -0.1272, 0.01187, 2.4e-5, -9.48e-7, -1.95e-9, 6.15e-11];
  return vectorOf({ zenith: terms.reduceRight((sum, term) => sum * latitude + term, 0), azimuth: 0 });
}

/** Are the pixels of a scene drawn as bright as its sensor sees them from its side, under the sun of its time? */
function isDirectional({ collection, acquisition }: SandboxScene): boolean {
  return (
    acquisition.directional === true && (collection === SENTINEL_2_COLLECTION || collection === LANDSAT_COLLECTION)
  );
}

/**
 * Returns the reflectance of a band that the sensor of a scene sees at a longitude and latitude in degrees, divided by
 * that at nadir under the prescribed sun: near 1, and 1 for scenes that are not directional and for bands without
 * weights.
 */
export function directionalFactor(scene: SandboxScene, band: ReflectanceBand, lon: number, lat: number): number {
  return factorAt(scene, band, ...toUtm(lon, lat));
}

/** `directionalFactor` at an easting and northing in metres. */
function factorAt(scene: SandboxScene, band: ReflectanceBand, x: number, y: number): number {
  const weights = WEIGHTS[band];
  if (weights === undefined || !isDirectional(scene)) return 1;
  const [, latitude] = toLonLat(x, y);
  const [sun, sensor] = [vectorOf(sunOver(scene, x, y)), vectorOf(sensorOver(scene, x, y))];
  return kernelSum(weights, sun, sensor) / kernelSum(weights, prescribedSun(latitude), NADIR);
}

/** Metres between the points at which factors are computed; between them they are linear within 1e-5. */
const SPACING = 5000;
/** Factors of pixels are multiples of this, so that neighbours share theirs and files stay small. */
const STEP = 1 / 2048;

/** The factors of a band as whole numbers of `STEP`, row by row of a grid of some pixel width and corner. */
export interface FactorRows {
  /** Factor of a level. */
  factorOf(level: number): number;
  /** Writes the levels of `levels.length` pixels of the row. */
  row(row: number, levels: Uint16Array): void;
}

/** @returns `undefined` where every factor is 1. */
export function factorRows(
  scene: SandboxScene,
  band: number,
  { pixel, west, north }: { readonly pixel: number; readonly west: number; readonly north: number },
): FactorRows | undefined {
  const name = REFLECTANCE_BANDS[band];
  if (name === undefined || WEIGHTS[name] === undefined || !isDirectional(scene)) return undefined;
  const nodes = new Map<number, number>();
  const node = (column: number, row: number): number => {
    const key = row * 4096 + column;
    let value = nodes.get(key);
    if (value === undefined) {
      value = factorAt(scene, name, west + column * SPACING, north - row * SPACING);
      nodes.set(key, value);
    }
    return value;
  };
  // nodes of each column of pixels, and its place between them: the same in every row
  let columns = new Uint16Array(0);
  let places = new Float64Array(0);
  const setColumns = (width: number): void => {
    const across = Float64Array.from({ length: width }, (_, i) => ((i + 0.5) * pixel) / SPACING);
    columns = Uint16Array.from(across, Math.floor);
    places = across.map((value) => value - Math.floor(value));
  };
  return {
    factorOf: (level) => level * STEP,
    row(row, levels) {
      const down = ((row + 0.5) * pixel) / SPACING;
      const [upper, t] = [Math.floor(down), down % 1];
      const between = (column: number): number => node(column, upper) * (1 - t) + node(column, upper + 1) * t;
      if (columns.length !== levels.length) setColumns(levels.length);
      for (let i = 0; i < levels.length; ) {
        const column = columns[i]!;
        const left = between(column);
        const rise = between(column + 1) - left;
        for (; columns[i] === column; i++) levels[i] = Math.round((left + rise * places[i]!) / STEP);
      }
    },
  };
}
