import { METRES_PER_DEGREE } from "@swath/raster";
import { type SandboxScene, SENTINEL_2_COLLECTION, swathMiddle, toLonLat } from "./scenes.ts";

/** From the ground to the sun or a sensor, degrees. */
export interface Direction {
  /** From the vertical, 0 to below 90. */
  readonly zenith: number;
  /** Clockwise from north, 0 to below 360. */
  readonly azimuth: number;
}

const EARTH_KM = 6371;
/** Kilometres above the ground. */
const MSI_ALTITUDE = 786;
const OLI_ALTITUDE = 705;
/** Middles of the scenes of WRS-2 row 28, degrees east, at 46.04 degrees north; the paths lean by 14.5 degrees there. */
const LANDSAT_MIDDLE: Readonly<Record<number, number>> = { 190: 15.19, 191: 13.64, 192: 12.09 };
const LANDSAT_LATITUDE = 46.04;
const LANDSAT_LEAN = 14.5;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
const wrapped = (azimuth: number): number => ((azimuth % 360) + 360) % 360;

/**
 * The sun over a point: Astronomical Almanac, low precision (0.01 degrees), as Michalsky 1988 prints it,
 * doi:10.1016/0038-092X(88)90045-X.
 *
 * @param time milliseconds since 1970-01-01T00:00Z
 */
export function sunDirection(time: number, longitude: number, latitude: number): Direction {
  const days = (time - Date.UTC(2000, 0, 1, 12)) / 86_400_000;
  const hours = (time / 3_600_000) % 24;
  const anomaly = radians(357.528 + 0.9856003 * days);
  const ecliptic = radians(280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly));
  const obliquity = radians(23.439 - 4e-7 * days);
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const sidereal = radians(15 * (6.697375 + 0.0657098242 * days + hours) + longitude);
  const angle = sidereal - ascension;
  const phi = radians(latitude);
  const up = Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(angle);
  const east = -Math.cos(declination) * Math.sin(angle);
  const north = Math.cos(phi) * Math.sin(declination) - Math.sin(phi) * Math.cos(declination) * Math.cos(angle);
  return { zenith: degrees(Math.acos(up)), azimuth: wrapped(degrees(Math.atan2(east, north))) };
}

/** The sun at the time of a scene; easting and northing in metres. */
export function sunOver(scene: SandboxScene, x: number, y: number): Direction {
  return sunDirection(Date.parse(scene.datetime), ...toLonLat(x, y));
}

/** The sensor of a scene of Sentinel-2 or Landsat, which scans at right angles to a straight track; metres. */
export function sensorOver(scene: SandboxScene, x: number, y: number): Direction {
  if (scene.collection === SENTINEL_2_COLLECTION) {
    const { easting, lean } = swathMiddle(scene.acquisition.track, y);
    return besideTrack((x - easting) * Math.cos(lean), degrees(lean), MSI_ALTITUDE);
  }
  const lean = radians(LANDSAT_LEAN);
  const [longitude, latitude] = toLonLat(x, y);
  const east =
    (longitude - (LANDSAT_MIDDLE[scene.acquisition.track] ?? 0)) * METRES_PER_DEGREE * Math.cos(radians(latitude));
  const north = (latitude - LANDSAT_LATITUDE) * 111_130;
  return besideTrack(east * Math.cos(lean) - north * Math.sin(lean), LANDSAT_LEAN, OLI_ALTITUDE);
}

/** @param east metres from the track, at right angles to it; its northern end leans this many degrees to the east */
function besideTrack(east: number, lean: number, altitude: number): Direction {
  const beside = east / 1000;
  // the vertical turns with the ground, too
  const zenith = degrees(Math.atan(beside / altitude) + beside / EARTH_KM);
  return zenith < 0 ? { zenith: -zenith, azimuth: wrapped(90 + lean) } : { zenith, azimuth: wrapped(270 + lean) };
}

/** Mean directions of a scene: those of its middle. */
export function middleOf(scene: SandboxScene): { readonly sun: Direction; readonly sensor: Direction } {
  const [west, south, east, north] = scene.bounds;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return { sun: sunOver(scene, x, y), sensor: sensorOver(scene, x, y) };
}
