import { REFLECTANCE_BANDS, type ReflectanceBand } from "./spectra.ts";

/**
 * What a sensor measures where Landsat 8 OLI would measure `oli`: the inverse of the published transformation
 * OLI = slope × sensor + offset.
 */
export type SensorResponse = (oli: number) => number;

type Table = Readonly<Partial<Record<ReflectanceBand, readonly [slope: number, offset: number]>>>;

/** NASA, HLS Product User Guide v2.0, bandpass adjustment. The broad near infrared is taken for the narrow one. */
const SENTINEL_2A: Table = {
  coastal: [0.9959, -0.0002],
  blue: [0.9778, -0.004],
  green: [1.0053, -0.0009],
  red: [0.9765, 0.0009],
  nir: [0.9983, -0.0001],
  nir08: [0.9983, -0.0001],
  swir16: [0.9987, -0.0011],
  swir22: [1.003, -0.0012],
};
/** The same source; Sentinel-2C, of which none are published there, is taken for Sentinel-2B. */
const SENTINEL_2B: Table = {
  coastal: [0.9959, -0.0002],
  blue: [0.9778, -0.004],
  green: [1.0075, -0.0008],
  red: [0.9761, 0.001],
  nir: [0.9966, 0],
  nir08: [0.9966, 0],
  swir16: [1, -0.0003],
  swir22: [0.9867, 0.0004],
};
/** Roy et al. 2016, doi:10.1016/j.rse.2015.12.024: surface reflectance, ordinary least squares. TM is taken for ETM+. */
const ETM: Table = {
  blue: [0.8474, 0.0003],
  green: [0.8483, 0.0088],
  red: [0.9047, 0.0061],
  nir08: [0.8462, 0.0412],
  swir16: [0.8937, 0.0254],
  swir22: [0.9071, 0.0172],
};

const TABLES: Readonly<Record<string, Table>> = {
  "sentinel-2a": SENTINEL_2A,
  "sentinel-2b": SENTINEL_2B,
  "sentinel-2c": SENTINEL_2B,
  "landsat-4": ETM,
  "landsat-5": ETM,
  "landsat-7": ETM,
};

const REFERENCE: SensorResponse = (oli) => oli;

/**
 * The response of a platform's sensor in a band; bands without a published transformation, and OLI itself, measure what
 * OLI does.
 *
 * @param band index into `REFLECTANCE_BANDS`
 */
export function responseOf(platform: string, band: number): SensorResponse {
  const name = REFLECTANCE_BANDS[band];
  const coefficients = name === undefined || !Object.hasOwn(TABLES, platform) ? undefined : TABLES[platform]?.[name];
  if (coefficients === undefined) return REFERENCE;
  const [slope, offset] = coefficients;
  return (oli) => (oli - offset) / slope;
}
