/** The lowest layer of names: imagery lies below it. */
export const BORDERS = "borders";

/** Prefix of sources and layers of the owner's base map: styles have names such as `land` and `places` too. */
export const BASE = "base-";

/** Whether an event of a map is about the owner's base map: what it lacks is neither the service's fault nor in its words. */
export function isOfBase(event: object): boolean {
  return "sourceId" in event && typeof event.sourceId === "string" && event.sourceId.startsWith(BASE);
}

/** Whether a source or a layer is imagery. */
export function isImagery(name: unknown): boolean {
  return typeof name === "string" && name.startsWith("imagery-");
}
