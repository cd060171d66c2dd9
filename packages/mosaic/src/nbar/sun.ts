const RADIANS = Math.PI / 180;
const MS_PER_DAY = 86_400_000;
/** Unix time of the epoch J2000.0: 2000-01-01T12:00Z. */
const J2000 = 946_728_000_000;

/** The direction to the sun, degrees. */
export interface SunPosition {
  /** From the vertical, 0 to 180; without refraction. */
  readonly zenith: number;
  /** Clockwise from north, 0 to 360. */
  readonly azimuth: number;
}

/**
 * The sun's position in the sky: Meeus, Astronomical Algorithms (2nd edition, 1998), chapters 12, 13 and 25 (lower
 * accuracy), which NOAA's solar calculator uses too. Within 0.01 degree from 1950 to 2050.
 *
 * @param time milliseconds since 1970-01-01T00:00Z.
 * @param longitude degrees east.
 * @param latitude degrees north, geodetic.
 */
export function sunPosition(time: number, longitude: number, latitude: number): SunPosition {
  const { rightAscension, declination, siderealTime } = sunCoordinates(time);
  const hourAngle = (siderealTime + longitude - rightAscension) * RADIANS;
  const [phi, delta] = [latitude * RADIANS, declination * RADIANS];
  // the direction to the sun: east, north, up
  const east = -Math.cos(delta) * Math.sin(hourAngle);
  const north = Math.sin(delta) * Math.cos(phi) - Math.cos(delta) * Math.cos(hourAngle) * Math.sin(phi);
  const up = Math.sin(delta) * Math.sin(phi) + Math.cos(delta) * Math.cos(hourAngle) * Math.cos(phi);
  return {
    zenith: Math.atan2(Math.hypot(east, north), up) / RADIANS,
    azimuth: modulo(Math.atan2(east, north) / RADIANS),
  };
}

/** Apparent right ascension and declination, and the sidereal time at Greenwich, degrees. */
export function sunCoordinates(time: number): {
  readonly rightAscension: number;
  readonly declination: number;
  readonly siderealTime: number;
} {
  const days = (time - J2000) / MS_PER_DAY;
  const t = days / 36_525;
  const meanLongitude = 280.46646 + t * (36_000.76983 + t * 0.0003032);
  const anomaly = (357.52911 + t * (35_999.05029 - t * 0.0001537)) * RADIANS;
  const centre =
    (1.914602 - t * (0.004817 + t * 0.000014)) * Math.sin(anomaly) +
    (0.019993 - t * 0.000101) * Math.sin(2 * anomaly) +
    0.000289 * Math.sin(3 * anomaly);
  const node = (125.04 - 1934.136 * t) * RADIANS;
  const longitude = (meanLongitude + centre - 0.00569 - 0.00478 * Math.sin(node)) * RADIANS;
  const meanObliquity = 23.43929111 - t * (0.0130041667 + t * (1.6389e-7 - t * 5.0361e-7));
  const obliquity = (meanObliquity + 0.00256 * Math.cos(node)) * RADIANS;
  const siderealTime =
    280.46061837 + 360.98564736629 * days + 0.000387933 * t * t - 0.00478 * Math.sin(node) * Math.cos(obliquity);
  return {
    rightAscension: modulo(Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude)) / RADIANS),
    declination: Math.asin(Math.sin(obliquity) * Math.sin(longitude)) / RADIANS,
    siderealTime: modulo(siderealTime),
  };
}

/**
 * The solar zenith that reflectance is brought to, degrees: a polynomial of the latitude (Zhang et al. 2016,
 * doi:10.1016/j.rse.2016.07.005).
 *
 * @param coefficients of the powers of the latitude, from the power 0 on.
 * @param latitude degrees north.
 */
export function prescribedSunZenith(coefficients: readonly number[], latitude: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * latitude + coefficient, 0);
}

const modulo = (degrees: number): number => ((degrees % 360) + 360) % 360;
