/** Whole words that name a band: as Sentinel-2 and Landsat number them, a colour or a common name of STAC, a polarization. */
const BAND =
  /(?<![A-Za-z0-9])(?:(?:[A-Z]{2}_)?B\d{1,2}A?|band[-_ ]?\d{1,2}|coastal|blue|green|yellow|red|rededge\d*|pan|nir\d*|swir\d*|lwir\d*|[VH][VH])(?![A-Za-z0-9])/gi;

/** The path without the bands that it names, the same for all files of a scene; undefined where it names none. */
export function withoutBand(path: string): string | undefined {
  const rest = path.replace(BAND, "{band}");
  return rest === path ? undefined : rest;
}
