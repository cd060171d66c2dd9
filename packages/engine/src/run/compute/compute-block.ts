import type { Window } from "@swath/raster";
import { windowGrid } from "@swath/raster";
import type { RenderResources } from "../resources.ts";
import type { ReadScene } from "../scene/read-scene.ts";
import { type GridSpec, gridFromSpec } from "../scene/scene-read.ts";
import type { Group, SkippedScene } from "./compute-job.ts";
import { Evaluation } from "./evaluate.ts";
import { addNumbers, numbersOf, type PartialNumbers } from "./partial-numbers.ts";

/** A window of a grid, and which of its pixels count. */
export interface CountedWindow {
  /** The whole grid, for which overviews are chosen. */
  readonly grid: GridSpec;
  readonly window: Window;
  /** 1 where a pixel of the window belongs to the job; absent: all do. Threads share its memory. */
  readonly counted?: Uint8Array;
  /** 1 where a pixel of the window is in the region, by the region's number; threads share its memory. */
  readonly regions: readonly Uint8Array[];
  /** See `GridPart`. */
  readonly wholeBlocks?: true;
}

/** Windows of a job and one of its groups, to be computed by one thread. */
export interface ComputeBlockJob extends Omit<Group, "id"> {
  readonly kind: "compute-block";
  /** Computed one after the other, and their numbers added up in this order; one alone for bands. */
  readonly windows: readonly CountedWindow[];
}

/** Numbers of an output, or its values as a band. */
export type BlockPart = PartialNumbers | Float32Array<ArrayBuffer>;

export interface ComputedBlock {
  /** One per output. */
  readonly parts: readonly BlockPart[];
  readonly used: readonly string[];
  readonly skipped: readonly SkippedScene[];
}

/**
 * Runs a program on windows.
 *
 * @throws what reading throws
 */
export async function computeBlock(
  { windows, program, reads, outputs }: ComputeBlockJob,
  readScene: ReadScene,
  resources: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<ComputedBlock> {
  const evaluation = new Evaluation(readScene, resources);
  const parts: BlockPart[] = [];
  for (const { grid, window, counted, regions, wholeBlocks } of windows) {
    const area = gridFromSpec(grid);
    const region = (number: number): Uint8Array => regions[number]!;
    const pixels = { grid: windowGrid(area, window), area, counted, region, wholeBlocks };
    const emit = (number: number, values: Float64Array): void => {
      const output = outputs[number]!;
      if (output.kind === "band") parts[number] = Float32Array.from(values);
      else {
        const own = output.region === undefined ? counted : regions[output.region];
        parts[number] = added(parts[number], numbersOf(values, own, output.reducers));
      }
    };
    await evaluation.run({ program, reads }, pixels, { signal, emit });
  }
  return { parts, used: [...evaluation.used], skipped: [...evaluation.skipped.values()] };
}

/** The numbers of what came before and of the next part. */
export function added(known: BlockPart | undefined, next: PartialNumbers): PartialNumbers {
  return known === undefined || known instanceof Float32Array ? next : addNumbers(known, next);
}

/** Memory of a result that another thread can take over. */
export function transferable({ parts }: ComputedBlock): ArrayBuffer[] {
  return parts.flatMap((part) => {
    if (part instanceof Float32Array) return [part.buffer];
    const { sorted = [], histogram } = part;
    return [...sorted.flatMap(({ values, cumulative }) => [values, cumulative]), histogram].flatMap((array) =>
      array === undefined || array.byteLength === 0 ? [] : [array.buffer as ArrayBuffer],
    );
  });
}
