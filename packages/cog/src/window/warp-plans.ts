import { type Grid, planWarp, type WarpPlan } from "@swath/raster";

/** Target pixels of the plans kept: 16 bytes each at most, so 16 MB, the plans of 16 map tiles. */
const MAX_PIXELS = 1024 * 1024;

const plans = new Map<string, WarpPlan>();
let pixels = 0;
/** Plans of larger targets, strips of an area: those of the strip at hand and of the next ones. */
const MAX_LARGE = 6;
const large = new Map<string, WarpPlan>();

const sizeOf = ({ target }: WarpPlan): number => target.width * target.height;
export const gridKey = ({ crs, transform, width, height }: Grid): string =>
  `${crs.name} ${crs.proj4} ${transform.join(" ")} ${width} ${height}`;

/**
 * The plan of two grids. Plans are kept, the least recently used leave first: files of a scene share one, and so do
 * scenes of the same ground, whatever is drawn of them.
 */
export function planFor(source: Grid, target: Grid): WarpPlan {
  const key = `${gridKey(source)} ${gridKey(target)}`;
  if (target.width * target.height > MAX_PIXELS / 4) return largePlan(key, source, target);
  const held = plans.get(key);
  if (held !== undefined) {
    plans.delete(key);
    plans.set(key, held);
    return held;
  }
  const plan = planWarp(source, target);
  plans.set(key, plan);
  pixels += sizeOf(plan);
  for (const [oldest, entry] of plans) {
    if (pixels <= MAX_PIXELS) break;
    plans.delete(oldest);
    pixels -= sizeOf(entry);
    // who still reads for it finds its pixels anew
    entry.release();
  }
  return plan;
}

function largePlan(key: string, source: Grid, target: Grid): WarpPlan {
  const plan = large.get(key) ?? planWarp(source, target);
  large.delete(key);
  large.set(key, plan);
  for (const [oldest, entry] of large) {
    if (large.size <= MAX_LARGE) break;
    large.delete(oldest);
    entry.release();
  }
  return plan;
}

/** Forgets the plans of warps that are kept between reads: for map tiles up to 16 MB. What is read next works them out anew. */
export function releasePlans(): void {
  for (const plan of [...plans.values(), ...large.values()]) plan.release();
  plans.clear();
  large.clear();
  pixels = 0;
}
