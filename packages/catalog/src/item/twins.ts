import { itemTime } from "@swath/query";
import type { FallbackFile } from "@swath/schema/files";
import type { Item } from "./item.ts";
import { OVERPASS_MS } from "./satellites.ts";

/** The facts that decide whether two items are of one acquisition. */
export interface Acquisition {
  /** The tile's names, as one text. */
  readonly tile: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly platform: string | undefined;
}

/** The acquisition of an item; `undefined` for one without tile or time, which no other is compared with. */
export function acquisitionOf(item: Item, tile: readonly string[]): Acquisition | undefined {
  const { properties } = item;
  const names = tile.map((name) => properties[name]);
  const time = Date.parse(itemTime(properties) ?? "");
  if (Number.isNaN(time) || !names.every((name) => typeof name === "string")) return undefined;
  const platform = typeof properties.platform === "string" ? properties.platform : undefined;
  return { tile: JSON.stringify(names), time, platform };
}

/** Whether two items are one acquisition: they have the same tile, overpass and, where both name theirs, platform. */
export function isSameAcquisition(a: Acquisition, b: Acquisition): boolean {
  const isOfOne = a.platform === undefined || b.platform === undefined || a.platform === b.platform;
  return a.tile === b.tile && isOfOne && Math.abs(a.time - b.time) <= OVERPASS_MS;
}

/** Acquisitions by tile, to find those of others among them. */
export class Acquisitions {
  readonly #byTile = new Map<string, Acquisition[]>();

  add(acquisition: Acquisition): void {
    const known = this.#byTile.get(acquisition.tile);
    if (known === undefined) this.#byTile.set(acquisition.tile, [acquisition]);
    else known.push(acquisition);
  }

  has(acquisition: Acquisition): boolean {
    return this.#byTile.get(acquisition.tile)?.some((each) => isSameAcquisition(each, acquisition)) === true;
  }
}

/** Whether a collection that fills gaps is looked at for the time of an item. */
export function isInTimes({ times }: FallbackFile, { properties }: Item): boolean {
  if (times === undefined) return true;
  const time = Date.parse(itemTime(properties) ?? "");
  return times.some(([start, end]) => time >= Date.parse(start) && time < Date.parse(end));
}
