import type { Ground } from "./ground.ts";
import { fractal, gradientNoise, hashUnit, smoothstep } from "./noise.ts";
import { createParcels } from "./parcels.ts";
import { createSettlement } from "./settlement.ts";
import { MIX_STEPS } from "./spectra.ts";
import { createTerrain } from "./terrain.ts";
import { createValley } from "./valley/ground.ts";
import { isNearValley, valleyShare } from "./valley/place.ts";

export interface Landscape {
  readonly seed: number;
  /** Fills `out` with the ground at easting and northing in metres of EPSG:32633. Pure: same point, same ground. */
  ground(easting: number, northing: number, out: Ground): void;
}

/** Brightness of 1.0 as stored. */
export const BRIGHTNESS_STEPS = 20;
/** Brightness is stored as 8 to 28. */
export const BRIGHTNESS_LEVELS = 29;

const WATER = 0;
const FOREST = 1;
const CROP = 2;
const GRASS = 3;
const SOIL = 4;
const BUILT = 5;
const ROCK = 6;
const SAND = 7;

/**
 * An invented country on the grid of UTM zone 33N: a sea with a coast in the southwest, a plain of fields with a river,
 * towns and lakes, hills with forest, mountains in the north and east. A function of position and seed, without edges.
 */
export function createLandscape(seed: number): Landscape {
  const terrain = createTerrain(seed);
  const settlement = createSettlement(seed + 100);
  const patch = gradientNoise(seed + 201);
  const grain = gradientNoise(seed + 202);
  const broad = gradientNoise(seed + 203);
  const parcel = { id: 0, edge: false };
  const block = { id: 0, street: false };
  const parcelAt = createParcels(seed + 300);
  const valley = createValley(seed + 700);

  const country = (easting: number, northing: number, out: Ground): void => {
    const x = easting / 1000;
    const y = northing / 1000;
    const inland = terrain.inland(x, y);
    out.rotation = 0;
    out.flood = 0;
    out.burn = 0;

    if (inland <= 0) {
      // sea: turbid and light near the shore and at the river's mouth, dark and still further out
      const shore = 1 - smoothstep(0, 5, -inland);
      const plume = inland > -14 ? smoothstep(16, 2, terrain.river(x, y, inland)) * smoothstep(-14, 0, inland) : 0;
      const swirl = 0.22 * fractal(broad, x / 11, y / 11, 4);
      const turbid = 0.08 + 0.42 * shore * shore + 0.55 * plume + swirl * (0.4 + shore);
      store(out, WATER, turbid, 1 + 0.05 * fractal(broad, x / 5 + 9, y / 5, 3), 0);
      return;
    }

    const river = terrain.river(x, y, inland);
    const mountain = terrain.mountain(x, y);
    if (river < 1 + 0.35 * patch(x / 0.5, y / 0.5)) {
      store(out, WATER, 0.5 + 0.3 * broad(x / 9, y / 9), 1, 2 + inland);
      return;
    }
    const lake = terrain.lake(x, y, inland);
    let height = terrain.height(x, y, inland, mountain);
    if (lake < 1) {
      const shallow = smoothstep(0.55, 1, lake);
      store(out, WATER, 0.1 + 0.3 * shallow + 0.12 * broad(x / 7, y / 7), 1, height * 0.4);
      return;
    }
    // valleys: a river and a lake pull the land around them down
    const valley = smoothstep(1, 22, river) * (0.25 + 0.75 * smoothstep(0.9, 2, lake));
    height *= 0.25 + 0.75 * valley;

    const macro = 1 + 0.07 * fractal(broad, x / 24, y / 24, 3);
    const fine = fractal(grain, x / 0.5, y / 0.5, 2);
    let light = macro;
    const hilly = smoothstep(0, 0.08, mountain) + 0.6 * smoothstep(0, 0.5, mountain);
    if (hilly > 0) {
      // slope towards the late-morning sun in the southeast
      const step = 0.09;
      const rise =
        terrain.height(x + step, y - step, inland, mountain) - terrain.height(x - step, y + step, inland, mountain);
      const slope = rise / (step * 2828);
      light *= 1 - 0.85 * (slope / Math.sqrt(1 + slope * slope)) * hilly;
      if (light < 0.4) light = 0.4;
    }

    if (river < 3.2 && fractal(patch, x / 0.7 + 5, y / 0.7, 3) > -0.15 + (river - 1) * 0.42) {
      store(out, SAND, 0.35 + 0.3 * broad(x / 3, y / 3), light * (0.85 + 0.14 * fine), height);
      return;
    }
    if (inland < 0.42 + 0.35 * patch(x / 2.3, y / 2.3)) {
      store(out, SAND, 0.85, light * (0.92 + 0.1 * fine), height);
      return;
    }

    const density = mountain < 0.45 ? settlement.density(x, y) * (1 - mountain) : 0;
    if (density > 0.3) {
      settlement.block(x, y, block);
      const use = hashUnit(seed, block.id, 1);
      if (use < smoothstep(0.22, 0.75, density) + 0.12) {
        if (block.street) {
          store(out, BUILT, 0.05, light * 0.94, height);
        } else {
          const roof = hashUnit(seed, block.id, 2);
          const tone = 0.78 + 0.42 * hashUnit(seed, block.id, 3) + (roof > 0.94 ? 0.45 : 0);
          store(out, BUILT, 0.15 + 0.75 * roof, light * tone * (1 + 0.12 * fine), height);
        }
        return;
      }
      if (use > 0.8) {
        store(out, FOREST, 0.8, light * (1 + 0.2 * fine), height);
      } else {
        store(out, GRASS, 0.35 + 0.4 * hashUnit(seed, block.id, 4), light * (0.9 + 0.12 * fine), height);
      }
      return;
    }

    if (height > 1000) {
      const rough = fractal(patch, x / 2.7 + 60, y / 2.7, 5);
      const treeLine = 1420 + 420 * rough;
      const bare = height > treeLine && height + 420 * fractal(grain, x / 1.3, y / 1.3, 4) > treeLine + 180;
      if (bare) {
        store(out, ROCK, 0.45 + 0.4 * broad(x / 6, y / 6), light * (0.95 + 0.16 * fine), height);
        return;
      }
      if (height > treeLine || rough < -0.34) {
        store(out, GRASS, 0.45 + 0.3 * broad(x / 8, y / 8), light * (0.94 + 0.14 * fine), height);
        return;
      }
    }

    const wild = fractal(patch, x / 7, y / 7, 5);
    const steep = smoothstep(90, 520, height);
    if (wild + 0.62 * steep + (river < 6 ? 0.12 : 0) > 0.3) {
      const needle = smoothstep(500, 1300, height + 900 * broad(x / 6 + 30, y / 6));
      store(out, FOREST, 0.95 - 0.85 * needle + 0.1 * broad(x / 4, y / 4), light * (0.96 + 0.21 * fine), height);
      return;
    }

    parcelAt(x, y, parcel);
    const kind = hashUnit(parcel.id, 1, 1) - 0.25 * steep;
    const vigour = hashUnit(parcel.id, 2, 1);
    const tone = (0.86 + 0.34 * hashUnit(parcel.id, 3, 1)) * (parcel.edge ? 0.72 : 1);
    const sown = 1 + 0.045 * fine;
    if (kind < 0.2) {
      store(out, GRASS, 0.35 + 0.6 * vigour, light * tone * (0.97 + 0.08 * fine), height);
    } else if (kind > 0.955) {
      store(out, SOIL, vigour, light * tone * sown, height);
    } else if (kind > 0.9) {
      store(out, FOREST, 0.7 + 0.3 * vigour, light * (0.96 + 0.19 * fine), height);
    } else {
      store(out, CROP, 0.55 + 0.45 * vigour, light * tone * sown, height);
      out.rotation = Math.floor(hashUnit(parcel.id, 4, 1) * 8);
    }
  };
  const ground = (easting: number, northing: number, out: Ground): void => {
    const share = isNearValley(easting, northing) ? valleyShare(easting, northing) : 0;
    if (share < 1) country(easting, northing, out);
    if (share === 0) return;
    const { elevation } = out;
    valley.ground(easting, northing, out, store);
    if (share < 1) setHeight(out, elevation + (out.elevation - elevation) * share);
  };
  return { seed, ground };
}

function store(out: Ground, cover: number, mix: number, brightness: number, height: number): void {
  out.cover = cover;
  out.mix = mix <= 0 ? 0 : mix >= 1 ? MIX_STEPS : Math.round(mix * MIX_STEPS);
  const level = Math.round(brightness * BRIGHTNESS_STEPS);
  out.brightness = level < 8 ? 8 : level >= BRIGHTNESS_LEVELS ? BRIGHTNESS_LEVELS - 1 : level;
  setHeight(out, height);
}

function setHeight(out: Ground, height: number): void {
  out.height = Math.round(height / 10);
  out.elevation = height;
}
