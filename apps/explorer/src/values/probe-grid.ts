import type { Item } from "../api/types.ts";

/** Pixels along each side of the window requested around a point: neighbours cost no further request. */
export const PROBE_SIDE = 32;

export interface ProbeWindow {
  readonly key: string;
  /** In units of the CRS. */
  readonly bounds: readonly [minX: number, minY: number, maxX: number, maxY: number];
  readonly column: number;
  readonly row: number;
}

/**
 * The window of a pixel grid that contains a point, and the point's pixel in it. Windows tile the plane, so that points
 * near each other share one.
 *
 * @param origin - a corner of any pixel
 */
export function probeWindow(
  x: number,
  y: number,
  resolution: number,
  origin: readonly [number, number] = [0, 0],
): ProbeWindow {
  const column = Math.floor((x - origin[0]) / resolution);
  const row = Math.floor((origin[1] - y) / resolution);
  const left = Math.floor(column / PROBE_SIDE) * PROBE_SIDE;
  const top = Math.floor(row / PROBE_SIDE) * PROBE_SIDE;
  const minX = origin[0] + left * resolution;
  const maxY = origin[1] - top * resolution;
  return {
    key: `${left}/${top}`,
    bounds: [minX, maxY - PROBE_SIDE * resolution, minX + PROBE_SIDE * resolution, maxY],
    column: column - left,
    row: row - top,
  };
}

/** The pixel grid of a scene's bands of a ground resolution: its CRS and a pixel corner. */
export function pixelGrid(
  item: Item,
  resolution: number,
): { readonly epsg: number | undefined; readonly origin: readonly [number, number] | undefined } {
  for (const asset of Object.values(item.assets)) {
    const transform = asset["proj:transform"];
    if (transform?.[0] !== resolution) continue;
    return {
      epsg: asset["proj:epsg"] ?? item.properties["proj:epsg"],
      origin: [transform[2] as number, transform[5] as number],
    };
  }
  return { epsg: item.properties["proj:epsg"], origin: undefined };
}

/** (nir − red) / (nir + red); undefined where there is none. */
export function ndvi(nir: number | undefined, red: number | undefined): number | undefined {
  if (nir === undefined || red === undefined) return undefined;
  const value = (nir - red) / (nir + red);
  return Number.isFinite(value) ? value : undefined;
}
