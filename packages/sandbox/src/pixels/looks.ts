import { BRIGHTNESS_LEVELS } from "../country/landscape.ts";
import { COVER_COUNT, MIX_STEPS } from "../country/spectra.ts";

/** Looks that ground may have: cover, mix and brightness on a day as one number. 0 is of no ground, which is never so dark. */
export const LOOKS = COVER_COUNT * (MIX_STEPS + 1) * BRIGHTNESS_LEVELS;

/** Returns the look of a key, `cover × 256 + mix`, and brightness. */
export function lookOf(key: number, brightness: number): number {
  return ((key >> 8) * (MIX_STEPS + 1) + (key & 255)) * BRIGHTNESS_LEVELS + brightness;
}

/** Key of each look. */
export const KEY_OF_LOOK = Uint16Array.from({ length: LOOKS }, (_, look) => {
  const mixes = Math.floor(look / BRIGHTNESS_LEVELS);
  return Math.floor(mixes / (MIX_STEPS + 1)) * 256 + (mixes % (MIX_STEPS + 1));
});

/** Cover of each look. */
export const COVER_OF_LOOK = Uint8Array.from(KEY_OF_LOOK, (key) => key >> 8);

/** Brightness of each look. */
export const BRIGHTNESS_OF_LOOK = Uint8Array.from({ length: LOOKS }, (_, look) => look % BRIGHTNESS_LEVELS);
