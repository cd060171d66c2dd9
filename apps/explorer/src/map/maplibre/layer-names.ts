/** The lowest layer of names: imagery lies below it. */
export const BORDERS = "borders";

/** What names of sources and layers of the owner's base map begin with: styles have a `land` and `places` too. */
export const BASE = "base-";

/** Whether a source or a layer is imagery. */
export function isImagery(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("imagery-");
}
