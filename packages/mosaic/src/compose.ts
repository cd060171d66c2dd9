import type { Grid, Raster } from "@swath/raster";
import { Canvas } from "./canvas.ts";
import { SceneReadError, SceneUnreadableError } from "./errors.ts";
import { cellsMeet, type FootprintCells, footprintCells } from "./footprint.ts";
import type { Scene } from "./scene.ts";

/** Limits of the scenes that may be read, and the rule for scenes that cannot be read. */
export interface ComposeOptions {
  readonly signal?: AbortSignal;
  /** The most scenes that may be read; those that turn out unreadable do not count. Default: all. */
  readonly maxScenes?: number;
  /** The effect of a `SceneUnreadableError`: "skip" (default) continues without the scene, "fail" throws the error. */
  readonly onUnreadable?: "skip" | "fail";
  /**
   * The number of scenes beyond the topmost unfinished one that may be read at the same time. One is, where footprints
   * say that it reaches pixels that those above it cannot. Default 1.
   */
  readonly lookAhead?: number;
  /** Takes back each raster of a scene that the mosaic does not hold: its memory may be used again. */
  readonly release?: (raster: Raster) => void;
}

/** The result of composing scenes: one raster, and the scenes that it is made of. */
export interface Mosaic {
  /** `undefined` exactly when no scene has data on the grid. Bands under `valid` 0 hold anything. */
  readonly raster: Raster | undefined;
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Scenes that could not be read, in order. Without them the mosaic may have gaps. */
  readonly skipped: readonly { readonly id: string; readonly error: Error }[];
  /** Whether `maxScenes` ended the mosaic while pixels were open that a further scene may reach. */
  readonly truncated: boolean;
}

/**
 * One raster from many scenes: each pixel is that of the first scene, in the order given, that has data there.
 *
 * Scenes are read in order until every pixel has data. Those whose footprint touches only pixels that have data,
 * or no pixel at all, are not read; a scene without footprint and bbox always may be. When the mosaic is full, fails
 * or is aborted, the signals of all reads still running are aborted.
 *
 * Rasters of scenes are not written to; a mosaic of one scene is that scene's raster itself.
 *
 * @throws {SceneReadError} when a read fails in a way that may pass; `cause` holds its error.
 * @throws {SceneUnreadableError} with `onUnreadable: "fail"`.
 * @throws {SceneMismatchError} when scenes differ in band count or sample type, or a raster is not on `grid`.
 * @throws the reason of `signal` when that is aborted.
 */
export async function composeMosaic(
  scenes: readonly Scene[],
  grid: Grid,
  options: ComposeOptions = {},
): Promise<Mosaic> {
  const { signal, maxScenes = Infinity, onUnreadable = "skip", lookAhead = 1, release = () => {} } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const failure = withResolvers<never>();
  const abort = (): void => {
    failure.reject(signal?.reason);
    stop.abort(signal?.reason);
  };
  signal?.addEventListener("abort", abort, { once: true });

  const canvas = new Canvas(grid);
  const queue = new SceneQueue(scenes, footprintCells(grid), canvas);
  const running: Running[] = [];
  const used: string[] = [];
  const skipped: { id: string; error: Error }[] = [];
  let reads = 0;

  const start = (scene: Scene, reach: Uint8Array | undefined): void => {
    reads += 1;
    const result = readScene(scene, grid, stop.signal, onUnreadable);
    result.catch(failure.reject);
    running.push({ scene, reach, result });
  };
  try {
    for (;;) {
      while (!canvas.full && reads < maxScenes && running.length <= Math.max(0, lookAhead)) {
        const next = queue.next(running);
        if (next === undefined) break;
        start(next.scene, next.reach);
      }
      const first = running.shift();
      if (first === undefined) break;
      const result = await Promise.race([first.result, failure.promise]);
      signal?.throwIfAborted();
      if (result instanceof SceneUnreadableError) {
        skipped.push({ id: first.scene.id, error: result });
        reads -= 1;
      } else if (result !== undefined) {
        const before = canvas.raster;
        if (canvas.add(first.scene.id, result)) used.push(first.scene.id);
        // the first raster is held as it came until a second one adds to it
        for (const raster of [before, result]) if (raster !== undefined && raster !== canvas.raster) release(raster);
      }
      if (canvas.full) break;
    }
    const truncated = !canvas.full && reads >= maxScenes && queue.next([]) !== undefined;
    return { raster: canvas.raster, used, skipped, truncated };
  } catch (error) {
    stop.abort(DONE);
    signal?.throwIfAborted(); // reads that were aborted fail too; the reason says why
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
    if (running.length > 0) stop.abort(DONE);
  }
}

/** Abort reason of reads whose result is not needed; made once, because the engine's default reason takes a stack trace. */
const DONE = new Error("The mosaic is done.");

interface Running {
  readonly scene: Scene;
  readonly reach: Uint8Array | undefined;
  readonly result: Promise<Raster | SceneUnreadableError | undefined>;
}

async function readScene(
  scene: Scene,
  grid: Grid,
  signal: AbortSignal,
  onUnreadable: "skip" | "fail",
): Promise<Raster | SceneUnreadableError | undefined> {
  try {
    return await scene.read(grid, { signal });
  } catch (error) {
    if (error instanceof SceneUnreadableError) {
      if (onUnreadable === "skip") return error;
      throw error;
    }
    throw new SceneReadError(scene.id, error);
  }
}

/** The scenes not yet read. `next` gives the topmost that has to be, whatever those running turn out to hold. */
class SceneQueue {
  readonly #scenes: readonly Scene[];
  readonly #cells: FootprintCells;
  readonly #canvas: Canvas;
  #at = 0;
  #reach: Uint8Array | undefined;
  #reachOf = -1;

  constructor(scenes: readonly Scene[], cells: FootprintCells, canvas: Canvas) {
    this.#scenes = scenes;
    this.#cells = cells;
    this.#canvas = canvas;
  }

  next(running: readonly Running[]): { scene: Scene; reach: Uint8Array | undefined } | undefined {
    if (this.#at >= this.#scenes.length) return undefined;
    const remaining = this.#remainingAfter(running);
    if (remaining === undefined) return undefined;
    for (let scene = this.#scenes[this.#at]; scene !== undefined; scene = this.#scenes[++this.#at]) {
      const reach = this.#reachOfCurrent(scene);
      if (reach === undefined ? running.length === 0 : cellsMeet(reach, remaining)) {
        this.#at += 1;
        return { scene, reach };
      }
      // running reads may not fill all pixels that this one reaches, so it stays the next
      if (running.length > 0 && (reach === undefined || cellsMeet(reach, this.#canvas.open(this.#cells))))
        return undefined;
    }
    return undefined;
  }

  #reachOfCurrent(scene: Scene): Uint8Array | undefined {
    if (this.#reachOf !== this.#at) {
      this.#reach = this.#cells.reach(scene);
      this.#reachOf = this.#at;
    }
    return this.#reach;
  }

  /** Open cells that none of `running` reaches; `undefined` where there may be none. */
  #remainingAfter(running: readonly Running[]): Uint8Array | undefined {
    const open = this.#canvas.open(this.#cells);
    if (running.length === 0) return open;
    const remaining = open.slice();
    for (const { reach } of running) {
      if (reach === undefined || reach === this.#cells.all) return undefined;
      for (let i = 0; i < remaining.length; i++) if (reach[i] === 1) remaining[i] = 0;
    }
    return remaining.includes(1) ? remaining : undefined;
  }
}

function withResolvers<T>(): { promise: Promise<T>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((_, no) => {
    reject = no;
  });
  promise.catch(() => {}); // the mosaic may be done before anything fails
  return { promise, reject };
}
