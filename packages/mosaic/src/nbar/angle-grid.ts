import { type Affine, applyAffine, resolveCrs, transformer } from "@swath/raster";
import type { Angles } from "./kernels.ts";
import { type Orbit, trackView } from "./orbit.ts";
import { sunPosition } from "./sun.ts";

/** Points at equal distances over a scene, row by row from the first line, as plain data. */
export interface NodeGrid {
  readonly crs: string;
  /** Column and row of a node to its coordinates: a, b, c, d, e, f. */
  readonly transform: Affine;
  /** Nodes in a row. */
  readonly width: number;
  /** Rows of nodes. */
  readonly height: number;
}

/** A scene's angles at nodes; `undefined` where none are known. */
export interface AngleGrid extends NodeGrid {
  readonly angles: readonly (Angles | undefined)[];
}

/** Cells along the longer side of a computed grid: 8 km of a Landsat scene, over which factors bend by less than 1e-5. */
const CELLS = 24;

/**
 * Nodes over the pixels of a scene.
 *
 * @param transform column and row of a pixel's corner to coordinates.
 * @param size width and height in pixels.
 */
export function nodesOver(crs: string, transform: Affine, [width, height]: readonly [number, number]): NodeGrid {
  const step = Math.max(width, height) / CELLS;
  const [columns, rows] = [Math.ceil(width / step), Math.ceil(height / step)];
  const [a, b, c, d, e, f] = transform;
  const [x, y] = [width / columns, height / rows];
  return { crs, transform: [a * x, b * y, c, d * x, e * y, f], width: columns + 1, height: rows + 1 };
}

/** Longitudes and latitudes of nodes in degrees, in their order. */
export function nodePositions({ crs, transform, width, height }: NodeGrid): (readonly [number, number])[] {
  const toDegrees = transformer(resolveCrs(crs), resolveCrs("EPSG:4326"));
  return Array.from({ length: width * height }, (_, i) =>
    toDegrees(...applyAffine(transform, i % width, Math.floor(i / width))),
  );
}

/**
 * Angles of a scene that was taken from a descending path: the sun's position at one moment, and the direction to the
 * orbit.
 *
 * @param time of the middle of the scene, milliseconds since 1970-01-01T00:00Z. The sun moves by 0.05 degrees while a
 *   scene of 185 km is taken.
 * @param path number of the orbit's path.
 */
export function computedAngles(
  nodes: NodeGrid,
  { time, orbit, path }: { readonly time: number; readonly orbit: Orbit; readonly path: number },
): AngleGrid {
  const viewAt = trackView(orbit, path);
  const angles = nodePositions(nodes).map(([longitude, latitude]): Angles | undefined => {
    if (Number.isNaN(longitude)) return undefined;
    const sun = sunPosition(time, longitude, latitude);
    const view = viewAt(longitude, latitude);
    return { sunZenith: sun.zenith, sunAzimuth: sun.azimuth, viewZenith: view.zenith, viewAzimuth: view.azimuth };
  });
  return { ...nodes, angles };
}
