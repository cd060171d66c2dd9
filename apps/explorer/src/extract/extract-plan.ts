import { EQUATOR_RADIUS } from "@swath/raster";
import type { Area } from "../geometry/area.ts";
import { ringOf } from "../geometry/area.ts";
import { dataFilter, type Order } from "../view/data-filter.ts";
import type { ViewState } from "../view/view.ts";

/** Limits of one request to the service (interface specification, Limits). */
export interface Caps {
  readonly side: number;
  readonly values: number;
  readonly valuesTimesScenes: number;
}

export const SYNC_CAPS: Caps = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };
export const JOB_CAPS: Caps = { side: 20_000, values: 600_000_000, valuesTimesScenes: 2_400_000_000 };
/** Scenes in one mosaic. */
export const MAX_SCENES = 6;

/** Units that values can be had in, in words. Kelvin is what reflectance is for a thermal band. */
export const UNITS = {
  REFLECTANCE: "Reflectance, 32-bit float",
  DN: "Digital numbers, 16-bit",
  METERS: "Metres, 32-bit float",
  LINEAR_POWER: "Linear power, 32-bit float",
  DB: "Decibels, 32-bit float",
} as const;

export type Units = keyof typeof UNITS;

/** Choices that the user made in the form. */
export interface ExtractChoice {
  readonly bands: readonly string[];
  readonly epsg: number;
  /** Metres; degrees are made of them for EPSG:4326. */
  readonly resolution: number;
  readonly units: Units;
  readonly order: Order;
}

export interface Size {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly values: number;
  /** Scenes that are read at most. */
  readonly scenes: number;
  /** Before compression. */
  readonly bytes: number;
}

/** Metres of a degree along the equator. */
const METRES_A_DEGREE = (EQUATOR_RADIUS * Math.PI) / 180;

/** Pixel size in the units of a CRS. */
export function resolutionIn(epsg: number, metres: number): number {
  return epsg === 4326 ? Number((metres / METRES_A_DEGREE).toPrecision(9)) : metres;
}

/** Size of the output over a span in units of the CRS, by the service's rule. */
export function sizeOf(span: readonly [number, number], choice: ExtractChoice, scenes: number): Size {
  const resolution = resolutionIn(choice.epsg, choice.resolution);
  const [width, height] = span.map((length) => Math.max(1, Math.round(length / resolution))) as [number, number];
  const values = width * height * choice.bands.length;
  return {
    width,
    height,
    bands: choice.bands.length,
    values,
    scenes,
    bytes: values * (choice.units === "DN" ? 2 : 4),
  };
}

export interface CapUse {
  readonly name: "pixels a side" | "values" | "values × scenes";
  readonly used: number;
  readonly cap: number;
}

/** Returns the share of each cap that a size takes. */
export function capUse(size: Size, caps: Caps): readonly CapUse[] {
  return [
    { name: "pixels a side", used: Math.max(size.width, size.height), cap: caps.side },
    { name: "values", used: size.values, cap: caps.values },
    { name: "values × scenes", used: size.values * Math.max(1, size.scenes), cap: caps.valuesTimesScenes },
  ];
}

/** Whether a size can be had at once, only as a job, or not at all. */
export function wayFor(size: Size): "sync" | "job" | "none" {
  const fits = (caps: Caps): boolean => capUse(size, caps).every(({ used, cap }) => used <= cap);
  return fits(SYNC_CAPS) ? "sync" : fits(JOB_CAPS) ? "job" : "none";
}

/** The body of POST /v1/process and of POST /v1/process/jobs. */
export function processRequest(
  state: Pick<ViewState, "collection" | "scene" | "from" | "to" | "cloud">,
  area: Area,
  choice: ExtractChoice,
): Readonly<Record<string, unknown>> {
  const resolution = resolutionIn(choice.epsg, choice.resolution);
  return {
    input: {
      bounds:
        area.kind === "box" ? { bbox: area.bbox } : { geometry: { type: "Polygon", coordinates: [ringOf(area)] } },
      data: [
        {
          type: state.collection,
          dataFilter: dataFilter(state, choice.order),
          processing: { units: choice.units },
        },
      ],
    },
    bands: choice.bands,
    output: { resx: resolution, resy: resolution, crs: `EPSG:${choice.epsg}`, format: "image/tiff" },
  };
}
