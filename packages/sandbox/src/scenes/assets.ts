import { REFLECTANCE_BANDS, type ReflectanceBand } from "../country/spectra.ts";
import type { Polarization } from "../sensors/backscatter.ts";
import type { Response } from "../sensors/responses.ts";
import type { Acquisition } from "./plan.ts";

/** The contents of a scene's file, and its description in the item. */
export interface AssetPlan {
  /** Upstream asset key. */
  readonly key: string;
  /** File name: `B04.tif`, or the ending of a Landsat file, `SR_B4.TIF`. */
  readonly file: string;
  /** Native band name. */
  readonly band: string;
  readonly kind:
    | "reflectance"
    | "visual"
    | "scl"
    | "cloud"
    | "snow"
    | "aot"
    | "wvp"
    | "temperature"
    | "qa_pixel"
    | "qa_radsat"
    | "fmask"
    | "backscatter"
    | "elevation";
  /** Index into `REFLECTANCE_BANDS` for reflectance. */
  readonly spectral: number;
  /** The sensor's response to reflectance; default that of OLI and MSI. */
  readonly response?: Response;
  /** For backscatter. */
  readonly polarization?: Polarization;
  /** Pixels are this many times as wide as the scene's finest. */
  readonly factor: 1 | 2 | 6;
  readonly title: string;
  /** Members of the upstream's `eo:bands` entry. */
  readonly eo?: Readonly<Record<string, string | number>>;
}

function spectral(name: ReflectanceBand): number {
  return REFLECTANCE_BANDS.indexOf(name);
}

function msi(
  key: ReflectanceBand,
  band: string,
  factor: 1 | 2 | 6,
  title: string,
  center_wavelength: number,
  full_width_half_max: number,
): AssetPlan {
  const common_name = key.startsWith("rededge") ? "rededge" : key;
  const eo = { name: band, common_name, center_wavelength, full_width_half_max };
  return { key, file: `${band}.tif`, band, kind: "reflectance", spectral: spectral(key), factor, title, eo };
}

function msiOther(
  key: string,
  band: string,
  kind: AssetPlan["kind"],
  factor: 1 | 2,
  title: string,
  file = `${band}.tif`,
): AssetPlan {
  return { key, file, band, kind, spectral: -1, factor, title };
}

/** Wavelengths as Earth Search states them for `sentinel-2-c1-l2a`. */
export const SENTINEL_2_ASSETS: readonly AssetPlan[] = [
  msi("red", "B04", 1, "Red - 10m", 0.665, 0.038),
  msi("green", "B03", 1, "Green - 10m", 0.56, 0.045),
  msi("blue", "B02", 1, "Blue - 10m", 0.49, 0.098),
  msiOther("visual", "TCI", "visual", 1, "True color image"),
  msi("nir", "B08", 1, "NIR 1 - 10m", 0.842, 0.145),
  msi("swir22", "B12", 2, "SWIR 2.2μm - 20m", 2.19, 0.242),
  msi("rededge2", "B06", 2, "Red Edge 2 - 20m", 0.74, 0.018),
  msi("rededge3", "B07", 2, "Red Edge 3 - 20m", 0.783, 0.028),
  msi("rededge1", "B05", 2, "Red Edge 1 - 20m", 0.704, 0.019),
  msi("swir16", "B11", 2, "SWIR 1.6μm - 20m", 1.61, 0.143),
  msiOther("wvp", "WVP", "wvp", 2, "Water Vapour (WVP)"),
  msi("nir08", "B8A", 2, "NIR 2 - 20m", 0.865, 0.033),
  msiOther("scl", "SCL", "scl", 2, "Scene classification map (SCL)"),
  msiOther("aot", "AOT", "aot", 2, "Aerosol optical thickness (AOT)"),
  msi("coastal", "B01", 6, "Coastal - 60m", 0.443, 0.027),
  msi("nir09", "B09", 6, "NIR 3 - 60m", 0.945, 0.026),
  msiOther("cloud", "CLD", "cloud", 2, "Cloud Probabilities", "CLD_20m.tif"),
  msiOther("snow", "SNW", "snow", 2, "Snow Probabilities", "SNW_20m.tif"),
];

function oli(
  key: ReflectanceBand,
  number: number,
  title: string,
  description: string,
  center_wavelength: number,
  full_width_half_max: number,
): AssetPlan {
  const eo = { name: `OLI_B${number}`, common_name: key, description, center_wavelength, full_width_half_max };
  const band = `SR_B${number}`;
  return { key, file: `${band}.TIF`, band, kind: "reflectance", spectral: spectral(key), factor: 1, title, eo };
}

/** Titles and wavelengths as Earth Search states them for `landsat-c2-l2`. */
export const LANDSAT_ASSETS: readonly AssetPlan[] = [
  {
    key: "qa_pixel",
    file: "QA_PIXEL.TIF",
    band: "QA_PIXEL",
    kind: "qa_pixel",
    spectral: -1,
    factor: 1,
    title: "Pixel Quality Assessment Band",
  },
  {
    key: "qa_radsat",
    file: "QA_RADSAT.TIF",
    band: "QA_RADSAT",
    kind: "qa_radsat",
    spectral: -1,
    factor: 1,
    title: "Radiometric Saturation and Terrain Occlusion Quality Assessment Band",
  },
  oli("coastal", 1, "Coastal/Aerosol Band", "Coastal/Aerosol", 0.44, 0.02),
  oli("blue", 2, "Blue Band", "Visible blue", 0.48, 0.06),
  oli("green", 3, "Green Band", "Visible green", 0.56, 0.06),
  oli("red", 4, "Red Band", "Visible red", 0.65, 0.04),
  oli("nir08", 5, "Near Infrared Band 0.8", "Near infrared", 0.87, 0.03),
  oli("swir16", 6, "Short-wave Infrared Band 1.6", "Short-wave infrared", 1.61, 0.09),
  oli("swir22", 7, "Short-wave Infrared Band 2.2", "Short-wave infrared", 2.2, 0.19),
  {
    key: "lwir11",
    file: "ST_B10.TIF",
    band: "ST_B10",
    kind: "temperature",
    spectral: -1,
    factor: 1,
    title: "Surface Temperature Band",
    eo: {
      name: "TIRS_B10",
      common_name: "lwir11",
      description: "Long-wave infrared",
      center_wavelength: 10.9,
      full_width_half_max: 0.59,
    },
  },
];

/** ETM+ or TM: the same six bands and thermal band 6, without coastal, and as their detectors respond. */
function olderLandsat(prefix: "ETM" | "TM", thermal: readonly [centre: number, width: number]): readonly AssetPlan[] {
  const six = [
    ["blue", 1, 0.49, 0.07],
    ["green", 2, 0.56, 0.08],
    ["red", 3, 0.66, 0.06],
    ["nir08", 4, 0.83, 0.14],
    ["swir16", 5, 1.65, 0.2],
    ["swir22", 7, 2.22, 0.27],
  ] as const;
  const others = LANDSAT_ASSETS.filter(({ kind }) => kind === "qa_pixel" || kind === "qa_radsat");
  const bands = six.map(([key, number, centre, width]): AssetPlan => {
    const like = LANDSAT_ASSETS.find((plan) => plan.key === key);
    const description = String(like?.eo?.description ?? key);
    const plan = oli(key, number, like?.title ?? key, description, centre, width);
    return { ...plan, response: "etm", eo: { ...plan.eo, name: `${prefix}_B${number}` } };
  });
  const [center_wavelength, full_width_half_max] = thermal;
  const description = "Long-wave infrared";
  return [
    ...others,
    ...bands,
    {
      key: "lwir",
      file: "ST_B6.TIF",
      band: "ST_B6",
      kind: "temperature",
      spectral: -1,
      factor: 1,
      title: "Surface Temperature Band",
      eo: { name: `${prefix}_B6`, common_name: "lwir", description, center_wavelength, full_width_half_max },
    },
  ];
}

const ETM_ASSETS = olderLandsat("ETM", [11.34, 2.05]);
const TM_ASSETS = olderLandsat("TM", [11.45, 2.1]);

/** The files of a Landsat scene by its platform. */
export function landsatAssets(platform: Acquisition["platform"]): readonly AssetPlan[] {
  return { "landsat-5": TM_ASSETS, "landsat-7": ETM_ASSETS }[platform as string] ?? LANDSAT_ASSETS;
}

function hls(key: ReflectanceBand, band: string): AssetPlan {
  return { key: band, file: `${band}.tif`, band, kind: "reflectance", spectral: spectral(key), factor: 1, title: band };
}

const HLS_COMMON: readonly AssetPlan[] = [
  { key: "Fmask", file: "Fmask.tif", band: "Fmask", kind: "fmask", spectral: -1, factor: 1, title: "Fmask" },
  hls("coastal", "B01"),
  hls("blue", "B02"),
  hls("green", "B03"),
  hls("red", "B04"),
];
/** Keys are those of CMR-STAC: the band numbers of each sensor. */
export const HLS_L30_ASSETS: readonly AssetPlan[] = [
  ...HLS_COMMON,
  hls("nir08", "B05"),
  hls("swir16", "B06"),
  hls("swir22", "B07"),
];
export const HLS_S30_ASSETS: readonly AssetPlan[] = [
  ...HLS_COMMON,
  hls("rededge1", "B05"),
  hls("rededge2", "B06"),
  hls("rededge3", "B07"),
  hls("nir", "B08"),
  hls("nir08", "B8A"),
  hls("swir16", "B11"),
  hls("swir22", "B12"),
];

export const SENTINEL_1_ASSETS: readonly AssetPlan[] = (["vv", "vh"] as const).map((polarization) => ({
  key: polarization,
  file: `${polarization}.tif`,
  band: polarization,
  kind: "backscatter",
  spectral: -1,
  factor: 1,
  title: `${polarization.toUpperCase()}: terrain-corrected gamma naught`,
  polarization,
}));

export const DEM_ASSETS: readonly AssetPlan[] = [
  { key: "data", file: "DEM.tif", band: "elevation", kind: "elevation", spectral: -1, factor: 1, title: "Data" },
];

/** Stored value = round((physical − offset) / scale). */
export interface Scaling {
  readonly scale: number;
  readonly offset: number;
}

/** Baselines 04.00 and above add 1000 to the digital number (ESA, Sentinel-2 products specification). */
export function sentinel2Scaling(baseline: string): Scaling {
  return { scale: 0.0001, offset: baseline >= "04.00" ? -0.1 : 0 };
}

/** Landsat Collection 2 Level-2 scale factors (USGS). */
export const LANDSAT_REFLECTANCE: Scaling = { scale: 0.0000275, offset: -0.2 };
/** HLS v2.0: int16, nodata −9999 (HLS user guide). */
export const HLS_REFLECTANCE: Scaling = { scale: 0.0001, offset: 0 };
export const HLS_NODATA = -9999;
/** Nodata of Planetary Computer's `sentinel-1-rtc`. */
export const SENTINEL_1_NODATA = -32_768;
export const LANDSAT_TEMPERATURE: Scaling = { scale: 0.00341802, offset: 149 };
