import { orient2d } from "robust-predicates";

/**
 * Whether the segments a–b and c–d, ends included, share a point, where it is known that the boxes around them do.
 * Exact for all finite numbers.
 */
export function segmentsMeet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  // segments along one line whose boxes overlap overlap too
  return !((a > 0 && b > 0) || (a < 0 && b < 0));
}

/**
 * Returns how the ray from x, y to the east meets the edge a–b: 1 where it crosses it, 0 where it does not, −1 where
 * the point is on the edge. The upper end of an edge does not count, so that a ray through a vertex crosses one of its
 * two edges or both or none. A point is inside rings when its ray crosses their edges an odd number of times. Exact for
 * all finite numbers.
 */
export function crossesRay(ax: number, ay: number, bx: number, by: number, x: number, y: number): -1 | 0 | 1 {
  if (ay > y ? by > y : ay < y && by < y) return 0;
  if (ax < x && bx < x) return 0;
  if (ax > x && bx > x) return ay <= y !== by <= y ? 1 : 0;
  const turn = orient2d(ax, ay, bx, by, x, y);
  if (turn === 0 && (ax <= x || bx <= x)) return -1;
  return ay <= y !== by <= y && turn > 0 === ay > by ? 1 : 0;
}
