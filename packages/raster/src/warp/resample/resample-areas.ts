import type { Window } from "../../grid/window.ts";
import { EDGE } from "../coordinates/pixel-map.ts";
import type { ResamplePlan, ResamplingMethod } from "./resample-plan.ts";

/** The part of the source that a target pixel covers: first pixels and those after the last, and the exact bounds. */
interface Cover {
  left: number;
  right: number;
  top: number;
  bottom: number;
  minX: number;
  maxX: number;
  minY: number;
  maxY: number;
}

/**
 * Resamples by the part of the source that each target pixel covers: as in GDAL the box between its upper left and
 * lower right corner.
 *
 * @param values of the window, NaN where there is no data
 */
export function resampleAreas(plan: ResamplePlan, values: Float64Array, window: Window, out: Float64Array): void {
  const cover: Cover = { left: 0, right: 0, top: 0, bottom: 0, minX: 0, maxX: 0, minY: 0, maxY: 0 };
  const { method } = plan;
  const isWeighted = method === "average" || method === "rms" || method === "sum";
  const found: number[] = [];
  for (let i = 0; i < out.length; i++) {
    setCover(cover, plan, i);
    if (isWeighted) out[i] = weighted(method, cover, values, window);
    else {
      collect(cover, values, window, found);
      out[i] = found.length === 0 ? Number.NaN : pick(method, found);
    }
  }
}

function setCover(cover: Cover, { x, y, source }: ResamplePlan, i: number): void {
  const [x1, x2, y1, y2] = [x[2 * i]!, x[2 * i + 1]!, y[2 * i]!, y[2 * i + 1]!];
  cover.minX = Math.min(x1, x2);
  cover.maxX = Math.max(x1, x2);
  cover.minY = Math.min(y1, y2);
  cover.maxY = Math.max(y1, y2);
  cover.left = Math.max(0, Math.floor(cover.minX + EDGE));
  cover.right = Math.min(source.width, Math.ceil(cover.maxX - EDGE));
  cover.top = Math.max(0, Math.floor(cover.minY + EDGE));
  cover.bottom = Math.min(source.height, Math.ceil(cover.maxY - EDGE));
}

/** The values that hold data, in row order. */
function collect({ left, right, top, bottom }: Cover, values: Float64Array, window: Window, found: number[]): void {
  found.length = 0;
  for (let row = top; row < bottom; row++) {
    const start = (row - window.y) * window.width - window.x;
    for (let col = left; col < right; col++) {
      const value = values[start + col]!;
      if (!Number.isNaN(value)) found.push(value);
    }
  }
}

function weighted(method: ResamplingMethod, cover: Cover, values: Float64Array, window: Window): number {
  const { left, right, top, bottom, minX, maxX, minY, maxY } = cover;
  const shareOf = method === "sum" ? overlap : share;
  let [sum, weights] = [0, 0];
  for (let row = top; row < bottom; row++) {
    const down = shareOf(row, top, bottom, minY, maxY);
    const start = (row - window.y) * window.width - window.x;
    for (let col = left; col < right; col++) {
      const value = values[start + col]!;
      if (Number.isNaN(value)) continue;
      const weight = down * shareOf(col, left, right, minX, maxX);
      sum += weight * (method === "rms" ? value * value : value);
      weights += weight;
    }
  }
  if (!(weights > 0)) return Number.NaN;
  if (method === "sum") return sum;
  return method === "rms" ? Math.sqrt(sum / weights) : sum / weights;
}

/** Returns the share of a pixel that is covered. */
const overlap = (pixel: number, _first: number, _end: number, min: number, max: number): number =>
  Math.min(max, pixel + 1) - Math.max(min, pixel);

/** The same, but a pixel that is the only one counts whole. */
function share(pixel: number, first: number, end: number, min: number, max: number): number {
  if (pixel === first) return first + 1 === end ? 1 : 1 - (min - first);
  return pixel + 1 === end ? 1 - (end - max) : 1;
}

function pick(method: ResamplingMethod, found: number[]): number {
  switch (method) {
    case "min":
      return found.reduce((least, value) => Math.min(least, value));
    case "max":
      return found.reduce((most, value) => Math.max(most, value));
    case "mode":
      return modeOf(found);
    case "q1":
      return quantileOf(found, 0.25);
    case "q3":
      return quantileOf(found, 0.75);
    default:
      return quantileOf(found, 0.5);
  }
}

/** Returns the most frequent value; among several the one whose last occurrence came first. */
function modeOf(found: readonly number[]): number {
  const counts = new Map<number, number>();
  let [mode, most] = [Number.NaN, 0];
  for (const value of found) {
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > most) [mode, most] = [value, count];
  }
  return mode;
}

/** The value at a share of the sorted ones, which is always one of them (gdalwarpkernel.cpp, GWKAOM_Quant). */
function quantileOf(found: number[], at: number): number {
  found.sort((a, b) => a - b);
  return found[Math.max(0, Math.ceil(at * found.length - 1))]!;
}
