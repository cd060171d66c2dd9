import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../../src/refusal.ts";
import { areaOf } from "../../src/where/area.ts";
import { outputGrid } from "../../src/where/frame.ts";

const EDGES = [
  0, 1e-308, 5e-324, 1, 90, 180, 360, 84, 500_000, 833_978, 9_329_005, 1e7, 20_037_508.342789244, 4e7, 1e8,
];
const far = fc.constantFrom(1e9, 1e15, 1e154, 1e200, 1e308, Number.MAX_VALUE);
/** A number at an edge of what a CRS holds or of what a double holds, or one step beyond. */
const edge = fc
  .record({ value: fc.oneof(fc.constantFrom(...EDGES), far), step: fc.constantFrom(0, -1, 1), sign: fc.boolean() })
  .map(({ value, step, sign }) => (sign ? -1 : 1) * (value * (1 + step * Number.EPSILON)));
const crs = fc.constantFrom(undefined, "EPSG:4326", "EPSG:3857", "EPSG:32632", "EPSG:32760", "EPSG:32601");
const box = fc.tuple(edge, edge, edge, edge);

/** Returns what is made of a request's area; undefined where it is refused. */
function made<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

test("a box at any edge of numbers and CRSs is refused, or has a place with finite coordinates", () => {
  fc.assert(
    fc.property(box, crs, crs, ([a, b, c, d], from, to) => {
      const bbox = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
      const area = made(() => areaOf({ bbox, ...(from === undefined ? {} : { crs: from }) }));
      if (area === undefined) return;
      expect(area.bbox.every(Number.isFinite)).toBe(true);
      const outline = made(() => area.outline);
      if (outline !== undefined) expect(outline.coordinates.flat(3).every(Number.isFinite)).toBe(true);
      const grid = made(() => outputGrid(area, { width: 20, height: 20, ...(to === undefined ? {} : { crs: to }) }));
      if (grid !== undefined) expect(grid.transform.every(Number.isFinite)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("a box whose coordinates are finite and whose place is not is refused where it stands", () => {
  expect(() => areaOf({ bbox: [0, 0, 1e308, 1e308], crs: "EPSG:32632" })).toThrow(
    expect.objectContaining({ name: "Refusal", code: "invalid", path: ["where", "bbox"] }),
  );
});
