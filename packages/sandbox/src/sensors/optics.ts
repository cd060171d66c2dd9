import { BRIGHTNESS_STEPS } from "../country/landscape.ts";
import { CLASS_OF_COVER, CLOUD_SPECTRUM, COVER_KELVIN, spectralTable } from "../country/spectra.ts";
import { CLOUD_STEPS, CLOUD_TOPS, SHADOW_LIGHT } from "./clouds.ts";

/** Tables of one band, for `reflectanceAt`. */
export interface BandOptics {
  /** Reflectance of ground of unit brightness by `cover × 256 + mix`. */
  readonly ground: Float64Array;
  /** Reflectance that a cloud adds, by its opacity. */
  readonly cloud: Float64Array;
}

const STEPS = Array.from({ length: CLOUD_STEPS + 1 }, (_, step) => step);
/** Share of light that reaches the ground, by the depth of a shadow. */
const LIT = Float64Array.from(STEPS, (shadow) => 1 - ((1 - SHADOW_LIGHT) * shadow) / CLOUD_STEPS);
/** Share of the ground that shows, by the opacity of a cloud. */
const SHOWN = Float64Array.from(STEPS, (cloud) => 1 - cloud / CLOUD_STEPS);

const BANDS: readonly BandOptics[] = CLOUD_SPECTRUM.map((whole, band) => ({
  ground: spectralTable(band),
  cloud: Float64Array.from(STEPS, (step) => ((step / CLOUD_STEPS) * whole * CLOUD_TOPS[step]!) / BRIGHTNESS_STEPS),
}));

/** The tables of a band, by its number in `REFLECTANCE_BANDS`. */
export function bandOptics(band: number): BandOptics {
  return BANDS[band]!;
}

/** Reflectance of one band at the top of ground and clouds. Arguments are the integers of `Ground` and `Sky`. */
export function reflectanceAt(
  optics: BandOptics,
  key: number,
  brightness: number,
  cloud: number,
  shadow: number,
): number {
  const ground = ((optics.ground[key]! * brightness) / BRIGHTNESS_STEPS) * LIT[shadow]!;
  return ground * SHOWN[cloud]! + optics.cloud[cloud]!;
}

/** Surface temperature in kelvin: the class's, the season's, 6.5 K less per km of height; clouds hide it with their own. */
export function kelvinOf(key: number, height: number, cloud: number, shadow: number, warmth: number): number {
  const cover = key >> 8;
  const share = cloud / CLOUD_STEPS;
  // water keeps half of summer's warmth, snow does not follow the season
  const seasonal = CLASS_OF_COVER[cover] === 0 ? warmth / 2 : cover === 8 ? 0 : warmth;
  const ground = COVER_KELVIN[cover]! + seasonal - (cover === 8 ? 0 : 0.065 * height) - (3 * shadow) / CLOUD_STEPS;
  return ground * (1 - share) + share * 262;
}
