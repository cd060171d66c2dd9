import type { SampleType } from "@swath/raster";
import { expect, test } from "vitest";
import { besideNodata, halvePart } from "../../../src/geotiff/blocks/overview.ts";
import { SAMPLE_TYPES } from "../../rasters.ts";

function halve(
  values: number[],
  valid: number[],
  width: number,
  resampling: "nearest" | "average" | "mode",
  options: { type?: SampleType; nodata?: number } = {},
) {
  const rows = values.length / width;
  const length = Math.ceil(width / 2) * Math.ceil(rows / 2);
  const isFloat = options.type === "float32";
  const make = (from: number[] | number) =>
    isFloat ? new Float32Array(from as number[]) : new Int16Array(from as number[]);
  const sampleType = options.type ?? ("int16" as const);
  const size = { x: 0, y: 0 };
  const half = Math.ceil(width / 2);
  const source = { ...size, width, height: rows, stride: width, bands: [make(values)], valid: Uint8Array.from(valid) };
  const out = make(new Array<number>(length).fill(0));
  const outValid = new Uint8Array(length);
  const target = { ...size, width: half, height: length / half, stride: half, bands: [out], valid: outValid };
  halvePart(source, target, { width, height: rows, resampling, nodata: options.nodata, sampleType });
  return { values: [...out], valid: [...outValid] };
}

test.each([
  {
    name: "nearest takes the top left pixel",
    kind: "nearest" as const,
    values: [1, 2, 3, 4],
    valid: [1, 1, 1, 1],
    to: [1],
    flags: [1],
  },
  {
    name: "nearest keeps a gap",
    kind: "nearest" as const,
    values: [1, 2, 3, 4],
    valid: [0, 1, 1, 1],
    to: [1],
    flags: [0],
  },
  {
    name: "average rounds halves up",
    kind: "average" as const,
    values: [1, 2, 2, 1],
    valid: [1, 1, 1, 1],
    to: [2],
    flags: [1],
  },
  {
    name: "average of negative halves rounds up",
    kind: "average" as const,
    values: [-1, -2, -2, -1],
    valid: [1, 1, 1, 1],
    to: [-1],
    flags: [1],
  },
  {
    name: "average leaves out invalid pixels",
    kind: "average" as const,
    values: [100, 4, 6, 100],
    valid: [0, 1, 1, 0],
    to: [5],
    flags: [1],
  },
  {
    name: "average of nothing is nothing",
    kind: "average" as const,
    values: [9, 9, 9, 9],
    valid: [0, 0, 0, 0],
    to: [9],
    flags: [0],
  },
  {
    name: "mode takes the most frequent",
    kind: "mode" as const,
    values: [1, 7, 7, 2],
    valid: [1, 1, 1, 1],
    to: [7],
    flags: [1],
  },
  {
    name: "mode takes the first of equals",
    kind: "mode" as const,
    values: [3, 7, 7, 3],
    valid: [1, 1, 1, 1],
    to: [3],
    flags: [1],
  },
  {
    name: "mode leaves out invalid pixels",
    kind: "mode" as const,
    values: [3, 3, 7, 5],
    valid: [0, 0, 1, 1],
    to: [7],
    flags: [1],
  },
])("$name", ({ kind, values, valid, to, flags }) => {
  expect(halve(values, valid, 2, kind)).toEqual({ values: to, valid: flags });
});

// a level of 3 pixels has an overview of 2, each of which covers one and a half
test.each([
  { kind: "nearest" as const, expected: [1, 2, 3, 4] },
  { kind: "average" as const, expected: [1, 2, 2, 3] }, // 1, 5/3, 7/3 and 3
  { kind: "mode" as const, expected: [1, 2, 3, 4] },
])("$kind of an odd size covers all of it evenly", ({ kind, expected }) => {
  const values = [1, 1, 2, 1, 1, 2, 3, 3, 4];
  expect(halve(values, new Array<number>(9).fill(1), 3, kind).values).toEqual(expected);
});

test("an average that equals nodata is moved beside it, so that no gap appears", () => {
  expect(halve([-1, 1, 1, -1], [1, 1, 1, 1], 2, "average", { nodata: 0 }).values).toEqual([1]);
  const [value] = halve([-1, 1, 1, -1], [1, 1, 1, 1], 2, "average", { type: "float32", nodata: 0 }).values;
  expect(value).toBeGreaterThan(0);
  expect(value).toBeLessThan(1e-30);
});

test.each(SAMPLE_TYPES)("the value beside nodata differs from it in %s", (type) => {
  const limits: Record<SampleType, number[]> = {
    int8: [-128, 127],
    uint8: [0, 255],
    int16: [-32768, 32767],
    uint16: [0, 65535],
    int32: [-2147483648, 2147483647],
    uint32: [0, 4294967295],
    float32: [0, -9999, 3.4028234663852886e38],
    float64: [0, -9999, 1.7976931348623157e308],
  };
  for (const nodata of limits[type]) {
    const beside = besideNodata(type, nodata);
    expect(beside).not.toBe(nodata);
    expect(Number.isFinite(beside)).toBe(true);
    if (!type.startsWith("float")) expect(beside >= limits[type][0]! && beside <= limits[type][1]!).toBe(true);
  }
});
