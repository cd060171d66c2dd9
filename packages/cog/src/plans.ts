import { type Grid, planWarp, type WarpPlan } from "@swath/raster";

/** Target pixels of the plans kept: 32 bytes each with their quads, so 32 MB, the plans of 16 map tiles. */
const MAX_PIXELS = 1024 * 1024;

const plans = new Map<string, WarpPlan>();
let pixels = 0;
/** Plans of larger targets live as long as the target does. */
const large = new WeakMap<Grid, Map<string, WarpPlan>>();

const sizeOf = ({ target }: WarpPlan): number => target.width * target.height;
const keyOf = ({ crs, transform, width, height }: Grid): string =>
  `${crs.name} ${crs.proj4} ${transform.join(" ")} ${width} ${height}`;

/**
 * The plan of two grids. Plans are kept, the least recently used leave first: files of a scene share one, and so do
 * scenes of the same ground, whatever is drawn of them.
 */
export function planFor(source: Grid, target: Grid): WarpPlan {
  if (target.width * target.height > MAX_PIXELS / 4) return largePlan(source, target);
  const key = `${keyOf(source)} ${keyOf(target)}`;
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

function largePlan(source: Grid, target: Grid): WarpPlan {
  let its = large.get(target);
  if (its === undefined) {
    its = new Map();
    large.set(target, its);
  }
  const key = keyOf(source);
  let plan = its.get(key);
  if (plan === undefined) {
    plan = planWarp(source, target);
    its.set(key, plan);
  }
  return plan;
}
