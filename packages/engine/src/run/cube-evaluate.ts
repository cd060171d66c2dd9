import { composeMosaic } from "@swath/mosaic";
import { type BandTarget, type Program, runProgram } from "@swath/openeo/program";
import {
  type Grid,
  planResample,
  type Raster,
  type ResamplePlan,
  type ResamplingMethod,
  resample,
  type Window,
  windowGrid,
} from "@swath/raster";
import { type CubeRegion, rasterizeRegion } from "./cube-region.ts";
import { readFault } from "./errors.ts";
import { type ReadScene, toScene } from "./read-scene.ts";
import type { SkippedScene } from "./reduce-job.ts";
import type { RenderResources } from "./resources.ts";
import { type GridSpec, gridFromSpec, type SceneRead } from "./scene-read.ts";

/** What a program loads at one time: scenes, or values of another grid. */
export type CubeStep = SceneStep | ResampledStep;

interface SceneStep {
  readonly kind: "scenes";
  /** First on top; each has the files of the bands alone. */
  readonly scenes: readonly SceneRead[];
  /** Regions outside of which there is no data. */
  readonly clips: readonly number[];
}

interface ResampledStep {
  readonly kind: "resampled";
  /** The other grid, whole. */
  readonly source: GridSpec;
  readonly method: ResamplingMethod;
  readonly program: Program;
  readonly outputs: number;
  readonly steps: readonly CubeStep[];
  /** By their number; a program of another grid has them there. */
  readonly regions: readonly CubeRegion[];
}

/** The pixels that a program is run on. */
interface Pixels {
  /** A window of `area`. */
  readonly grid: Grid;
  readonly area: Grid;
  /** 1 where a pixel of the window is in a region. */
  readonly region: (number: number) => Uint8Array;
}

/** Values of bands, NaN or not valid where there is no data. */
type Loaded =
  | { readonly kind: "raster"; readonly raster: Raster | undefined; readonly clips: readonly number[] }
  | { readonly kind: "values"; readonly values: readonly Float64Array[] };

/** Values of time steps that are read before the program takes them: while some wait for bytes, others are computed. */
const VALUES_AHEAD = 1 << 20;
const STEPS_AHEAD = 8;
/** Values of all registers of the part of another grid that is computed at a time. */
const VALUES_AT_ONCE = 1 << 21;
/** Bytes of regions of other grids that are kept for the next time step. */
const REGION_BYTES = 1 << 25;

interface RunOptions {
  readonly signal: AbortSignal;
  /** Takes an output; its values are used again once this has returned. */
  readonly emit: (output: number, values: Float64Array) => void;
}

/** Runs programs of one job, and keeps which scenes gave pixels. */
export class CubeEvaluation {
  readonly used = new Set<string>();
  readonly skipped = new Map<string, SkippedScene>();
  readonly #readScene: ReadScene;
  readonly #resources: RenderResources;
  /** Regions of parts of other grids: time steps have the same. */
  readonly #regions = new Map<string, Uint8Array>();
  #regionBytes = 0;

  constructor(readScene: ReadScene, resources: RenderResources) {
    this.#readScene = readScene;
    this.#resources = resources;
  }

  /**
   * Runs a program on a window: time steps are read in the order in which it takes them, some of them ahead.
   *
   * @throws what reading throws
   */
  async run(program: Program, steps: readonly CubeStep[], pixels: Pixels, { signal, emit }: RunOptions): Promise<void> {
    const count = pixels.grid.width * pixels.grid.height;
    const stop = new AbortController();
    const ending = AbortSignal.any([signal, stop.signal]);
    const plans = new Map<string, ResamplePlan>();
    const bandsOfSteps = program.steps.flatMap((step) => (step.kind === "load" ? [step.bands] : []));
    const ahead = new Ahead(steps, bandsOfSteps, count, (step) =>
      step.kind === "scenes" ? this.#mosaic(step, pixels, ending) : this.#resampled(step, pixels, plans, ending),
    );
    const load = async (_: number, __: number, bands: readonly BandTarget[], into: readonly Float64Array[]) => {
      const loaded = await ahead.next();
      if (loaded.kind === "values") {
        bands.forEach(({ band }, i) => {
          into[i]!.set(loaded.values[band]!);
        });
        return;
      }
      const { raster, clips } = loaded;
      bands.forEach((_band, i) => {
        copyValid(raster, i, into[i]!);
        for (const clip of clips) clear(into[i]!, pixels.region(clip));
      });
      if (raster !== undefined) this.#resources.pool.release([...raster.bands, raster.valid]);
    };
    try {
      await runProgram(program, {
        count,
        allocate: () => new Float64Array(count),
        load,
        region: pixels.region,
        emit,
      });
    } catch (error) {
      stop.abort(error);
      await ahead.settled();
      signal.throwIfAborted();
      throw error;
    }
  }

  async #mosaic({ scenes, clips }: SceneStep, { grid, area }: Pixels, signal: AbortSignal): Promise<Loaded> {
    const mosaic = await composeMosaic(
      scenes.map((scene) => toScene(scene, this.#readScene, { area })),
      grid,
      { signal },
    );
    for (const id of mosaic.used) this.used.add(id);
    for (const { id, error } of mosaic.skipped) this.skipped.set(id, { id, reason: readFault(error) });
    return { kind: "raster", raster: mosaic.raster, clips };
  }

  /** Computes what is needed of the other grid, some rows at a time, and resamples it. */
  async #resampled(
    step: ResampledStep,
    { grid, area }: Pixels,
    plans: Map<string, ResamplePlan>,
    signal: AbortSignal,
  ): Promise<Loaded> {
    const { source, method, program, outputs } = step;
    const key = JSON.stringify([source, method]);
    const plan = plans.get(key) ?? planResample(gridFromSpec(source), grid, method, { area });
    plans.set(key, plan);
    const { window = { x: 0, y: 0, width: 0, height: 0 } } = plan;
    const computed = Array.from({ length: outputs }, () => new Float64Array(window.width * window.height));
    const rows = Math.max(1, Math.floor(VALUES_AT_ONCE / (program.registers * Math.max(1, window.width))));
    for (let top = 0; top < window.height; top += rows) {
      const height = Math.min(rows, window.height - top);
      const part = { x: window.x, y: window.y + top, width: window.width, height };
      const emit = (output: number, values: Float64Array): void => {
        computed[output]!.set(values, top * window.width);
      };
      await this.run(program, step.steps, this.#pixelsOf(step, plan.source, part), { signal, emit });
    }
    const values = computed.map((own) => {
      const out = new Float64Array(grid.width * grid.height);
      resample(plan, own, out);
      return out;
    });
    return { kind: "values", values };
  }

  /** A window of another grid, and the regions in it. */
  #pixelsOf({ source, regions }: ResampledStep, area: Grid, window: Window): Pixels {
    const grid = windowGrid(area, window);
    const region = (number: number): Uint8Array => {
      const key = JSON.stringify([source, window, number]);
      const found = this.#regions.get(key) ?? rasterizeRegion(regions[number]!, grid);
      if (this.#regionBytes > REGION_BYTES) {
        this.#regions.clear();
        this.#regionBytes = 0;
      }
      if (!this.#regions.has(key)) this.#regionBytes += found.length;
      this.#regions.set(key, found);
      return found;
    };
    return { grid, area, region };
  }
}

/** Reads of the next time steps. */
class Ahead {
  readonly #steps: readonly CubeStep[];
  readonly #bands: readonly (readonly BandTarget[])[];
  readonly #count: number;
  readonly #read: (step: CubeStep) => Promise<Loaded>;
  readonly #running: Promise<Loaded>[] = [];
  #at = 0;

  constructor(
    steps: readonly CubeStep[],
    bands: readonly (readonly BandTarget[])[],
    count: number,
    read: (step: CubeStep) => Promise<Loaded>,
  ) {
    this.#steps = steps;
    this.#bands = bands;
    this.#count = count;
    this.#read = read;
  }

  async next(): Promise<Loaded> {
    const first = this.#at;
    const values = Math.max(1, (this.#bands[first]?.length ?? 1) * this.#count);
    // what is computed on another grid has memory of its own: one after the other
    const most = this.#steps[first]!.kind === "resampled" ? 1 : STEPS_AHEAD;
    const wanted = 1 + Math.min(most - 1, Math.floor(VALUES_AHEAD / values));
    while (this.#running.length < wanted && first + this.#running.length < this.#steps.length) {
      const step = this.#steps[first + this.#running.length]!;
      if (step.kind === "resampled" && this.#running.length > 0) break;
      const reading = this.#read(step);
      // a failure is the program's when it comes to this step
      reading.catch(() => {});
      this.#running.push(reading);
    }
    this.#at += 1;
    return this.#running.shift()!;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

function copyValid(raster: Raster | undefined, band: number, into: Float64Array): void {
  if (raster === undefined) {
    into.fill(Number.NaN);
    return;
  }
  into.set(raster.bands[band]!);
  clear(into, raster.valid);
}

/** No data where `kept` is 0, run by run. */
function clear(values: Float64Array, kept: Uint8Array): void {
  for (let start = kept.indexOf(0); start !== -1; ) {
    const next = kept.indexOf(1, start);
    values.fill(Number.NaN, start, next === -1 ? kept.length : next);
    start = next === -1 ? -1 : kept.indexOf(0, next);
  }
}
