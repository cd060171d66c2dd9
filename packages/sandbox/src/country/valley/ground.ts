import type { Ground } from "../ground.ts";
import { fractal, gradientNoise, hash32, hashUnit, type Noise, smoothstep } from "../noise.ts";
import { coverNumber } from "../spectra.ts";
import { ROTATIONS, SHIFTS } from "./crops.ts";
import { valleyParcelAt } from "./parcels.ts";
import { BROADLEAF, LASTING, RIVER, VALLEY_ROTATION } from "./season.ts";
import { createValleyTerrain, type ValleyTerrain, valleyPoint } from "./terrain.ts";

const WATER = coverNumber("water");
const FOREST = coverNumber("forest");
const CROP = coverNumber("crop");
const GRASS = coverNumber("grassland");
const BUILT = coverNumber("built_up");
const SAND = coverNumber("sand");

/** The cover of a point of the valley; the rest of `Ground` follows from it. */
interface Look {
  cover: number;
  /** 0 to 1. */
  mix: number;
  /** 1 keeps the spectrum. */
  light: number;
  /** Place in the rotations of `season.ts`. */
  rotation: number;
  shift: number;
}

/** Fills in ground at easting and northing in metres; `store` rounds it as that of the country. */
export type ValleyGroundAt = (
  easting: number,
  northing: number,
  out: Ground,
  store: (out: Ground, cover: number, mix: number, brightness: number, height: number) => void,
) => void;

const VILLAGES = [
  [2.75, 2.15, 0.4],
  [5.4, 1.75, 0.24],
  [5.68, 5.3, 0.2],
] as const;
/** Roads from village to village, and over the river. */
const ROADS = [
  [-1, 1.2, 2.75, 2.15],
  [2.75, 2.15, 5.4, 1.75],
  [5.4, 1.75, 9, 2.6],
  [5.4, 1.75, 5.68, 5.3],
  [5.68, 5.3, 6.1, 9],
  [2.75, 2.15, 2.4, -1],
] as const;
const ROAD_WIDTH = 0.0055;
const SEGMENTS = ROADS.map(([ax, ay, bx, by]) => {
  const [dx, dy] = [bx - ax, by - ay];
  return { ax, ay, dx, dy, squared: dx * dx + dy * dy };
});
/** The burned area: middle, half axes (km), cosine and sine of its turn. */
const FIRE = [2.0, 5.05, 0.95, 0.56, 0.848, 0.53] as const;

interface Noises {
  readonly patch: Noise;
  readonly grain: Noise;
  readonly broad: Noise;
}

export function createValley(seed: number): { ground: ValleyGroundAt; terrain: ValleyTerrain } {
  const terrain = createValleyTerrain(seed);
  const noises = {
    patch: gradientNoise(seed + 11),
    grain: gradientNoise(seed + 12),
    broad: gradientNoise(seed + 13),
  };
  const fields = createFields(seed + 20, noises);
  const village = createVillages(seed + 30, noises);
  const burn = createBurn(noises);
  const look: Look = { cover: 0, mix: 0, light: 1, rotation: 0, shift: 0 };

  const ground: ValleyGroundAt = (easting, northing, out, store) => {
    const [u, v] = valleyPoint(easting, northing);
    const bank = terrain.bank(u, v);
    const above = terrain.above(u, v, Math.max(0, bank));
    const into = terrain.inHills(u, v);
    const aboveRiver = above + terrain.rise(u, v, into);
    const height = terrain.level(v) + aboveRiver;
    const lake = terrain.lake(u, v);
    const isHill = into > -0.3 && into > 0.12 + 0.3 * noises.patch(u / 0.45, v / 0.45);
    look.shift = 0;
    if (onRoad(u, v)) set(look, BUILT, 0.12, 1.02);
    else if (bank < 0) set(look, WATER, 0.62 + 0.2 * noises.broad(u / 1.3, v / 1.3), 1, RIVER);
    else if (lake < 1) set(look, WATER, 0.12 + 0.3 * smoothstep(0.6, 1, lake), 1);
    else if (lake < 1.12) set(look, SAND, 0.1, 0.9);
    else if (bank < 0.04 && noises.patch(u / 0.3 + 9, v / 0.3) > 0.12) set(look, SAND, 0.05, 0.9);
    else if (!village(u, v, look)) {
      if (isHill) hillside(noises, look, u, v, height);
      else if (isWood(noises, u, v, bank)) deciduous(noises, look, u, v);
      else fields(look, u, v, { above, bank, into });
    }
    if (into > -0.3) look.light *= slopeLight(terrain, u, v, smoothstep(-0.3, 0.4, into));
    store(out, look.cover, look.mix, look.light, height);
    out.rotation = VALLEY_ROTATION + look.rotation * SHIFTS + look.shift;
    // crowns hide the water below them, and roads lie on dams
    const isDry = look.cover === WATER || look.cover === BUILT || look.cover === FOREST;
    out.flood = isDry ? 0 : Math.max(1, Math.min(255, Math.round(aboveRiver * 10)));
    out.burn = isHill ? burn(u, v) : 0;
  };
  return { ground, terrain };
}

function set(look: Look, cover: number, mix: number, light: number, rotation = LASTING): void {
  look.cover = cover;
  look.mix = mix;
  look.light = light;
  look.rotation = rotation;
}

function onRoad(u: number, v: number): boolean {
  for (const { ax, ay, dx, dy, squared } of SEGMENTS) {
    const along = Math.max(0, Math.min(1, ((u - ax) * dx + (v - ay) * dy) / squared));
    const [x, y] = [u - ax - along * dx, v - ay - along * dy];
    if (x * x + y * y < ROAD_WIDTH * ROAD_WIDTH) return true;
  }
  return false;
}

/** Slopes are lit by the late-morning sun in the southeast. */
function slopeLight({ inHills, rise }: ValleyTerrain, u: number, v: number, share: number): number {
  const step = 0.02;
  const [a, b, c, d] = [u + step, v - step, u - step, v + step];
  const slope = (rise(a, b, inHills(a, b)) - rise(c, d, inHills(c, d))) / (step * 2828);
  const light = 1 - 0.85 * (slope / Math.sqrt(1 + slope * slope)) * share;
  return Math.max(0.5, Math.round(light * 8) / 8);
}

/** Stands are a hundred metres wide, with ragged edges; a stand has one mix and one brightness, so that files stay small. */
function standAt({ grain }: Noises, u: number, v: number): number {
  const ragged = 0.35 * grain(u / 0.06, v / 0.06);
  return hash32(71, Math.floor(u / 0.13 + ragged), Math.floor(v / 0.11 - ragged));
}

function hillside(noises: Noises, look: Look, u: number, v: number, height: number): void {
  const clearing = fractal(noises.patch, u / 0.8 + 30, v / 0.8, 3);
  if (clearing > 0.42 || (height > 640 && clearing > 0.1)) {
    set(look, GRASS, 0.72 + 0.2 * noises.broad(u / 0.5, v / 0.5), 0.98, PASTURE);
    return;
  }
  const isNeedle = height + 320 * noises.broad(u / 1.1 + 5, v / 1.1) > 430;
  const stand = standAt(noises, u, v);
  if (isNeedle) set(look, FOREST, 0.04 + 0.14 * hashUnit(stand, 1, 1), 0.86 + 0.16 * hashUnit(stand, 2, 1));
  else deciduous(noises, look, u, v);
}

function isWood({ patch }: Noises, u: number, v: number, bank: number): boolean {
  if (bank < 0.16 && fractal(patch, u / 0.55, v / 0.55, 2) > 0.04) return true;
  return fractal(patch, u / 1.5 + 60, v / 1.5, 3) > 0.47;
}

function deciduous(noises: Noises, look: Look, u: number, v: number): void {
  const stand = standAt(noises, u, v);
  set(look, FOREST, 0.82 + 0.18 * hashUnit(stand, 1, 1), 0.88 + 0.2 * hashUnit(stand, 2, 1), BROADLEAF);
}

/** Severity of the fire, 0 to 50: strong in its middle, with islands that it left. */
function createBurn({ patch, broad }: Noises): (u: number, v: number) => number {
  return (u, v) => {
    const [x, y, a, b, cos, sin] = FIRE;
    const [dx, dy] = [u - x, v - y];
    if (dx * dx + dy * dy > 2.6) return 0;
    const [along, across] = [(dx * cos + dy * sin) / a, (dy * cos - dx * sin) / b];
    const q = Math.sqrt(along * along + across * across) + 0.42 * fractal(patch, u / 0.6 + 90, v / 0.6, 4);
    if (q >= 1) return 0;
    const severity = 0.62 + 0.75 * (1 - q) + 0.45 * broad(u / 0.28 + 50, v / 0.28);
    return severity < 0.4 ? 0 : Math.round(50 * Math.min(1, severity));
  };
}

/** Houses, gardens, trees and streets. */
function createVillages(seed: number, { patch }: Noises): (u: number, v: number, look: Look) => boolean {
  return (u, v, look) => {
    let density = -1;
    for (const [x, y, radius] of VILLAGES) {
      const d = Math.sqrt((u - x) * (u - x) + (v - y) * (v - y));
      density = Math.max(density, 1 - d / radius);
    }
    if (density < -0.35 || density + 0.5 * fractal(patch, u / 0.35 + 70, v / 0.35, 2) < 0) return false;
    const [a, b] = [u * 0.9703 + v * 0.2419, v * 0.9703 - u * 0.2419];
    const [street, lane] = [a / 0.14 - Math.floor(a / 0.14), b / 0.1 - Math.floor(b / 0.1)];
    if (street < 0.09 || lane < 0.11) {
      set(look, BUILT, 0.15, 0.98);
      return true;
    }
    const [i, j] = [Math.floor(a / 0.02), Math.floor(b / 0.02)];
    const use = hashUnit(seed, i, j);
    if (use < 0.34 + 0.3 * density)
      set(look, BUILT, 0.5 + 0.4 * hashUnit(seed + 1, i, j), 0.8 + 0.5 * hashUnit(seed + 2, i, j));
    else if (use > 0.84) set(look, FOREST, 0.85, 0.9, BROADLEAF);
    else set(look, GRASS, 0.66, 0.96, PASTURE);
    return true;
  };
}

const MEADOW = ROTATIONS.findIndex(([first]) => first === "meadow");
const PASTURE = ROTATIONS.findIndex(([first]) => first === "pasture");
const VINES = ROTATIONS.findIndex(([first]) => first === "vines");
const LUCERNE = ROTATIONS.findIndex(([first]) => first === "lucerne");

interface FieldPlace {
  readonly above: number;
  readonly bank: number;
  readonly into: number;
}

/** Parcels with what grows on them, lanes between rows and hedges between parcels. */
function createFields(seed: number, noises: Noises): (look: Look, u: number, v: number, place: FieldPlace) => void {
  const parcel = { id: 0, edge: 0, isLane: false };
  return (look, u, v, place) => {
    valleyParcelAt(seed, u, v, parcel);
    const { id, edge, isLane } = parcel;
    if (isLane && edge < 0.005) {
      set(look, GRASS, 0.3, 1.08, PASTURE);
      return;
    }
    const isWet = place.bank < 0.42;
    if (!isLane && edge < (isWet ? 0.008 : 0.005) && hashUnit(id, 7, 1) < (isWet ? 0.6 : 0.18)) {
      set(look, FOREST, 0.8, 0.9, BROADLEAF);
      return;
    }
    const kind = hashUnit(id, 1, 1);
    const rotation = rotationOf(kind, isWet, place.into);
    const isGrass = rotation === MEADOW || rotation === PASTURE;
    const soil = fractal(noises.patch, u / 0.42 + 11, v / 0.42, 2);
    // poorer soil in patches, of which a parcel has one or two
    const vigour = 0.92 + 0.08 * hashUnit(id, 2, 1) - (soil > 0.18 ? 0.08 : 0);
    const tone = 0.9 + 0.24 * hashUnit(id, 3, 1);
    set(look, isGrass ? GRASS : CROP, vigour, tone, rotation);
    look.shift = Math.floor(hashUnit(id, 4, 1) * SHIFTS);
  };
}

function rotationOf(kind: number, isWet: boolean, into: number): number {
  if (into > -0.42) return kind < 0.62 ? VINES : kind < 0.85 ? PASTURE : LUCERNE;
  if (isWet) return kind < 0.72 ? MEADOW : kind < 0.9 ? PASTURE : 1;
  if (kind < 0.09) return LUCERNE;
  if (kind < 0.14) return MEADOW;
  return Math.floor(((kind - 0.14) / 0.86) * LUCERNE);
}
