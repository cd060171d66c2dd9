import { tileGrid } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ExtractJob } from "../../../src/run/extract/extract-job.ts";
import type { TileJob } from "../../../src/run/job.ts";
import { gridSpec } from "../../../src/run/scene/scene-read.ts";
import { affinity } from "../../../src/run/threads/affinity.ts";
import { plainRead } from "../reads.ts";

const tile = (z: number, x: number, y: number, ...scenes: string[]): TileJob => ({
  kind: "tile",
  grid: gridSpec(tileGrid("WebMercatorQuad", z, x, y)),
  scenes: scenes.map((id) => plainRead(id, [])),
  more: false,
  style: {},
  format: "png",
});
const extraction = (...scenes: string[]): ExtractJob => ({
  ...{ kind: "extract", grid: tile(9, 0, 0).grid, bands: [], sampleType: "uint16", nodata: 0, collection: "a" },
  ...{ attribution: "", units: "DN", harmonize: "none", path: "a.tif", spoolDirectory: "a" },
  scenes: scenes.map((id) => ({ read: plainRead(id, []), datetime: null, scales: [] })),
});

const zoom = fc.integer({ min: 7, max: 14 });
const squares = (test: (z: number, column: number, row: number) => void) =>
  fc.assert(
    fc.property(zoom, fc.nat(), fc.nat(), (z, column, row) => {
      // squares of 4 × 4 tiles, apart from the edge of the world
      const count = 2 ** (z - 2) - 2;
      test(z, 1 + (column % count), 1 + (row % count));
    }),
  );

describe("tiles of one scene", () => {
  test("that lie in a square of 4 × 4 go to one thread", () => {
    squares((z, column, row) => {
      const numbers = [0, 1, 2, 3].flatMap((x) =>
        [0, 1, 2, 3].map((y) => affinity(tile(z, 4 * column + x, 4 * row + y, "a", "b"))),
      );
      expect(new Set(numbers).size).toBe(1);
    });
  });

  test("in squares side by side go to different threads, of any number of them", () => {
    squares((z, column, row) => {
      const at = (x: number, y: number) => affinity(tile(z, 4 * (column + x), 4 * (row + y), "a"));
      for (const threads of [2, 3, 8]) {
        // at 2³² numbers begin again
        const [own, ...beside] = [at(0, 0), at(1, 0), at(-1, 0), at(0, 1), at(0, -1)].map((each) => each % threads);
        if (at(0, 0) < 2 || at(0, 0) > 2 ** 32 - 3) continue;
        for (const other of beside) expect(other).not.toBe(own);
      }
    });
  });
});

test("numbers are whole, not negative, and those of the same job are the same", () => {
  fc.assert(
    fc.property(fc.string(), zoom, fc.nat(), fc.nat(), (id, z, x, y) => {
      const jobs = [
        tile(z, x % 2 ** z, y % 2 ** z, id),
        extraction(id),
        { kind: "preview", scene: plainRead(id, []), maxSize: 64, style: {}, format: "png" } as const,
      ];
      for (const job of jobs) {
        const number = affinity(job);
        expect(Number.isInteger(number) && number >= 0 && number < 2 ** 32).toBe(true);
        expect(affinity(structuredClone(job))).toBe(number);
      }
      // a preview reads the same file as an extraction of its scene
      expect(affinity(jobs[2]!)).toBe(affinity(jobs[1]!));
    }),
  );
});

test("the scene on top decides: other scenes have other numbers, and those below do not count", () => {
  const numbers = Array.from({ length: 100 }, (_, i) => affinity(extraction(`S2A_T33TUL_2024${i}`)));
  expect(new Set(numbers).size).toBe(100);
  expect(affinity(tile(9, 275, 182, "a", "b"))).toBe(affinity(tile(9, 275, 182, "a", "c")));
  expect(affinity(tile(9, 275, 182, "a"))).not.toBe(affinity(tile(9, 275, 182, "b")));
});

test("a job without a scene goes somewhere", () => {
  expect([affinity(tile(9, 275, 182)), affinity(extraction())].every(Number.isInteger)).toBe(true);
});

/** FNV-1a of 32 bits, by its reference (Fowler, Noll and Vo, test vectors of "a" and "foobar"). */
test.each([
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
  ["", 0x811c9dc5],
])("the number of the scene %j is its FNV-1a", (id, number) => {
  expect(affinity(extraction(id))).toBe(number);
});
