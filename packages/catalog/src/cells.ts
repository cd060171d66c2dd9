import { type Bbox, unwrapBbox } from "@swath/geometry";

/** A cell of the grid that neighbourhoods are cut by. */
export interface Cell {
  /** Cells of a level are 360 / 2^level degrees wide and high. */
  readonly level: number;
  readonly column: number;
  readonly row: number;
  readonly bbox: Bbox;
}

/** A cell is this many levels above the box it is for: eight boxes wide. One that holds too many scenes is cut in four. */
export const LEVELS_UP = 3;
/** Cells get no smaller than 0.35 degrees: a scene covers more than that. */
const MAX_LEVEL = 10;
/** Boxes of tiles come from arithmetic: they overshoot the edges of their cells by less than this part of a cell. */
const SLACK = 1e-6;

/**
 * The cells that a box touches, for a map tile one or two. They are aligned with the columns of both tile matrix
 * sets, and at least as high as eight tiles, so that a block of 8 × 8 tiles touches at most four. A box on the edge of
 * a cell does not touch the cell beyond.
 *
 * @param levelsUp how many levels above the box the cells are: 3, or fewer for smaller cells, down to 0
 */
export function cellsOf(bbox: Bbox, levelsUp = LEVELS_UP): Cell[] {
  const [west, south, east, north] = unwrapBbox(bbox);
  const extent = Math.max(east - west, north - south, 360 / 2 ** 24);
  const level = Math.max(0, Math.min(MAX_LEVEL, Math.floor(Math.log2(360 / extent) + SLACK) - levelsUp));
  const size = 360 / 2 ** level;
  const span = (from: number, to: number): number[] => {
    const first = Math.floor(from / size + SLACK);
    const last = Math.max(first, Math.ceil(to / size - SLACK) - 1);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  const columns = span(west + 180, east + 180).map((column) => ((column % 2 ** level) + 2 ** level) % 2 ** level);
  const top = Math.max(0, Math.ceil(180 / size) - 1);
  const rows = span(south + 90, north + 90).map((row) => Math.max(0, Math.min(top, row)));
  return [...new Set(rows)].flatMap((row) =>
    [...new Set(columns)].map((column) => {
      const left = column * size - 180;
      const bottom = row * size - 90;
      return { level, column, row, bbox: [left, bottom, left + size, Math.min(90, bottom + size)] };
    }),
  );
}
