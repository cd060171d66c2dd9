import { createAround } from "./around.ts";
import { fractal, gradientNoise, hashUnit, ridged, smoothstep } from "./noise.ts";

/** The shape of the land. Everything is in kilometres of UTM zone 33N (EPSG:32633), heights in metres. */
export interface Terrain {
  /** Kilometres inland of the coast, negative at sea; near the coast a true distance, further off only an ordering. */
  inland(x: number, y: number): number;
  /** Height in metres, 0 at sea. */
  height(x: number, y: number, inland: number, mountain: number): number;
  /** The share of mountain in the relief, 0 (plain) to 1. */
  mountain(x: number, y: number): number;
  /** Kilometres from the middle of the nearest river, divided by half its width: below 1 is water. */
  river(x: number, y: number, inland: number): number;
  /** Below 1 inside a lake. */
  lake(x: number, y: number, inland: number): number;
}

/** Lakes that are always there: middle, half axes (km), turn (degrees). */
const LAKES: readonly (readonly [number, number, number, number, number])[] = [
  [447, 5052, 8.5, 3, -28],
  [331, 5079, 6, 2.2, 62],
  [481, 5021, 4.2, 2.6, 15],
  [404, 5078, 3.6, 1.7, -50],
];
const LAKE_CELL = 21;
/** Columns whose side river is kept: those of a grid whose rows are asked for one by one. */
const COLUMNS = 4096;

export function createTerrain(seed: number): Terrain {
  const coastNoise = gradientNoise(seed + 1);
  const landNoise = gradientNoise(seed + 2);
  const rockNoise = gradientNoise(seed + 3);
  const bendNoise = gradientNoise(seed + 4);
  const lakeTurns = LAKES.map(([, , , , turn]) => turnOf(turn));

  const inland = (x: number, y: number): number => {
    const line = x < 400 ? 5031 - (x - 300) * 0.3 : 5001 - (x - 400) * 0.55;
    const rough = y - line;
    if (rough > 42) return rough * 0.9;
    if (rough < -42) return rough * 0.9;
    return 0.9 * (rough + 27 * fractal(coastNoise, x / 31, y / 31, 6));
  };

  const mountain = (x: number, y: number): number => {
    const bend = 13 * landNoise(x / 47, y / 47) + 5 * landNoise(x / 15 + 7, y / 15);
    const north = smoothstep(5058, 5092, y + bend - (x < 330 ? (330 - x) * 0.3 : 0));
    const east =
      smoothstep(17, 2, Math.abs((x - 488) * 0.78 + (y - 5058) * 0.62 + bend * 0.6)) * smoothstep(4985, 5015, y);
    return Math.max(north, east);
  };

  const mainRiver = (y: number): number =>
    353 + 11 * bendNoise(y / 23, 0.5) + 5.5 * bendNoise(y / 8.3, 3.5) + 2.1 * bendNoise(y / 2.7, 9.5);
  const sideRiver = (x: number): number =>
    5036 + 9 * bendNoise(x / 25, 20.5) + 4.5 * bendNoise(x / 7.9, 23.5) + 1.6 * bendNoise(x / 2.5, 29.5);

  // the main river depends on the row alone, the side river on the column: points are asked for row by row
  const row = { y: Number.NaN, middle: 0, stretch: 0, width: 0 };
  const setRow = (y: number): void => {
    const slope = (mainRiver(y + 0.1) - mainRiver(y - 0.1)) * 5;
    row.y = y;
    row.middle = mainRiver(y);
    row.stretch = Math.sqrt(1 + slope * slope);
    row.width = 0.16 + 0.24 * smoothstep(5100, 5030, y);
  };
  const columns = {
    x: new Float64Array(COLUMNS),
    middle: new Float64Array(COLUMNS),
    stretch: new Float64Array(COLUMNS),
    width: new Float64Array(COLUMNS),
  };
  const columnOf = (x: number): number => {
    // kilometres in hundredths: neighbours in a grid of pixels of 10 m or more have slots of their own
    const slot = Math.round(x * 100) & (COLUMNS - 1);
    if (columns.x[slot] === x) return slot;
    const at = sideRiver(x);
    const slope = (sideRiver(x + 0.1) - sideRiver(x - 0.1)) * 5;
    columns.x[slot] = x;
    // it begins where it leaves the main river
    columns.middle[slot] = x - mainRiver(at) > -0.4 ? at : Number.NaN;
    columns.stretch[slot] = Math.sqrt(1 + slope * slope);
    columns.width[slot] = 0.11 + 0.12 * smoothstep(520, 380, x);
    return slot;
  };

  const river = (x: number, y: number, coast: number): number => {
    if (y !== row.y) setRow(y);
    let nearest = 99;
    if (Math.abs(x - row.middle) < 14) {
      const width = row.width + 0.5 * smoothstep(6, -2, coast);
      nearest = Math.abs(x - row.middle) / row.stretch / width;
    }
    if (x > 340 && Math.abs(y - 5036) < 30) {
      const column = columnOf(x);
      const distance = Math.abs(y - columns.middle[column]!) / columns.stretch[column]! / columns.width[column]!;
      if (distance < nearest) nearest = distance;
    }
    return nearest;
  };

  /** Lakes of a cell and its neighbours: easting, northing and radius of each. */
  const lakesAround = createAround((cellX, cellY, add) => {
    if (hashUnit(seed, cellX, cellY * 3 + 1) > 0.5) return;
    const cx = (cellX + hashUnit(seed, cellX, cellY * 3 + 2)) * LAKE_CELL;
    const cy = (cellY + hashUnit(seed + 9, cellX, cellY * 3 + 2)) * LAKE_CELL;
    add(cx, cy, 0.5 + 1.5 * hashUnit(seed + 10, cellX, cellY) ** 2);
  });

  const lake = (x: number, y: number, coast: number): number => {
    if (coast < 4) return 9;
    let nearest = 9;
    for (let i = 0; i < LAKES.length; i++) {
      const [cx, cy, a, b] = LAKES[i]!;
      const [cos, sin] = lakeTurns[i]!;
      const dx = x - cx;
      const dy = y - cy;
      if (Math.abs(dx) > 2.5 * a || Math.abs(dy) > 2.5 * a) continue;
      const along = (dx * cos + dy * sin) / a;
      const across = (dy * cos - dx * sin) / b;
      const d = Math.sqrt(along * along + across * across);
      if (d < nearest) nearest = d;
    }
    const near = lakesAround(Math.floor(x / LAKE_CELL), Math.floor(y / LAKE_CELL));
    for (let i = 0; i < near.count; i++) {
      const dx = x - near.x[i]!;
      const dy = (y - near.y[i]!) * 1.35;
      const d = Math.sqrt(dx * dx + dy * dy) / near.value[i]!;
      if (d < nearest) nearest = d;
    }
    return nearest < 2 ? nearest + 0.55 * fractal(coastNoise, x / 2.6 + 50, y / 2.6, 5) : nearest;
  };

  const height = (x: number, y: number, coast: number, rise: number): number => {
    if (coast <= 0) return 0;
    const plain = 4 + coast * 1.6;
    const rolling = smoothstep(8, 36, coast) * (80 + 260 * rise);
    const hills = rolling * (0.6 + fractal(landNoise, x / 6.5 + 90, y / 6.5, 3));
    if (rise <= 0) return plain + hills;
    const crest = ridged(rockNoise, x / 14, y / 14, 6);
    return plain + hills + rise * (150 + 3900 * crest * crest * (0.3 + 0.7 * rise));
  };

  return { inland, height, mountain, river, lake };
}

function turnOf(degrees: number): readonly [number, number] {
  const radians = (degrees * Math.PI) / 180;
  // four decimals: the same on every engine
  return [Math.round(Math.cos(radians) * 1e4) / 1e4, Math.round(Math.sin(radians) * 1e4) / 1e4];
}
