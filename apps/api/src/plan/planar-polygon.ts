import { MAX_VERTICES } from "@swath/query";
import { invalidBody, type Polygons } from "./area.ts";

/**
 * Reads a GeoJSON Polygon or MultiPolygon whose coordinates are metres: the checks of `parseIntersects` that do not
 * speak of degrees.
 *
 * @throws {ProblemError} `invalid-body`, with the pointer of the ring or position that is wrong.
 */
export function planarPolygon(value: unknown, pointer: string): Polygons {
  const geometry = value as { type?: unknown; coordinates?: unknown } | null;
  if (typeof geometry !== "object" || geometry === null || Array.isArray(geometry)) {
    throw invalidBody(pointer, "Expected a GeoJSON Polygon or MultiPolygon.");
  }
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    throw invalidBody(`${pointer}/type`, `Expected a Polygon or MultiPolygon, got ${String(geometry.type)}.`);
  }
  const at = `${pointer}/coordinates`;
  const isOne = geometry.type === "Polygon";
  const polygons = isOne ? [geometry.coordinates] : list(geometry.coordinates, at, 1);
  let vertices = 0;
  polygons.forEach((rings, p) => {
    const polygonAt = isOne ? at : `${at}/${p}`;
    list(rings, polygonAt, 1).forEach((ring, r) => {
      const ringAt = `${polygonAt}/${r}`;
      const positions = list(ring, ringAt, 4);
      vertices += positions.length;
      if (vertices > MAX_VERTICES) throw invalidBody(pointer, `Expected at most ${MAX_VERTICES} positions.`);
      checkRing(positions, ringAt);
    });
  });
  return { type: geometry.type, coordinates: geometry.coordinates } as Polygons;
}

function list(value: unknown, pointer: string, least: number): unknown[] {
  if (!Array.isArray(value)) throw invalidBody(pointer, "Expected an array.");
  if (value.length < least) throw invalidBody(pointer, `Expected at least ${least} entries, got ${value.length}.`);
  return value;
}

function checkRing(positions: readonly unknown[], pointer: string): void {
  positions.forEach((position, i) => {
    const isPosition = Array.isArray(position) && (position.length === 2 || position.length === 3);
    if (!isPosition || !position.every(Number.isFinite)) {
      throw invalidBody(`${pointer}/${i}`, "Expected a position of two or three finite numbers.");
    }
  });
  const [first, last] = [positions[0], positions.at(-1)] as [number[], number[]];
  if (first[0] !== last[0] || first[1] !== last[1]) {
    throw invalidBody(pointer, "Expected a closed ring: its last position equals its first.");
  }
}
