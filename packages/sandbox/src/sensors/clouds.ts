import { fractal, gradientNoise, hash32, hashUnit, type Noise, smoothstep } from "../country/noise.ts";
import { isNearValley } from "../country/valley/place.ts";
import { createValleyClouds, type ValleyClouds } from "../country/valley/sky.ts";

/** The sky of one day. Both sensors and all tiles see the same clouds on the same day. */
export interface Sky {
  /** Opacity of the cloud over a point, in 64ths (0 none, 64 opaque); metres of EPSG:32633. */
  cloud(easting: number, northing: number): number;
  /** Writes those over the centres of a row of pixels, the first of which begins at `west`. */
  cloudRow(west: number, pixel: number, northing: number, out: Uint8Array): void;
  /** Distance in metres of a shadow from its cloud: `shadow(p) = cloud(p − offset)`. Multiples of 600. */
  readonly shadowOffset: readonly [number, number];
}

/** Steps of cloud opacity. */
export const CLOUD_STEPS = 64;

/** Brightness of the tops of clouds in twentieths, by their opacity in 64ths. */
export const CLOUD_TOPS = Array.from({ length: CLOUD_STEPS + 1 }, (_, opacity) =>
  Math.round(20 * (0.62 + 0.5 * (opacity / CLOUD_STEPS) ** 2)),
);

/** Share of light in a full shadow. */
export const SHADOW_LIGHT = 0.5;

interface CloudKind {
  /** Width of the largest clumps, km. */
  readonly clump: number;
  /** Softness of a cloud's edge, in units of the noise. */
  readonly edge: number;
}

const KINDS: readonly CloudKind[] = [
  { clump: 26, edge: 0.3 }, // broken fields
  { clump: 15, edge: 0.24 }, // fair-weather cumulus
  { clump: 44, edge: 0.42 }, // fronts
];

/**
 * @param cover fraction of the sky under cloud, 0 to 1; 0 gives a clear sky
 * @param day whole days since 1970-01-01
 */
export function createSky(seed: number, day: number, cover: number): Sky {
  const daySeed = hash32(seed + 500, day, 1);
  const noise: Noise = gradientNoise(daySeed);
  const kind = KINDS[daySeed % KINDS.length]!;
  const driftX = hashUnit(daySeed, 1, 1) * 400;
  const driftY = hashUnit(daySeed, 1, 2) * 400;
  const threshold = thresholdFor(cover);
  const height = 1.2 + 1.6 * hashUnit(daySeed, 1, 3);
  const shadowOffset: readonly [number, number] = [
    -600 * Math.max(1, Math.round(height * 0.9)),
    600 * Math.max(1, Math.round(height * 1.4)),
  ];

  let overValley: ValleyClouds | undefined;
  const cloud = (easting: number, northing: number): number => {
    if (cover <= 0) return 0;
    if (isNearValley(easting, northing)) {
      overValley ??= createValleyClouds(daySeed, threshold, CLOUD_STEPS);
      return overValley.at(easting, northing);
    }
    const x = easting / 1000 + driftX;
    const y = northing / 1000 + driftY;
    const large = fractal(noise, x / kind.clump, y / (kind.clump * 0.8), 2);
    // the finer octaves can add at most this much: most of a clear sky is settled here
    if (large < threshold - 0.3) return 0;
    const fine = fractal(noise, x / 5.2 + 40, y / 4.7 + 11, 5);
    const value = large + 0.34 * fine;
    const opacity = smoothstep(threshold, threshold + kind.edge, value);
    return Math.round(opacity * CLOUD_STEPS);
  };
  const cloudRow: Sky["cloudRow"] = (west, pixel, northing, out) => {
    const centre = (column: number): number => west + (column + 0.5) * pixel;
    if (cover > 0 && isNearValley(centre(0), northing) && isNearValley(centre(out.length - 1), northing)) {
      overValley ??= createValleyClouds(daySeed, threshold, CLOUD_STEPS);
      overValley.row(west, pixel, northing, out);
      return;
    }
    for (let i = 0; i < out.length; i++) out[i] = cloud(centre(i), northing);
  };
  return { cloud, cloudRow, shadowOffset };
}

/** Threshold of the noise above which `cover` of the sky is (quantiles of the field, measured once). */
function thresholdFor(cover: number): number {
  const quantiles: readonly (readonly [number, number])[] = [
    [0, 1.1],
    [0.01, 0.72],
    [0.03, 0.58],
    [0.1, 0.4],
    [0.2, 0.26],
    [0.35, 0.1],
    [0.5, -0.03],
    [0.7, -0.2],
    [0.9, -0.46],
    [1, -1.2],
  ];
  for (let i = 1; i < quantiles.length; i++) {
    const [c1, t1] = quantiles[i]!;
    if (cover <= c1) {
      const [c0, t0] = quantiles[i - 1]!;
      return t0 + ((t1 - t0) * (cover - c0)) / (c1 - c0);
    }
  }
  return -1.2;
}
