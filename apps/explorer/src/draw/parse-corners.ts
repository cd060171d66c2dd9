import type { Point } from "../geometry/area.ts";

/** Corners that a typed polygon may have. */
const MOST = 500;

/**
 * Reads typed corners: longitude and latitude in degrees, one pair a line or between semicolons.
 *
 * @returns the corners, or what is wrong in words
 */
export function parseCorners(text: string): readonly Point[] | string {
  const parts = text.split(/[\n;]+/).filter((part) => part.trim() !== "");
  if (parts.length > MOST) return `A polygon has at most ${MOST} corners here; these are ${parts.length}.`;
  const corners: Point[] = [];
  for (const part of parts) {
    const numbers = part
      .trim()
      .split(/[\s,]+/)
      .map(Number);
    const [lon, lat] = numbers;
    if (numbers.length !== 2 || lon === undefined || lat === undefined || !numbers.every(Number.isFinite))
      return `"${part.trim()}" is no pair of longitude and latitude, such as 13.75, 45.55.`;
    if (Math.abs(lon) > 180 || Math.abs(lat) > 90) return `${part.trim()} is not on the Earth.`;
    corners.push([lon, lat]);
  }
  const [first, last] = [corners[0], corners.at(-1)];
  // a closed ring, as GeoJSON has it
  if (corners.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1]) corners.pop();
  return corners.length < 3 ? "A polygon has three corners or more." : corners;
}
