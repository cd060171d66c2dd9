import { type Bounds, type Grid, gridFromBounds, type Raster, resolveCrs } from "@swath/raster";
import type { Ring, Scene } from "../src/index.ts";

/** 16 × 16 pixels of 0.1° with the corner at 10° E, 45° N. */
export const GRID: Grid = gridFromBounds(resolveCrs("EPSG:4326"), [10, 45, 11.6, 46.6], 16, 16);

export function rectangle([west, south, east, north]: Bounds): Ring {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

/** A raster whose every pixel is `value`, with data where `has` says so. */
export function constantRaster(
  value: number,
  grid = GRID,
  has: (x: number, y: number) => boolean = () => true,
): Raster<Uint16Array> {
  const { width, height } = grid;
  const valid = Uint8Array.from({ length: width * height }, (_, i) => Number(has(i % width, Math.floor(i / width))));
  return { grid, bands: [new Uint16Array(width * height).fill(value)], valid };
}

/** A scene that records when it is read. */
export function recorded(
  log: string[],
  id: string,
  answer: (grid: Grid, signal: AbortSignal | undefined) => Raster | undefined | Promise<Raster | undefined>,
  extent: Pick<Scene, "footprint" | "bbox"> = {},
): Scene {
  return {
    id,
    ...extent,
    read: async (grid, { signal }) => {
      log.push(id);
      return answer(grid, signal);
    },
  };
}
