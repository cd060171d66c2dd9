import type { Grid, Samples, Window } from "../src/index.ts";
import type { PixelIndices } from "../src/warp/coordinates/pixel-indices.ts";
import type { AxisIndices, WarpPlan } from "../src/warp/plan.ts";

/** Source pixels of a region of a target as those of the whole target. */
export function onWholeTarget(found: PixelIndices, region: Window, { width, height }: Grid): PixelIndices {
  const spread = <T extends Samples>(part: T, whole: T): T => {
    for (let row = 0; row < region.height; row++) {
      const start = row * region.width;
      whole.set(part.subarray(start, start + region.width), (region.y + row) * width + region.x);
    }
    return whole;
  };
  const count = width * height;
  const { minCol, minRow, maxCol, maxRow } = found;
  return {
    cols: spread(found.cols, new Int32Array(count).fill(-1)),
    rows: spread(found.rows, new Int32Array(count)),
    dx: found.dx && spread(found.dx, new Float32Array(count)),
    dy: found.dy && spread(found.dy, new Float32Array(count)),
    minCol,
    minRow,
    maxCol,
    maxRow,
  };
}

/** The plan of the same pixels, by which each pixel of the target is warped, whether it is in the source or not. */
export function withoutRegion(plan: WarpPlan): WarpPlan {
  const { source, target, separable, context, region } = plan;
  const all = (axis: AxisIndices): AxisIndices => ({ ...axis, start: 0, end: axis.indices.length });
  return {
    source,
    target,
    context,
    separable: separable && { x: all(separable.x), y: all(separable.y) },
    region: { x: 0, y: 0, width: target.width, height: target.height },
    inner: plan.inner,
    innerForWarp: () => plan.innerForWarp(),
    indices: (offsets) => onWholeTarget(plan.indices(offsets), region, target),
    release: () => plan.release(),
  };
}
