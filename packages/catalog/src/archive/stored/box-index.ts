import { type Bounds, type Shape, shapeBbox, unwrapBbox } from "@swath/geometry";
import { SortedNumbers } from "./sorted-numbers.ts";

/** Cells of a level are 360 / 2^level degrees wide and high; those of the last one are 0.6 km. */
const LEVELS = 17;
/** Most rows of cells of a level that are looked at one by one. */
const MAX_ROWS = 64;
/** Degrees by which rounding may move an edge. */
const SLACK = 1e-6;
const LEVEL_KEYS = 2 ** 40;
const ROW_KEYS = 2 ** 20;

/** Boxes by where they are: each is in the cell of its south-west corner, on the last level whose cells are as large as it. */
export class BoxIndex {
  readonly #keys: SortedNumbers;

  /** @param boxes west, south, east, north of each item, west to east continuous; NaN without a box. */
  constructor(boxes: Float64Array) {
    this.#keys = new SortedNumbers(new Float64Array(boxes.length / 4).map((_, i) => keyOf(boxes, i * 4)));
  }

  get bytes(): number {
    return this.#keys.bytes;
  }

  /** Lists in which all boxes are that meet that of a shape, and others near it; none is in two of them. */
  near(shape: Shape): readonly Uint32Array[] {
    const bbox = shapeBbox(shape);
    if (bbox === undefined) return [];
    const bounds = unwrapBbox(bbox);
    return Array.from({ length: LEVELS }, (_, level) => this.#nearOn(level, bounds)).flat();
  }

  #nearOn(level: number, [west, south, east, north]: Bounds): readonly Uint32Array[] {
    const first = level * LEVEL_KEYS;
    const all = this.#keys.within(first, first + LEVEL_KEYS);
    if (all.length === 0) return [];
    const columns = 2 ** level;
    const size = 360 / columns;
    // a box that begins up to a cell before the area may reach into it
    const [bottom, top] = [rowOf(level, south - size - SLACK), rowOf(level, north + SLACK)];
    const from = Math.floor((west + 180 - size - SLACK) / size);
    const count = Math.floor((east + 180 + SLACK) / size) - from + 1;
    if (top - bottom >= MAX_ROWS) return [all];
    const found: Uint32Array[] = [];
    for (let row = bottom; row <= top; row++) {
      const start = first + row * ROW_KEYS;
      const add = (low: number, high: number) => found.push(this.#keys.within(start + low, start + high));
      const left = modulo(from, columns);
      if (count >= columns) add(0, columns);
      else {
        add(left, Math.min(left + count, columns));
        if (left + count > columns) add(0, left + count - columns);
      }
    }
    return found;
  }
}

function keyOf(boxes: Float64Array, at: number): number {
  const [west, south] = [boxes[at] as number, boxes[at + 1] as number];
  const side = Math.max((boxes[at + 2] as number) - west, (boxes[at + 3] as number) - south);
  // the logarithm of no side is infinite, and that of no number none
  const level = Math.max(0, Math.min(LEVELS - 1, Math.floor(Math.log2(360 / side))));
  const columns = 2 ** level;
  const column = modulo(Math.floor(((west + 180) * columns) / 360), columns);
  return level * LEVEL_KEYS + rowOf(level, south) * ROW_KEYS + column;
}

function rowOf(level: number, latitude: number): number {
  const rows = 2 ** level;
  return Math.max(0, Math.min(rows - 1, Math.floor(((latitude + 90) * rows) / 360)));
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
