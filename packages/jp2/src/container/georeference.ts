import type { Affine, Crs } from "@swath/raster";

/** CRS and transform of a file, as far as it states them. */
export interface Georeference {
  readonly transform?: Affine;
  readonly crs?: Crs;
  /** The reason why it cannot be warped. */
  readonly problem?: string;
}

/** Is the place on Earth known? */
export function isPlaced({ transform, crs, problem }: Georeference): boolean {
  return transform !== undefined && crs !== undefined && problem === undefined;
}
