import { type PolygonGeometry, unwrapBbox } from "@swath/geometry";
import { type Bbox, type Bounds, type Crs, type Grid, METRES_PER_DEGREE } from "@swath/raster";
import { counted } from "../counted.ts";
import { memberOf } from "../read-member.ts";
import { type Path, Refusal, type RefusalCode } from "../refusal.ts";
import type { SizeCaps } from "../request.ts";
import type { StatisticsWork } from "./cost.ts";
import { boundaryKm, groundAreaKm2 } from "./ground-area.ts";

/** The limits of one request. */
const MOST = {
  /** Pixels of a side of a grid on which numbers are computed. */
  side: 2500,
  /** Degrees that an area may span where its coordinates are taken to another CRS: beyond, those of one zone mean nothing. */
  degrees: 20,
  /** Pixels of a polygon of any shape: as many as a square of 2,500 a side has. */
  polygonPixels: 6_250_000,
  /** Pixels along a boundary: 5,000 km at 10 m. They bound the work for a polygon next to no pixels of which count. */
  boundaryPixels: 500_000,
  /** Ground of the polygon of a series. */
  areaKm2: 25,
  /** Width × height × bands × dates of numbers. */
  valuesTimesDates: 200_000_000,
  /** Width × height × bands of the raster of a graph, as of an extraction. */
  outputValues: 150_000_000,
  /** Bands of the raster of a graph. */
  outputBands: 1000,
  /** Time steps of areas: opening their files costs the same for one pixel as for many. */
  reads: 20_000,
  /** Pixels of all regions of a graph on one grid: one byte each. */
  regionPixels: 100_000_000,
  /** Values of all registers of one row of a grid. */
  rowValues: 1 << 24,
  /** Fields and points of one request. */
  features: 1000,
  /** Scenes of all features, each counted for each: opening a file costs the same for one pixel as for many. */
  featureScenes: 100_000,
  /** Numbers in the answer for all features. */
  results: 1_000_000,
} as const;

/** Limits of a file whose request has none of its own. */
export const FILE_CAPS: SizeCaps = { side: 20_000, values: 600_000_000, valuesTimesScenes: 2_400_000_000 };

/** Where a request lists its fields and points. */
const FEATURES: Path = ["where", "features"];

const number = (value: number): string => value.toLocaleString("en-US");

type Amounts = Readonly<Record<string, readonly [asked: number, most: number]>>;

interface HoldOptions {
  readonly code?: RefusalCode;
  /** Default: of no one member. */
  readonly path?: Path;
  /** Default: one of the amounts is more than its limit. */
  readonly isBeyond?: boolean;
}

/** Refuses amounts beyond their limits, with `max…` and `requested…` of each. */
function hold(amounts: Amounts, detail: () => string, options: HoldOptions = {}): void {
  const { code = "output-too-large", path = [] } = options;
  if (!(options.isBeyond ?? Object.values(amounts).some(([asked, most]) => asked > most))) return;
  const limits = Object.entries(amounts).flatMap(([name, [asked, most]]): [string, number][] => [
    [`max${name}`, most],
    [`requested${name}`, asked],
  ]);
  throw new Refusal(code, path, detail(), { limits: Object.fromEntries(limits) });
}

const sidesBeyond = (width: number, height: number, most: number) => ({
  maxOutputWidth: most,
  maxOutputHeight: most,
  requestedWidth: width,
  requestedHeight: height,
});

/** The size of a file. */
export interface RequestedSize {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Scenes to be read; 1 before they are known. */
  readonly scenes: number;
}

/**
 * Holds the size of a file against its caps.
 *
 * @throws {Refusal} `output-too-large` with every limit that is exceeded and the requested values.
 */
export function checkSize({ width, height, bands, scenes }: RequestedSize, caps: SizeCaps): void {
  const values = width * height * bands;
  const work = values * scenes;
  const tooWide = width > caps.side || height > caps.side;
  const tooMany = values > caps.values;
  // a request of one scene is not a mosaic
  const tooMuch = scenes > 1 && work > caps.valuesTimesScenes;
  if (!tooWide && !tooMany && !tooMuch) return;
  const faults = [
    ...(tooWide ? [`${number(width)} × ${number(height)} pixels (at most ${number(caps.side)} a side)`] : []),
    ...(tooMany ? [`${number(values)} values (at most ${number(caps.values)})`] : []),
    ...(tooMuch
      ? [`${number(values)} values of ${scenes} scenes (values × scenes at most ${number(caps.valuesTimesScenes)})`]
      : []),
  ];
  throw new Refusal("output-too-large", [], `The output would have ${faults.join(" and ")}.`, {
    limits: {
      ...(tooWide ? sidesBeyond(width, height, caps.side) : {}),
      ...(tooMany ? { maxOutputValues: caps.values, requestedOutputValues: values } : {}),
      ...(tooMuch ? { maxValuesTimesScenes: caps.valuesTimesScenes, requestedValuesTimesScenes: work } : {}),
    },
  });
}

/** @throws {Refusal} `output-too-large` for a grid of numbers of more than 2,500 pixels a side. */
export function checkSide({ width, height }: Pick<Grid, "width" | "height">): void {
  if (width > MOST.side || height > MOST.side) throw tooWide(width, height);
}

function tooWide(width: number, height: number): Refusal {
  const detail = `The grid would have ${number(width)} × ${number(height)} pixels (at most ${number(MOST.side)} a side).`;
  return new Refusal("output-too-large", [], detail, { limits: sidesBeyond(width, height, MOST.side) });
}

/**
 * Refuses areas for which coordinates of one zone would mean nothing: they are far beyond the limit of sides.
 *
 * @param native pixel size, metres, for the message
 * @throws {Refusal} `output-too-large`
 */
export function checkSpan({ bbox }: { readonly bbox: Bbox }, native: number): void {
  const [west, south, east, north] = unwrapBbox(bbox);
  if (east - west <= MOST.degrees && north - south <= MOST.degrees) return;
  const pixels = (degrees: number): number => Math.round((degrees * METRES_PER_DEGREE) / native);
  const nearest = south < 0 && north > 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  const parallel = Math.cos((nearest * Math.PI) / 180);
  throw tooWide(pixels((east - west) * parallel), pixels(north - south));
}

/** A polygon in degrees, and the path of its place in the request. */
interface AskedPolygon {
  readonly path: Path;
  readonly polygon: PolygonGeometry;
}

/** @throws {Refusal} `output-too-large` for a polygon with more than 500,000 pixels of `native` metres along its boundary. */
export function checkBoundary({ path, polygon }: AskedPolygon, native: number): void {
  const [km, most] = [Math.round(boundaryKm(polygon)), (MOST.boundaryPixels * native) / 1000];
  const detail = () =>
    `The boundary of the geometry is ${number(km)} km long (at most ${number(most)} km at ${native} m).`;
  hold({ BoundaryKm: [km, most] }, detail, { path: memberOf(path, "geometry") });
}

/** @throws {Refusal} `output-too-large` for a polygon of more than 6,250,000 pixels of `native` metres. */
export function checkPolygonPixels(pixels: number, native: number): void {
  const most = MOST.polygonPixels;
  const detail = () => `The geometry has ${number(pixels)} pixels of ${native} m (at most ${number(most)}).`;
  hold({ Pixels: [pixels, most] }, detail);
}

/** @throws {Refusal} `area-too-large` for a polygon of more than 25 km². */
export function checkGroundArea({ path, polygon }: AskedPolygon): void {
  const [km2, most] = [groundAreaKm2(polygon), MOST.areaKm2];
  const asked = Math.round(km2 * 1000) / 1000;
  const options = { code: "area-too-large", path: memberOf(path, "geometry"), isBeyond: km2 > most } as const;
  hold({ AreaKm2: [asked, most] }, () => `The geometry has ${asked} km² (at most ${most}).`, options);
}

/** @throws {Refusal} `area-too-large` for polygons of more than 25 km² together. */
export function checkGroundAreas(areas: readonly AskedPolygon[]): void {
  const [km2, most] = [areas.reduce((sum, { polygon }) => sum + groundAreaKm2(polygon), 0), MOST.areaKm2];
  const asked = Math.round(km2 * 1000) / 1000;
  const options = { code: "area-too-large", path: FEATURES, isBeyond: km2 > most } as const;
  hold({ AreaKm2: [asked, most] }, () => `The features have ${asked} km² together (at most ${most}).`, options);
}

/** @throws {Refusal} `invalid` for no feature, `output-too-large` for more than 1,000. */
export function checkFeatures(count: number): void {
  if (count === 0) throw new Refusal("invalid", FEATURES, "Expected at least one feature, got none.");
  const detail = () => `There are ${number(count)} features (at most ${number(MOST.features)}).`;
  hold({ Features: [count, MOST.features] }, detail, { path: FEATURES });
}

/** @throws {Refusal} `output-too-large` for more than 100,000 scenes of all features, or more than 1,000,000 numbers. */
export function checkFeatureWork({ scenes, results }: { readonly scenes: number; readonly results: number }): void {
  const manyScenes = () =>
    `The features have ${number(scenes)} scenes, each counted for each feature (at most ${number(MOST.featureScenes)}): ask for fewer features, or less time.`;
  hold({ FeaturesTimesScenes: [scenes, MOST.featureScenes] }, manyScenes, { path: FEATURES });
  const manyResults = () =>
    `The answer would have ${number(results)} numbers (at most ${number(MOST.results)}): ask for fewer features, intervals or measures.`;
  hold({ Results: [results, MOST.results] }, manyResults, { path: FEATURES });
}

/** @throws {Refusal} `output-too-large` for statistics of several places of more than 200,000,000 values together. */
export function checkNumbersTogether(places: readonly StatisticsWork[]): void {
  const values = places.reduce((sum, { width, height, bands, dates }) => sum + width * height * bands * dates, 0);
  const [most, count] = [MOST.valuesTimesDates, places.length];
  const detail = () =>
    `${number(count)} features have ${number(values)} values together, by width × height × bands × dates (at most ${number(most)}).`;
  hold({ ValuesTimesDates: [values, most] }, detail, { path: FEATURES });
}

/** @throws {Refusal} `output-too-large` for statistics of more than 200,000,000 values. */
export function checkNumbers({ width, height, bands, dates }: StatisticsWork): void {
  const [values, most] = [width * height * bands * dates, MOST.valuesTimesDates];
  const of = `${number(width)} × ${number(height)} pixels of ${counted(bands, "band")} on ${counted(dates, "date")}`;
  hold({ ValuesTimesDates: [values, most] }, () => `${of} are ${number(values)} values (at most ${number(most)}).`);
}

/** Counts the values that a graph reads for all its grids. */
export class ReadCounts {
  #values = 0;
  #steps = 0;
  #rowValues = 0;

  /** Counts a time step of an area, of pixels × bands. */
  addStep(values: number): void {
    this.#values += values;
    this.#steps += 1;
  }

  /** Counts the values that are held at once for one row of a grid. */
  addRow(values: number): void {
    this.#rowValues = Math.max(this.#rowValues, values);
  }

  /** @throws {Refusal} `output-too-large` with the numbers. */
  check(): void {
    const [values, steps, most] = [this.#values, this.#steps, MOST.valuesTimesDates];
    const tooMuch = () =>
      `The graph would read ${number(values)} values or more (pixels × bands × time steps, at most ${number(most)}), or hold too many of them at once: ask for less area or time.`;
    const isBeyond = values > most || this.#rowValues > MOST.rowValues;
    hold({ ValuesTimesDates: [values, most] }, tooMuch, { isBeyond });
    const detail = () =>
      `The graph would read ${number(steps)} time steps of areas or more (at most ${number(MOST.reads)}): ask for fewer geometries, or less time.`;
    hold({ Reads: [steps, MOST.reads] }, detail);
  }
}

/** @throws {Refusal} `output-too-large` for regions of a graph that have more than 100,000,000 pixels together. */
export function checkRegions(count: number, { width, height }: Grid): void {
  const detail = () =>
    `The graph has ${count} polygons and boxes on ${width} × ${height} pixels: ask for fewer, or for less area.`;
  hold({ RegionPixels: [count * width * height, MOST.regionPixels] }, detail);
}

/** @throws {Refusal} `output-too-large` for the raster of a graph of too many values or bands. */
export function checkOutput({ width, height }: Grid, bands: number): void {
  const most = `${number(MOST.outputValues)} values and ${number(MOST.outputBands)} bands`;
  hold(
    { OutputValues: [width * height * bands, MOST.outputValues], OutputBands: [bands, MOST.outputBands] },
    () =>
      `The output would have ${number(width)} × ${number(height)} pixels of ${counted(bands, "band")} (at most ${most}).`,
  );
}

/** A resolution within a millionth of a side is that side. */
const SAME_SIDE = 1 + 1e-6;

/** The unit of coordinates of the CRSs that requests can name. */
export const unitOf = ({ geographic }: Crs): "degrees" | "metres" => (geographic ? "degrees" : "metres");

/** The pixel size of a request. */
export interface AskedPixel {
  /** Width and height in units of the CRS. */
  readonly size: readonly [width: number, height: number];
  /** Names of both in the request: one where both are one member. */
  readonly names: readonly [width: string, height: string];
  /** Their paths in the request. */
  readonly paths: readonly [width: Path, height: Path];
}

/**
 * A refusal of pixels that are larger than the area, nearly always metres where degrees are meant: `pixel-too-large`,
 * which names the unit; `undefined` for those that are not.
 *
 * @param crs of `bounds` and of the size
 */
export function pixelFault({ size, names, paths }: AskedPixel, bounds: Bounds, crs: Crs): Refusal | undefined {
  const [minX, minY, maxX, maxY] = bounds;
  const sides = [maxX - minX, maxY - minY] as const;
  const unit = unitOf(crs);
  const faults = [0, 1].flatMap((i) => {
    const [asked, most, side] = [size[i]!, sides[i]!, i === 0 ? "width" : "height"];
    if (asked <= most * SAME_SIDE) return [];
    const expected = `Expected at most ${Number(most.toPrecision(6))} ${unit}, the ${side} of the area`;
    return [{ path: paths[i]!, name: names[i]!, detail: `${expected}, got ${asked}.` }];
  });
  const [first] = faults;
  if (first === undefined) return undefined;
  const isOne = names[0] === names[1];
  const all = faults.map(({ name, detail }) => `${name}: ${detail}`).join(" ");
  const meant = isOne ? `the ${names[0]} is` : `${names.join(" and ")} are`;
  return new Refusal("pixel-too-large", first.path, `${all} In ${crs.name} ${meant} in ${unit}.`, {
    limits: {
      maxPixelWidth: sides[0],
      maxPixelHeight: sides[1],
      requestedPixelWidth: size[0],
      requestedPixelHeight: size[1],
    },
    faults: faults.map(({ path, detail }) => ({ path, detail })),
  });
}
