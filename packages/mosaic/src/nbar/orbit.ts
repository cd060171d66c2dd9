/** A circular orbit that comes back to the same paths, such as that of WRS-2. Degrees and kilometres. */
export interface Orbit {
  /** Angle between the equator and the orbit's plane; above 90: the satellite goes west. */
  readonly inclination: number;
  /** Above the ground, kilometres. */
  readonly altitude: number;
  /** Orbits until the first path comes again; as many paths there are. */
  readonly orbits: number;
  /** Turns of the earth under the orbit's plane in that time. */
  readonly days: number;
  /** Longitude at which path 1 crosses the equator southward, degrees east. Paths are numbered westward. */
  readonly firstPath: number;
}

/** Direction from the ground to a sensor, degrees. */
export interface ViewDirection {
  /** From the vertical. */
  readonly zenith: number;
  /** Clockwise from north. */
  readonly azimuth: number;
}

type Vector = readonly [number, number, number];

const RADIANS = Math.PI / 180;
const EARTH_RADIUS = 6371.0088;
/** 1 − the square of the eccentricity of the WGS 84 ellipsoid. */
const FLATNESS = 0.99330562;

/**
 * Directions to a sensor that looks straight down on the descending half of a path and scans at right angles to it: the
 * point of the ground track nearest to the ground seen is where the satellite was. Track and ground are those of a sphere;
 * the track's azimuth follows from the inclination and the earth's turning. A satellite that is 5 km beside its path is
 * seen 0.4 degrees from there; middles of recorded Landsat scenes are within 0.35 degrees.
 *
 * @returns the direction at a longitude and latitude (geodetic), degrees.
 */
export function trackView(orbit: Orbit, path: number): (longitude: number, latitude: number) => ViewDirection {
  const track = groundTrack(orbit, path);
  const radius = (EARTH_RADIUS + orbit.altitude) / EARTH_RADIUS;
  return (longitude, latitude) => {
    const [lambda, phi] = [longitude * RADIANS, Math.atan(Math.tan(latitude * RADIANS) * FLATNESS)];
    const up: Vector = [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
    const below = nearest(track, up, phi, orbit.inclination * RADIANS);
    const sight: Vector = [radius * below[0] - up[0], radius * below[1] - up[1], radius * below[2] - up[2]];
    const east: Vector = [-Math.sin(lambda), Math.cos(lambda), 0];
    const north: Vector = [-Math.sin(phi) * Math.cos(lambda), -Math.sin(phi) * Math.sin(lambda), Math.cos(phi)];
    const [x, y, z] = [dot(sight, east), dot(sight, north), dot(sight, up)];
    return {
      zenith: Math.atan2(Math.hypot(x, y), z) / RADIANS,
      azimuth: (((Math.atan2(x, y) / RADIANS) % 360) + 360) % 360,
    };
  };
}

/** Unit vector of the ground under the satellite, by the angle flown since the equator, radians. */
type Track = (angle: number) => Vector;

function groundTrack({ inclination, orbits, days, firstPath }: Orbit, path: number): Track {
  const start = (firstPath - ((path - 1) * 360) / orbits) * RADIANS;
  const [cos, sin] = [Math.cos(inclination * RADIANS), Math.sin(inclination * RADIANS)];
  return (angle) => {
    // southward over the equator, while the earth turns east under the orbit
    const turned = start - (angle * days) / orbits;
    const [along, across] = [Math.cos(angle), Math.sin(angle) * cos];
    return [
      along * Math.cos(turned) - across * Math.sin(turned),
      along * Math.sin(turned) + across * Math.cos(turned),
      -Math.sin(angle) * sin,
    ];
  };
}

/** The point of the descending track that is nearest to a point: from that of the same latitude, by Newton's steps. */
function nearest(track: Track, point: Vector, latitude: number, inclination: number): Vector {
  const share = Math.sin(latitude) / Math.sin(inclination);
  let angle = -Math.asin(Math.max(-1, Math.min(1, share)));
  let at = track(angle);
  for (let step = 0; step < 6; step++) {
    const ahead = track(angle + STEP);
    const speed: Vector = [(ahead[0] - at[0]) / STEP, (ahead[1] - at[1]) / STEP, (ahead[2] - at[2]) / STEP];
    const off: Vector = [point[0] - at[0], point[1] - at[1], point[2] - at[2]];
    const move = dot(off, speed) / dot(speed, speed);
    angle += move;
    at = track(angle);
    if (Math.abs(move) < 1e-9) break;
  }
  return at;
}

/** Radians: far less than a pixel, far more than rounding. */
const STEP = 1e-6;

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
