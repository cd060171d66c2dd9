import { composeMosaic, type Scene } from "@swath/mosaic";
import { type BandTarget, type Program, runProgram } from "@swath/openeo/program";
import { evaluateExpression, type Grid, type Raster, type Window, windowGrid } from "@swath/raster";
import { planResample, type ResamplePlan, resample } from "@swath/raster/warp";
import { LRUCache } from "lru-cache";
import { readFault } from "../errors.ts";
import { parseOnce } from "../expressions.ts";
import type { RenderResources } from "../resources.ts";
import { fillInvalid } from "../scene/convert.ts";
import { type ReadScene, toScene } from "../scene/read-scene.ts";
import { gridFromSpec } from "../scene/scene-read.ts";
import type { GroupRead, ResampledRead, ScenesRead, SkippedScene } from "./compute-job.ts";
import { rasterizeRegion } from "./cube-region.ts";

/** The pixels that a program is run on. */
interface Pixels {
  /** A window of `area`. */
  readonly grid: Grid;
  readonly area: Grid;
  /** 1 where a pixel of the window counts; absent: all do. */
  readonly counted?: Uint8Array | undefined;
  /** 1 where a pixel of the window is in a region. */
  readonly region: (number: number) => Uint8Array;
  /** Whether blocks are read whole for few pixels too. */
  readonly wholeBlocks?: boolean | undefined;
}

/** A program and what it loads. */
interface Work {
  readonly program: Program;
  readonly reads: readonly GroupRead[];
}

/** Values of bands, NaN or not valid where there is no data. */
type LoadedValues =
  | { readonly kind: "raster"; readonly raster: Raster | undefined; readonly read: ScenesRead }
  | { readonly kind: "values"; readonly values: readonly Float64Array[] };

/** Values that are read before the program takes them: while some wait for bytes, others are computed. */
const VALUES_AHEAD = 1 << 20;
/** Reads that are begun before the program takes the first of them. */
export const READS_AHEAD = 8;
/** Values of all registers of the part of another grid that is computed at a time. */
const VALUES_AT_ONCE = 1 << 21;
/** Bytes of regions of other grids that are kept for the next time step. */
const REGION_BYTES = 1 << 25;
/** Pixels of a grid of which blocks are read in part: a point, but no field, whose neighbours are likely to be asked for. */
const FEW_PIXELS = 16;
/** Id of no item. */
const NOT_COUNTED = "";

interface RunOptions {
  readonly signal: AbortSignal;
  /** Takes an output; its values are used again once this has returned. */
  readonly emit: (output: number, values: Float64Array) => void;
}

/** Runs programs of one group, and keeps which scenes gave pixels. */
export class Evaluation {
  readonly used = new Set<string>();
  readonly skipped = new Map<string, SkippedScene>();
  readonly #readScene: ReadScene;
  readonly #resources: RenderResources;
  /** Regions of parts of other grids: time steps have the same. */
  readonly #regions = new LRUCache<string, Uint8Array>({
    maxSize: REGION_BYTES,
    sizeCalculation: ({ length }) => length,
  });

  constructor(readScene: ReadScene, resources: RenderResources) {
    this.#readScene = readScene;
    this.#resources = resources;
  }

  /**
   * Runs a program on a window: what it loads is read in the order in which it takes it, some of it ahead.
   *
   * @throws what reading throws
   */
  async run({ program, reads }: Work, pixels: Pixels, { signal, emit }: RunOptions): Promise<void> {
    const count = pixels.grid.width * pixels.grid.height;
    const stop = new AbortController();
    // a program of one read has nothing ahead that its failure would have to end
    const ending = reads.length > 1 ? AbortSignal.any([signal, stop.signal]) : signal;
    const plans = new Map<string, ResamplePlan>();
    const ahead = new Ahead(reads, count, (read) =>
      read.kind === "scenes" ? this.#mosaic(read, pixels, ending) : this.#resampled(read, pixels, plans, ending),
    );
    const loads = program.steps.filter((step) => step.kind === "load");
    let at = 0;
    let loaded: LoadedValues | undefined;
    const load = async (number: number, time: number, bands: readonly BandTarget[], into: readonly Float64Array[]) => {
      loaded ??= await ahead.next();
      this.#take(loaded, bands, into, pixels);
      const next = loads[++at];
      // loads of the same that follow each other share what was read
      if (next?.load === number && next.time === time) return;
      if (loaded.kind === "raster" && loaded.raster !== undefined) {
        this.#resources.pool.release([...loaded.raster.bands, loaded.raster.valid]);
      }
      loaded = undefined;
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

  /** Writes bands, or what expressions make of them, to registers. */
  #take(loaded: LoadedValues, bands: readonly BandTarget[], into: readonly Float64Array[], { region }: Pixels): void {
    for (const [i, { band }] of bands.entries()) {
      const values = into[i]!;
      if (loaded.kind === "values") {
        values.set(loaded.values[band]!);
        continue;
      }
      const { raster, read } = loaded;
      const { math, clips = [] } = read;
      if (raster === undefined) values.fill(Number.NaN);
      else if (math === undefined) copyValid(raster, i, values);
      else {
        const expression = parseOnce(math.expressions[band]!, math.bands);
        evaluateExpression(expression, raster.bands, raster.valid, values);
      }
      for (const clip of clips) fillInvalid(values, region(clip), Number.NaN);
    }
  }

  async #mosaic(
    read: ScenesRead,
    { grid, area, counted, wholeBlocks }: Pixels,
    signal: AbortSignal,
  ): Promise<LoadedValues> {
    const partialBlocks = wholeBlocks !== true && area.width * area.height <= FEW_PIXELS;
    const scenes = read.scenes.map((scene) => toScene(scene, this.#readScene, { area, partialBlocks }));
    const mosaic = await composeMosaic([...notCounted(counted, read.scenes), ...scenes], grid, { signal });
    const used = mosaic.used.filter((id) => id !== NOT_COUNTED);
    for (const id of used) this.used.add(id);
    for (const { id, error } of mosaic.skipped) this.skipped.set(id, { id, ...readFault(error) });
    return { kind: "raster", raster: used.length === 0 ? undefined : mosaic.raster, read };
  }

  /** Computes what is needed of the other grid, some rows at a time, and resamples it. */
  async #resampled(
    read: ResampledRead,
    { grid, area }: Pixels,
    plans: Map<string, ResamplePlan>,
    signal: AbortSignal,
  ): Promise<LoadedValues> {
    const { source, method, program, outputs } = read;
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
      await this.run(read, this.#pixelsOf(read, plan.source, part), { signal, emit });
    }
    const values = computed.map((own) => {
      const out = new Float64Array(grid.width * grid.height);
      resample(plan, own, out);
      return out;
    });
    return { kind: "values", values };
  }

  /** A window of another grid, and the regions in it. */
  #pixelsOf({ source, regions }: ResampledRead, area: Grid, window: Window): Pixels {
    const grid = windowGrid(area, window);
    const region = (number: number): Uint8Array => {
      const key = JSON.stringify([source, window, number]);
      const found = this.#regions.get(key) ?? rasterizeRegion(regions[number]!, grid);
      this.#regions.set(key, found);
      return found;
    };
    return { grid, area, region };
  }
}

/** Reads the next loads of a program while it computes. */
class Ahead {
  readonly #reads: readonly GroupRead[];
  readonly #count: number;
  readonly #begin: (read: GroupRead) => Promise<LoadedValues>;
  readonly #running: Promise<LoadedValues>[] = [];
  #at = 0;

  /** @param count pixels of a band */
  constructor(reads: readonly GroupRead[], count: number, begin: (read: GroupRead) => Promise<LoadedValues>) {
    this.#reads = reads;
    this.#count = count;
    this.#begin = begin;
  }

  async next(): Promise<LoadedValues> {
    const first = this.#at;
    const read = this.#reads[first]!;
    const values = Math.max(1, bandsOf(read) * this.#count);
    // values computed on another grid have memory of their own: one after the other
    const most = read.kind === "resampled" ? 1 : READS_AHEAD;
    const wanted = 1 + Math.min(most - 1, Math.floor(VALUES_AHEAD / values));
    while (this.#running.length < wanted && first + this.#running.length < this.#reads.length) {
      const next = this.#reads[first + this.#running.length]!;
      if (next.kind === "resampled" && this.#running.length > 0) break;
      const reading = this.#begin(next);
      // a failure is the program's when it comes to this read
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

/** Bands that a read brings at once. */
export const bandsOf = (read: GroupRead): number =>
  read.kind === "scenes" ? (read.scenes[0]?.files.length ?? 0) : read.outputs;

/**
 * A scene on top of all others that has the pixels which do not count, so that none is read for them and those that give
 * only such pixels are not among the used ones; nothing where every pixel counts.
 */
function notCounted(counted: Uint8Array | undefined, [first]: ScenesRead["scenes"]): readonly Scene[] {
  if (counted === undefined || first === undefined || !counted.includes(0)) return [];
  const zeros = new Float64Array(counted.length);
  // a loop: `Uint8Array.from` with a function goes through an iterator, which takes a hundred times as long
  const valid = new Uint8Array(counted.length);
  for (let i = 0; i < valid.length; i++) valid[i] = 1 - counted[i]!;
  return [{ id: NOT_COUNTED, read: async (grid) => ({ grid, bands: Array(first.files.length).fill(zeros), valid }) }];
}

function copyValid(raster: Raster, band: number, into: Float64Array): void {
  into.set(raster.bands[band]!);
  fillInvalid(into, raster.valid, Number.NaN);
}
