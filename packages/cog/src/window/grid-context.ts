import type { Grid, Samples, SampleType } from "@swath/raster";
import { SamplePool } from "@swath/raster/kernels";
import { planWarp, type WarpPlan } from "@swath/raster/warp";

/** Target pixels of the plans kept: 16 bytes each at most, so 16 MB, the plans of 16 map tiles; many more where axes are independent. */
const MAX_PIXELS = 1024 * 1024;
/** Plans kept of larger targets, parts of an extraction: those of the current part and of the next ones. */
const MAX_LARGE = 6;
/** Buffers of source windows, in bytes: all that are kept, and the largest one that is. */
const MAX_POOL = 16 << 20;
const MAX_POOLED = 8 << 20;

/**
 * Owner of what `readGrid` and `readGrids` keep between calls: warp plans (16 MB for map tiles) and buffers for windows of
 * source pixels (16 MB). The caller that creates one closes it. Calls without a context share the default one, which
 * `closeDefaultGridContext` closes.
 *
 * @example
 * const context = new GridContext();
 * const tile = await readGrid(cog, grid, { context });
 * context.close();
 */
export class GridContext {
  /** The least recently used first. */
  readonly #plans = new Map<string, WarpPlan>();
  readonly #large = new Map<string, WarpPlan>();
  #pixels = 0;
  #windows = new SamplePool(MAX_POOL, MAX_POOLED);

  /** @internal The plan of two grids: files of a scene share one, and so do scenes on the same grid. */
  planFor(source: Grid, target: Grid): WarpPlan {
    const key = `${gridKey(source)} ${gridKey(target)}`;
    if (pixelsOf(target) > MAX_PIXELS / 4) return this.#largePlan(key, source, target);
    const held = this.#plans.get(key);
    if (held !== undefined) {
      this.#plans.delete(key);
      this.#plans.set(key, held);
      return held;
    }
    const plan = planWarp(source, target);
    this.#plans.set(key, plan);
    this.#pixels += sizeOf(plan);
    for (const [oldest, entry] of this.#plans) {
      if (this.#pixels <= MAX_PIXELS) break;
      this.#plans.delete(oldest);
      this.#pixels -= sizeOf(entry);
      // a read that still uses it computes its source coordinates again
      entry.release();
    }
    return plan;
  }

  /** @internal A buffer for a window; its content is undefined. */
  takeSamples(type: SampleType, length: number): Samples {
    return this.#windows.take(type, length);
  }

  /** @internal Releases buffers of windows. */
  free(arrays: Iterable<Samples>): void {
    this.#windows.release(arrays);
  }

  /**
   * Frees the warp plans and keeps the buffers: for a caller that reads the parts of a grid one after the other, where
   * no two parts have a plan in common.
   */
  releasePlans(): void {
    for (const plan of [...this.#plans.values(), ...this.#large.values()]) plan.release();
    this.#plans.clear();
    this.#large.clear();
    this.#pixels = 0;
  }

  /** Frees all that is kept. Reads in progress finish, and the context can be used again. */
  close(): void {
    this.releasePlans();
    this.#windows = new SamplePool(MAX_POOL, MAX_POOLED);
  }

  #largePlan(key: string, source: Grid, target: Grid): WarpPlan {
    const plan = this.#large.get(key) ?? planWarp(source, target);
    this.#large.delete(key);
    this.#large.set(key, plan);
    for (const [oldest, entry] of this.#large) {
      if (this.#large.size <= MAX_LARGE) break;
      this.#large.delete(oldest);
      entry.release();
    }
    return plan;
  }
}

const pixelsOf = ({ width, height }: Grid): number => width * height;

/** Pixels of which a plan keeps something: of each, or of a row and a column where the axes are independent. */
const sizeOf = ({ target, separable }: WarpPlan): number =>
  separable === undefined ? pixelsOf(target) : target.width + target.height;

function gridKey({ crs, transform, width, height }: Grid): string {
  return `${crs.name} ${crs.proj4} ${transform.join(" ")} ${width} ${height}`;
}

/** @internal The context of reads without one. */
export const defaultContext: GridContext = /* @__PURE__ */ new GridContext();

/** Closes the default context, which holds up to 32 MB: warp plans and buffers. Later reads plan again. */
export function closeDefaultGridContext(): void {
  defaultContext.close();
}
