import type { AngleReader } from "@swath/engine/files";

/** For services whose requests need no angles. */
export const NO_ANGLES: AngleReader = {
  read: (href) => Promise.reject(new Error(`No angles are to be read, but ${href} was asked for.`)),
};
