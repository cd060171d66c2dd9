/** The lowest layer of names: imagery lies below it. */
export const BORDERS = "borders";

/** Prefix of sources and layers of the owner's base map: styles have names such as `land` and `places` too. */
export const BASE = "base-";

/** Whether a source or a layer is imagery. */
export function isImagery(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("imagery-");
}
