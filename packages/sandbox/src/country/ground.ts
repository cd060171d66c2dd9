/** The land cover at a point on every day of every year; `seasons.ts` adds seasons. */
export interface Ground {
  /** Index into `TRUTH_CLASSES`. */
  cover: number;
  /** Between the two spectra of the class, 0 to 50. */
  mix: number;
  /** Texture and slope, in twentieths: 20 keeps the spectrum unchanged. */
  brightness: number;
  /** Height in steps of 10 m. */
  height: number;
  /** Height in metres, not rounded. */
  elevation: number;
  /** Crops only: when in the year the field is green, 0 to 7; ground of the valley from 8 on. */
  rotation: number;
  /** The valley only: decimetres above the river's usual level from which it is under water; 0: never. */
  flood: number;
  /** The valley only: how severely it burns in the fire, 0 (not) to 50. */
  burn: number;
}

/** Ground to fill in. */
export function emptyGround(): Ground {
  return { cover: 0, mix: 0, brightness: 0, height: 0, elevation: 0, rotation: 0, flood: 0, burn: 0 };
}
