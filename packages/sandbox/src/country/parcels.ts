import { hash32, hashUnit } from "./noise.ts";
import { TURNS } from "./settlement.ts";

/** The field that holds a point. */
export interface Parcel {
  /** Same number for all points of a field, well spread. */
  id: number;
  /** True within some metres of the field's edge: hedge, ditch or track. */
  edge: boolean;
}

const ESTATE = 8.5;

/**
 * Fields as farmers lay them out: the plain is cut into estates (Voronoi cells) that each turn their fields their own
 * way; within an estate, strips of one depth are cut into fields of one width. Kilometres of EPSG:32633.
 */
export function parcelAt(seed: number, x: number, y: number, out: Parcel): void {
  const cellX = Math.floor(x / ESTATE);
  const cellY = Math.floor(y / ESTATE);
  let nearest = 1e9;
  let estateX = 0;
  let estateY = 0;
  for (let j = -1; j <= 1; j++) {
    for (let i = -1; i <= 1; i++) {
      const a = cellX + i;
      const b = cellY + j;
      const dx = x - (a + hashUnit(seed, a, b)) * ESTATE;
      const dy = y - (b + hashUnit(seed + 1, a, b)) * ESTATE;
      const d = dx * dx + dy * dy;
      if (d < nearest) {
        nearest = d;
        estateX = a;
        estateY = b;
      }
    }
  }
  const estate = hash32(seed + 2, estateX, estateY);
  const [cos, sin] = TURNS[estate & 7]!;
  const depth = 0.42 + 0.6 * hashUnit(estate, 1, 1);
  const u = x * cos + y * sin;
  const v = (y * cos - x * sin) / depth;
  const row = Math.floor(v);
  const width = 0.5 + 1.6 * hashUnit(estate, row, 2) ** 1.5;
  const w = u / width + hashUnit(estate, row, 3);
  const column = Math.floor(w);
  out.id = hash32(estate, row, column);
  const across = v - row;
  const along = w - column;
  const rim = 0.008;
  out.edge = across * depth < rim || (1 - across) * depth < rim || along * width < rim || (1 - along) * width < rim;
}
