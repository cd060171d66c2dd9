import { type Window, windowGrid } from "@swath/raster";
import { type GridSpec, gridFromSpec, gridSpec } from "../scene/scene-read.ts";
import { WorkBreaks } from "../work-breaks.ts";
import type { CountedWindow } from "./compute-block.ts";
import { type GridGroups, type GridPart, type Group, type GroupRead, usedRegions } from "./compute-job.ts";
import { CountedPixels } from "./counted-pixels.ts";
import { rasterizeRegion } from "./cube-region.ts";
import { bandsOf, READS_AHEAD } from "./evaluate.ts";

/** Pixels of a strip at most: memory is bounded by strips, not by the grid. */
const STRIP_PIXELS = 1 << 19;
/** Values of all registers of a strip at most. */
const STRIP_VALUES = 1 << 22;
/** Values of strips that each worker has in progress. */
const VALUES_AT_ONCE = 1 << 21;
/**
 * Files that all workers read at once at most: while some wait for bytes, others are computed. With blocks of 1024 × 1024
 * samples of 16 bits, 100 MB of compressed bytes.
 */
const FILES_AT_ONCE = 96;

/** A strip of whole rows, or some windows of a grid, that one thread computes at once. */
export interface Strip {
  /** Pixels of the largest of its windows. */
  readonly size: number;
  /** Rows of the first of them. */
  readonly height: number;
  readonly windows: () => readonly CountedWindow[];
}

/** The pixels of a grid as they are computed. */
export interface GridStrips {
  readonly strips: readonly Strip[];
  /** Pixels that count. */
  readonly pixels: number;
}

/** The strips of a grid by what groups hold of each pixel: groups that hold as much share theirs. */
export class StripsOfGrid {
  readonly #grid: GridGroups;
  readonly #regions: readonly Uint8Array[];
  readonly #known = new Map<number, GridStrips>();

  private constructor(grid: GridGroups, regions: readonly Uint8Array[]) {
    this.#grid = grid;
    this.#regions = regions;
  }

  /** Finds the pixels of the regions. Between them other requests get their turn. */
  static async of(grid: GridGroups, signal: AbortSignal): Promise<StripsOfGrid> {
    return new StripsOfGrid(grid, await regionsOf(grid, signal));
  }

  /** Pixels that count. */
  get pixels(): number {
    const [strips = this.#stripsOf(STRIP_PIXELS)] = this.#known.values();
    return strips.pixels;
  }

  of(group: Group): readonly Strip[] {
    const held = heldOf(group, this.#grid, ({ bands }) => bands.length);
    return this.#stripsOf(Math.min(STRIP_PIXELS, Math.floor(STRIP_VALUES / held))).strips;
  }

  /** Strips of a group that each of some workers may have in progress: at least one. */
  atOnce(group: Group, workers: number): number {
    const bands = Math.max(1, ...group.reads.map(bandsOf));
    const files = bands * Math.min(READS_AHEAD, group.reads.length) * workers;
    const size = Math.max(1, ...this.of(group).map((strip) => strip.size));
    const values = size * heldOf(group, this.#grid, () => bands);
    return Math.max(1, Math.min(Math.floor(FILES_AT_ONCE / files), Math.floor(VALUES_AT_ONCE / values)));
  }

  #stripsOf(most: number): GridStrips {
    const known = this.#known.get(most);
    if (known !== undefined) return known;
    const { parts } = this.#grid;
    const counted = parts.map(
      ({ grid, clip, windows }) => new CountedPixels(grid, clip, windows ?? rowsOf(grid, most)),
    );
    const made = {
      strips: parts.flatMap((part, i) => batchesOf(part, counted[i]!, this.#regions)),
      pixels: counted.reduce((sum, { pixels }) => sum + pixels, 0),
    };
    this.#known.set(most, made);
    return made;
  }
}

type LoadStep = Extract<Group["program"]["steps"][number], { kind: "load" }>;

/**
 * Values of a pixel that a program holds: its registers, and the bands that are read ahead; of another grid as many as it has
 * pixels for one of this.
 */
function heldOf({ program, reads }: Group, { parts }: GridGroups, bandsIn: (step: LoadStep) => number): number {
  const { width, height } = parts[0]!.grid;
  const taken = program.steps.map((step) => (step.kind === "load" ? bandsIn(step) : 0));
  const resampled = reads.map((read: GroupRead): number => {
    if (read.kind === "scenes") return 0;
    const ratio = (read.source.width * read.source.height) / (width * height);
    return read.outputs * (1 + Math.max(1, ratio));
  });
  const most = [...taken, ...resampled].reduce((larger, values) => Math.max(larger, values), 0);
  return Math.ceil(program.registers + most);
}

/** Strips one by one; small windows together, as many as have the pixels of a strip. */
function batchesOf(
  { grid, windows: asked, wholeBlocks }: GridPart,
  counted: CountedPixels,
  regions: readonly Uint8Array[],
): readonly Strip[] {
  const { windows } = counted;
  const batches: { pixels: number; readonly numbers: number[] }[] = [];
  for (const [i, { width, height }] of windows.entries()) {
    const last = batches.at(-1);
    const pixels = width * height;
    if (asked === undefined || last === undefined || last.pixels + pixels > STRIP_PIXELS) {
      batches.push({ pixels, numbers: [i] });
    } else {
      last.pixels += pixels;
      last.numbers.push(i);
    }
  }
  const one = (i: number): CountedWindow => {
    const mask = counted.of(i);
    const window = windows[i]!;
    const { y, width, height } = window;
    return {
      ...(asked === undefined ? { grid, window } : ownGrid(grid, window)),
      ...(mask === undefined ? {} : { counted: mask }),
      ...(wholeBlocks === undefined ? {} : { wholeBlocks }),
      regions: regions.map((region) => region.subarray(y * width, (y + height) * width)),
    };
  };
  return batches.map(({ numbers }) => ({
    size: Math.max(...numbers.map((i) => windows[i]!.width * windows[i]!.height)),
    height: windows[numbers[0]!]!.height,
    windows: () => numbers.map(one),
  }));
}

/** A window as a grid of its own: far from it the whole grid may mean nothing to a file. */
function ownGrid(grid: GridSpec, window: Window): Pick<CountedWindow, "grid" | "window"> {
  return { grid: gridSpec(windowGrid(gridFromSpec(grid), window)), window: { ...window, x: 0, y: 0 } };
}

/** Strips of whole rows, so that their pixels follow each other in row order. */
function rowsOf({ width, height }: GridSpec, pixels: number): readonly Window[] {
  const rows = Math.max(1, Math.min(height, Math.floor(pixels / width)));
  return Array.from({ length: Math.ceil(height / rows) }, (_, i) => ({
    x: 0,
    y: i * rows,
    width,
    height: Math.min(rows, height - i * rows),
  }));
}

/** 1 where a pixel's centre is in a region, in memory that threads share; nothing of regions that are not used. */
async function regionsOf(
  { parts, regions = [], groups }: GridGroups,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const used = usedRegions(groups);
  const breaks = new WorkBreaks(signal);
  const found: Uint8Array[] = [];
  for (const [i, region] of regions.entries()) {
    if (!used.has(i)) {
      found.push(new Uint8Array(0));
      continue;
    }
    await breaks.take();
    const grid = gridFromSpec(parts[0]!.grid);
    const inside = new Uint8Array(new SharedArrayBuffer(grid.width * grid.height));
    inside.set(rasterizeRegion(region, grid));
    found.push(inside);
  }
  return found;
}
