import { findPattern, type OrbitRule } from "@swath/schema/files";

const DAY_MS = 86_400_000;
const RADIANS = Math.PI / 180;

/**
 * The platform of a scene by the first rule for its id: the satellite that was at the scene's latitude at that time.
 * `undefined` where no rule is for the id, and where no satellite, or more than one, is near enough.
 *
 * @param time milliseconds since 1970; NaN for a scene without one.
 * @param latitude of the middle of its footprint, degrees.
 */
export function platformByOrbit(
  rules: readonly OrbitRule[],
  id: string,
  time: number,
  latitude: number,
): string | undefined {
  const rule = rules.find(({ pattern }) => findPattern(id, pattern, "$&") !== undefined);
  if (rule === undefined || Number.isNaN(time)) return undefined;
  const phase = orbitPhase(rule, time, latitude);
  const near = rule.platforms.filter(
    ({ phase: own, from, to }) =>
      angleBetween(phase, own) <= rule.tolerance &&
      (from === undefined || time >= Date.parse(from)) &&
      (to === undefined || time < Date.parse(to)),
  );
  return near.length === 1 ? near[0]?.platform : undefined;
}

/**
 * Degrees that a satellite over a latitude on the descending half of its circular orbit had flown since the equator,
 * northward, at the start of 1970. All its scenes give the same phase, since orbits of repeating ground tracks have a
 * fixed length: `days / orbits` mean solar days, as the plane of a sun-synchronous orbit turns with the sun. From the
 * time is taken what the satellite flew since the equator: sin(latitude) = sin(inclination) × sin(angle flown).
 */
export function orbitPhase(
  { inclination, orbits, days }: Pick<OrbitRule, "inclination" | "orbits" | "days">,
  time: number,
  latitude: number,
): number {
  const sine = Math.sin(latitude * RADIANS) / Math.sin(inclination * RADIANS);
  const flown = 180 - Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS;
  const length = (days * DAY_MS) / orbits;
  const since = ((time / length) * 360 - flown) % 360;
  return (since + 360) % 360;
}

function angleBetween(a: number, b: number): number {
  const difference = Math.abs(a - b) % 360;
  return Math.min(difference, 360 - difference);
}
