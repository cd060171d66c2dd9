import type { Grid } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { emptyGround } from "../country/ground.ts";
import { BRIGHTNESS_LEVELS, type Landscape } from "../country/landscape.ts";
import { type Season, seasonalBrightness, seasonalKey } from "../country/seasons.ts";
import { MIX_STEPS } from "../country/spectra.ts";
import { footprintSpans, type SandboxScene, sceneGrid } from "../scenes/scenes.ts";
import type { Sky } from "../sensors/clouds.ts";
import { type FactorRows, factorRows } from "./anisotropy.ts";
import { cleared } from "./cleared.ts";

/** The ground under every pixel centre of a grid, whatever the date. */
export interface GroundGrid {
  readonly grid: Grid;
  readonly cover: Uint8Array;
  readonly mix: Uint8Array;
  readonly brightness: Uint8Array;
  readonly height: Uint16Array;
  readonly rotation: Uint8Array;
  readonly flood: Uint8Array;
  readonly burn: Uint8Array;
}

/** @param spans columns wanted in each row, as `footprintSpans` gives them */
export function surveyGround(landscape: Landscape, grid: Grid, spans: Int32Array): GroundGrid {
  const { width, height } = grid;
  const survey: GroundGrid = {
    grid,
    cover: new Uint8Array(width * height),
    mix: new Uint8Array(width * height),
    brightness: new Uint8Array(width * height),
    height: new Uint16Array(width * height),
    rotation: new Uint8Array(width * height),
    flood: new Uint8Array(width * height),
    burn: new Uint8Array(width * height),
  };
  const [pixel, , west, , , north] = grid.transform;
  const point = emptyGround();
  for (let row = 0; row < height; row++) {
    const y = north - (row + 0.5) * pixel;
    const end = row * width + spans[row * 2 + 1]!;
    for (let i = row * width + spans[row * 2]!; i < end; i++) {
      landscape.ground(west + (i - row * width + 0.5) * pixel, y, point);
      survey.cover[i] = point.cover;
      survey.mix[i] = point.mix;
      survey.brightness[i] = point.brightness;
      survey.height[i] = point.height;
      survey.rotation[i] = point.rotation;
      survey.flood[i] = point.flood;
      survey.burn[i] = point.burn;
    }
  }
  return survey;
}

/** The values that a scene sees at each pixel of one of its grids. */
export interface View {
  readonly ground: GroundGrid;
  readonly spans: Int32Array;
  readonly valid: Uint8Array;
  /** `cover × 256 + mix` on the day. */
  readonly keys: Uint16Array;
  /** Brightness on the day. */
  readonly brightness: Uint8Array;
  /** Key and brightness in one number, for tables of cloudless pixels: see `tabulate`. */
  readonly lookup: Uint16Array;
  /** 1 where a cloud or a shadow touches the pixel. */
  readonly veiled: Uint8Array;
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
  const { grid } = ground;
  const { width, height } = grid;
  const pixel = grid.transform[0];
  const [west, north] = [grid.transform[2], grid.transform[5]];
  const spans = footprintSpans(scene.footprint, grid);
  const valid = cleared<Uint8Array>(pool, "uint8", width * height);
  const keys = cleared<Uint16Array>(pool, "uint16", width * height);
  const brightness = cleared<Uint8Array>(pool, "uint8", width * height);
  const lookup = cleared<Uint16Array>(pool, "uint16", width * height);
  const point = emptyGround();
  for (let row = 0; row < height; row++) {
    const end = row * width + spans[row * 2 + 1]!;
    for (let i = row * width + spans[row * 2]!; i < end; i++) {
      valid[i] = 1;
      point.cover = ground.cover[i]!;
      point.mix = ground.mix[i]!;
      point.brightness = ground.brightness[i]!;
      point.height = ground.height[i]!;
      point.rotation = ground.rotation[i]!;
      point.flood = ground.flood[i]!;
      point.burn = ground.burn[i]!;
      const key = seasonalKey(season, point);
      keys[i] = key;
      brightness[i] = seasonalBrightness(key, point);
      lookup[i] = ((key >> 8) * (MIX_STEPS + 1) + (key & 255)) * BRIGHTNESS_LEVELS + brightness[i]!;
    }
  }
  const cloud = cleared<Uint8Array>(pool, "uint8", width * height);
  const shadow = cleared<Uint8Array>(pool, "uint8", width * height);
  const veiled = cleared<Uint8Array>(pool, "uint8", width * height);
  if (scene.acquisition.cloud > 0) {
    // the sky is rendered once, wide enough to hold the clouds outside the scene that throw shadows into it
    const shiftX = Math.round(-sky.shadowOffset[0] / pixel);
    const shiftY = Math.round(sky.shadowOffset[1] / pixel);
    const wide = width + shiftX;
    const field = pool.take("uint8", wide * (height + shiftY)) as Uint8Array;
    for (let row = 0; row < height + shiftY; row++) {
      const y = north - (row + 0.5) * pixel;
      for (let column = 0; column < wide; column++) {
        field[row * wide + column] = sky.cloud(west + (column + 0.5) * pixel, y);
      }
    }
    for (let row = 0; row < height; row++) {
      const start = row * wide;
      cloud.set(field.subarray(start, start + width), row * width);
      const cast = (row + shiftY) * wide + shiftX;
      shadow.set(field.subarray(cast, cast + width), row * width);
    }
    pool.release([field]);
    for (let i = 0; i < veiled.length; i++) veiled[i] = cloud[i]! | shadow[i]! ? 1 : 0;
  }
  const factors = (band: number): FactorRows | undefined => factorRows(scene, band, { pixel, west, north });
  return { ground, spans, valid, keys, brightness, lookup, veiled, cloud, shadow, sky, season, factors };
}
