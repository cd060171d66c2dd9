import { type Grid, gridBounds, intersectWindows, invertAffine, sameCrs, type Window, windowGrid } from "@swath/raster";
import type { ResamplingMethod } from "@swath/raster/warp";
import { checkSpan } from "../limits/limits.ts";
import type { Path } from "../refusal.ts";
import { Area } from "../where/area.ts";

/** The part of a grid that resampling takes, and how many of its pixels one row of the target takes at most. */
export interface SourceSpan extends Window {
  readonly rowPixels: number;
}

/** Pixels around those that target pixels touch: of methods by distance four target pixels reach as far as any. */
const MARGIN = 4;

/**
 * The part of a grid that is computed for a target: what is paid for, and a little more than is taken.
 *
 * @param path of the node that the target is of
 * @throws {Refusal} `invalid` for a target that the source's CRS does not hold.
 */
export function sourceSpan(source: Grid, target: Grid, method: ResamplingMethod, path: Path): SourceSpan {
  const whole = spanOf(source, target, method, path);
  const row = (y: number): number => {
    const part = windowGrid(target, { x: 0, y, width: target.width, height: 1 });
    const { width, height } = spanOf(source, part, method, path);
    return width * height;
  };
  const rows = [0, Math.floor(target.height / 2), target.height - 1].map(row);
  return { ...whole, rowPixels: Math.max(...rows) };
}

function spanOf(source: Grid, target: Grid, method: ResamplingMethod, path: Path): Window {
  const area = new Area(path, target.crs, gridBounds(target), undefined);
  if (!sameCrs(target.crs, source.crs)) checkSpan(area, 1);
  const [minX, minY, maxX, maxY] = area.boundsIn(source.crs);
  const [a, , c, , e, f] = invertAffine(source.transform);
  const [left, right] = [a * minX + c, a * maxX + c];
  const [top, bottom] = [e * maxY + f, e * minY + f];
  const isByDistance = method === "bilinear" || method === "cubic";
  const marginOf = (size: number, pixels: number): number => (isByDistance ? MARGIN * Math.max(1, size / pixels) : 1);
  const [x, y] = [marginOf(right - left, target.width), marginOf(bottom - top, target.height)];
  const window = {
    x: Math.floor(left - x),
    y: Math.floor(top - y),
    width: Math.ceil(right + x) - Math.floor(left - x),
    height: Math.ceil(bottom + y) - Math.floor(top - y),
  };
  const all = { x: 0, y: 0, width: source.width, height: source.height };
  // a target that misses the source takes nothing: one pixel stands for it
  return intersectWindows(window, all) ?? { x: 0, y: 0, width: 1, height: 1 };
}
