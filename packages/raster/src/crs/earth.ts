/** Semi-major axis of the WGS 84 and GRS 80 ellipsoids, metres; the radius of the sphere of Web Mercator. */
export const EQUATOR_RADIUS = 6_378_137;
/** Squared eccentricity of the WGS 84 ellipsoid: f (2 − f) for 1 / f = 298.257223563 (NIMA TR8350.2, table 3.3). */
export const ECCENTRICITY2 = 0.0066943799901413165;
/** Metres of a degree along the equator, π / 180 of its radius, rounded to ten metres: by it sizes become degrees. */
export const METRES_PER_DEGREE = 111_320;
/** Metres of a degree along a meridian: a quarter of it, 10,002 km, by 90. */
export const METRES_PER_LATITUDE = 111_133;

/** Degrees that a UTM zone is wide. */
const ZONE_WIDTH = 6;
const ZONES = 60;
/** The codes of zone 0, north and south, which there is not: those of the zones follow them. */
const [NORTH, SOUTH] = [32_600, 32_700];

/**
 * EPSG code of the UTM zone of WGS 84 that a point is in, by longitude and hemisphere alone: the wider zones of Norway and
 * Svalbard are not heeded.
 *
 * @param longitude degrees, any turn of the Earth
 */
export function utmEpsg(longitude: number, latitude: number): number {
  const zone = Math.floor((longitude + 180) / ZONE_WIDTH) % ZONES;
  return (latitude < 0 ? SOUTH : NORTH) + ((zone + ZONES) % ZONES) + 1;
}

/** The zone, 1 to 60, of which an EPSG code is the UTM CRS of WGS 84; `undefined` for other codes. */
export function utmZone(epsg: number | undefined): number | undefined {
  const zone = epsg === undefined ? 0 : epsg - (epsg > SOUTH ? SOUTH : NORTH);
  return Number.isInteger(zone) && zone >= 1 && zone <= ZONES ? zone : undefined;
}
