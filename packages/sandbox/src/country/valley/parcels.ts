import { hash32, hashUnit } from "../noise.ts";
import { TURNS } from "../settlement.ts";

/** The parcel that holds a point. */
export interface ValleyParcel {
  /** Same number for all points of a parcel, well spread. */
  id: number;
  /** Kilometres to its nearest edge. */
  edge: number;
  /** Is the nearest edge one along which the parcels of a row end: a lane? */
  isLane: boolean;
}

/** Width of an estate, km. */
const ESTATE = 2.2;

/**
 * Parcels as they lie in old plains: estates (Voronoi cells) that turn their parcels their own way, in them rows of one
 * depth, cut into parcels of several widths. Kilometres.
 */
export function valleyParcelAt(seed: number, x: number, y: number, out: ValleyParcel): void {
  const cellX = Math.floor(x / ESTATE);
  const cellY = Math.floor(y / ESTATE);
  let [nearest, second] = [1e9, 1e9];
  let estate = 0;
  for (let b = cellY - 1; b <= cellY + 1; b++) {
    for (let a = cellX - 1; a <= cellX + 1; a++) {
      const dx = x - (a + 0.1 + 0.8 * hashUnit(seed, a, b)) * ESTATE;
      const dy = y - (b + 0.1 + 0.8 * hashUnit(seed + 1, a, b)) * ESTATE;
      const d = Math.sqrt(dx * dx + dy * dy);
      if (d < nearest) {
        second = nearest;
        nearest = d;
        estate = hash32(seed + 2, a, b);
      } else if (d < second) second = d;
    }
  }
  const [cos, sin] = TURNS[estate & 7]!;
  const depth = 0.42 + 0.34 * hashUnit(estate, 1, 1);
  const u = x * cos + y * sin;
  const v = (y * cos - x * sin) / depth;
  const row = Math.floor(v);
  const width = 0.17 + 0.33 * hashUnit(estate, row, 2);
  const w = u / width + hashUnit(estate, row, 3);
  const column = Math.floor(w);
  out.id = hash32(estate, row, column);
  const across = Math.min(v - row, 1 - v + row) * depth;
  const along = Math.min(w - column, 1 - w + column) * width;
  const border = (second - nearest) / 2;
  out.isLane = Math.min(across, border) < along;
  out.edge = Math.min(across, along, border);
}
