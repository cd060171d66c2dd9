/**
 * Reflectance of the ground. Each class is a mix of two end members; a pixel is `brightness × mix(from, to)`, and as
 * brightness (texture, slope) multiplies all bands by the same factor, NDVI depends on class and mix only.
 *
 * The values are surface reflectances (0 to 1) chosen inside the ranges of the ECOSTRESS spectral library 1.0 (Meerdink
 * et al. 2019, doi:10.1016/j.rse.2019.05.015), the USGS Spectral Library 7 (Kokaly et al. 2017, doi:10.3133/ds1035)
 * and, for turbid water, Pope & Fry 1997 with Nechad et al. 2010 (doi:10.1016/j.rse.2009.11.022). They are not copies
 * of single spectra; they are the values that Landsat 8 OLI measures: other sensors respond as `response.ts` says.
 * `nir` and `nir08` are one value.
 */

/** Common band names in the order of `Spectrum`; `rededge1..3` are the asset keys of B05, B06, B07. */
export const REFLECTANCE_BANDS = [
  "coastal",
  "blue",
  "green",
  "red",
  "rededge1",
  "rededge2",
  "rededge3",
  "nir",
  "nir08",
  "nir09",
  "swir16",
  "swir22",
] as const;
/** Common name of a band. */
export type ReflectanceBand = (typeof REFLECTANCE_BANDS)[number];

type Spectrum = readonly number[];

/** Land cover at a point, clouds aside. */
export const TRUTH_CLASSES = [
  "water",
  "forest",
  "crop",
  "grassland",
  "bare_soil",
  "built_up",
  "rock",
  "sand",
  "snow",
  "burned",
] as const;
/** Land cover. */
export type TruthClass = (typeof TRUTH_CLASSES)[number];

/** States of the ground in the valley that have end members of their own; their numbers follow those of the classes. */
const STATES = ["ripe", "bloom", "broadleaf", "flood"] as const;
type State = (typeof STATES)[number];
const STATE_CLASSES: Readonly<Record<State, TruthClass>> = {
  ripe: "crop",
  bloom: "crop",
  broadleaf: "forest",
  flood: "water",
};

/** The number of a cover: what `Ground.cover` holds, and the upper byte of a key. */
export function coverNumber(name: TruthClass | State): number {
  return COVER_NAMES.indexOf(name);
}
const COVER_NAMES: readonly (TruthClass | State)[] = [...TRUTH_CLASSES, ...STATES];
/** The number of covers. */
export const COVER_COUNT = COVER_NAMES.length;

/** The index in `TRUTH_CLASSES` of each cover. */
export const CLASS_OF_COVER: readonly number[] = COVER_NAMES.map((name, i) =>
  i < TRUTH_CLASSES.length ? i : TRUTH_CLASSES.indexOf(STATE_CLASSES[name as State]),
);

interface Cover {
  readonly from: Spectrum;
  readonly to: Spectrum;
  /** Surface temperature of a summer noon at sea level, kelvin (plausible for mid latitudes). */
  readonly kelvin: number;
}

//                coastal  blue   green  red    re1    re2    re3    nir    nir08  nir09  swir16 swir22
const COVERS: Readonly<Record<TruthClass | State, Cover>> = {
  water: {
    from: /* deep  */ [0.038, 0.041, 0.032, 0.018, 0.016, 0.015, 0.014, 0.013, 0.013, 0.011, 0.006, 0.004],
    to: /* turbid  */ [0.046, 0.058, 0.073, 0.05, 0.038, 0.025, 0.024, 0.021, 0.021, 0.016, 0.009, 0.006],
    kelvin: 294,
  },
  forest: {
    from: /* needle */ [0.013, 0.016, 0.027, 0.019, 0.047, 0.139, 0.169, 0.188, 0.188, 0.194, 0.086, 0.038],
    to: /* broad   */ [0.018, 0.023, 0.05, 0.027, 0.081, 0.236, 0.296, 0.322, 0.322, 0.331, 0.152, 0.067],
    kelvin: 298,
  },
  crop: {
    from: /* soil  */ [0.063, 0.082, 0.122, 0.157, 0.184, 0.187, 0.204, 0.222, 0.222, 0.236, 0.305, 0.262],
    to: /* leaves  */ [0.02, 0.028, 0.074, 0.033, 0.11, 0.318, 0.398, 0.428, 0.428, 0.435, 0.203, 0.095],
    kelvin: 303,
  },
  grassland: {
    from: /* dry   */ [0.048, 0.061, 0.093, 0.106, 0.147, 0.196, 0.223, 0.249, 0.249, 0.262, 0.296, 0.208],
    to: /* green   */ [0.024, 0.035, 0.077, 0.048, 0.118, 0.255, 0.31, 0.338, 0.338, 0.347, 0.218, 0.117],
    kelvin: 301,
  },
  bare_soil: {
    from: /* dark  */ [0.047, 0.058, 0.08, 0.103, 0.122, 0.134, 0.146, 0.158, 0.158, 0.169, 0.231, 0.206],
    to: /* light   */ [0.081, 0.104, 0.15, 0.196, 0.226, 0.245, 0.262, 0.279, 0.279, 0.292, 0.365, 0.327],
    kelvin: 309,
  },
  built_up: {
    from: /* road  */ [0.081, 0.089, 0.096, 0.1, 0.107, 0.115, 0.124, 0.13, 0.13, 0.133, 0.149, 0.141],
    to: /* roof    */ [0.128, 0.145, 0.159, 0.172, 0.187, 0.201, 0.218, 0.227, 0.227, 0.232, 0.263, 0.247],
    kelvin: 309,
  },
  rock: {
    from: /* grey  */ [0.089, 0.099, 0.112, 0.121, 0.128, 0.135, 0.14, 0.146, 0.146, 0.149, 0.178, 0.164],
    to: /* lime    */ [0.146, 0.166, 0.192, 0.211, 0.222, 0.232, 0.238, 0.246, 0.246, 0.25, 0.275, 0.241],
    kelvin: 301,
  },
  sand: {
    from: /* gravel */ [0.117, 0.133, 0.163, 0.187, 0.201, 0.213, 0.224, 0.234, 0.234, 0.241, 0.286, 0.262],
    to: /* beach   */ [0.156, 0.187, 0.239, 0.284, 0.309, 0.329, 0.345, 0.361, 0.361, 0.37, 0.43, 0.405],
    kelvin: 308,
  },
  snow: {
    from: /* old   */ [0.71, 0.715, 0.706, 0.692, 0.675, 0.652, 0.631, 0.601, 0.601, 0.551, 0.071, 0.048],
    to: /* fresh   */ [0.872, 0.88, 0.879, 0.872, 0.862, 0.849, 0.836, 0.812, 0.812, 0.768, 0.131, 0.094],
    kelvin: 269,
  },
  burned: {
    from: /* char  */ [0.028, 0.032, 0.039, 0.049, 0.056, 0.064, 0.071, 0.08, 0.08, 0.087, 0.162, 0.158],
    to: /* regrown */ [0.018, 0.023, 0.05, 0.027, 0.081, 0.236, 0.296, 0.322, 0.322, 0.331, 0.152, 0.067],
    kelvin: 308,
  },
  ripe: {
    from: /* straw */ [0.079, 0.105, 0.148, 0.186, 0.214, 0.233, 0.25, 0.268, 0.268, 0.281, 0.362, 0.286],
    to: /* leaves  */ [0.02, 0.028, 0.074, 0.033, 0.11, 0.318, 0.398, 0.428, 0.428, 0.435, 0.203, 0.095],
    kelvin: 306,
  },
  bloom: {
    from: /* leaves */ [0.02, 0.028, 0.074, 0.033, 0.11, 0.318, 0.398, 0.428, 0.428, 0.435, 0.203, 0.095],
    to: /* yellow  */ [0.027, 0.036, 0.158, 0.149, 0.192, 0.357, 0.429, 0.463, 0.463, 0.468, 0.224, 0.112],
    kelvin: 301,
  },
  broadleaf: {
    from: /* bare  */ [0.031, 0.038, 0.052, 0.067, 0.092, 0.121, 0.139, 0.158, 0.158, 0.168, 0.213, 0.139],
    to: /* leaves  */ [0.018, 0.023, 0.05, 0.027, 0.081, 0.236, 0.296, 0.322, 0.322, 0.331, 0.152, 0.067],
    kelvin: 298,
  },
  flood: {
    from: /* turbid */ [0.046, 0.058, 0.073, 0.05, 0.038, 0.025, 0.024, 0.021, 0.021, 0.016, 0.009, 0.006],
    to: /* muddy   */ [0.063, 0.084, 0.127, 0.131, 0.119, 0.087, 0.078, 0.066, 0.066, 0.053, 0.019, 0.011],
    kelvin: 292,
  },
};

/** Cloud tops, optically thick (Bishop et al. 2018 give 0.6 to 0.9 in the visible; ice and water absorb beyond 1.4 µm). */
export const CLOUD_SPECTRUM: Spectrum = [
  0.742, 0.734, 0.728, 0.731, 0.737, 0.743, 0.748, 0.752, 0.752, 0.742, 0.496, 0.352,
];

/** A mix is stored as an integer 0 to 50: steps of reflectance far below what shows, and files a third smaller. */
export const MIX_STEPS = 50;

const tables = REFLECTANCE_BANDS.map((_, band) => {
  const table = new Float64Array(COVER_COUNT * 256);
  for (let cover = 0; cover < COVER_COUNT; cover++) {
    const { from, to } = COVERS[COVER_NAMES[cover]!];
    for (let mix = 0; mix <= MIX_STEPS; mix++) {
      table[cover * 256 + mix] = from[band]! + ((to[band]! - from[band]!) * mix) / MIX_STEPS;
    }
  }
  return table;
});

/** Reflectance of unit brightness by `cover × 256 + mix`. */
export function spectralTable(band: number): Float64Array {
  return tables[band]!;
}

/** Surface temperature in kelvin by cover, a summer noon at sea level. */
export const COVER_KELVIN: readonly number[] = COVER_NAMES.map((name) => COVERS[name].kelvin);
