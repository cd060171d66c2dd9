import { transformer } from "../crs/transform.ts";
import { invertAffine } from "../grid/affine.ts";
import type { Grid } from "../grid/grid.ts";
import { pixelMap } from "./coordinates/pixel-map.ts";

interface Place {
  readonly x: number;
  readonly y: number;
}

/**
 * Source pixels per target pixel where the two overlap: 2 means that each target pixel covers 2 × 2 source pixels.
 * The smaller of the two directions, so that an overview coarser by at most this factor loses nothing. NaN where the
 * grids have nothing in common.
 */
export function sourceStep(source: Grid, target: Grid): number {
  const at = placeIn(source, target);
  let [col, row] = [target.width / 2, target.height / 2];
  if (!isInside(source, at(col, row))) {
    // the target pixel nearest to the source's centre
    const [x, y] = targetPixel(source, target);
    if (!Number.isNaN(x)) {
      col = Math.min(Math.max(x, 0), target.width);
      row = Math.min(Math.max(y, 0), target.height);
    }
  }
  const between = (start: number, end: number, right: number, down: number): number =>
    distance(at(col + start * right, row + start * down), at(col + end * right, row + end * down));
  const along = (right: number, down: number): number => {
    const length = between(-0.5, 0.5, right, down);
    // the pixel may lie on both sides of a source round the Earth: a part of it lies on one
    return length > source.width / 2 ? Math.min(length, 32 * between(1 / 64, 3 / 64, right, down)) : length;
  };
  return Math.min(along(1, 0), along(0, 1));
}

/** Parts of a target's edges between the pixels of it that are measured. */
const PARTS = 4;

/**
 * Returns the most source pixels along a side of a target pixel, among 5 × 5 pixels of the target: 1 or less means that
 * the target is as fine as the source or finer. NaN where none of them is in the source.
 */
export function longestStep(source: Grid, target: Grid): number {
  const at = placeIn(source, target);
  let longest = Number.NaN;
  for (let i = 0; i <= PARTS; i++) {
    for (let j = 0; j <= PARTS; j++) {
      const [col, row] = [(i * (target.width - 1)) / PARTS, (j * (target.height - 1)) / PARTS];
      const from = at(col, row);
      if (!isInside(source, from)) continue;
      for (const to of [at(col + 1, row), at(col, row + 1)]) {
        const length = distance(from, to);
        // points on the other side of a source round the Earth are near
        if (length <= source.width / 2 && !(length <= longest)) longest = length;
      }
    }
  }
  return longest;
}

/**
 * Returns the function that gives the source coordinates of a place of the target, both in columns and rows; NaN where
 * it has no coordinates there.
 */
function placeIn(source: Grid, target: Grid): (col: number, row: number) => Place {
  const map = pixelMap(source, target);
  return (col, row) => {
    const point = { x: col, y: row };
    map(point);
    return point;
  };
}

function isInside({ width, height }: Grid, { x, y }: Place): boolean {
  return x >= 0 && x <= width && y >= 0 && y <= height;
}

function distance(from: Place, to: Place): number {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/** Target pixel coordinates of the source's centre. */
function targetPixel(source: Grid, target: Grid): [number, number] {
  const t = source.transform;
  const [col, row] = [source.width / 2, source.height / 2];
  const [x, y] = transformer(source.crs, target.crs)(t[0] * col + t[1] * row + t[2], t[3] * col + t[4] * row + t[5]);
  const inverse = invertAffine(target.transform);
  return [inverse[0] * x + inverse[1] * y + inverse[2], inverse[3] * x + inverse[4] * y + inverse[5]];
}
