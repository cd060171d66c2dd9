/** A spectral index: band math on reflectance by common names. */
export interface IndexSchema {
  readonly id: string;
  readonly title: string;
  /** Subject of the index. */
  readonly domain: "vegetation" | "water" | "soil" | "burn" | "snow" | "urban" | "clouds";
  /** Other names; of an index of Awesome Spectral Indices the name that it has there. */
  readonly aliases: readonly string[];
  /** Common names that the expression reads, in order of appearance. */
  readonly bands: readonly string[];
  /** Arithmetic on reflectance (not on digital numbers). */
  readonly expression: string;
  /** Range of usual values, for display. */
  readonly range: readonly [number, number];
  /** The publication of the formula. */
  readonly source: string;
}
