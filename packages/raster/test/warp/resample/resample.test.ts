import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Affine, type Grid, GridError, resolveCrs, windowGrid } from "../../../src/index.ts";
import { RESAMPLING_METHODS } from "../../../src/warp/resample/resample-plan.ts";
import { planResample, type ResamplePlan, type ResamplingMethod, resample } from "../../../src/warp.ts";

interface Fixture {
  readonly transform: Affine;
  readonly size: readonly [width: number, height: number];
  readonly fine: readonly (number | null)[];
  readonly classes: readonly (number | null)[];
  readonly warps: readonly {
    readonly name: string;
    readonly method: ResamplingMethod;
    readonly source: "fine" | "classes";
    readonly crs: string;
    readonly transform: Affine;
    readonly size: readonly [width: number, height: number];
    readonly values: readonly (number | null)[];
  }[];
}

/** By gdalwarp: see make_resample.py beside it. */
const FIXTURE = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../fixtures/gdal-resample.json"), "utf8"),
) as Fixture;
const gridOf = (crs: string, transform: Affine, [width, height]: readonly [number, number]): Grid => ({
  crs: resolveCrs(crs),
  transform,
  width,
  height,
});
const SOURCE = gridOf("EPSG:32633", FIXTURE.transform, FIXTURE.size);
const valuesOf = (values: readonly (number | null)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN);

/** The values of the plan's window alone. */
function windowed({ window, source }: ResamplePlan, values: Float64Array): Float64Array {
  if (window === undefined) return new Float64Array(0);
  const rows = Array.from({ length: window.height }, (_, row) => {
    const start = (window.y + row) * source.width + window.x;
    return [...values.subarray(start, start + window.width)];
  });
  return Float64Array.from(rows.flat());
}

function resampled(plan: ResamplePlan, values: Float64Array): Float64Array {
  const out = new Float64Array(plan.target.width * plan.target.height);
  resample(plan, windowed(plan, values), out);
  return out;
}

describe("values are those of gdalwarp", () => {
  test.each(FIXTURE.warps)(
    "$method of $name",
    { tags: ["OE18"] },
    ({ method, source, crs, transform, size, values }) => {
      const target = gridOf(crs, transform, size);
      const found = resampled(planResample(SOURCE, target, method), valuesOf(FIXTURE[source]));
      expect(found.length).toBe(values.length);
      expect(values.filter((value) => value !== null).length).toBeGreaterThan(20);
      // GDAL rounds source coordinates to a billionth of a pixel or so
      found.forEach((value, i) => {
        const expected = values[i] ?? Number.NaN;
        const isEqual = Number.isNaN(expected) ? Number.isNaN(value) : Math.abs(value - expected) < 1e-7;
        expect({ i, value: isEqual ? expected : value }).toEqual({ i, value: expected });
      });
    },
  );
});

test.each(RESAMPLING_METHODS)("%s of a grid part by part is that of the whole", (method) => {
  const name = method === "sum" ? "beyond the edges" : "Mercator";
  const { crs, transform, size } = FIXTURE.warps.find((each) => each.name === name)!;
  const target = gridOf(crs, transform, size);
  const whole = resampled(planResample(SOURCE, target, method), valuesOf(FIXTURE.fine));
  const rows = Array.from({ length: target.height }, (_, y) => {
    const part = windowGrid(target, { x: 0, y, width: target.width, height: 1 });
    return [...resampled(planResample(SOURCE, part, method, { area: target }), valuesOf(FIXTURE.fine))];
  });
  // a part has its own origin: coordinates differ by what rounding makes of it
  const rounded = (values: Iterable<number>): number[] => Array.from(values, (value) => Math.round(value * 1e6) / 1e6);
  expect(rounded(rows.flat())).toEqual(rounded(whole));
});

test("a target that misses the source takes nothing and has no data", () => {
  const [a, , c, , e, f] = FIXTURE.transform;
  const target = gridOf("EPSG:32633", [a, 0, c + 1e5, 0, e, f], [3, 2]);
  for (const method of RESAMPLING_METHODS) {
    const plan = planResample(SOURCE, target, method);
    expect(plan.window).toBeUndefined();
    expect([...resampled(plan, valuesOf(FIXTURE.fine))]).toEqual(new Array(6).fill(Number.NaN));
  }
});

test("values that do not fill the window are refused", () => {
  const plan = planResample(SOURCE, SOURCE, "average");
  expect(() => resample(plan, new Float64Array(3), new Float64Array(SOURCE.width * SOURCE.height))).toThrow(GridError);
  expect(() => planResample({ ...SOURCE, width: 0 }, SOURCE, "near")).toThrow(GridError);
});

test("a sum is of pixels of one CRS", () => {
  const target = gridOf("EPSG:3857", [10, 0, 1_500_000, 0, -10, 5_700_000], [4, 4]);
  expect(() => planResample(SOURCE, target, "sum")).toThrow("one CRS");
});
