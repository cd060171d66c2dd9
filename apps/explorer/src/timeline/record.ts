import { ApiError, type Problem } from "../api/api-error.ts";
import { SecondMap } from "../map/maplibre/second-map.ts";
import type { Imagery, MapPort } from "../map/port.ts";
import type { Encoder } from "./encoder.ts";
import { ENCODERS, type Format } from "./encoders.ts";
import { frameSize } from "./frames.ts";
import { stampFrame } from "./stamp.ts";

/** One frame of an animation: its image and the words on it. */
export interface FrameAsked {
  readonly imagery: Imagery;
  readonly title: string;
  readonly credit: string;
}

export interface RecordAsked {
  readonly map: MapPort;
  readonly frames: readonly FrameAsked[];
  readonly format: Format;
  /** Milliseconds of each frame. */
  readonly duration: number;
  /** Called before each frame with the count of those that are done. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** Layers of the map that are no part of an animation: footprints, and features of tools. */
const ABOVE = /^(footprint|overlay|td-)/;

function hiddenContainer({ width, height }: { width: number; height: number }): HTMLElement {
  const container = document.createElement("div");
  container.setAttribute("aria-hidden", "true");
  container.className = "recorded";
  container.style.width = `${width}px`;
  container.style.height = `${height}px`;
  document.body.append(container);
  return container;
}

/** Rejects when the signal is aborted. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/**
 * Draws frames one after the other on a map of their own, and makes an animation of them.
 *
 * @throws {ApiError} where a tile of a frame could not be loaded: an animation with gaps would not be true.
 */
export async function recordAnimation(asked: RecordAsked): Promise<Blob> {
  const { map, frames, format, duration, onProgress, signal } = asked;
  const { clientWidth, clientHeight } = map.native.getContainer();
  const size = frameSize(clientWidth, clientHeight);
  let problem: Problem | undefined;
  const second = new SecondMap({
    first: map.native,
    container: hiddenContainer(size),
    keeps: (layer) => !ABOVE.test(layer),
    onProblem: (found) => {
      problem ??= found;
    },
    isRead: true,
  });
  const canvas = Object.assign(document.createElement("canvas"), size);
  const stopped = aborted(signal);
  stopped.catch(() => {});
  let encoder: Encoder | undefined;
  try {
    second.zoomTo(size.width);
    encoder = await ENCODERS[format](size, duration);
    for (const [i, frame] of frames.entries()) {
      onProgress(i);
      second.show(frame.imagery);
      await Promise.race([second.drawn(), stopped]);
      if (problem !== undefined) throw new ApiError(problem);
      stampFrame(canvas, second.canvas, frame);
      await Promise.race([encoder.add(canvas), stopped]);
    }
    return await encoder.finish();
  } catch (error) {
    await encoder?.cancel?.();
    throw error;
  } finally {
    second.remove();
  }
}
