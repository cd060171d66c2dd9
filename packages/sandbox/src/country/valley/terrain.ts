import { fractal, gradientNoise, ridged, smoothstep } from "../noise.ts";

/** The shape of the valley. `u` and `v` are kilometres east and north of `ORIGIN`. */
export interface ValleyTerrain {
  /** Kilometres from the river's bank, negative in the water. */
  bank(u: number, v: number): number;
  /** Metres above the river's usual level, by the distance from its bank. */
  above(u: number, v: number, bank: number): number;
  /** Kilometres into the hills, negative on the plain. */
  inHills(u: number, v: number): number;
  /** Metres by which hills are higher than the plain. */
  rise(u: number, v: number, into: number): number;
  /** Metres of the river's usual level. */
  level(v: number): number;
  /** Below 1 in the lake of the gravel pit. */
  lake(u: number, v: number): number;
}

/** Half the river's width, km. */
const HALF_WIDTH = 0.038;
/** Middle, half axes (km). */
const LAKE = [5.12, 4.35, 0.24, 0.16] as const;

/** Southwest of the valley, metres: the odd ones keep edges of stands and houses off the pixel centres of every grid. */
const ORIGIN = [282_840.73, 5_066_400.41] as const;

export function valleyPoint(easting: number, northing: number): readonly [u: number, v: number] {
  return [(easting - ORIGIN[0]) / 1000, (northing - ORIGIN[1]) / 1000];
}

export function createValleyTerrain(seed: number): ValleyTerrain {
  const bends = gradientNoise(seed + 1);
  const relief = gradientNoise(seed + 2);
  const rocks = gradientNoise(seed + 3);

  const middle = (v: number): number => 4.35 + 0.05 * v + 0.75 * bends(v / 2.1, 0.5) + 0.26 * bends(v / 0.74, 7.5);
  // points are asked for row by row
  const row = { v: Number.NaN, middle: 0, across: 1, width: 0 };
  const setRow = (v: number): void => {
    const slope = (middle(v + 0.02) - middle(v - 0.02)) / 0.04;
    row.v = v;
    row.middle = middle(v);
    row.across = 1 / Math.sqrt(1 + slope * slope);
    row.width = HALF_WIDTH * (1 + 0.35 * bends(v / 0.4, 13.5));
  };

  const bank = (u: number, v: number): number => {
    if (v !== row.v) setRow(v);
    return Math.abs(u - row.middle) * row.across - row.width;
  };

  const above = (u: number, v: number, from: number): number => {
    const plain =
      0.7 + 2.1 * smoothstep(0, 1.0, from) + 4.5 * smoothstep(0.85, 1.35, from) + 1.2 * Math.max(0, from - 1.3);
    if (from > 1.6) return plain;
    const dam = 0.9 * smoothstep(0.16, 0.03, from);
    // old arms of the river
    const arm = smoothstep(0.12, 0.03, Math.abs(relief(u / 0.9 + 3, v / 0.9))) * smoothstep(1.1, 0.7, from);
    return Math.max(0.2, plain + dam - 0.9 * arm + 0.55 * fractal(relief, u / 0.55, v / 0.55, 3));
  };

  const inHills = (u: number, v: number): number => {
    const straight = (v - 3.75) * 0.8 - (u - 2.35) * 0.62;
    // far out on the plain its bends do not matter
    return straight < -1.2 ? straight : straight + 0.42 * fractal(relief, u / 2.6 + 20, v / 2.6, 3);
  };

  const rise = (u: number, v: number, into: number): number => {
    if (into <= -0.4) return 0;
    const share = smoothstep(-0.4, 3.9, into);
    const spurs = 0.5 + 0.95 * ridged(rocks, u / 1.25, v / 1.25, 4);
    return share * (190 + 760 * share) * spurs + 22 * smoothstep(-0.4, 0.6, into);
  };

  const lake = (u: number, v: number): number => {
    const [x, y, a, b] = LAKE;
    const [dx, dy] = [(u - x) / a, (v - y) / b];
    const d = dx * dx + dy * dy;
    return d > 2.5 ? d : Math.sqrt(d) + 0.16 * fractal(relief, u / 0.3 + 40, v / 0.3, 2);
  };

  return { bank, above, inHills, rise, level: (v) => 58 + 1.3 * v, lake };
}
