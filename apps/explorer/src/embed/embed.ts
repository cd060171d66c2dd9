import { Part, type Room } from "./part.ts";

/** `<swath-swipe>`: two images of a place, and a border between them. */
class SwathSwipe extends Part {
  static readonly observedAttributes = ["map", "preset", "collection", "left", "right", "center", "zoom", "label"];

  protected async load(): Promise<Room> {
    return (await import("./swipe/room.tsx")).room;
  }
}

/** `<swath-curve>`: the curve of a place. */
class SwathCurve extends Part {
  static readonly observedAttributes = ["src", "api", "lon", "lat", "dates", "index", "collection", "label"];

  protected async load(): Promise<Room> {
    return (await import("./curve/room.tsx")).room;
  }
}

for (const [name, element] of [
  ["swath-swipe", SwathSwipe],
  ["swath-curve", SwathCurve],
] as const) {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
