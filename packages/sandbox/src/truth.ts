import { emptyGround } from "./country/ground.ts";
import { createLandscape, type Landscape } from "./country/landscape.ts";
import { dayNumber, seasonalBrightness, seasonalKey, seasonOf } from "./country/seasons.ts";
import {
  CLASS_OF_COVER,
  REFLECTANCE_BANDS,
  type ReflectanceBand,
  TRUTH_CLASSES,
  type TruthClass,
} from "./country/spectra.ts";
import type { CropName } from "./country/valley/crop-years.ts";
import { parcelCropOn } from "./country/valley/season.ts";
import { cloudCoverOf, DEFAULT_SEED, isoDay, planAcquisitions } from "./scenes/plan.ts";
import { toUtm } from "./scenes/scenes.ts";
import { backscatterOf, type Polarization } from "./sensors/backscatter.ts";
import { CLOUD_STEPS, createSky, type Sky } from "./sensors/clouds.ts";
import { bandOptics, reflectanceAt } from "./sensors/optics.ts";
import { type Response, seenBy } from "./sensors/responses.ts";

/** The truth at a point. A pixel of the archive holds the truth at its centre. */
export interface Truth {
  /** Land cover on that day (snow comes and goes), clouds aside. */
  readonly class: TruthClass;
  /** Surface reflectance (0 to 1) by common name, without cloud and shadow; `rededge1..3` are B05, B06, B07. */
  readonly reflectance: Readonly<Record<ReflectanceBand, number>>;
  /** (nir − red) / (nir + red) of `reflectance`. */
  readonly ndvi: number;
  /** Height in metres, in steps of 10. */
  readonly height: number;
  /** Height in metres as the elevation tiles hold it: a float32. */
  readonly elevation: number;
  /** Backscatter (gamma nought) as linear power. */
  readonly backscatter: Readonly<Record<Polarization, number>>;
  /** The crop of the parcel, in the valley. */
  readonly crop?: TruthCrop;
  /** Opacity of the cloud above, 0 to 1. 0 without a date. */
  readonly cloud: number;
  /** Depth of the cloud shadow on the ground, 0 to 1. 0 without a date. */
  readonly shadow: number;
}

/** The crop of a parcel of the valley on a day. */
export interface TruthCrop {
  readonly name: CropName;
  /** ISO dates, for crops that are sown and harvested. */
  readonly sown?: string;
  readonly harvested?: string;
}

/** The archive whose truth is asked for. */
export interface TruthOptions {
  /** Default `DEFAULT_SEED`. */
  readonly seed?: number;
  /** `now` of the archive (`archive.json`): decides how cloudy its newest days are. Default: only the fixed dates are known. */
  readonly now?: Date | string;
}

/** Truth at a longitude and latitude in degrees. Without `date`, or with one: clouds and season of that day (UTC). */
export type TruthAt = (lon: number, lat: number, date?: Date | string) => Truth;

/** The day of the year shown when no date is given: high summer. */
const REFERENCE_DAY = dayNumber(new Date("2024-07-04"));

/**
 * Truth of an archive made with the same `seed` and `now`.
 *
 * @example const truth = createTruth(await readArchiveInfo(directory)); truth(13.28, 45.53, item.properties.datetime).ndvi
 */
export function createTruth(options: TruthOptions = {}): TruthAt {
  const { seed = DEFAULT_SEED } = options;
  const landscape = createLandscape(seed);
  // without `now` the relative dates are in a past that no archive shows
  const acquisitions = planAcquisitions(new Date(options.now ?? "1990-01-01"));
  const skies = new Map<number, Sky>();
  const skyOf = (day: number): Sky => {
    const known = skies.get(day);
    if (known !== undefined) return known;
    const sky = createSky(seed, day, cloudCoverOf(acquisitions, seed, day));
    if (skies.size > 64) skies.clear();
    skies.set(day, sky);
    return sky;
  };
  return (lon, lat, date) => {
    const [x, y] = toUtm(lon, lat);
    const day = date === undefined ? REFERENCE_DAY : dayNumber(new Date(date));
    return truthAtPoint(landscape, day, date === undefined ? undefined : skyOf(day), x, y);
  };
}

function truthAtPoint(landscape: Landscape, day: number, sky: Sky | undefined, x: number, y: number): Truth {
  const ground = emptyGround();
  landscape.ground(x, y, ground);
  const key = seasonalKey(seasonOf(day), ground);
  const brightness = seasonalBrightness(key, ground);
  const crop = cropAt(ground.rotation, day);
  const reflectance = Object.fromEntries(
    REFLECTANCE_BANDS.map((name, band) => [name, reflectanceAt(bandOptics(band), key, brightness, 0, 0)]),
  ) as Record<ReflectanceBand, number>;
  const { nir, red } = reflectance;
  return {
    class: TRUTH_CLASSES[CLASS_OF_COVER[key >> 8]!]!,
    reflectance,
    ndvi: (nir - red) / (nir + red),
    ...(crop === undefined ? {} : { crop }),
    height: ground.height * 10,
    elevation: Math.fround(ground.elevation),
    backscatter: {
      vv: backscatterOf("vv", key >> 8, brightness),
      vh: backscatterOf("vh", key >> 8, brightness),
    },
    cloud: sky === undefined ? 0 : sky.cloud(x, y) / CLOUD_STEPS,
    shadow: sky === undefined ? 0 : sky.cloud(x - sky.shadowOffset[0], y - sky.shadowOffset[1]) / CLOUD_STEPS,
  };
}

function cropAt(rotation: number, day: number): TruthCrop | undefined {
  const { name, sown, harvested } = parcelCropOn(rotation, day) ?? {};
  if (name === undefined) return undefined;
  if (sown === undefined || harvested === undefined) return { name };
  return { name, sown: isoDay(sown), harvested: isoDay(harvested) };
}

/**
 * Surface reflectance as a sensor stores it: `oli` for OLI and HLS, `etm` for ETM+ and TM, `msi-a` for MSI of Sentinel-2A
 * and `msi-b` for that of Sentinel-2B and 2C: inverses of the published transformations, so that harmonizing to OLI gives
 * `Truth.reflectance`. Bands without one are as OLI measures them.
 */
export function sensorReflectance(
  { reflectance }: Pick<Truth, "reflectance">,
  response: Response,
): Record<ReflectanceBand, number> {
  return Object.fromEntries(
    REFLECTANCE_BANDS.map((band) => [band, seenBy(response, band, reflectance[band])]),
  ) as Record<ReflectanceBand, number>;
}

let shared: TruthAt | undefined;

/** Truth of the archive of `DEFAULT_SEED`, on its fixed dates; for its newest days see `createTruth`. */
export function truthAt(lon: number, lat: number, date?: Date | string): Truth {
  shared ??= createTruth();
  return shared(lon, lat, date);
}
