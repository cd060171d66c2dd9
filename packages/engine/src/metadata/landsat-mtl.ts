import type { BandFactors } from "@swath/schema";

type Members = Readonly<Record<string, unknown>>;

/** Factors in the MTL document of a Landsat scene. */
export interface LandsatMtl {
  /**
   * At-sensor reflectance of a spectral band: (M × DN + A) / sin(sun elevation) (USGS LSDS-1822, section 5).
   *
   * @param band as the document calls it: `4`, `6_VCID_1`.
   * @returns `undefined` where the document lacks a factor, or the sun is below the horizon.
   */
  reflectance(band: string): BandFactors | undefined;
  /** Radiance of a thermal band with the constants of its brightness temperature. */
  thermal(band: string): BandFactors | undefined;
}

/** Reads the MTL document of Landsat Collection 2 in JSON; `undefined` for what is none. */
export function parseLandsatMtl(document: unknown): LandsatMtl | undefined {
  const root = membersOf(membersOf(document).LANDSAT_METADATA_FILE);
  const rescaling = membersOf(root.LEVEL1_RADIOMETRIC_RESCALING);
  if (Object.keys(rescaling).length === 0) return undefined;
  const constants = membersOf(root.LEVEL1_THERMAL_CONSTANTS);
  const elevation = numberOf(membersOf(root.IMAGE_ATTRIBUTES).SUN_ELEVATION);
  const sine = elevation === undefined ? Number.NaN : Math.sin((elevation * Math.PI) / 180);
  return {
    reflectance: (band) => {
      const scale = numberOf(rescaling[`REFLECTANCE_MULT_BAND_${band}`]);
      const offset = numberOf(rescaling[`REFLECTANCE_ADD_BAND_${band}`]);
      if (scale === undefined || offset === undefined || !(sine > 0)) return undefined;
      return { scale: scale / sine, offset: offset / sine };
    },
    thermal: (band) => {
      const scale = numberOf(rescaling[`RADIANCE_MULT_BAND_${band}`]);
      const offset = numberOf(rescaling[`RADIANCE_ADD_BAND_${band}`]);
      const k1 = numberOf(constants[`K1_CONSTANT_BAND_${band}`]);
      const k2 = numberOf(constants[`K2_CONSTANT_BAND_${band}`]);
      if (scale === undefined || offset === undefined || k1 === undefined || k2 === undefined) return undefined;
      return { scale, offset, brightness: { k1, k2 } };
    },
  };
}

function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** Numbers are text in Collection 2. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : undefined;
}
