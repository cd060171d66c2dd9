import { GridError } from "../errors.ts";
import { EDGE } from "./pixel-map.ts";
import { resampleAreas } from "./resample-areas.ts";
import { FULL_SCALE, type ResamplePlan, reachOf } from "./resample-plan.ts";

/**
 * Resamples values, NaN where there is no data. A target pixel without a source pixel that holds data is NaN; of methods by
 * distance also one whose centre is in a pixel that holds none. Equal to `gdalwarp -et 0` to the last digits of double
 * precision; onto another CRS with `-wo XSCALE` and `-wo YSCALE` as the plan has them.
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
  else resampleCentres(plan, values, out);
}

/** Source values by column and row of the whole source; NaN outside of it. */
type ValueAt = (col: number, row: number) => number;

function valuesAt({ window }: ResamplePlan, values: Float64Array): ValueAt {
  const { x, y, width, height } = window!;
  return (col, row) => {
    const [i, k] = [col - x, row - y];
    return i >= 0 && i < width && k >= 0 && k < height ? values[k * width + i]! : Number.NaN;
  };
}

function resampleCentres(plan: ResamplePlan, values: Float64Array, out: Float64Array): void {
  const { x, y, method, scale } = plan;
  const at = valuesAt(plan, values);
  const isFull = scale[0] >= FULL_SCALE && scale[1] >= FULL_SCALE;
  const blend = method === "near" ? undefined : isFull ? nextTo(method, at) : around(plan, at);
  for (let i = 0; i < out.length; i++) {
    const [px, py] = [x[i]!, y[i]!];
    const nearest = at(Math.floor(px + EDGE), Math.floor(py + EDGE));
    out[i] = blend === undefined || Number.isNaN(nearest) ? nearest : blend(px, py);
  }
}

type Blend = (x: number, y: number) => number;

/** At full scale: two by two pixels, or four by four where all of them hold data. */
function nextTo(method: ResamplePlan["method"], at: ValueAt): Blend {
  const bilinear: Blend = (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [dx, dy] = [x - 0.5 - col, y - 0.5 - row];
    let [sum, weights] = [0, 0];
    for (let k = 0; k < 2; k++) {
      for (let i = 0; i < 2; i++) {
        const value = at(col + i, row + k);
        if (Number.isNaN(value)) continue;
        const weight = (i === 0 ? 1 - dx : dx) * (k === 0 ? 1 - dy : dy);
        sum += weight * value;
        weights += weight;
      }
    }
    return weights < 1e-5 ? Number.NaN : sum / weights;
  };
  if (method !== "cubic") return bilinear;
  return (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [dx, dy] = [x - 0.5 - col, y - 0.5 - row];
    let sum = 0;
    for (let k = -1; k <= 2; k++) {
      const weight = cubic(k - dy);
      for (let i = -1; i <= 2; i++) sum += weight * cubic(i - dx) * at(col + i, row + k);
    }
    // where one of the sixteen is missing
    return Number.isNaN(sum) ? bilinear(x, y) : sum;
  };
}

/** All pixels in reach that hold data, the function of distance stretched by the scale. */
function around(plan: ResamplePlan, at: ValueAt): Blend {
  const [scaleX, scaleY] = plan.scale;
  const [reachX, reachY] = reachOf(plan);
  const weightOf = plan.method === "bilinear" ? linear : cubic;
  const across = new Float64Array(2 * reachX);
  return (x, y) => {
    const [col, row] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
    const [dx, dy] = [x - 0.5 - col, y - 0.5 - row];
    for (let i = 0; i < across.length; i++) across[i] = weightOf((i + 1 - reachX - dx) * scaleX);
    let [sum, weights] = [0, 0];
    for (let k = 1 - reachY; k <= reachY; k++) {
      const down = weightOf((k - dy) * scaleY);
      for (let i = 0; i < across.length; i++) {
        const value = at(col + i + 1 - reachX, row + k);
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
