/** The lowest layer of names: imagery lies below it. */
export const BORDERS = "borders";

/** Whether a source or a layer is imagery. */
export function isImagery(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("imagery-");
}
