/** Directions to the sun and the sensor as seen from the ground, degrees. */
export interface Angles {
  /** From the vertical, 0 to below 90. */
  readonly sunZenith: number;
  /** Clockwise from north. */
  readonly sunAzimuth: number;
  /** From the vertical, 0 to below 90. */
  readonly viewZenith: number;
  /** From the ground to the sensor, clockwise from north. */
  readonly viewAzimuth: number;
}

/** Weights of the isotropic, volumetric (RossThick) and geometric (LiSparseReciprocal) part of a band's reflectance. */
export interface KernelWeights {
  readonly iso: number;
  readonly vol: number;
  readonly geo: number;
}

const RADIANS = Math.PI / 180;
/** Height of the crowns' centres over their vertical radius, h/b. Crowns are spheres (b/r = 1). */
const HEIGHT_TO_RADIUS = 2;

/**
 * RossThick, the volumetric kernel: (π/2 − ξ) cos ξ + sin ξ over cos θs + cos θv, less π/4, where ξ is the angle between
 * the directions to sun and sensor. 0 with both at the zenith.
 *
 * Lucht, Schaaf and Strahler 2000, equation 38, doi:10.1109/36.841980.
 *
 * @param relativeAzimuth between the directions to sun and sensor, degrees; 0 where the sun is behind the sensor.
 */
export function rossThick(sunZenith: number, viewZenith: number, relativeAzimuth: number): number {
  const [sun, view] = [sunZenith * RADIANS, viewZenith * RADIANS];
  const cosPhase = cosPhaseOf(sun, view, relativeAzimuth * RADIANS);
  const phase = Math.acos(cosPhase);
  const numerator = (Math.PI / 2 - phase) * cosPhase + Math.sin(phase);
  return numerator / (Math.cos(sun) + Math.cos(view)) - Math.PI / 4;
}

/**
 * LiSparseReciprocal, the geometric kernel for spherical crowns (b/r = 1) at h/b = 2: their shadows and sunlit sides. 0
 * with sun and sensor at the zenith.
 *
 * Lucht, Schaaf and Strahler 2000, equations 39 to 44, doi:10.1109/36.841980.
 *
 * @param relativeAzimuth between the directions to sun and sensor, degrees; 0 where the sun is behind the sensor.
 */
export function liSparseReciprocal(sunZenith: number, viewZenith: number, relativeAzimuth: number): number {
  const [sun, view, azimuth] = [sunZenith * RADIANS, viewZenith * RADIANS, relativeAzimuth * RADIANS];
  const [tanSun, tanView] = [Math.tan(sun), Math.tan(view)];
  const [secSun, secView] = [1 / Math.cos(sun), 1 / Math.cos(view)];
  const distance2 = tanSun ** 2 + tanView ** 2 - 2 * tanSun * tanView * Math.cos(azimuth);
  const across = tanSun * tanView * Math.sin(azimuth);
  const reach = (HEIGHT_TO_RADIUS * Math.sqrt(Math.max(0, distance2 + across ** 2))) / (secSun + secView);
  // beyond 1 the shadow is clear of the crown: they do not overlap
  const cosOverlap = Math.min(1, reach);
  const angle = Math.acos(cosOverlap);
  const overlap = ((angle - Math.sin(angle) * cosOverlap) * (secSun + secView)) / Math.PI;
  return overlap - secSun - secView + ((1 + cosPhaseOf(sun, view, azimuth)) * secSun * secView) / 2;
}

/** Reflectance that the weights give, up to the ground's own brightness: `iso + vol × RossThick + geo × LiSparseReciprocal`. */
export function kernelReflectance(
  { iso, vol, geo }: KernelWeights,
  { sunZenith, sunAzimuth, viewZenith, viewAzimuth }: Angles,
): number {
  const azimuth = viewAzimuth - sunAzimuth;
  return (
    iso + vol * rossThick(sunZenith, viewZenith, azimuth) + geo * liSparseReciprocal(sunZenith, viewZenith, azimuth)
  );
}

/**
 * Returns the factor that turns reflectance under `angles` into reflectance at nadir with the sun at `sunZenith`: the
 * c-factor, without a unit, near 1.
 *
 * Roy et al. 2016, doi:10.1016/j.rse.2016.01.023.
 *
 * @param sunZenith prescribed, degrees, 0 to below 90.
 * @returns NaN where an angle is none, or the sun or the sensor is within 5 degrees of the horizon, where the kernels
 *   have no meaning.
 */
export function nadirFactor(weights: KernelWeights, angles: Angles, sunZenith: number): number {
  const isHigh = Math.max(angles.sunZenith, angles.viewZenith, sunZenith) <= LARGEST_ZENITH;
  if (!isHigh) return Number.NaN;
  const nadir = { sunZenith, sunAzimuth: 0, viewZenith: 0, viewAzimuth: 0 };
  return kernelReflectance(weights, nadir) / kernelReflectance(weights, angles);
}

const LARGEST_ZENITH = 85;

/** Cosine of the angle between the directions to sun and sensor, which rounding does not carry beyond 1. */
function cosPhaseOf(sun: number, view: number, azimuth: number): number {
  const cosine = Math.cos(sun) * Math.cos(view) + Math.sin(sun) * Math.sin(view) * Math.cos(azimuth);
  return Math.max(-1, Math.min(1, cosine));
}
