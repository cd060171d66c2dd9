import { type Grid, gridFromBounds, resolveCrs, transformer, windowGrid } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { computedAngles, nodesOver } from "../../src/nbar/angle-grid.ts";
import { type FactorGrid, multiplyByFactors, nadirFactors } from "../../src/nbar/factor-grid.ts";
import { type KernelWeights, nadirFactor } from "../../src/nbar/kernels.ts";
import { type Orbit, trackView } from "../../src/nbar/orbit.ts";
import { prescribedSunZenith, sunPosition } from "../../src/nbar/sun.ts";

const UTM = resolveCrs("EPSG:32633");
const WRS2: Orbit = { inclination: 98.2, altitude: 705, orbits: 233, days: 16, firstPath: -64.6 };
const NIR: KernelWeights = { iso: 0.3093, geo: 0.033, vol: 0.1535 };
const ZHANG = [31.0076, -0.1272, 0.01187, 2.4e-5, -9.48e-7, -1.95e-9, 6.15e-11];

/** Nodes 5 km apart whose factor is linear in both coordinates: bilinear interpolation has it exactly everywhere. */
const linear = (x: number, y: number): number => 1 + (x - 400_000) * 1e-6 - (y - 5_000_000) * 2e-6;
const PLANE: FactorGrid = {
  crs: "EPSG:32633",
  transform: [5000, 0, 400_000, 0, -5000, 5_000_000],
  width: 23,
  height: 23,
  factors: Array.from({ length: 23 * 23 }, (_, i) =>
    linear(400_000 + 5000 * (i % 23), 5_000_000 - 5000 * Math.floor(i / 23)),
  ),
};

function multiplied(factors: FactorGrid, grid: Grid, value = 1): Float64Array {
  const values = new Float64Array(grid.width * grid.height).fill(value);
  multiplyByFactors(values, factors, grid);
  return values;
}

describe("factors at the pixels of a grid", () => {
  const mercator = (width: number, pixel: number): Grid => ({
    crs: resolveCrs("EPSG:3857"),
    transform: [pixel, 0, 1_560_000, 0, -pixel, 5_615_000],
    width,
    height: width,
  });
  test.each([
    ["the scene's CRS", { crs: UTM, transform: [20, 0, 420_000, 0, -20, 4_980_000], width: 300, height: 200 } as Grid],
    ["Web Mercator", mercator(500, 30)],
    ["Web Mercator, with pixels of a kilometre", mercator(40, 1000)],
    ["Web Mercator, with pixels wider than a node's distance", mercator(8, 7000)],
    ["degrees", gridFromBounds(resolveCrs("EPSG:4326"), [13.9, 44.5, 14.9, 45], 700, 350)],
  ])("are those of its centres: %s", (_name, grid) => {
    const values = multiplied(PLANE, grid, 2);
    const project = transformer(grid.crs, UTM);
    const [a, b, c, d, e, f] = grid.transform;
    let worst = 0;
    for (let i = 0; i < values.length; i++) {
      const [column, row] = [(i % grid.width) + 0.5, Math.floor(i / grid.width) + 0.5];
      const [x, y] = project(a * column + b * row + c, d * column + e * row + f);
      if (x < 400_000 || x > 510_000 || y > 5_000_000 || y < 4_890_000) continue;
      worst = Math.max(worst, Math.abs(values[i]! - 2 * linear(x, y)));
    }
    // 1 m on the ground is 2e-6
    expect(worst).toBeLessThan(4e-6);
    expect(new Set(values).size).toBeGreaterThan(20);
  });

  test("are the same whether a grid is read whole or in parts", () => {
    const grid = mercator(128, 30);
    const whole = multiplied(PLANE, grid);
    const part = multiplied(PLANE, windowGrid(grid, { x: 50, y: 37, width: 40, height: 20 }));
    for (let row = 0; row < 20; row++)
      for (let column = 0; column < 40; column++)
        expect(Math.abs(part[row * 40 + column]! - whole[(row + 37) * 128 + column + 50]!)).toBeLessThan(1e-7);
  });

  test("hold beyond the outer nodes, and are none where a node has none", () => {
    const far: Grid = { crs: UTM, transform: [10, 0, 300_000, 0, -10, 5_000_005], width: 4, height: 1 };
    expect([...multiplied(PLANE, far)]).toEqual([1, 1, 1, 1].map((each) => expect.closeTo(each, 9)));
    const gap = { ...PLANE, factors: PLANE.factors.map((each, i) => (i === 24 ? Number.NaN : each)) };
    const near: Grid = { crs: UTM, transform: [2500, 0, 400_000, 0, -2500, 5_000_000], width: 8, height: 8 };
    const values = multiplied(gap, near);
    const missing = [...values].filter(Number.isNaN).length;
    expect(missing).toBe(16);
    expect(values[7]).toBeCloseTo(linear(418_750, 4_998_750), 9);
  });

  test("of a single node are that of every pixel", () => {
    const one = { ...PLANE, width: 1, height: 1, factors: [1.25] };
    const grid: Grid = { crs: UTM, transform: [10, 0, 400_000, 0, -10, 5_000_000], width: 3, height: 3 };
    expect(new Set(multiplied(one, grid))).toEqual(new Set([1.25]));
  });
});

test("interpolating the factors of a Landsat scene between nodes is off by less than 1e-4", () => {
  const time = Date.parse("2024-07-04T09:50:00Z");
  const nodes = nodesOver(UTM.name, [30, 0, 300_000, 0, -30, 5_190_000], [6200, 6200]);
  const factors = nadirFactors(computedAngles(nodes, { time, orbit: WRS2, path: 191 }), NIR, ZHANG);
  const grid: Grid = { crs: UTM, transform: [930, 0, 300_000, 0, -930, 5_190_000], width: 200, height: 200 };
  const values = multiplied(factors, grid);
  const toDegrees = transformer(UTM, resolveCrs("EPSG:4326"));
  const viewAt = trackView(WRS2, 191);
  let worst = 0;
  for (let i = 0; i < values.length; i++) {
    const [x, y] = [300_000 + ((i % 200) + 0.5) * 930, 5_190_000 - (Math.floor(i / 200) + 0.5) * 930];
    const [longitude, latitude] = toDegrees(x, y);
    const sun = sunPosition(time, longitude, latitude);
    const view = viewAt(longitude, latitude);
    const angles = {
      sunZenith: sun.zenith,
      sunAzimuth: sun.azimuth,
      viewZenith: view.zenith,
      viewAzimuth: view.azimuth,
    };
    const exact = nadirFactor(NIR, angles, prescribedSunZenith(ZHANG, latitude));
    worst = Math.max(worst, Math.abs(values[i]! - exact));
  }
  expect(worst).toBeLessThan(1e-4);
  expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.05);
});
