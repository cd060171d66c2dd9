import type { Raster, Samples } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { emptyGround } from "../country/ground.ts";
import type { Landscape } from "../country/landscape.ts";
import { dayNumber, SNOW, seasonOf } from "../country/seasons.ts";
import { REFLECTANCE_BANDS, spectralTable } from "../country/spectra.ts";
import type { AssetPlan, Scaling } from "../scenes/assets.ts";
import { HLS_NODATA, LANDSAT_TEMPERATURE, SENTINEL_1_NODATA } from "../scenes/assets.ts";
import { productOf } from "../scenes/products.ts";
import { type SandboxScene, sceneGrid, toUtm } from "../scenes/scenes.ts";
import { backscatterOf } from "../sensors/backscatter.ts";
import { CLOUD_STEPS, createSky } from "../sensors/clouds.ts";
import { kelvinOf } from "../sensors/optics.ts";
import { BRIGHTNESS_OF_LOOK, COVER_OF_LOOK, KEY_OF_LOOK } from "./looks.ts";
import { fmaskOf, qaPixelOf, sclOf } from "./masks.ts";
import { reflectance, trueColour } from "./reflectance.ts";
import { type GroundGrid, makeView, type View } from "./view.ts";

/** A file of a scene, ready to encode. */
export interface SceneFile {
  readonly plan: AssetPlan;
  readonly raster: Raster;
  /** Absent where the stored value is the meaning. */
  readonly scaling: Scaling | undefined;
  readonly nodata: number | undefined;
}

/** Counts that the item's properties are made of. */
export interface SceneStatistics {
  readonly pixels: number;
  readonly valid: number;
  /** Pixels by SCL value, or by class for Landsat in the SCL numbering. */
  readonly classes: readonly number[];
}

export interface SceneRender {
  readonly statistics: SceneStatistics;
  /** Makes the raster of one file when it is requested. */
  file(plan: AssetPlan): SceneFile;
  readonly plans: readonly AssetPlan[];
  /** Ends the use of its memory: no file is asked for any more. */
  release(): void;
}

/**
 * Renders the files of one scene.
 *
 * @param pool lends the memory of pixels: that of a file until its user releases it, the rest until `release`
 * @param survey gives the ground of a grid `factor` times as coarse as the scene's finest; callers keep them between dates
 */
export function renderScene(
  landscape: Landscape,
  scene: SandboxScene,
  survey: (factor: 1 | 2 | 6) => GroundGrid,
  pool: SamplePool,
): SceneRender {
  const product = productOf(scene);
  const day = dayNumber(new Date(scene.datetime));
  const sky = createSky(landscape.seed, day, scene.acquisition.cloud);
  const season = seasonOf(day);
  const views = new Map<number, View>();
  const viewOf = (factor: 1 | 2 | 6): View => {
    const known = views.get(factor);
    if (known !== undefined) return known;
    const view = makeView(scene, survey(factor), sky, season, pool);
    views.set(factor, view);
    return view;
  };
  const { scaling } = product;
  const scl = classify(viewOf(product.maskFactor));
  const file = (plan: AssetPlan): SceneFile => {
    const view = viewOf(plan.factor);
    const { valid } = view;
    const raster = (...bands: Samples[]): Raster => ({ grid: view.ground.grid, bands, valid });
    switch (plan.kind) {
      case "reflectance": {
        const stored = reflectance(view, plan.spectral, scaling, plan.response ?? product.response, pool);
        if (!product.isSigned) return { plan, raster: raster(stored), scaling, nodata: 0 };
        const signed = new Int16Array(stored);
        for (let i = 0; i < signed.length; i++) if (valid[i] === 0) signed[i] = HLS_NODATA;
        pool.release([stored]);
        return { plan, raster: raster(signed), scaling, nodata: HLS_NODATA };
      }
      case "fmask": {
        return { plan, raster: raster(fmask(view)), scaling: undefined, nodata: 255 };
      }
      case "backscatter":
        return { plan, raster: raster(backscatter(view, plan)), scaling: undefined, nodata: SENTINEL_1_NODATA };
      case "elevation":
        throw new TypeError("Elevation is not rendered as a scene.");
      case "visual":
        return {
          plan,
          raster: raster(...TRUE_COLOUR.map((band) => trueColour(view, band, product.response, pool))),
          scaling: undefined,
          nodata: 0,
        };
      case "scl":
        return { plan, raster: raster(scl), scaling: undefined, nodata: 0 };
      case "cloud":
        return { plan, raster: raster(cloudProbability(view)), scaling: undefined, nodata: 0 };
      case "snow":
        return { plan, raster: raster(snowProbability(view)), scaling: undefined, nodata: 0 };
      case "aot":
        // haze settles in the plain: 0.13 there, less with height
        return {
          plan,
          raster: raster(perHeight(view, (h) => Math.max(30, 130 - (h >> 1)))),
          scaling: THOUSANDTHS,
          nodata: 0,
        };
      case "wvp":
        return {
          plan,
          raster: raster(perHeight(view, (h) => Math.max(250, 1650 - 5 * h))),
          scaling: THOUSANDTHS,
          nodata: 0,
        };
      case "temperature":
        return { plan, raster: raster(temperature(view)), scaling: LANDSAT_TEMPERATURE, nodata: 0 };
      case "qa_pixel": {
        // fill is 1 and the file has no nodata tag, as in real ones
        const everywhere = new Uint8Array(valid.length).fill(1);
        const qa = { grid: view.ground.grid, bands: [qaPixel(view)], valid: everywhere };
        return { plan, raster: qa, scaling: undefined, nodata: undefined };
      }
      case "qa_radsat": {
        const everywhere = new Uint8Array(valid.length).fill(1);
        const none = { grid: view.ground.grid, bands: [new Uint16Array(valid.length)], valid: everywhere };
        return { plan, raster: none, scaling: undefined, nodata: undefined };
      }
    }
  };
  const release = (): void => {
    for (const { valid, looks, shadeNumbers, cloud, shadow } of views.values()) {
      pool.release([valid, looks, shadeNumbers, cloud, shadow]);
    }
  };
  return { statistics: count(scl), file, plans: product.assets, release };
}

const THOUSANDTHS: Scaling = { scale: 0.001, offset: 0 };
const RED = REFLECTANCE_BANDS.indexOf("red");
const NIR = REFLECTANCE_BANDS.indexOf("nir");
const TRUE_COLOUR = [RED, REFLECTANCE_BANDS.indexOf("green"), REFLECTANCE_BANDS.indexOf("blue")];

/** Elevation of a tile in metres: the same every day, and without nodata. */
export function renderElevation(landscape: Landscape, scene: SandboxScene): SceneRender {
  const grid = sceneGrid(scene);
  const { width, height, transform } = grid;
  const [pixel, , west, , , north] = transform;
  const values = new Float32Array(width * height);
  const point = emptyGround();
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = toUtm(west + (column + 0.5) * pixel, north - (row + 0.5) * pixel);
      landscape.ground(x, y, point);
      values[row * width + column] = point.elevation;
    }
  }
  const { assets } = productOf(scene);
  const raster = { grid, bands: [values], valid: new Uint8Array(values.length).fill(1) };
  return {
    statistics: { pixels: values.length, valid: values.length, classes: new Array<number>(12).fill(0) },
    plans: assets,
    file: (plan) => ({ plan, raster, scaling: undefined, nodata: undefined }),
    release: () => {},
  };
}

function backscatter(view: View, { polarization }: AssetPlan): Float32Array {
  const { looks, valid } = view;
  const out = new Float32Array(looks.length).fill(SENTINEL_1_NODATA);
  if (polarization === undefined) return out;
  for (let i = 0; i < out.length; i++) {
    if (valid[i] === 0) continue;
    const look = looks[i]!;
    out[i] = backscatterOf(polarization, COVER_OF_LOOK[look]!, BRIGHTNESS_OF_LOOK[look]!);
  }
  return out;
}

/** Class of each look under a clear sky; 0, which is no data, has none. */
const CLASS_OF_LOOK = Uint8Array.from(KEY_OF_LOOK, (key, look) => {
  const [red, nir] = [spectralTable(RED)[key]!, spectralTable(NIR)[key]!];
  return look === 0 ? 0 : sclOf(key >> 8, (nir - red) / (nir + red), 0, 0);
});

function classify({ looks, cloud, shadow }: View): Uint8Array {
  const out = new Uint8Array(looks.length);
  for (let i = 0; i < out.length; i++) {
    const clear = CLASS_OF_LOOK[looks[i]!]!;
    // clouds and shadows hide the class, not that there is data
    out[i] = clear === 0 || (cloud[i]! | shadow[i]!) === 0 ? clear : sclOf(0, 0, cloud[i]!, shadow[i]!);
  }
  return out;
}

/** Per cent; 0 is also no data, as in real files. */
function cloudProbability(view: View): Uint8Array {
  const { cloud, valid } = view;
  const out = new Uint8Array(cloud.length);
  for (let i = 0; i < out.length; i++) if (valid[i] !== 0) out[i] = Math.round((cloud[i]! * 100) / CLOUD_STEPS);
  return out;
}

function snowProbability({ looks }: View): Uint8Array {
  const out = new Uint8Array(looks.length);
  for (let i = 0; i < out.length; i++) if (COVER_OF_LOOK[looks[i]!] === SNOW) out[i] = 100;
  return out;
}

function fmask(view: View): Uint8Array {
  const { looks, cloud, shadow, valid } = view;
  const out = new Uint8Array(looks.length).fill(255);
  for (let i = 0; i < out.length; i++) {
    if (valid[i] !== 0) out[i] = fmaskOf(COVER_OF_LOOK[looks[i]!]!, cloud[i]!, shadow[i]!);
  }
  return out;
}

function qaPixel(view: View): Uint16Array {
  const { looks, cloud, shadow, valid } = view;
  const out = new Uint16Array(looks.length).fill(1);
  for (let i = 0; i < out.length; i++) {
    if (valid[i] !== 0) out[i] = qaPixelOf(COVER_OF_LOOK[looks[i]!]!, cloud[i]!, shadow[i]!);
  }
  return out;
}

function temperature(view: View): Uint16Array {
  const { looks, cloud, shadow, valid } = view;
  const { numbers, kinds } = view.ground;
  const { warmth } = view.season;
  const { scale, offset } = LANDSAT_TEMPERATURE;
  const out = new Uint16Array(looks.length);
  for (let i = 0; i < out.length; i++) {
    if (valid[i] === 0) continue;
    const height = kinds.height(numbers[i]!);
    const kelvin = kelvinOf(KEY_OF_LOOK[looks[i]!]!, height, cloud[i]!, shadow[i]!, warmth);
    out[i] = Math.round((kelvin - offset) / scale);
  }
  return out;
}

function perHeight(view: View, value: (height: number) => number): Uint16Array {
  const { numbers, kinds } = view.ground;
  const valueOfKind = Uint16Array.from({ length: kinds.count }, (_, kind) => value(kinds.height(kind)));
  const out = new Uint16Array(numbers.length);
  for (let i = 0; i < out.length; i++) if (view.valid[i] !== 0) out[i] = valueOfKind[numbers[i]!]!;
  return out;
}

function count(scl: Uint8Array): SceneStatistics {
  const classes = new Array<number>(12).fill(0);
  for (let i = 0; i < scl.length; i++) classes[scl[i]!]!++;
  return { pixels: scl.length, valid: scl.length - classes[0]!, classes };
}
