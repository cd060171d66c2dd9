import type { Grid } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { emptyGround } from "../country/ground.ts";
import type { Landscape } from "../country/landscape.ts";
import { type Season, seasonalBrightness, seasonalKey } from "../country/seasons.ts";
import { footprintSpans, type SandboxScene, sceneGrid } from "../scenes/scenes.ts";
import type { Sky } from "../sensors/clouds.ts";
import { type FactorRows, factorRows } from "./anisotropy.ts";
import { cleared } from "./cleared.ts";
import { GroundKinds } from "./kinds.ts";
import { lookOf } from "./looks.ts";
import { Shades } from "./shades.ts";

/** The ground under every pixel centre of a grid, whatever the date. */
export interface GroundGrid {
  readonly grid: Grid;
  /** Number in `kinds` of each pixel. */
  readonly numbers: Uint32Array;
  readonly kinds: GroundKinds;
}

/** @param spans columns wanted in each row, as `footprintSpans` gives them */
export function surveyGround(landscape: Landscape, grid: Grid, spans: Int32Array): GroundGrid {
  const { width, height } = grid;
  const numbers = new Uint32Array(width * height);
  const kinds = new GroundKinds();
  const [pixel, , west, , , north] = grid.transform;
  const point = emptyGround();
  for (let row = 0; row < height; row++) {
    const y = north - (row + 0.5) * pixel;
    const end = spans[row * 2 + 1]!;
    for (let column = spans[row * 2]!; column < end; column++) {
      landscape.ground(west + (column + 0.5) * pixel, y, point);
      numbers[row * width + column] = kinds.numberOf(point);
    }
  }
  return { grid, numbers, kinds };
}

/** The values that a scene sees at each pixel of one of its grids. */
export interface View {
  readonly ground: GroundGrid;
  readonly spans: Int32Array;
  readonly valid: Uint8Array;
  /** Look of the ground on the day (`looks.ts`), 0 where there is no data. */
  readonly looks: Uint16Array;
  /** Number in `shades` of each pixel with data. */
  readonly shadeNumbers: Uint32Array;
  readonly shades: Shades;
  readonly cloud: Uint8Array;
  readonly shadow: Uint8Array;
  readonly sky: Sky;
  /** The factors by which a band is brighter from the sensor's side; `undefined`: it is not. */
  readonly factors: (band: number) => FactorRows | undefined;
  readonly season: Season;
}

/** The ground of a scene's grid. */
export function surveyScene(landscape: Landscape, scene: SandboxScene, factor: 1 | 2 | 6, whole: boolean): GroundGrid {
  const grid = sceneGrid(scene, factor);
  const spans = footprintSpans(scene.footprint, grid);
  if (whole) for (let row = 0; row < grid.height; row++) spans.set([0, grid.width], row * 2);
  return surveyGround(landscape, grid, spans);
}

/** Makes the values that a scene sees at each pixel of the grid of `ground`. */
export function makeView(scene: SandboxScene, ground: GroundGrid, sky: Sky, season: Season, pool: SamplePool): View {
  const { grid, numbers } = ground;
  const { width, height } = grid;
  const pixel = grid.transform[0];
  const [west, north] = [grid.transform[2], grid.transform[5]];
  const spans = footprintSpans(scene.footprint, grid);
  const valid = cleared<Uint8Array>(pool, "uint8", width * height);
  const looks = cleared<Uint16Array>(pool, "uint16", width * height);
  const lookOfKind = looksOf(ground.kinds, season);
  for (let row = 0; row < height; row++) {
    const start = row * width + spans[row * 2]!;
    const end = row * width + spans[row * 2 + 1]!;
    valid.fill(1, start, end);
    for (let i = start; i < end; i++) looks[i] = lookOfKind[numbers[i]!]!;
  }
  const cloud = cleared<Uint8Array>(pool, "uint8", width * height);
  const shadow = cleared<Uint8Array>(pool, "uint8", width * height);
  if (scene.acquisition.cloud > 0) {
    // the sky is rendered once, wide enough to hold the clouds outside the scene that throw shadows into it
    const shiftX = Math.round(-sky.shadowOffset[0] / pixel);
    const shiftY = Math.round(sky.shadowOffset[1] / pixel);
    const wide = width + shiftX;
    const field = pool.take("uint8", wide * (height + shiftY)) as Uint8Array;
    for (let row = 0; row < height + shiftY; row++) {
      sky.cloudRow(west, pixel, north - (row + 0.5) * pixel, field.subarray(row * wide, (row + 1) * wide));
    }
    for (let row = 0; row < height; row++) {
      const start = row * wide;
      cloud.set(field.subarray(start, start + width), row * width);
      const cast = (row + shiftY) * wide + shiftX;
      shadow.set(field.subarray(cast, cast + width), row * width);
    }
    pool.release([field]);
  }
  const shades = new Shades();
  const shadeNumbers = pool.take("uint32", width * height) as Uint32Array;
  for (let row = 0; row < height; row++) {
    const end = row * width + spans[row * 2 + 1]!;
    for (let i = row * width + spans[row * 2]!; i < end; i++) {
      shadeNumbers[i] = shades.numberOf(looks[i]!, cloud[i]!, shadow[i]!);
    }
  }
  const factors = (band: number): FactorRows | undefined => factorRows(scene, band, { pixel, west, north });
  return { ground, spans, valid, looks, shadeNumbers, shades, cloud, shadow, sky, season, factors };
}

/** Look of each kind of ground on a day. */
function looksOf(kinds: GroundKinds, season: Season): Uint16Array {
  const looks = new Uint16Array(kinds.count);
  const point = emptyGround();
  for (let i = 0; i < looks.length; i++) {
    kinds.ground(i, point);
    const key = seasonalKey(season, point);
    looks[i] = lookOf(key, seasonalBrightness(key, point));
  }
  return looks;
}
