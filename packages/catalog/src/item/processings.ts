import { findInstant, itemTime } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { Membership } from "@swath/schema/files";
import type { Item } from "./item.ts";
import { type Acquisition, OVERPASS_MS, type Sensor, satellitesOf, sensorOf } from "./satellites.ts";

/** An item of a member of a virtual collection, as far as its overpass and processing are concerned. */
export interface Processing {
  readonly key: string;
  readonly tile: readonly string[];
  readonly grid: string;
  /** Tiling and tile: scenes of different groups are no processings of the same data. */
  readonly group: string;
  /** The sensor that made it, as far as it is known. */
  readonly sensor: Sensor;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Number of the processing, and when it was made in milliseconds since 1970; `-Infinity` where it is not known. */
  readonly processing: number;
  readonly created: number;
  readonly id: string;
}

/** Identifies an item among those of several collections. */
export function itemKey({ collection, id }: Pick<Item, "collection" | "id">): string {
  return `${collection}/${id}`;
}

/** Returns the rule by which a member tells which of its items are processings of the same data. */
export function membershipOf(virtual: CollectionSchema, member: CollectionSchema): Membership | undefined {
  return member.memberOf.find(({ collection }) => collection === virtual.id);
}

/** The scene of an item; `undefined` for an item without time or tile, which has no other processing. */
export function toProcessing(item: Item, { grid, tile: names, processing }: Membership): Processing | undefined {
  const { properties, id } = item;
  const time = millisecondsOf(itemTime(properties));
  const tile = names.flatMap((name) => (typeof properties[name] === "string" ? [properties[name]] : []));
  if (Number.isNaN(time) || tile.length < names.length) return undefined;
  const number = processing === undefined ? Number.NaN : Number.parseFloat(String(properties[processing]));
  return {
    key: itemKey(item),
    tile,
    grid,
    group: JSON.stringify([grid, ...tile]),
    sensor: sensorOf(properties),
    time,
    processing: Number.isNaN(number) ? Number.NEGATIVE_INFINITY : number,
    created: orUnknown(millisecondsOf(properties.created)),
    id,
  };
}

function millisecondsOf(value: unknown): number {
  const instant = typeof value === "string" ? findInstant(value) : undefined;
  return instant === undefined ? Number.NaN : Number(instant.nanoseconds / 1_000_000n);
}

const orUnknown = (value: number): number => (Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value);

/** Scenes of one overpass of one satellite over one tile: times that chain within ten minutes. */
export function overpassesOf(scenes: Iterable<Processing>): Processing[][] {
  return grouped(scenes, (scene) => scene.group).flatMap(overpassesAt);
}

/** Acquisitions over one place by overpass: those of one satellite whose times chain within ten minutes, oldest first. */
export function overpassesAt<T extends Acquisition>(scenes: readonly T[]): T[][] {
  const satellites = satellitesOf(scenes);
  return grouped(scenes.entries(), ([i]) => satellites[i] ?? "").flatMap((own) =>
    chained(own.map(([, scene]) => scene)),
  );
}

/** Scenes whose times follow each other within ten minutes, oldest first. */
function chained<T extends Acquisition>(scenes: readonly T[]): T[][] {
  const overpasses: T[][] = [];
  for (const scene of scenes.toSorted((a, b) => a.time - b.time)) {
    const last = overpasses.at(-1);
    const before = last?.at(-1);
    if (last !== undefined && before !== undefined && scene.time - before.time <= OVERPASS_MS) last.push(scene);
    else overpasses.push([scene]);
  }
  return overpasses;
}

/**
 * Returns the scene of the largest processing number; among equals the one made last; among these the one of the last
 * id.
 */
export function newestOf(scenes: readonly Processing[]): Processing | undefined {
  return scenes.reduce<Processing | undefined>((best, scene) => {
    if (best === undefined) return scene;
    const difference = scene.processing - best.processing || scene.created - best.created;
    // two unknown ones differ by NaN, which is as good as equal
    if (difference > 0) return scene;
    return !(difference < 0) && scene.id > best.id ? scene : best;
  }, undefined);
}

/** Values that share a key, in the order of their first one. */
export function grouped<T>(values: Iterable<T>, keyOf: (value: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return [...groups.values()];
}
