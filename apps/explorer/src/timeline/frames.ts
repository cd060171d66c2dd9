import type { DayScenes } from "../days/by-day.ts";

/** Frames of a second to choose from. */
export const SPEEDS = [0.5, 1, 2, 4] as const;
export type Speed = (typeof SPEEDS)[number];

/** Frames that are saved at most: a file of more is too large to be sent. */
export const MAX_FRAMES = 60;
/** Longest edge of a saved frame, pixels. */
export const MAX_EDGE = 960;

/** The days that the timeline goes through, the oldest first: those whose scenes are clear enough. */
export function framesOf(days: Iterable<DayScenes>, cloud: number): readonly DayScenes[] {
  return [...days].filter((each) => (each.cloud ?? 0) <= cloud).sort((a, b) => a.day.localeCompare(b.day));
}

/** Index of a day, or of the first one after it, or of the last. */
export function indexOf(frames: readonly DayScenes[], day: string | undefined): number {
  if (day === undefined) return 0;
  const at = frames.findIndex((frame) => frame.day >= day);
  return at === -1 ? Math.max(0, frames.length - 1) : at;
}

/** At most so many values, evenly chosen, the first and the last among them. */
export function thinned<T>(values: readonly T[], most: number): readonly T[] {
  if (values.length <= most) return values;
  const step = (values.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, i) => values[Math.round(i * step)] as T);
}

/** Width and height in pixels of a frame in the form of the map; even, and with a bounded edge. */
export function frameSize(width: number, height: number): { readonly width: number; readonly height: number } {
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height));
  const even = (length: number): number => Math.max(2, 2 * Math.round((length * scale) / 2));
  return { width: even(width), height: even(height) };
}
