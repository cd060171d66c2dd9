import { BRIGHTNESS_STEPS } from "../country/landscape.ts";
import { CLASS_OF_COVER, TRUTH_CLASSES, type TruthClass } from "../country/spectra.ts";

/**
 * C-band backscatter (gamma nought) by land cover in decibels, VV and VH: typical values over land (smooth water below
 * −20 dB, forest near −8 dB, cities above −5 dB), without speckle.
 */
const DECIBELS: Readonly<Record<TruthClass, readonly [vv: number, vh: number]>> = {
  water: [-21, -28],
  forest: [-8.5, -14],
  crop: [-11, -18],
  grassland: [-12.5, -19.5],
  bare_soil: [-13, -22],
  built_up: [-4.5, -12],
  rock: [-10.5, -19],
  sand: [-16, -25],
  snow: [-14, -21],
  burned: [-10, -18.5],
};

export const POLARIZATIONS = ["vv", "vh"] as const;
export type Polarization = (typeof POLARIZATIONS)[number];

const powers = POLARIZATIONS.map((_, i) => TRUTH_CLASSES.map((name) => 10 ** ((DECIBELS[name][i] ?? Number.NaN) / 10)));

/** Gamma nought as linear power: the class's, brighter where texture and slope are. */
export function backscatterOf(polarization: Polarization, cover: number, brightness: number): number {
  const power = powers[POLARIZATIONS.indexOf(polarization)]?.[CLASS_OF_COVER[cover] ?? -1] ?? Number.NaN;
  return (power * brightness) / BRIGHTNESS_STEPS;
}
