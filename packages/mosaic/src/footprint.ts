import { edgesMeet, type FlatRing, flatBoundsRing, flattenRing, ringCovers, unwrapBbox } from "@swath/geometry";
import { CrsError, type Grid, scaleAffine } from "@swath/raster";
import { lonLatProjector, type RingProjector } from "./rasterize/project.ts";
import { fillRings, type MarkSpan } from "./rasterize/rasterize.ts";
import type { Scene } from "./scene.ts";

/** Most cells along each side of a grid when footprints are compared with it. */
const CELLS = 64;

/**
 * A coarse view of a grid: which cells a footprint may reach and which still have pixels to fill. Errs on the side
 * of reading: a cell counts as reached when the footprint touches it or one of its eight neighbours.
 */
export interface FootprintCells {
  /** Every cell 1: the result of `reach` and `open` where that is so without looking closer. */
  readonly all: Uint8Array;
  /** 1 for each cell that pixels of the scene may be in; `undefined` where that is not known. */
  reach(scene: Pick<Scene, "footprint" | "bbox">): Uint8Array | undefined;
  /** 1 for each cell with a pixel whose `valid` is 0; every cell before there is a first raster. */
  open(valid: Uint8Array | undefined): Uint8Array;
}

export function footprintCells(grid: Grid): FootprintCells {
  const size = Math.ceil(Math.max(grid.width, grid.height) / CELLS);
  const width = Math.ceil(grid.width / size);
  const height = Math.ceil(grid.height / size);
  const coarse: Grid = { crs: grid.crs, transform: scaleAffine(grid.transform, size, size), width, height };
  const all = new Uint8Array(width * height).fill(1);
  let project: RingProjector | undefined | "none" = "none";
  return {
    all,
    reach: (scene) => {
      const rings = ringsOf(scene);
      if (rings === undefined) return undefined;
      if (project === "none") project = projectorOrNone(coarse);
      return project && reachedCells(rings.flatMap(project), width, height, all);
    },
    open: (valid) => (valid === undefined ? all : openCells(valid, grid, size, width, height)),
  };
}

/** Whether any cell is 1 in both. */
export function cellsMeet(a: Uint8Array, b: Uint8Array): boolean {
  return a.some((cell, i) => cell === 1 && b[i] === 1);
}

/** Rings of a scene in degrees; `undefined` where it has no usable footprint or box. */
export function ringsOf({ footprint, bbox }: Pick<Scene, "footprint" | "bbox">): FlatRing[] | undefined {
  const rings = footprint?.flatMap((ring) => flattenRing(ring) ?? []) ?? [];
  if (rings.length > 0) return rings;
  return bbox?.every(Number.isFinite) ? [flatBoundsRing(unwrapBbox(bbox))] : undefined;
}

function projectorOrNone(grid: Grid): RingProjector | undefined {
  try {
    return lonLatProjector(grid);
  } catch (error) {
    if (error instanceof CrsError) return undefined; // a grid without coordinates on Earth: nothing can be ruled out
    throw error;
  }
}

function reachedCells(rings: readonly FlatRing[], width: number, height: number, all: Uint8Array): Uint8Array {
  if (!rings.some((ring) => edgesMeet(ring, [-1, -1, width + 1, height + 1]))) {
    // no edge near: each ring is around all cells or around none
    const isAround = rings.some((ring) => ringCovers(ring, width / 2, height / 2));
    return isAround ? all : new Uint8Array(width * height);
  }
  // one cell of border on each side, so that what passes just outside still reaches the cells inside
  const [outerWidth, outerHeight] = [width + 2, height + 2];
  const reached = new Uint8Array(width * height);
  // a cell and its eight neighbours
  const mark: MarkSpan = (row, first, end) => {
    const [from, to] = [Math.max(0, first - 2), Math.min(width, end)];
    const last = Math.min(height - 1, row);
    for (let y = Math.max(0, row - 2); y <= last && from < to; y++) reached.fill(1, y * width + from, y * width + to);
  };
  for (const ring of rings) {
    const moved = ring.map((value) => value + 1);
    fillRings([moved], outerWidth, outerHeight, mark);
    for (let i = 0, previous = moved.length - 2; i < moved.length; previous = i, i += 2) {
      touchEdge(mark, outerWidth, outerHeight, moved[previous]!, moved[previous + 1]!, moved[i]!, moved[i + 1]!);
    }
  }
  return reached;
}

/** Marks the cells an edge runs through, row by row. */
function touchEdge(
  mark: MarkSpan,
  width: number,
  height: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  const [left, top, right, bottom] = y0 <= y1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0];
  const slope = bottom > top ? (right - left) / (bottom - top) : 0;
  const last = Math.min(height - 1, Math.floor(bottom));
  for (let row = Math.max(0, Math.floor(top)); row <= last; row++) {
    const from = bottom > top ? left + slope * (Math.max(top, row) - top) : left;
    const to = bottom > top ? left + slope * (Math.min(bottom, row + 1) - top) : right;
    const first = Math.max(0, Math.floor(Math.min(from, to)));
    const end = Math.min(width - 1, Math.floor(Math.max(from, to))) + 1;
    if (first < end) mark(row, first, end);
  }
}

function openCells(valid: Uint8Array, grid: Grid, size: number, width: number, height: number): Uint8Array {
  const open = new Uint8Array(width * height);
  for (let y = 0, start = 0; y < grid.height; y++, start += grid.width) {
    const row = Math.floor(y / size) * width;
    for (let cell = 0; cell < width; cell++) {
      if (open[row + cell] === 1) continue;
      const end = start + Math.min((cell + 1) * size, grid.width);
      for (let i = start + cell * size; i < end; i++) {
        if (valid[i] !== 0) continue;
        open[row + cell] = 1;
        break;
      }
    }
  }
  return open;
}
