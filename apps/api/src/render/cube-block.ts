import { composeMosaic } from "@swath/mosaic";
import { type BandTarget, type Program, runProgram } from "@swath/openeo/program";
import { type Raster, type Window, windowGrid } from "@swath/raster";
import type { CubeOutput } from "./cube-job.ts";
import { readFault } from "./errors.ts";
import { numbersOf, type PartialNumbers } from "./partial-numbers.ts";
import { type ReadScene, toScene } from "./read-scene.ts";
import type { SkippedScene } from "./reduce-job.ts";
import type { RenderResources } from "./resources.ts";
import { type GridSpec, gridFromSpec, type SceneRead } from "./scene-read.ts";

/** A window of the grid of a job and one of its programs, to be run by one thread. */
export interface CubeBlockJob {
  readonly kind: "cube-block";
  /** The whole grid. */
  readonly grid: GridSpec;
  readonly window: Window;
  readonly program: Program;
  readonly outputs: readonly CubeOutput[];
  /** What the program's loads read, in their order: scenes have the files of the bands alone. */
  readonly steps: readonly CubeStep[];
  /** 1 where a pixel of the window is in the region; threads share its memory. */
  readonly regions: readonly Uint8Array[];
}

/** One time step. */
export interface CubeStep {
  /** First on top. */
  readonly scenes: readonly SceneRead[];
  /** Regions outside of which there is no data. */
  readonly clips: readonly number[];
}

export interface CubeBlock {
  /** One an output: numbers, or the values of a band. */
  readonly parts: readonly (PartialNumbers | Float32Array<ArrayBuffer>)[];
  readonly used: readonly string[];
  readonly skipped: readonly SkippedScene[];
}

/** Values of time steps that are read before the program takes them: while some wait for bytes, others are computed. */
const VALUES_AHEAD = 1 << 20;
const STEPS_AHEAD = 8;

/**
 * Runs a program on one window: time steps are read in the order in which it takes them, some of them ahead.
 *
 * @throws what reading throws
 */
export async function cubeBlock(
  { grid: spec, window, program, outputs, steps, regions }: CubeBlockJob,
  readScene: ReadScene,
  { pool }: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<CubeBlock> {
  const whole = gridFromSpec(spec);
  const grid = windowGrid(whole, window);
  const count = grid.width * grid.height;
  const stop = new AbortController();
  const ending = AbortSignal.any([signal, stop.signal]);
  const used = new Set<string>();
  const skipped = new Map<string, SkippedScene>();
  const parts: CubeBlock["parts"][number][] = [];

  const read = async ({ scenes }: CubeStep): Promise<Raster | undefined> => {
    const mosaic = await composeMosaic(
      scenes.map((scene) => toScene(scene, readScene, { area: whole })),
      grid,
      { signal: ending },
    );
    for (const id of mosaic.used) used.add(id);
    for (const { id, error } of mosaic.skipped) skipped.set(id, { id, reason: readFault(error) });
    return mosaic.raster;
  };
  const bandsOfSteps = program.steps.flatMap((step) => (step.kind === "load" ? [step.bands] : []));
  const ahead = new Ahead(steps, bandsOfSteps, count, read);
  const load = async (_: number, __: number, bands: readonly BandTarget[], into: readonly Float64Array[]) => {
    const { raster, clips } = await ahead.next();
    bands.forEach((_band, i) => {
      copyValid(raster, i, into[i]!);
      for (const clip of clips) clear(into[i]!, regions[clip]!);
    });
    if (raster !== undefined) pool.release([...raster.bands, raster.valid]);
  };
  try {
    await runProgram(program, {
      count,
      allocate: () => new Float64Array(count),
      load,
      region: (region) => regions[region]!,
      emit: (output, values) => {
        const { kind, ...numbers } = outputs[output]!;
        if (kind === "band") parts[output] = Float32Array.from(values);
        else if ("reducers" in numbers) {
          const counted = numbers.region === undefined ? undefined : regions[numbers.region];
          parts[output] = numbersOf(values, counted, numbers.reducers);
        }
      },
    });
  } catch (error) {
    stop.abort(error);
    await ahead.settled();
    signal.throwIfAborted();
    throw error;
  }
  return { parts, used: [...used], skipped: [...skipped.values()] };
}

/** Reads of the next time steps. */
class Ahead {
  readonly #steps: readonly CubeStep[];
  readonly #bands: readonly (readonly BandTarget[])[];
  readonly #count: number;
  readonly #read: (step: CubeStep) => Promise<Raster | undefined>;
  readonly #running: Promise<Raster | undefined>[] = [];
  #at = 0;

  constructor(
    steps: readonly CubeStep[],
    bands: readonly (readonly BandTarget[])[],
    count: number,
    read: (step: CubeStep) => Promise<Raster | undefined>,
  ) {
    this.#steps = steps;
    this.#bands = bands;
    this.#count = count;
    this.#read = read;
  }

  async next(): Promise<{ readonly raster: Raster | undefined; readonly clips: readonly number[] }> {
    const first = this.#at;
    const values = Math.max(1, (this.#bands[first]?.length ?? 1) * this.#count);
    const wanted = 1 + Math.min(STEPS_AHEAD - 1, Math.floor(VALUES_AHEAD / values));
    while (this.#running.length < wanted && first + this.#running.length < this.#steps.length) {
      const reading = this.#read(this.#steps[first + this.#running.length]!);
      // a failure is the program's when it comes to this step
      reading.catch(() => {});
      this.#running.push(reading);
    }
    this.#at += 1;
    return { raster: await this.#running.shift(), clips: this.#steps[first]!.clips };
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

/** Memory of a result that another thread can take over. */
export function transferableBlock({ parts }: CubeBlock): ArrayBuffer[] {
  return parts.flatMap((part) => {
    if (part instanceof Float32Array) return [part.buffer];
    const arrays = (part.sorted ?? []).flatMap(({ values, cumulative }) => [values, cumulative]);
    return arrays.flatMap((array) =>
      array === undefined || array.byteLength === 0 ? [] : [array.buffer as ArrayBuffer],
    );
  });
}
