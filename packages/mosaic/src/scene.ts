import type { Bbox, Grid, Raster } from "@swath/raster";

/** A closed line of longitude/latitude pairs in degrees; the last point may repeat the first. */
export type Ring = readonly (readonly [number, number])[];

/** Options of reading a scene. */
export interface SceneReadOptions {
  readonly signal?: AbortSignal;
}

/**
 * One item's pixels, read for any grid. The mosaic does not depend on their source (files, bands, offsets, masks).
 */
export interface Scene {
  readonly id: string;
  /** West, south, east, north in degrees; west > east crosses the antimeridian. Used where `footprint` is absent. */
  readonly bbox?: Bbox;
  /** Outer rings around the data, in degrees. A ring may be cut at the antimeridian or run across it. */
  readonly footprint?: readonly Ring[];
  /**
   * Pixels on exactly `grid`; `undefined` when the scene does not touch it. The mosaic never writes to the arrays
   * and may return them as its own, so a scene may keep them but not change them.
   *
   * @throws {SceneUnreadableError} when reading can never succeed. Every other error counts as passing.
   */
  read(grid: Grid, options: SceneReadOptions): Promise<Raster | undefined>;
}
