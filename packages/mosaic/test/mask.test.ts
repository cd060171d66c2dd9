import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BitRule, bitTable, classify, MosaicInputError, maskExclude, restrictRaster } from "../src/index.ts";
import { constantRaster } from "./scenes.ts";

const [NODATA, CLEAR, CLOUD, SHADOW, WATER] = [0, 1, 2, 3, 4];

test("classes of samples are those of a table, and one class of samples outside it", () => {
  const table = new Uint8Array(256).fill(CLEAR);
  for (const [value, code] of [
    [0, NODATA],
    [3, SHADOW],
    [6, WATER],
    [9, CLOUD],
  ] as const)
    table[value] = code;
  expect([...classify(Uint8Array.of(0, 3, 4, 6, 9, 255), table)]).toEqual([NODATA, SHADOW, CLEAR, WATER, CLOUD, CLEAR]);
  expect([...classify(Uint16Array.of(9, 300), table, 7)]).toEqual([CLOUD, 7]);
});

// values and their meaning from USGS LSDS-1619, Landsat Collection 2 QA_PIXEL
const FILL: BitRule = { mask: 1 << 0, classCode: NODATA };
const RULES: BitRule[] = [
  FILL,
  { mask: 0b11 << 8, min: 2, classCode: CLOUD },
  { mask: 1 << 4, classCode: SHADOW },
  { mask: 1 << 7, classCode: WATER },
];

test.each([
  { value: 1, expected: NODATA, name: "fill" },
  { value: 21824, expected: CLEAR, name: "clear" },
  { value: 21952, expected: WATER, name: "water" },
  { value: 22280, expected: CLOUD, name: "cloud of high confidence" },
  { value: 22080, expected: CLOUD, name: "cloud of medium confidence" },
  { value: 23888, expected: SHADOW, name: "shadow" },
])("bits of $value say $name", ({ value, expected }) => {
  expect([...classify(Uint16Array.of(value), bitTable(RULES, CLEAR))]).toEqual([expected]);
});

test("the first bit rule that matches decides, and a field may be bounded on both sides", () => {
  const medium: BitRule = { mask: 0b1100, min: 2, max: 2, classCode: 5 };
  const table = bitTable([medium, { mask: 0b1111, classCode: 6 }], 9);
  expect([0b0000, 0b0001, 0b0100, 0b1000, 0b1001, 0b1100].map((value) => table[value])).toEqual([9, 6, 6, 5, 5, 6]);
});

describe("maskExclude", () => {
  const draw = (keep: Uint8Array, width: number): string[] =>
    Array.from({ length: keep.length / width }, (_, y) =>
      [...keep.subarray(y * width, (y + 1) * width)].map((value) => (value === 1 ? "." : "#")).join(""),
    );

  test("drops excluded classes", () => {
    expect([...maskExclude(Uint8Array.of(0, 1, 2, 3), 2, 2, new Set([0, 2]))]).toEqual([0, 1, 0, 1]);
  });

  test("grows by a disk around pixel centres", () => {
    const codes = new Uint8Array(49);
    codes[24] = CLOUD;
    const around = (pixels: number): string[] => draw(maskExclude(codes, 7, 7, new Set([CLOUD]), { pixels }), 7);
    expect(around(1)).toEqual([".......", ".......", "...#...", "..###..", "...#...", ".......", "......."]);
    expect(around(1.5)).toEqual([".......", ".......", "..###..", "..###..", "..###..", ".......", "......."]);
    expect(around(2)).toEqual([".......", "...#...", "..###..", ".#####.", "..###..", "...#...", "......."]);
    expect(around(1e9)).toEqual(Array.from({ length: 7 }, () => "#######"));
    expect(around(0)).toEqual([".......", ".......", ".......", "...#...", ".......", ".......", "......."]);
  });

  test("only the named classes grow", () => {
    const codes = Uint8Array.of(CLOUD, CLEAR, CLEAR, CLEAR, NODATA);
    const exclude = new Set([CLOUD, NODATA]);
    expect(draw(maskExclude(codes, 5, 1, exclude, { pixels: 1, classes: new Set([CLOUD]) }), 5)).toEqual(["##..#"]);
  });

  test("equals the definition for any classes and radius", () => {
    const codes = fc.array(fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2), { minLength: 99, maxLength: 99 });
    fc.assert(
      fc.property(codes, fc.double({ min: 0, max: 12, noNaN: true }), (list, radius) => {
        const keep = maskExclude(Uint8Array.from(list), 11, 9, new Set([1, 2]), {
          pixels: radius,
          classes: new Set([1]),
        });
        for (let i = 0; i < 99; i++) {
          const near = list.some(
            (code, j) =>
              code === 1 &&
              ((i % 11) - (j % 11)) ** 2 + (Math.floor(i / 11) - Math.floor(j / 11)) ** 2 <= radius * radius,
          );
          expect(keep[i]).toBe(near || list[i] !== 0 ? 0 : 1);
        }
      }),
      { seed: 4, numRuns: 100 },
    );
  });
});

test("a restricted raster shares its bands and has data only where it is kept", () => {
  const raster = constantRaster(1, undefined, (x) => x < 8);
  const restricted = restrictRaster(
    raster,
    Uint8Array.from({ length: 256 }, (_, i) => (i < 16 ? 255 : 0)),
  );
  expect(restricted.bands).toBe(raster.bands);
  expect([...restricted.valid].map((value, i) => (value === 1 ? i : -1)).filter((i) => i >= 0)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7,
  ]);
});

test.each([
  { name: "a class above 255", run: () => bitTable([{ mask: 1, classCode: 256 }], 0) },
  { name: "an empty bit mask", run: () => bitTable([{ mask: 0, classCode: 1 }], 0) },
  { name: "a negative radius", run: () => maskExclude(new Uint8Array(1), 1, 1, new Set([1]), { pixels: -1 }) },
  { name: "a size that does not fit", run: () => maskExclude(new Uint8Array(3), 2, 2, new Set([1])) },
  { name: "flags that do not fit", run: () => restrictRaster(constantRaster(1), new Uint8Array(1)) },
])("$name is refused", ({ run }) => {
  expect(run).toThrow(MosaicInputError);
});
