import type { Affine, Crs, Grid } from "@swath/raster";
import { type GeoKey, projGeoKeys } from "./proj-geokeys.ts";
import type { TiffField } from "./tiff.ts";

const GEO_DOUBLE_PARAMS = 34736;
const GEO_ASCII_PARAMS = 34737;

/** An EPSG code goes into a SHORT key; 32767 means user-defined and larger ones do not fit. */
function crsKeys(crs: Crs): GeoKey[] {
  if (crs.epsg === undefined || crs.epsg < 1024 || crs.epsg >= 32767) return projGeoKeys(crs);
  return crs.geographic
    ? [
        { key: 1024, short: 2 },
        { key: 2048, short: crs.epsg },
      ]
    : [
        { key: 1024, short: 1 },
        { key: 3072, short: crs.epsg },
      ];
}

function transformFields([a, b, c, d, e, f]: Affine): TiffField[] {
  if (b === 0 && d === 0 && a > 0 && e < 0) {
    return [
      { tag: 33550, kind: "double", values: [a, -e, 0] },
      { tag: 33922, kind: "double", values: [0, 0, 0, c, f, 0] },
    ];
  }
  return [{ tag: 34264, kind: "double", values: [a, b, 0, c, d, e, 0, f, 0, 0, 0, 0, 0, 0, 0, 1] }];
}

/**
 * Returns the fields that place the pixels: pixel scale and tie point for a north-up grid, a transformation otherwise,
 * and the GeoKeys of its CRS (GeoTIFF 1.1, OGC 19-008r4), PixelIsArea.
 *
 * @throws {EncodeError} `unsupported-crs` where GeoKeys cannot express the CRS.
 */
export function geoFields(grid: Grid): TiffField[] {
  const keys: GeoKey[] = [{ key: 1025, short: 1 }, ...crsKeys(grid.crs)];
  keys.sort((one, other) => one.key - other.key);
  const directory = [1, 1, 0, keys.length];
  const doubles: number[] = [];
  let text = "";
  for (const key of keys) {
    if ("short" in key) {
      directory.push(key.key, 0, 1, key.short);
    } else if ("double" in key) {
      directory.push(key.key, GEO_DOUBLE_PARAMS, 1, doubles.length);
      doubles.push(key.double);
    } else {
      directory.push(key.key, GEO_ASCII_PARAMS, key.text.length + 1, text.length);
      text += `${key.text}|`;
    }
  }
  const fields: TiffField[] = [...transformFields(grid.transform), { tag: 34735, kind: "short", values: directory }];
  if (doubles.length > 0) fields.push({ tag: GEO_DOUBLE_PARAMS, kind: "double", values: doubles });
  if (text !== "") fields.push({ tag: GEO_ASCII_PARAMS, kind: "ascii", text });
  return fields;
}
