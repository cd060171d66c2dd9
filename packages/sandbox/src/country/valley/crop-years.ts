import { coverNumber } from "../spectra.ts";
import type { Curve } from "./curves.ts";

/** A crop, or what else grows on a parcel of the valley. */
export type CropName = "wheat" | "barley" | "rape" | "maize" | "beet" | "lucerne" | "meadow" | "pasture" | "vines";

const CROP = coverNumber("crop");
const GRASS = coverNumber("grassland");

/** A year of a crop. Days count from the first of January of the year of its harvest. */
export interface CropYear {
  /** From this day on the parcel is this crop's. */
  readonly sown: number;
  readonly harvested: number;
  readonly green: Curve;
  /** Between these days the crop is between leaves (1) and straw (0): ripe, then stubble. */
  readonly ripe?: { readonly from: number; readonly to: number };
  readonly bloom?: Curve;
}

const AFTER_CEREALS: Curve = [
  [228, 0.1],
  [229, 0.03],
  [246, 0.05],
  [270, 0.3],
  [300, 0.42],
  [335, 0.34],
  [400, 0.3],
  [455, 0.34],
  [470, 0.03],
];

/** Crops that are sown and harvested. */
export const YEARS = {
  wheat: {
    sown: -82,
    harvested: 193,
    green: [
      [-82, 0.03],
      [-62, 0.08],
      [-42, 0.2],
      [0, 0.28],
      [50, 0.34],
      [80, 0.58],
      [105, 0.9],
      [125, 1],
      [152, 1],
      [166, 0.72],
      [180, 0.22],
      [190, 0.04],
      [193, 0.02],
      [194, 0],
      [220, 0.08],
      ...AFTER_CEREALS,
    ],
    ripe: { from: 152, to: 228 },
  },
  barley: {
    sown: -92,
    harvested: 172,
    green: [
      [-92, 0.03],
      [-72, 0.12],
      [-45, 0.3],
      [0, 0.34],
      [50, 0.42],
      [75, 0.68],
      [98, 0.96],
      [134, 1],
      [148, 0.68],
      [160, 0.2],
      [170, 0.04],
      [173, 0],
      [200, 0.1],
      [201, 0.03],
      [225, 0.1],
      [255, 0.5],
      [290, 0.62],
      [335, 0.45],
      [400, 0.3],
    ],
    ripe: { from: 134, to: 200 },
  },
  rape: {
    sown: -126,
    harvested: 190,
    green: [
      [-126, 0.03],
      [-108, 0.2],
      [-85, 0.55],
      [-55, 0.66],
      [0, 0.52],
      [45, 0.5],
      [75, 0.8],
      [96, 1],
      [152, 1],
      [166, 0.7],
      [180, 0.2],
      [190, 0.03],
      [191, 0],
      [215, 0.14],
      ...AFTER_CEREALS,
    ],
    ripe: { from: 152, to: 228 },
    bloom: [
      [104, 0],
      [116, 1],
      [126, 1],
      [138, 0],
    ],
  },
  maize: {
    sown: 112,
    harvested: 276,
    green: [
      [112, 0.02],
      [132, 0.05],
      [148, 0.22],
      [163, 0.56],
      [178, 0.9],
      [190, 1],
      [232, 1],
      [246, 0.82],
      [260, 0.4],
      [272, 0.1],
      [276, 0.06],
      [277, 0],
      [296, 0.02],
      [297, 0.03],
      [400, 0.06],
      [450, 0.1],
    ],
    ripe: { from: 232, to: 296 },
  },
  beet: {
    sown: 92,
    harvested: 298,
    green: [
      [92, 0.02],
      [118, 0.08],
      [140, 0.36],
      [160, 0.82],
      [178, 1],
      [262, 0.96],
      [297, 0.86],
      [298, 0.05],
      [320, 0.04],
      [400, 0.08],
    ],
  },
} satisfies Partial<Record<CropName, CropYear>>;

/** Crops that stay: greenness by days since the first of January. Mown within a day, grown again within weeks. */
export const LASTING: Readonly<Record<"lucerne" | "meadow" | "pasture" | "vines", { cover: number; green: Curve }>> = {
  lucerne: {
    cover: CROP,
    green: mown(
      [
        [0, 0.38],
        [60, 0.4],
        [90, 0.68],
        [120, 0.96],
      ],
      [133, 170, 208, 252],
      [
        [300, 0.7],
        [340, 0.42],
        [366, 0.38],
      ],
    ),
  },
  meadow: {
    cover: GRASS,
    green: mown(
      [
        [0, 0.34],
        [65, 0.38],
        [95, 0.7],
        [125, 1],
      ],
      [154, 212],
      [
        [275, 0.74],
        [320, 0.45],
        [366, 0.34],
      ],
    ),
  },
  pasture: {
    cover: GRASS,
    green: [
      [0, 0.36],
      [70, 0.42],
      [100, 0.76],
      [130, 1],
      [200, 0.76],
      [270, 0.8],
      [320, 0.48],
      [366, 0.36],
    ],
  },
  vines: {
    cover: CROP,
    green: [
      [0, 0.16],
      [95, 0.2],
      [140, 0.48],
      [175, 0.64],
      [255, 0.62],
      [290, 0.36],
      [315, 0.18],
      [366, 0.16],
    ],
  },
};

function mown(spring: Curve, days: readonly number[], autumn: Curve): Curve {
  const cuts = days.flatMap(
    (day): Curve => [
      [day, 0.9],
      [day + 1, 0.32],
      [day + 9, 0.4],
      [day + 28, 0.88],
    ],
  );
  return [...spring, ...cuts, ...autumn];
}

/** Is a crop sown and harvested? */
export function isYearly(name: CropName): name is keyof typeof YEARS {
  return name in YEARS;
}
