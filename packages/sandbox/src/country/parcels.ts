import { createAround } from "./around.ts";
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
 * way; within an estate, strips of one depth are cut into fields of one width.
 *
 * @returns a function that fills `out` with the field at kilometres of EPSG:32633
 */
export function createParcels(seed: number): (x: number, y: number, out: Parcel) => void {
  /** Estates of a cell and its neighbours: easting and northing of their middle, and a number of their own. */
  const estatesAround = createAround((cellX, cellY, add) =>
    add(
      (cellX + hashUnit(seed, cellX, cellY)) * ESTATE,
      (cellY + hashUnit(seed + 1, cellX, cellY)) * ESTATE,
      hash32(seed + 2, cellX, cellY),
    ),
  );
  return (x, y, out) => {
    const near = estatesAround(Math.floor(x / ESTATE), Math.floor(y / ESTATE));
    let nearest = 1e9;
    let estate = 0;
    for (let i = 0; i < near.count; i++) {
      const dx = x - near.x[i]!;
      const dy = y - near.y[i]!;
      const d = dx * dx + dy * dy;
      if (d < nearest) {
        nearest = d;
        estate = near.value[i]!;
      }
    }
    parcelOf(estate, x, y, out);
  };
}

/** Fills in the field of an estate. */
function parcelOf(estate: number, x: number, y: number, out: Parcel): void {
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
