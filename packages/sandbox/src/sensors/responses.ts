import type { ReflectanceBand } from "../country/spectra.ts";

/** A sensor whose bands measure the ground otherwise than OLI's do: ETM+ and TM, MSI of Sentinel-2A, MSI of the others. */
export type Response = "oli" | "etm" | "msi-a" | "msi-b";

/** OLI's value as a linear function of a sensor's: `offset + slope × sensor`. */
export interface ResponseLine {
  readonly offset: number;
  readonly slope: number;
}

type Lines = Readonly<Partial<Record<ReflectanceBand, ResponseLine>>>;

const OLI_OF: Readonly<Record<Response, Lines>> = {
  oli: {},
  // Roy et al. 2016, doi:10.1016/j.rse.2015.12.024, ordinary least squares; TM is given the response of ETM+
  etm: {
    blue: { offset: 0.0003, slope: 0.8474 },
    green: { offset: 0.0088, slope: 0.8483 },
    red: { offset: 0.0061, slope: 0.9047 },
    nir08: { offset: 0.0412, slope: 0.8462 },
    swir16: { offset: 0.0254, slope: 0.8937 },
    swir22: { offset: 0.0172, slope: 0.9071 },
  },
  // NASA, HLS Product User Guide v2.0, bandpass adjustment; the broad near infrared is given the narrow one's
  "msi-a": {
    coastal: { offset: -0.0002, slope: 0.9959 },
    blue: { offset: -0.004, slope: 0.9778 },
    green: { offset: -0.0009, slope: 1.0053 },
    red: { offset: 0.0009, slope: 0.9765 },
    nir: { offset: -0.0001, slope: 0.9983 },
    nir08: { offset: -0.0001, slope: 0.9983 },
    swir16: { offset: -0.0011, slope: 0.9987 },
    swir22: { offset: -0.0012, slope: 1.003 },
  },
  "msi-b": {
    coastal: { offset: -0.0002, slope: 0.9959 },
    blue: { offset: -0.004, slope: 0.9778 },
    green: { offset: -0.0008, slope: 1.0075 },
    red: { offset: 0.001, slope: 0.9761 },
    nir: { offset: 0, slope: 0.9966 },
    nir08: { offset: 0, slope: 0.9966 },
    swir16: { offset: -0.0003, slope: 1 },
    swir22: { offset: 0.0004, slope: 0.9867 },
  },
};

/**
 * Returns the value that a sensor's band measures for a surface reflectance (0 to 1, as OLI measures it): the inverse
 * of the published regression, so that harmonizing with it gives the truth back. ETM+ over dark water is slightly below
 * 0.
 */
export function seenBy(response: Response, band: ReflectanceBand, reflectance: number): number {
  return seenAlong(lineOf(response, band), reflectance);
}

/**
 * The response of MSI on a platform of Sentinel-2. None is published for Sentinel-2C: it is given that of Sentinel-2B.
 */
export function responseOfMsi(platform: string): Response {
  return platform === "sentinel-2a" ? "msi-a" : "msi-b";
}

const SAME: ResponseLine = { offset: 0, slope: 1 };

/** Returns the line of a sensor's band; that of a band without one changes nothing. */
export function lineOf(response: Response, band: ReflectanceBand): ResponseLine {
  return OLI_OF[response][band] ?? SAME;
}

/** `seenBy` for the line of a sensor's band. */
export function seenAlong({ offset, slope }: ResponseLine, reflectance: number): number {
  return (reflectance - offset) / slope;
}
