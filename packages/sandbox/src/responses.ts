import type { ReflectanceBand } from "./spectra.ts";

/** A sensor whose bands see the ground otherwise than those of OLI and MSI, which see it alike here. */
export type Response = "oli" | "etm";

/**
 * OLI surface reflectance as a linear function of ETM+ surface reflectance, `offset + slope × ETM+` (Roy et al. 2016,
 * doi:10.1016/j.rse.2015.12.024, ordinary least squares). TM is given the response of ETM+.
 */
const OLI_OF_ETM: Partial<Record<ReflectanceBand, { readonly offset: number; readonly slope: number }>> = {
  blue: { offset: 0.0003, slope: 0.8474 },
  green: { offset: 0.0088, slope: 0.8483 },
  red: { offset: 0.0061, slope: 0.9047 },
  nir08: { offset: 0.0412, slope: 0.8462 },
  swir16: { offset: 0.0254, slope: 0.8937 },
  swir22: { offset: 0.0172, slope: 0.9071 },
};

/**
 * What a sensor's band sees of a surface reflectance (0 to 1, as OLI and MSI see it). ETM+ and TM see the inverse of the
 * published regression, so that harmonizing with it gives the truth back; over dark water that is slightly below 0.
 */
export function seenBy(response: Response, band: ReflectanceBand, reflectance: number): number {
  const line = response === "etm" ? OLI_OF_ETM[band] : undefined;
  return line === undefined ? reflectance : (reflectance - line.offset) / line.slope;
}
