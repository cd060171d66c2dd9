import type { Geometry } from "@swath/geometry";
import type { Bbox } from "@swath/raster";

/** Where scenes are searched. */
export interface SearchArea {
  /** Degrees; scenes whose footprints miss it are left out. */
  readonly geometry: Geometry;
  /** Boxes in degrees that hold the geometry together: each is searched. */
  readonly boxes: readonly Bbox[];
}
