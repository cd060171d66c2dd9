import type { Program } from "@swath/openeo/program";
import { type Window, windowGrid } from "@swath/raster";
import { CubeEvaluation, type CubeStep } from "./cube-evaluate.ts";
import type { CubeOutput } from "./cube-job.ts";
import { numbersOf, type PartialNumbers } from "./partial-numbers.ts";
import type { ReadScene } from "./read-scene.ts";
import type { SkippedScene } from "./reduce-job.ts";
import type { RenderResources } from "./resources.ts";
import { type GridSpec, gridFromSpec } from "./scene-read.ts";

/** A window of the grid of a job and one of its programs, to be run by one thread. */
export interface CubeBlockJob {
  readonly kind: "cube-block";
  /** The whole grid. */
  readonly grid: GridSpec;
  readonly window: Window;
  readonly program: Program;
  readonly outputs: readonly CubeOutput[];
  /** What the program loads, in the order of its loads. */
  readonly steps: readonly CubeStep[];
  /** 1 where a pixel of the window is in the region; threads share its memory. */
  readonly regions: readonly Uint8Array[];
}

export interface CubeBlock {
  /** One an output: numbers, or the values of a band. */
  readonly parts: readonly (PartialNumbers | Float32Array<ArrayBuffer>)[];
  readonly used: readonly string[];
  readonly skipped: readonly SkippedScene[];
}

/**
 * Runs a program on one window.
 *
 * @throws what reading throws
 */
export async function cubeBlock(
  { grid: spec, window, program, outputs, steps, regions }: CubeBlockJob,
  readScene: ReadScene,
  resources: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<CubeBlock> {
  const area = gridFromSpec(spec);
  const evaluation = new CubeEvaluation(readScene, resources);
  const parts: CubeBlock["parts"][number][] = [];
  const pixels = { grid: windowGrid(area, window), area, region: (region: number) => regions[region]! };
  const emit = (output: number, values: Float64Array): void => {
    const { kind, ...numbers } = outputs[output]!;
    if (kind === "band") parts[output] = Float32Array.from(values);
    else if ("reducers" in numbers) {
      const counted = numbers.region === undefined ? undefined : regions[numbers.region];
      parts[output] = numbersOf(values, counted, numbers.reducers);
    }
  };
  await evaluation.run(program, steps, pixels, { signal, emit });
  return { parts, used: [...evaluation.used], skipped: [...evaluation.skipped.values()] };
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
