import { findDay, findInstant } from "@swath/query";
import { type Json, listOf, numberOf, numbersOf, textOf } from "./json.ts";
import { mgrsTile } from "./mgrs.ts";

/** Members of other versions and namespaces that are rewritten elsewhere or have no place in STAC 1.1.0. */
const REWRITTEN =
  /^(storage:(platform|region|requester_pays|tier)|proj:(epsg|code|shape|transform)|eo:(bands|platform|instrument|sun_azimuth|sun_elevation|off_nadir|gsd))$/;

const TIMES = ["datetime", "start_datetime", "end_datetime", "created", "updated"];

/**
 * The platform in lowercase with hyphens (`LANDSAT_8` → `landsat-8`), from `platform`, from `eo:platform` of STAC
 * 0.7, or from the id (`LC09_…`, `S2B_…`).
 */
export function platformOf(id: string, properties: Json): string | undefined {
  const named = textOf(properties.platform) ?? textOf(properties["eo:platform"]);
  if (named !== undefined) return named.toLowerCase().replaceAll("_", "-");
  const landsat = /^L[COTEM]0(\d)_/.exec(id);
  if (landsat !== null) return `landsat-${landsat[1]}`;
  const sentinel = /^S2([A-D])_/.exec(id);
  return sentinel === null ? undefined : `sentinel-2${sentinel[1]?.toLowerCase()}`;
}

/** The EPSG code of `proj:epsg` or `proj:code`; `undefined` for a CRS without one. */
export function epsgOf(object: Json): number | undefined {
  const code = /^EPSG:(\d+)$/i.exec(textOf(object["proj:code"]) ?? "");
  return code === null ? numberOf(object["proj:epsg"]) : Number(code[1]);
}

/** Row and column count and the six numbers of the affine transform, where both are well formed. */
export function gridOf(object: Json): Json {
  const shape = numbersOf(object["proj:shape"]);
  const transform = numbersOf(object["proj:transform"]);
  return {
    ...(shape?.length === 2 && shape.every(Number.isInteger) ? { "proj:shape": shape } : {}),
    ...(transform?.length === 6 || transform?.length === 9 ? { "proj:transform": transform.slice(0, 6) } : {}),
  };
}

/** What all collections have in common: times, platform, instruments, angles and CRS in one form. */
export function commonProperties(id: string, properties: Json): Record<string, unknown> & { datetime: string | null } {
  const result: Record<string, unknown> & { datetime: string | null } = { datetime: null };
  for (const [key, value] of Object.entries(properties)) {
    if (value !== null && !REWRITTEN.test(key)) result[key] = value;
  }
  for (const key of TIMES) {
    if (result[key] !== undefined) result[key] = dateTime(result[key]);
    if (result[key] === undefined) delete result[key];
  }
  result.datetime ??= null;
  const platform = platformOf(id, properties);
  if (platform !== undefined) result.platform = platform;
  const instruments = instrumentsOf(properties);
  if (instruments !== undefined) result.instruments = instruments;
  const cover = numberOf(result["eo:cloud_cover"]);
  if (cover === undefined || cover < 0 || cover > 100) delete result["eo:cloud_cover"];
  takeAngles(properties, result);
  const epsg = epsgOf(properties);
  if (epsg !== undefined) Object.assign(result, { "proj:code": `EPSG:${epsg}`, "proj:epsg": epsg });
  return result;
}

/** What Sentinel-2 items need on top. */
export function sentinel2Properties(id: string, properties: Json): Record<string, unknown> {
  const tile = mgrsTile(id, properties);
  const product = textOf(properties["s2:product_uri"]) ?? textOf(properties["sentinel:product_id"]) ?? "";
  const baseline =
    textOf(properties["s2:processing_baseline"]) ??
    textOf(properties["sentinel:processing_baseline"]) ??
    /_N(\d\d)(\d\d)_/.exec(product)?.slice(1).join(".");
  const applied = properties["earthsearch:boa_offset_applied"] ?? properties["sentinel:boa_offset_applied"];
  return {
    ...(tile === undefined ? {} : { "s2:mgrs_tile": tile }),
    ...(baseline === undefined ? {} : { "s2:processing_baseline": baseline }),
    ...(applied === undefined ? {} : { "earthsearch:boa_offset_applied": applied }),
  };
}

/** What Landsat items need on top: path and row of three digits, the correction level where it stands in the id only. */
export function landsatProperties(id: string, properties: Json): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const key of ["landsat:wrs_path", "landsat:wrs_row"]) {
    const value = properties[key];
    if (typeof value === "string" || typeof value === "number") result[key] = String(value).padStart(3, "0");
  }
  const correction = textOf(properties["landsat:correction"]) ?? /_(L2SP|L2SR)_/.exec(id)?.[1];
  if (correction !== undefined) result["landsat:correction"] = correction;
  return result;
}

/** RFC 3339 in UTC: a bare date is its first second; `undefined` for what is no time. */
function dateTime(value: unknown): string | undefined {
  const text = textOf(value);
  if (text === undefined) return undefined;
  if (findDay(text) !== undefined) return `${text}T00:00:00Z`;
  return findInstant(text) === undefined ? undefined : text.replace(/(\+00:00|z)$/, "Z").replace("t", "T");
}

function instrumentsOf(properties: Json): string[] | undefined {
  const texts = listOf(properties.instruments).filter((name) => typeof name === "string");
  const names = texts.length > 0 ? texts : textOf(properties["eo:instrument"])?.split("_");
  return names?.map((name) => name.toLowerCase());
}

/** Angles under the names of the view extension; azimuths, which Landsat writes in ±180, as 0 to 360. */
function takeAngles(properties: Json, result: Record<string, unknown>): void {
  for (const name of ["sun_azimuth", "sun_elevation", "off_nadir"]) {
    const value = numberOf(properties[`view:${name}`]) ?? numberOf(properties[`eo:${name}`]);
    if (value !== undefined) result[`view:${name}`] = value;
  }
  for (const key of ["view:sun_azimuth", "view:azimuth"]) {
    const value = numberOf(result[key]);
    if (value !== undefined && value < 0) result[key] = value + 360;
  }
}
