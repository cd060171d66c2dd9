import fc from "fast-check";
import { expect, test } from "vitest";
import { type Affine, type Grid, gridFromBounds, resolveCrs, tileGrid, transformer } from "../../src/index.ts";
import { SamplePool } from "../../src/kernels.ts";
import type { SampleType } from "../../src/raster/samples.ts";
import { planWarp, type Resampling, sourceWindow, warp, warpAll } from "../../src/warp.ts";
import { bytesOf, noise, samplesOf } from "../made.ts";
import { withoutRegion } from "../whole-target.ts";

const DEGREES = resolveCrs("EPSG:4326");
const TILE = 64;

/** A place on Earth: anywhere, beside the antimeridian, near a pole. */
const places = fc.record({
  lon: fc.oneof(fc.double({ min: -179, max: 179, noNaN: true }), fc.constantFrom(-179.99, 179.99)),
  lat: fc.oneof(fc.double({ min: -79, max: 79, noNaN: true }), fc.constantFrom(-84.9, 84.9)),
});

/** A scene around a place, anywhere from a pixel of a tile of its zoom to a hundred tiles. */
const scenes = fc.record({
  place: places,
  kind: fc.constantFrom("utm", "EPSG:3857", "EPSG:4326", "polar"),
  size: fc.integer({ min: 2, max: 90 }),
  zoom: fc.integer({ min: 0, max: 9 }),
  /** Powers of two of the scene's side, in tiles. */
  tiles: fc.double({ min: -6, max: 3, noNaN: true }),
  turn: fc.constantFrom(0, 0, 0.3),
  isSouthUp: fc.boolean(),
});

const layers = fc.record({
  seed: fc.integer(),
  type: fc.constantFrom<SampleType>("uint8", "int8", "int16", "uint16", "int32", "float32", "float64"),
  bands: fc.integer({ min: 1, max: 3 }),
  gaps: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  areGapsShared: fc.boolean(),
  resampling: fc.constantFrom<Resampling>("nearest", "bilinear"),
  isPooled: fc.boolean(),
});

type DrawnScene = typeof scenes extends fc.Arbitrary<infer T> ? T : never;
type Layers = typeof layers extends fc.Arbitrary<infer T> ? T : never;

function crsOf(kind: string, { lon, lat }: DrawnScene["place"]): Grid["crs"] {
  if (kind === "utm") return resolveCrs(`EPSG:${(lat < 0 ? 32701 : 32601) + Math.floor((lon + 180) / 6)}`);
  return resolveCrs(kind === "polar" ? (lat < 0 ? "EPSG:3031" : "EPSG:3413") : kind);
}

function sourceOf({ place, kind, size, zoom, tiles, turn, isSouthUp }: DrawnScene): Grid {
  const crs = crsOf(kind, place);
  const [x, y] = transformer(DEGREES, crs)(place.lon, place.lat);
  const side = (crs.geographic ? 360 : 4e7) * 2 ** (tiles - zoom);
  const [along, across] = [Math.cos(turn), Math.sin(turn)].map((part) => (part * side) / size) as [number, number];
  const down = isSouthUp ? along : -along;
  const transform: Affine = [
    along,
    across,
    x - (along + across) * (size / 2),
    across,
    down,
    y - (across + down) * (size / 2),
  ];
  return { crs, transform, width: size, height: size };
}

/** The tile of Web Mercator that the place is in, and the one beside it. */
function targetsOf({ place: { lon, lat }, zoom }: DrawnScene): Grid[] {
  const count = 2 ** zoom;
  const column = Math.floor(((lon + 180) / 360) * count);
  const row = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * count);
  const inside = (value: number): number => Math.min(count - 1, Math.max(0, value));
  const at = (x: number): Grid => tileGrid("WebMercatorQuad", zoom, (x + count) % count, inside(row), TILE);
  const degrees = 360 / count;
  const plain = gridFromBounds(DEGREES, [lon, lat - degrees, lon + degrees, lat], TILE, TILE / 2);
  return [at(column), at(column + 1), plain];
}

/** Expects the bytes of each pixel of the target warped. @returns whether only some of them are in the scene */
function expectSame(
  source: Grid,
  target: Grid,
  { seed, type, bands, gaps, areGapsShared, resampling, isPooled }: Layers,
): boolean {
  const plan = planWarp(source, target);
  const window = sourceWindow(plan, resampling);
  if (window === undefined) return false;
  const random = noise(seed);
  const count = window.width * window.height;
  const validOf = (gaps: number): Uint8Array => Uint8Array.from({ length: count }, () => (random() < gaps ? 0 : 1));
  const [full, shared] = [validOf(0), validOf(0.2)];
  const rasters = gaps.map((hasGaps) => ({
    grid: source,
    bands: Array.from({ length: bands }, () => samplesOf(type, count, random)),
    valid: hasGaps ? (areGapsShared ? shared : validOf(0.2)) : full,
  }));
  const whole = withoutRegion(planWarp(source, target));
  const pool = isPooled ? new SamplePool() : undefined;
  // what is left in the pool's memory must not be seen
  pool?.release(
    ["uint8", type].flatMap((each) => [pool.take(each as SampleType, target.width * target.height).fill(77)]),
  );
  // a plan's first warp goes another way than those that follow
  for (let use = 0; use < 2; use++) {
    const parts = warpAll(plan, rasters, window, resampling, { pool });
    const expected = rasters.map((raster) => warp(whole, raster, window, resampling));
    parts.forEach((part, i) => {
      const wanted = expected[i]!;
      expect(bytesOf(part.valid).equals(bytesOf(wanted.valid))).toBe(true);
      expect(part.bands.every((band, b) => bytesOf(band).equals(bytesOf(wanted.bands[b]!)))).toBe(true);
    });
  }
  const { width, height } = plan.region;
  return width * height < target.width * target.height;
}

test("a scene that is in a part of the target gives the bytes that a warp of each pixel gives", () => {
  let parts = 0;
  fc.assert(
    fc.property(scenes, layers, (scene, how) => {
      const source = sourceOf(scene);
      for (const target of targetsOf(scene)) if (expectSame(source, target, how)) parts += 1;
    }),
    { numRuns: 150 },
  );
  expect(parts).toBeGreaterThan(50);
});

test("a scene that touches the edge of the target by one pixel too", () => {
  const crs = resolveCrs("EPSG:3857");
  const target: Grid = { crs, transform: [10, 0, 0, 0, -10, 0], width: TILE, height: TILE };
  const corners = [-1, 0, 1].flatMap((right) => [-1, 0, 1].map((down) => [right, down] as const));
  for (const [right, down] of corners.filter(([x, y]) => x !== 0 || y !== 0)) {
    for (const kind of ["EPSG:3857", "EPSG:4326", "EPSG:32631"]) {
      // from the pixel in the corner or amid the edge outwards
      const start = (side: number): number => (side > 0 ? 630 : side < 0 ? -310 : 320);
      const [west, north] = [start(right), -start(down)];
      const sourceCrs = resolveCrs(kind);
      const [[left, top], [far, low]] = [
        transformer(crs, sourceCrs)(west, north),
        transformer(crs, sourceCrs)(west + 320, north - 320),
      ];
      const source = gridFromBounds(sourceCrs, [left, low, far, top], 32, 32);
      for (const resampling of ["nearest", "bilinear"] as const)
        for (const gaps of [[false], [true, false]])
          expect(
            expectSame(source, target, {
              seed: 7,
              type: "uint8",
              bands: 3,
              gaps,
              areGapsShared: false,
              resampling,
              isPooled: true,
            }),
          ).toBe(true);
    }
  }
});

test("the region is no larger than it has to be where axes are independent, and empty beside the target", () => {
  const target = tileGrid("WebMercatorQuad", 0, 0, 0);
  const sixteenth = gridFromBounds(DEGREES, [0, 0, 90, 66.513_260_443_111_8], 100, 100);
  expect(planWarp(sixteenth, target).region).toEqual({ x: 128, y: 64, width: 64, height: 64 });
  const tile = tileGrid("WebMercatorQuad", 3, 0, 0);
  expect(planWarp(sixteenth, tile).region).toMatchObject({ width: 0 });
  const zone33 = gridFromBounds(resolveCrs("EPSG:32633"), [399_960, 5_590_200, 509_760, 5_700_000], 100, 100);
  const { width, height } = planWarp(zone33, tileGrid("WebMercatorQuad", 6, 34, 21)).region;
  expect(width * height).toBeLessThan((256 * 256) / 7);
  expect(planWarp(zone33, tile).region).toMatchObject({ width: 0, height: 0 });
});
