import { BRIGHTNESS_STEPS } from "../country/landscape.ts";
import { CLASS_OF_COVER, CLOUD_SPECTRUM, COVER_KELVIN, spectralTable } from "../country/spectra.ts";
import { CLOUD_STEPS, SHADOW_LIGHT, type Sky } from "./clouds.ts";

/** Reflectance of one band at the top of ground and clouds. Arguments are the integers of `Ground` and `Sky`. */
export type BandOptics = (key: number, brightness: number, cloud: number, shadow: number) => number;

export function bandOptics(band: number, tops: Sky["tops"]): BandOptics {
  const table = spectralTable(band);
  const cloudReflectance = CLOUD_SPECTRUM[band]!;
  return (key, brightness, cloud, shadow) => {
    let value = (table[key]! * brightness) / BRIGHTNESS_STEPS;
    if (shadow > 0) value *= 1 - ((1 - SHADOW_LIGHT) * shadow) / CLOUD_STEPS;
    if (cloud > 0) {
      const share = cloud / CLOUD_STEPS;
      value = value * (1 - share) + (share * cloudReflectance * tops[cloud]!) / BRIGHTNESS_STEPS;
    }
    return value;
  };
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
