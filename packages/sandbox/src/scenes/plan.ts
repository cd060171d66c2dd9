import { hashUnit } from "../country/noise.ts";
import { dayNumber } from "../country/seasons.ts";
import { valleyPasses } from "../country/valley/passes.ts";

/** The seed of the archive that `npm start` makes. */
export const DEFAULT_SEED = 20210705;

/** Changes whenever the bytes of an archive change, so that an old archive is made again. */
export const SANDBOX_VERSION = "12";

/** One overpass of a satellite. */
export interface Acquisition {
  /** ISO date (UTC). */
  readonly date: string;
  readonly sensor: "sentinel-2" | "landsat" | "sentinel-1" | "dem";
  readonly platform:
    | "sentinel-2a"
    | "sentinel-2b"
    | "sentinel-2c"
    | "landsat-5"
    | "landsat-7"
    | "landsat-8"
    | "landsat-9"
    | "sentinel-1a"
    | "tandem-x";
  /** Sentinel-2 relative orbit, or WRS-2 path. */
  readonly track: number;
  /** Sentinel-2 processing baseline. */
  readonly baseline?: string;
  /** Fraction of the sky under cloud that day. */
  readonly cloud: number;
  /** A small scene in the sensor's true pixel size. */
  readonly native?: true;
  /** A scene of the valley, in the sensor's true pixel size. */
  readonly valley?: true;
  /** Its Sentinel-2 and Landsat scenes are as bright as the sensor sees the ground from its side. */
  readonly directional?: true;
}

interface Moving extends Omit<Acquisition, "date"> {
  readonly daysAgo: number;
}

const FIXED: readonly Acquisition[] = [
  {
    date: "2021-03-19",
    sensor: "sentinel-2",
    platform: "sentinel-2b",
    track: 122,
    baseline: "02.14",
    cloud: 0.06,
    directional: true,
  },
  { date: "2021-07-05", sensor: "sentinel-2", platform: "sentinel-2a", track: 22, baseline: "03.01", cloud: 0.01 },
  { date: "2024-07-04", sensor: "sentinel-2", platform: "sentinel-2b", track: 22, baseline: "05.10", cloud: 0.01 },
  { date: "2024-07-06", sensor: "sentinel-2", platform: "sentinel-2a", track: 122, baseline: "05.10", cloud: 0.24 },
  { date: "2021-07-13", sensor: "landsat", platform: "landsat-8", track: 191, cloud: 0.02 },
  { date: "2024-07-05", sensor: "landsat", platform: "landsat-8", track: 191, cloud: 0.01 },
  { date: "2024-07-06", sensor: "landsat", platform: "landsat-9", track: 190, cloud: 0.24 },
  { date: "2010-07-08", sensor: "landsat", platform: "landsat-5", track: 191, cloud: 0.01 },
  { date: "2010-07-09", sensor: "landsat", platform: "landsat-7", track: 190, cloud: 0.15 },
  { date: "2021-07-06", sensor: "landsat", platform: "landsat-7", track: 191, cloud: 0.01 },
];

const MOVING: readonly Moving[] = [
  { daysAgo: 2, sensor: "sentinel-2", platform: "sentinel-2c", track: 22, baseline: "05.11", cloud: 0, native: true },
  {
    daysAgo: 5,
    sensor: "sentinel-2",
    platform: "sentinel-2b",
    track: 122,
    baseline: "05.11",
    cloud: 0.02,
    directional: true,
  },
  {
    daysAgo: 7,
    sensor: "sentinel-2",
    platform: "sentinel-2b",
    track: 22,
    baseline: "05.11",
    cloud: 0.01,
    directional: true,
  },
  { daysAgo: 3, sensor: "landsat", platform: "landsat-9", track: 190, cloud: 0.02, directional: true },
  { daysAgo: 4, sensor: "landsat", platform: "landsat-8", track: 191, cloud: 0, native: true },
  { daysAgo: 11, sensor: "landsat", platform: "landsat-8", track: 190, cloud: 0.35 },
  { daysAgo: 12, sensor: "landsat", platform: "landsat-9", track: 191, cloud: 0.02, directional: true },
];

/**
 * All optical overpasses of an archive made at `now`: fixed dates from 2010 to 2024, the last three weeks, and those of the
 * valley. Newest first.
 */
export function planAcquisitions(now: Date): readonly Acquisition[] {
  const today = dayNumber(now);
  const moving = MOVING.map(({ daysAgo, ...rest }) => ({ date: isoDay(today - daysAgo), ...rest }));
  const valley = valleyPasses(today).map(
    ({ day, ...rest }): Acquisition => ({ date: isoDay(day), valley: true, ...rest }),
  );
  return [...moving, ...FIXED, ...valley].sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

export function isoDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}

/** Fraction of the sky under cloud on a day. Days without an overpass have weather too. */
export function cloudCoverOf(acquisitions: readonly Acquisition[], seed: number, day: number): number {
  const date = isoDay(day);
  const known = acquisitions.find((a) => a.date === date);
  return known === undefined ? hashUnit(seed + 501, day, 2) ** 2 : known.cloud;
}
