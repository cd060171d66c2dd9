import { GridError } from "../../errors.ts";
import type { Window } from "../../grid/window.ts";
import { EDGE } from "../coordinates/pixel-map.ts";
import { resampleAreas } from "./resample-areas.ts";
import { FULL_SCALE, type ResamplePlan, reachOf } from "./resample-plan.ts";

/**
 * Resamples values, NaN where there is no data. A target pixel without a source pixel that holds data is NaN; with
 * methods by distance also one whose centre is in a pixel that holds none. Equal to `gdalwarp -et 0` to the last digits
 * of double precision; onto another CRS with `-wo XSCALE` and `-wo YSCALE` as the plan has them.
 *
 * @param values of the plan's window, row-major; a plan without a window takes none
 * @param out takes a value for each target pixel
 * @throws {GridError} `invalid-size` where values do not have the size of the window.
 */
export function resample(plan: ResamplePlan, values: Float64Array, out: Float64Array): void {
  const { window, target } = plan;
  const expected = window === undefined ? 0 : window.width * window.height;
  if (values.length !== expected || out.length !== target.width * target.height) {
    throw new GridError("invalid-size", `Expected ${expected} values, got ${values.length}.`);
  }
  if (window === undefined) out.fill(Number.NaN);
  else if (plan.takes === "area") resampleAreas(plan, values, window, out);
  else resampleCentres(plan, values, window, out);
}

/** Blends the pixels around a point of the source; NaN where too few of them hold data. */
type Blend = (x: number, y: number) => number;

function resampleCentres(plan: ResamplePlan, values: Float64Array, window: Window, out: Float64Array): void {
  const { x, y, method, scale } = plan;
  const isFull = scale[0] >= FULL_SCALE && scale[1] >= FULL_SCALE;
  const blend =
    method === "near"
      ? undefined
      : isFull && method === "bilinear"
        ? twoByTwo(values, window)
        : isFull
          ? fourByFour(values, window)
          : around(plan, values, window);
  for (let i = 0; i < out.length; i++) {
    const [px, py] = [x[i]!, y[i]!];
    const nearest = valueAt(values, window, Math.floor(px + EDGE), Math.floor(py + EDGE));
    out[i] = blend === undefined || Number.isNaN(nearest) ? nearest : blend(px, py);
  }
}

/** The value at a column and row of the source; NaN outside of the window. */
function valueAt(values: Float64Array, { x, y, width, height }: Window, col: number, row: number): number {
  const [i, k] = [col - x, row - y];
  return i >= 0 && i < width && k >= 0 && k < height ? values[k * width + i]! : Number.NaN;
}

/** The four pixels around a point, those that hold no data left out. */
function twoByTwo(values: Float64Array, window: Window): Blend {
  return (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [dx, dy] = [x - 0.5 - col, y - 0.5 - row];
    let [sum, weights] = [0, 0];
    for (let k = 0; k < 2; k++) {
      const down = k === 0 ? 1 - dy : dy;
      for (let i = 0; i < 2; i++) {
        const value = valueAt(values, window, col + i, row + k);
        if (Number.isNaN(value)) continue;
        const weight = down * (i === 0 ? 1 - dx : dx);
        sum += weight * value;
        weights += weight;
      }
    }
    return weights < 1e-5 ? Number.NaN : sum / weights;
  };
}

/** The sixteen pixels around a point where all of them hold data, else the four. */
function fourByFour(values: Float64Array, window: Window): Blend {
  const otherwise = twoByTwo(values, window);
  const { x: left, y: top, width, height } = window;
  return (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [i, k] = [col - 1 - left, row - 1 - top];
    if (i < 0 || k < 0 || i + 4 > width || k + 4 > height) return otherwise(x, y);
    const dx = x - 0.5 - col;
    const [a, b, c, d] = [cubic(1 + dx), cubic(dx), cubic(1 - dx), cubic(2 - dx)];
    const dy = y - 0.5 - row;
    let sum = 0;
    for (let line = 0; line < 4; line++) {
      const at = (k + line) * width + i;
      const across = a * values[at]! + b * values[at + 1]! + c * values[at + 2]! + d * values[at + 3]!;
      sum += cubic(line - 1 - dy) * across;
    }
    return Number.isNaN(sum) ? otherwise(x, y) : sum;
  };
}

/** All pixels in reach that hold data, the function of distance stretched by the scale. */
function around(plan: ResamplePlan, values: Float64Array, { x: left, y: top, width, height }: Window): Blend {
  const [scaleX, scaleY] = plan.scale;
  const [reachX, reachY] = reachOf(plan);
  const weightOf = plan.method === "bilinear" ? linear : cubic;
  const across = new Float64Array(2 * reachX);
  return (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [dx, dy] = [x - 0.5 - col, y - 0.5 - row];
    for (let i = 0; i < across.length; i++) across[i] = weightOf((i + 1 - reachX - dx) * scaleX);
    const first = col + 1 - reachX - left;
    const [from, to] = [Math.max(0, -first), Math.min(across.length, width - first)];
    let [sum, weights] = [0, 0];
    for (let k = Math.max(1 - reachY, top - row); k <= reachY && row + k < top + height; k++) {
      const down = weightOf((k - dy) * scaleY);
      const start = (row + k - top) * width + first;
      for (let i = from; i < to; i++) {
        const value = values[start + i]!;
        if (Number.isNaN(value)) continue;
        const weight = down * across[i]!;
        sum += weight * value;
        weights += weight;
      }
    }
    return weights < 1e-6 ? Number.NaN : sum / weights;
  };
}

const linear = (distance: number): number => Math.max(0, 1 - Math.abs(distance));

/** Cubic convolution with a = −1/2 (Keys 1981, "Cubic convolution interpolation for digital image processing"). */
function cubic(distance: number): number {
  const t = Math.abs(distance);
  if (t <= 1) return (1.5 * t - 2.5) * t * t + 1;
  return t <= 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
}
