import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convertBand, fillNodata, harmonizeRaster } from "../src/harmonize.ts";
import {
  type BandConversion,
  composeMosaic,
  harmonizeScene,
  MosaicInputError,
  removeOffset,
  toPhysical,
} from "../src/index.ts";
import { constantRaster, GRID, recorded } from "./scenes.ts";

const all = (length: number): Uint8Array => new Uint8Array(length).fill(1);

describe("removeOffset", () => {
  test.each([
    {
      name: "baseline 04.00 and above",
      options: { dnOffset: 1000, nodata: 0 },
      expected: [-32768, -999, -1, 0, 9000, 32767, 32767],
    },
    { name: "below 04.00", options: { dnOffset: 0, nodata: 0 }, expected: [-32768, 1, 999, 1000, 10000, 32767, 32767] },
    {
      name: "negatives clipped",
      options: { dnOffset: 1000, nodata: 0, clipNegative: true },
      expected: [-32768, 0, 0, 0, 9000, 32767, 32767],
    },
    { name: "no nodata value", options: { dnOffset: 1000 }, expected: [-1000, -999, -1, 0, 9000, 32767, 32767] },
  ])("$name", { tags: ["X15"] }, ({ options, expected }) => {
    const dn = Uint16Array.of(0, 1, 999, 1000, 10000, 33768, 65535);
    expect([...removeOffset(dn, all(7), options)]).toEqual(expected);
  });

  test("what is not valid is -32768, whatever is stored there", { tags: ["X15"] }, () => {
    expect([...removeOffset(Uint16Array.of(5000, 5000), Uint8Array.of(1, 0), { dnOffset: 1000 })]).toEqual([
      4000, -32768,
    ]);
  });
});

describe("toPhysical", () => {
  test("is the double-precision value rounded once to float32", { tags: ["X14", "X17"] }, () => {
    const scaling = fc.constantFrom(
      { scale: 0.0001, offset: -0.1, nodata: 0 },
      { scale: 0.0000275, offset: -0.2, nodata: 0 },
      { scale: 0.00341802, offset: 149, nodata: 0 },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 65535 }), scaling, (dn, options) => {
        const [value] = toPhysical(Uint16Array.of(dn), all(1), options);
        expect(value).toBe(Math.fround(dn * options.scale + options.offset));
      }),
      { seed: 2 },
    );
  });

  test.each([
    { scale: 0.0001, offset: -0.1, value: (dn: number) => (dn - 1000) / 10_000 },
    { scale: 0.0001, offset: 0, value: (dn: number) => dn / 10_000 },
    { scale: 0.00002, offset: -0.1, value: (dn: number) => (dn - 5000) / 50_000 },
    { scale: 1, offset: 0, value: (dn: number) => dn },
    { scale: 0.0000275, offset: -0.2, value: (dn: number) => dn * 0.0000275 - 0.2 },
  ])(
    "DN × $scale + $offset is the nearest double of every DN, for a scale of one over a whole number",
    { tags: ["ST21"] },
    ({ value, ...scaling }) => {
      const dn = Uint16Array.from({ length: 65_536 }, (_, i) => i);
      expect([...toPhysical(dn, all(dn.length), scaling, new Float64Array(dn.length))]).toEqual([...dn].map(value));
      expect(toPhysical(dn, all(dn.length), scaling)).toEqual(Float32Array.from(dn, value));
      // small bands and others than 16 bits are computed without a table
      expect(toPhysical(dn.subarray(0, 2000), all(2000), scaling)).toEqual(
        Float32Array.from(dn.subarray(0, 2000), value),
      );
    },
  );

  test("DN 1500 at an offset of -1000 is 0.05 to the last bit, and so is what it is adjusted from", {
    tags: ["ST21"],
  }, () => {
    const options = { scale: 0.0001, offset: -0.1, nodata: 0 };
    const out = new Float64Array(1);
    expect(toPhysical(Uint16Array.of(1500), all(1), options, out)[0]).toBe(0.05);
    const adjust = { slope: 0.9778, intercept: -0.004 };
    expect(toPhysical(Uint16Array.of(1500), all(1), { ...options, adjust }, out)[0]).toBe(0.9778 * 0.05 - 0.004);
    const low = { ...options, adjust: { slope: 1, intercept: -0.06 }, clipNegative: true };
    expect(toPhysical(Uint16Array.of(1500), all(1), low, out)[0]).toBe(0);
  });

  test("nodata and invalid pixels are NaN; negatives are clipped only where requested", { tags: ["X17"] }, () => {
    const dn = Uint16Array.of(0, 704, 5000, 5000);
    const valid = Uint8Array.of(1, 1, 1, 0);
    const options = { scale: 0.0001, offset: -0.1, nodata: 0 };
    expect([...toPhysical(dn, valid, options)]).toEqual([NaN, Math.fround(-0.0296), Math.fround(0.4), NaN]);
    expect([...toPhysical(dn, valid, { ...options, clipNegative: true })]).toEqual([NaN, 0, Math.fround(0.4), NaN]);
  });
});

describe("stored numbers", () => {
  test("pass through without a copy where nothing has to change", () => {
    const dn = Uint16Array.of(0, 7);
    expect(convertBand(dn, Uint8Array.of(0, 1), { kind: "stored", nodata: 0 })).toBe(dn);
    expect(convertBand(dn, Uint8Array.of(0, 0), { kind: "stored" })).toBe(dn);
  });

  test("get nodata where nothing is valid, and the original stays", () => {
    const dn = Uint16Array.of(5, 7);
    expect([...convertBand(dn, Uint8Array.of(0, 1), { kind: "stored", nodata: 0 })]).toEqual([0, 7]);
    expect([...dn]).toEqual([5, 7]);
  });

  test("NaN is nodata like any other value", () => {
    const same = Float32Array.of(Number.NaN, 1);
    expect(fillNodata(same, Uint8Array.of(0, 1), Number.NaN)).toBe(same);
    expect([...fillNodata(Float32Array.of(3, 1), Uint8Array.of(0, 1), Number.NaN)]).toEqual([NaN, 1]);
  });
});

test("a mosaic of scenes with different offsets is right in every pixel", async () => {
  const conversion = (dnOffset: number): BandConversion[] => [{ kind: "offset-removed", dnOffset, nodata: 0 }];
  const scenes = [
    harmonizeScene(
      recorded([], "new", () => constantRaster(3000, GRID, (x) => x < 8)),
      conversion(1000),
    ),
    harmonizeScene(
      recorded([], "old", () => constantRaster(2500)),
      conversion(0),
    ),
  ];
  const { raster } = await composeMosaic(scenes, GRID);
  const expected = Array.from({ length: 256 }, (_, i) => (i % 16 < 8 ? 2000 : 2500));
  expect(raster?.bands[0]).toEqual(Int16Array.from(expected));
});

test("a harmonized scene keeps its id and footprint, and gives no raster where it does not touch the grid", async () => {
  const scene = recorded([], "a", () => undefined, { bbox: [1, 2, 3, 4] });
  const harmonized = harmonizeScene(scene, []);
  expect(harmonized).toMatchObject({ id: "a", bbox: [1, 2, 3, 4] });
  expect(await harmonized.read(GRID, {})).toBeUndefined();
});

test("a conversion too few or arrays of unequal length are refused", () => {
  expect(() => harmonizeRaster(constantRaster(1), [])).toThrow(MosaicInputError);
  expect(() => fillNodata(new Uint8Array(2), new Uint8Array(3), 0)).toThrow("Expected as many samples as flags");
});
