import { createAround } from "./around.ts";
import { fractal, gradientNoise, hashUnit } from "./noise.ts";

/** The towns and villages of the archive, in kilometres of EPSG:32633. */
export interface Settlement {
  /** 0 in the country to above 1 in a town centre; above about 0.35 is built up. */
  density(x: number, y: number): number;
  /** The street block that holds a point: an id and whether the point is on a street. */
  block(x: number, y: number, out: Block): void;
}

export interface Block {
  id: number;
  street: boolean;
}

/** Cities that are always there: middle and radius (km). */
export const CITIES: readonly (readonly [number, number, number])[] = [
  [366, 5043, 6.2],
  [427, 5037, 4.6],
  [392, 5014, 3.2],
  [318, 5052, 3.6],
  [463, 5068, 3.4],
];
const TOWN_CELL = 7.5;

export function createSettlement(seed: number): Settlement {
  const sprawl = gradientNoise(seed + 21);

  /** Towns of a cell and its neighbours: easting, northing and radius of each. */
  const townsAround = createAround((cellX, cellY, add) => {
    const size = hashUnit(seed + 22, cellX, cellY);
    if (size < 0.3) return;
    const tx = (cellX + hashUnit(seed + 23, cellX, cellY)) * TOWN_CELL;
    const ty = (cellY + hashUnit(seed + 24, cellX, cellY)) * TOWN_CELL;
    add(tx, ty, 0.35 + 1.5 * (size - 0.3) ** 2);
  });

  const density = (x: number, y: number): number => {
    let best = 0;
    for (const [cx, cy, radius] of CITIES) {
      const dx = x - cx;
      const dy = y - cy;
      const near = 1.25 - Math.sqrt(dx * dx + dy * dy) / radius;
      if (near > best) best = near;
    }
    const towns = townsAround(Math.floor(x / TOWN_CELL), Math.floor(y / TOWN_CELL));
    for (let i = 0; i < towns.count; i++) {
      const dx = x - towns.x[i]!;
      const dy = y - towns.y[i]!;
      const near = 1.1 - Math.sqrt(dx * dx + dy * dy) / towns.value[i]!;
      if (near > best) best = near;
    }
    return best > 0 ? best + 0.55 * fractal(sprawl, x / 1.9, y / 1.9, 4) : 0;
  };

  const block = (x: number, y: number, out: Block): void => {
    // streets turn slowly across a city; blocks are about 180 m × 110 m with 20 m streets
    const turn = Math.floor(sprawl(x / 9 + 40, y / 9) * 3);
    const cos = TURNS[(turn + 8) & 7]![0];
    const sin = TURNS[(turn + 8) & 7]![1];
    // the odd metres keep street corners off the pixel centres of every grid
    const u = (x * cos + y * sin + 0.00731) / 0.18;
    const v = (y * cos - x * sin + 0.00419) / 0.11;
    const column = Math.floor(u);
    const row = Math.floor(v);
    out.street = u - column < 0.11 || v - row < 0.18;
    out.id = (Math.imul(column, 0x1f35) ^ Math.imul(row, 0x2e4b) ^ (turn << 20)) | 0;
  };

  return { density, block };
}

/** Cosine and sine of eight turns, to four decimals (the same on every engine). */
export const TURNS: readonly (readonly [number, number])[] = [
  [1, 0],
  [0.9816, 0.1908],
  [0.9063, 0.4226],
  [0.7771, 0.6293],
  [0.9903, -0.1392],
  [0.9272, -0.3746],
  [0.8192, -0.5736],
  [0.9511, 0.309],
];
