import { readFileSync } from "node:fs";
import fc from "fast-check";
import proj4 from "proj4";
import { expect, test } from "vitest";
import {
  type Affine,
  applyAffine,
  type Grid,
  gridFromBounds,
  invertAffine,
  type Raster,
  resolveCrs,
  type Samples,
  tileGrid,
  transformBounds,
  transformer,
  type Window,
} from "../../src/index.ts";
import { SamplePool } from "../../src/kernels.ts";
import { longestStep, planWarp, sourceStep, sourceWindow, warp, warpAll } from "../../src/warp.ts";

interface Fixture {
  warps: {
    name: string;
    source: number;
    transform: Affine;
    size: number;
    target: number;
    bounds: [number, number, number, number];
    targetSize: number;
    method: "near" | "bilinear";
    values: number[];
  }[];
}
const fixture: Fixture = JSON.parse(readFileSync(new URL("../fixtures/gdal-warp.json", import.meta.url), "utf8"));

/** Nearest source pixels, row by row, by proj4 for each pixel; −1 outside. */
function bruteForce(source: Grid, target: Grid): number[] {
  const { forward } = proj4(target.crs.proj4, source.crs.proj4);
  const inverse = invertAffine(source.transform);
  const out: number[] = [];
  for (let row = 0; row < target.height; row++) {
    for (let col = 0; col < target.width; col++) {
      const [x = Number.NaN, y = Number.NaN] = forward([...applyAffine(target.transform, col + 0.5, row + 0.5)]);
      const [sx, sy] = applyAffine(inverse, x, y).map((value) => Math.floor(value + 1e-10)) as [number, number];
      out.push(sx >= 0 && sx < source.width && sy >= 0 && sy < source.height ? sy * source.width + sx : -1);
    }
  }
  return out;
}

function indexRaster(grid: Grid, window: Window = { x: 0, y: 0, width: grid.width, height: grid.height }): Raster {
  const values = new Int32Array(window.width * window.height);
  for (let i = 0; i < values.length; i++) {
    values[i] = (window.y + Math.floor(i / window.width)) * grid.width + window.x + (i % window.width);
  }
  return { grid, bands: [values], valid: new Uint8Array(values.length).fill(1) };
}

/** Nearest source pixels by the package, from the smallest window. */
function planned(source: Grid, target: Grid): number[] {
  const plan = planWarp(source, target);
  const window = sourceWindow(plan, "nearest");
  if (window === undefined) return new Array<number>(target.width * target.height).fill(-1);
  const { bands, valid } = warp(plan, indexRaster(source, window), window, "nearest");
  return [...valid].map((v, i) => (v === 1 ? (bands[0]?.[i] ?? -1) : -1));
}

test.each(fixture.warps.filter(({ method }) => method === "near"))("$name gives the pixels of gdalwarp", (row) => {
  const source = { crs: resolveCrs(`EPSG:${row.source}`), transform: row.transform, width: row.size, height: row.size };
  const target = gridFromBounds(resolveCrs(`EPSG:${row.target}`), row.bounds, row.targetSize, row.targetSize);
  expect(planned(source, target).map((index) => index + 1)).toEqual(row.values);
  expect(row.values.some((value) => value > 0)).toBe(true);
});

test.each(fixture.warps.filter(({ method }) => method === "bilinear"))("$name gives the values of gdalwarp", (row) => {
  const source = { crs: resolveCrs(`EPSG:${row.source}`), transform: row.transform, width: row.size, height: row.size };
  const target = gridFromBounds(resolveCrs(`EPSG:${row.target}`), row.bounds, row.targetSize, row.targetSize);
  const values = Uint32Array.from({ length: row.size ** 2 }, (_, i) =>
    (i + 1) % 11 === 0 ? 0 : (((i + 1) * 7919) % 1009) + 1,
  );
  const valid = Uint8Array.from(values, (value) => (value === 0 ? 0 : 1));
  const plan = planWarp(source, target);
  for (const type of [Uint32Array, Uint16Array, Int16Array, Float64Array, Float32Array]) {
    const window = { x: 0, y: 0, width: row.size, height: row.size };
    const out = warp(plan, { grid: source, bands: [type.from(values)], valid }, window, "bilinear");
    const rounded = [...(out.bands[0] ?? [])].map((value, i) => (out.valid[i] === 1 ? Math.floor(value + 0.5) : 0));
    expect(rounded).toEqual(row.values);
  }
});

const scales = fc.double({ min: -1.5, max: 1.5, noNaN: true });

/** A pair of grids around one point, of CRSs whose domain contains it. */
const pairs = fc
  .record({
    lon: fc.double({ min: -179, max: 179, noNaN: true }),
    lat: fc.double({ min: -79, max: 79, noNaN: true }),
    from: fc.constantFrom("utm", "utm", "EPSG:3857", "EPSG:4326", "polar"),
    to: fc.constantFrom("utm", "EPSG:3857", "EPSG:3857", "EPSG:4326", "polar"),
    sourceScale: scales,
    targetScale: scales,
    shift: scales,
    mirrored: fc.boolean(),
    turn: fc.constantFrom(0, 0, 0.3),
  })
  .map(({ lon, lat, from, to, sourceScale, targetScale, shift, mirrored, turn }) => {
    const name = (kind: string): string => {
      if (kind === "utm") return `EPSG:${(lat < 0 ? 32701 : 32601) + Math.min(59, Math.floor((lon + 180) / 6))}`;
      return kind === "polar" ? (lat < 0 ? "EPSG:3031" : "EPSG:3413") : kind;
    };
    const grid = (kind: string, scale: number, size: number, offset: number, rows: number, angle: number): Grid => {
      const crs = resolveCrs(name(kind));
      const [x, y] = transformer(resolveCrs("EPSG:4326"), crs)(lon, lat);
      const pixel = (crs.geographic ? 3e-4 : 30) * 10 ** scale;
      const [c, s] = [Math.cos(angle) * pixel, Math.sin(angle) * pixel];
      const half = size / 2 - offset * size * 0.2;
      const transform: Affine = [c, s * rows, x - (c + s * rows) * half, s, -c * rows, y - (s - c * rows) * half];
      return { crs, transform, width: size, height: size };
    };
    return {
      source: grid(from, sourceScale, 150, 0, mirrored ? -1 : 1, turn),
      target: grid(to, targetScale, 70, shift, 1, 0),
    };
  })
  // within the area in which proj4 alone can be trusted: no dateline, no pole
  .filter(({ source, target }) =>
    [source, target].every((grid) => {
      const corners = [0, grid.width].flatMap((c) => [0, grid.height].map((r) => applyAffine(grid.transform, c, r)));
      const degrees = corners.map(([x, y]) => transformer(grid.crs, resolveCrs("EPSG:4326"))(x, y));
      const lons = degrees.map(([x]) => x);
      return (
        Math.max(...lons) - Math.min(...lons) < 20 && degrees.every(([x, y]) => Math.abs(x) < 175 && Math.abs(y) < 84)
      );
    }),
  );

test("nearest picks, for every pixel, what proj4 for that pixel picks", () => {
  fc.assert(
    fc.property(pairs, ({ source, target }) => {
      const expected = bruteForce(source, target);
      const actual = planned(source, target);
      const wrong = actual.flatMap((index, i) => (index === expected[i] ? [] : [i]));
      // the one reason to differ: a centre within a millionth of a pixel of an edge, where rounding decides
      const { forward } = proj4(target.crs.proj4, source.crs.proj4);
      for (const i of wrong) {
        const col = (i % target.width) + 0.5;
        const row = Math.floor(i / target.width) + 0.5;
        const [x = 0, y = 0] = forward([...applyAffine(target.transform, col, row)]);
        const place = applyAffine(invertAffine(source.transform), x, y);
        expect(Math.min(...place.map((value) => Math.abs(value - Math.round(value))))).toBeLessThan(1e-6);
      }
      expect(wrong.length).toBeLessThanOrEqual(target.width);
    }),
    { numRuns: 100 },
  );
});

test.each(["nearest", "bilinear"] as const)(
  "%s gives the same bytes from any window that is large enough",
  (method) => {
    fc.assert(
      fc.property(pairs, fc.nat(20), fc.integer({ min: 2, max: 9 }), ({ source, target }, extra, gaps) => {
        const plan = planWarp(source, target);
        const window = sourceWindow(plan, method);
        if (window === undefined) return;
        const x = Math.max(0, window.x - extra);
        const y = Math.max(0, window.y - extra);
        const larger = {
          x,
          y,
          width: Math.min(source.width, window.x + window.width + extra) - x,
          height: Math.min(source.height, window.y + window.height + extra) - y,
        };
        const read = (w: Window): Raster => {
          const raster = indexRaster(source, w);
          const indices = raster.bands[0] ?? new Int32Array();
          return {
            grid: source,
            bands: [Uint16Array.from(indices, (v) => v * 7919), Float32Array.from(indices, (v) => Math.sin(v))],
            valid: Uint8Array.from(indices, (v) => (v % gaps === 0 ? 0 : 1)),
          };
        };
        const small = warp(plan, read(window), window, method);
        const large = warp(plan, read(larger), larger, method);
        expect(small.valid).toEqual(large.valid);
        expect(small.bands).toEqual(large.bands);
      }),
      { numRuns: 60 },
    );
  },
);

test.each(["nearest", "bilinear"] as const)("%s keeps no memory of a pool but that of its results", (method) => {
  let lent = 0;
  class CountingPool extends SamplePool {
    override take(...args: Parameters<SamplePool["take"]>): ReturnType<SamplePool["take"]> {
      lent += 1;
      return super.take(...args);
    }
    override release(arrays: Iterable<Samples>): void {
      const all = [...arrays];
      lent -= all.length;
      super.release(all);
    }
  }
  const source = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_595_000, 505_000, 5_600_000], 500, 500);
  const centre = transformer(source.crs, resolveCrs("EPSG:3857"))(502_500, 5_597_500);
  const window = { x: 0, y: 0, width: 500, height: 500 };
  const pool = new CountingPool();
  // inside, across the edge; with gaps and without
  for (const away of [0, 4000]) {
    const [x, y] = [centre[0] - 1280 + away, centre[1] + 1280];
    const target: Grid = { ...tileGrid("WebMercatorQuad", 14, 0, 0), transform: [10, 0, x, 0, -10, y] };
    for (const gaps of [[0], [1], [0, 1], [1, 1]]) {
      const sources = gaps.map((gap) => {
        const valid = new Uint8Array(250_000).fill(1);
        if (gap === 1) valid[1] = 0;
        return { grid: source, bands: [new Uint16Array(250_000)], valid };
      });
      const plan = planWarp(source, target);
      for (let use = 0; use < 2; use++) {
        lent = 0;
        const results = warpAll(plan, sources, window, method, { pool });
        const arrays = new Set(results.flatMap(({ bands, valid }) => [...bands, valid]));
        expect(lent).toBe(arrays.size);
        pool.release(arrays);
      }
    }
  }
});

test("bilinear is valid where nearest is, and stays between the values around it", () => {
  fc.assert(
    fc.property(pairs, ({ source, target }) => {
      const plan = planWarp(source, target);
      const full = { x: 0, y: 0, width: source.width, height: source.height };
      const bands = [Uint8Array.from({ length: 150 * 150 }, (_, i) => (i % 3 === 0 ? 0 : 100 + (i % 7)))];
      const valid = Uint8Array.from(bands[0] ?? [], (value) => (value === 0 ? 0 : 1));
      const near = warp(plan, { grid: source, bands, valid }, full, "nearest");
      const smooth = warp(plan, { grid: source, bands, valid }, full, "bilinear");
      expect(smooth.valid).toEqual(near.valid);
      const values = [...(smooth.bands[0] ?? [])].filter((_, i) => smooth.valid[i] === 1);
      expect(values.every((value) => value >= 100 && value <= 106)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("a source on the other side of the Earth is never found", () => {
  for (const zone of [1, 15, 31, 60]) {
    const source: Grid = {
      crs: resolveCrs(`EPSG:${32600 + zone}`),
      transform: [100, 0, 300000, 0, -100, 6000000],
      width: 5000,
      height: 5000,
    };
    const [west, , east] = transformBounds([300000, 5500000, 800000, 6000000], source.crs, resolveCrs("EPSG:4326"));
    for (let x = 0; x < 16; x++) {
      for (let y = 0; y < 16; y++) {
        const target = tileGrid("WebMercatorQuad", 4, x, y, 64);
        const plan = planWarp(source, target);
        if (sourceWindow(plan, "nearest") === undefined) continue;
        const centre = -180 + ((x + 0.5) / 16) * 360;
        const away = Math.abs(((((centre - (west + east) / 2) % 360) + 540) % 360) - 180);
        expect(away).toBeLessThan(20);
        expect(y).toBeLessThan(8);
      }
    }
  }
});

test("a mosaic of tiles on both sides of 180° sees every pixel of a source across it", () => {
  const source: Grid = {
    crs: resolveCrs("EPSG:32660"),
    transform: [30000, 0, 500000, 0, -30000, 6000000],
    width: 20,
    height: 10,
  };
  const seen = new Set<number>();
  for (const x of [0, 1, 2, 3, 60, 61, 62, 63]) {
    for (let y = 16; y < 34; y++)
      for (const i of planned(source, tileGrid("WebMercatorQuad", 6, x, y, 64))) seen.add(i);
  }
  expect(seen.size).toBe(201);
});

test("a source tile of degrees beyond 180° is found from both sides", () => {
  const source = gridFromBounds(resolveCrs("EPSG:4326"), [170, 0, 190, 20], 20, 20);
  const east = planned(source, gridFromBounds(resolveCrs("EPSG:4326"), [-180, 0, -170, 10], 1, 1));
  const west = planned(source, gridFromBounds(resolveCrs("EPSG:4326"), [170, 0, 180, 10], 1, 1));
  expect([west, east]).toEqual([[15 * 20 + 5], [15 * 20 + 15]]);
});

test("a step is the number of source pixels per target pixel", () => {
  const crs = resolveCrs("EPSG:32633");
  const source = gridFromBounds(crs, [0, 0, 1000, 1000], 100, 100);
  expect(sourceStep(source, gridFromBounds(crs, [0, 0, 1000, 1000], 25, 25))).toBeCloseTo(4);
  expect(sourceStep(source, gridFromBounds(crs, [500, 500, 5000, 5000], 900, 900))).toBeCloseTo(0.5);
});

test("grids that cannot be undone and windows that do not fit are refused", () => {
  const good = gridFromBounds(resolveCrs("EPSG:32633"), [0, 0, 10, 10], 10, 10);
  const flat: Grid = { ...good, transform: [1, 2, 0, 2, 4, 0] };
  expect(() => planWarp(flat, good)).toThrow(expect.objectContaining({ code: "degenerate-transform" }));
  const plan = planWarp(good, good);
  const window = { x: 5, y: 0, width: 10, height: 10 };
  expect(() => warp(plan, indexRaster(good), window, "nearest")).toThrow(
    expect.objectContaining({ code: "invalid-size" }),
  );
});

test("a step is measured across the edge of a source round the Earth too", () => {
  const source = gridFromBounds(resolveCrs("EPSG:4326"), [-180, -90, 180, 90], 3600, 1800);
  // pixels of about a tenth of a degree, turned so that each lies on both sides of 180 degrees
  const [x, y] = transformer(resolveCrs("EPSG:4326"), resolveCrs("EPSG:32601"))(180, 10);
  const target = gridFromBounds(resolveCrs("EPSG:32601"), [x - 220_000, y - 220_000, x + 220_000, y + 220_000], 40, 40);
  expect(sourceStep(source, target)).toBeCloseTo(1, 1);
  expect(longestStep(source, target)).toBeCloseTo(1, 1);
  expect(longestStep(source, gridFromBounds(resolveCrs("EPSG:4326"), [178, 0, 182, 4], 20, 40))).toBeCloseTo(2);
  expect(longestStep(source, gridFromBounds(resolveCrs("EPSG:4326"), [10, 91, 12, 93], 20, 20))).toBeNaN();
});
