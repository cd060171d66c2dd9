import type { Item } from "./item.ts";

/** Acquisitions of one satellite that are no further apart than this belong to one overpass. */
export const OVERPASS_MS = 600_000;

/** The sensor that made a scene, as far as its item states it. */
export interface Sensor {
  readonly platform?: string;
  /** Sorted; empty where they are not known. */
  readonly instruments: readonly string[];
}

/** Time and sensor of an acquisition. */
export interface Acquisition {
  readonly sensor: Sensor;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The sensor of an item by its properties. */
export function sensorOf({ platform, instruments }: Item["properties"]): Sensor {
  const names = Array.isArray(instruments) ? instruments.filter((name) => typeof name === "string") : [];
  return { ...(typeof platform === "string" ? { platform } : {}), instruments: names.sort() };
}

/**
 * A name for the satellite of each scene, the same for scenes that one made: its platform. A scene that names none has that
 * of the scenes around it, where all of those within ten minutes that may be of its instruments have one platform: over one
 * place no two satellites come that soon after each other. Where there is none it is named by its instruments; without
 * these it is alone.
 *
 * @param scenes over one place.
 */
export function satellitesOf(scenes: readonly Acquisition[]): string[] {
  const named = scenes.filter(({ sensor }) => sensor.platform !== undefined).toSorted((a, b) => a.time - b.time);
  return scenes.map(({ sensor, time }, position) => {
    if (sensor.platform !== undefined) return sensor.platform;
    const platforms = new Set<string>();
    for (let i = firstFrom(named, time - OVERPASS_MS); i < named.length; i++) {
      const other = named[i];
      if (other === undefined || other.time > time + OVERPASS_MS) break;
      if (mayBeSame(sensor, other.sensor) && other.sensor.platform !== undefined) platforms.add(other.sensor.platform);
    }
    const [platform, another] = platforms;
    if (platform !== undefined && another === undefined) return platform;
    return sensor.instruments.length > 0 ? `? ${sensor.instruments.join(" ")}` : `? ${position}`;
  });
}

function mayBeSame(a: Sensor, b: Sensor): boolean {
  if (a.instruments.length === 0 || b.instruments.length === 0) return true;
  return a.instruments.join() === b.instruments.join();
}

/** The first position at or after a time, among scenes in order of time. */
function firstFrom(scenes: readonly { readonly time: number }[], time: number): number {
  let [low, high] = [0, scenes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scenes[middle]?.time ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
