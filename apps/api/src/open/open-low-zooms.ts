import { ImageCache, type LowZoomOptions, LowZooms } from "@swath/engine/node/images";
import type { Logger } from "pino";
import type { Environment } from "./environment/environment.ts";
import type { SharedImageCache } from "./open-shared-images.ts";

/** Bytes of the tiles that others are made of, which are kept in memory. */
const MEMORY_BYTES = 32 * 1_048_576;

/** Opens the tiles of low zooms; undefined where presets begin at zooms of their own. */
export function openLowZooms(
  { lowZooms, profile }: Pick<Environment, "lowZooms" | "profile">,
  scenes: Omit<LowZoomOptions, "images" | "isHeld" | "onFault" | "now">,
  shared: SharedImageCache | undefined,
  { isHeld, log }: { readonly isHeld: () => boolean; readonly log: Logger },
): LowZooms | undefined {
  if (!lowZooms || profile === "lean" || shared === undefined) return undefined;
  return new LowZooms({
    ...scenes,
    images: new ImageCache(scenes.renderer, MEMORY_BYTES, () => {}, shared.patient),
    isHeld,
    onFault: (error) => log.warn({ err: error }, "a tile of a low zoom was not made"),
    now: () => new Date(),
  });
}
