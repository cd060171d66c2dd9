import { CrsError } from "../errors.ts";
import { findEpsgDefinition } from "./epsg.ts";
import { projectionOf } from "./projection.ts";

/**
 * A coordinate reference system. Coordinates are always x, y: east, north, or longitude, latitude in degrees where
 * `geographic`, whatever axis order an authority states. `name` is `EPSG:n`, or `proj4:` and the definition.
 */
export interface Crs {
  readonly name: string;
  readonly proj4: string;
  readonly epsg?: number;
  readonly geographic: boolean;
}

const registered = new Map<number, string>();
const byCode = new Map<number, Crs>();

const NAMES = [
  /^EPSG:(\d{1,6})$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]+\/(\d{1,6})$/i,
  /^urn:(?:x-)?ogc:def:crs:EPSG:[^:]*:(\d{1,6})$/i,
];
const CRS84 =
  /^(?:CRS84|OGC:CRS84|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/(?:1\.3|0)\/CRS84|urn:ogc:def:crs:OGC:(?:1\.3)?:CRS84)$/i;

/**
 * Reads `EPSG:n`, the OGC URI or URN of an EPSG code, the names of CRS84 (which is EPSG:4326 here: x is longitude
 * either way), or a name of `crsFromProj4` (`proj4:+proj=…`).
 *
 * @throws {CrsError} `unknown-crs` for any other name and for codes neither known nor registered.
 */
export function resolveCrs(name: string): Crs {
  if (name.startsWith("proj4:")) return crsFromProj4(name.slice("proj4:".length));
  const code = CRS84.test(name) ? 4326 : Number(NAMES.map((form) => form.exec(name)?.[1]).find((n) => n !== undefined));
  const known = byCode.get(code);
  if (known !== undefined) return known;
  const definition = registered.get(code) ?? findEpsgDefinition(code);
  if (definition === undefined) throw new CrsError("unknown-crs", `Expected a known CRS, got "${name}".`);
  const crs = crsFromProj4(definition, code);
  byCode.set(code, crs);
  return crs;
}

/**
 * A CRS from a proj4 definition, which must begin with `+proj=`.
 *
 * @throws {CrsError} `invalid-crs` where proj4 cannot use it.
 */
export function crsFromProj4(definition: string, epsg?: number): Crs {
  const proj4 = definition.trim().replace(/\s+/g, " ");
  const name = epsg === undefined ? `proj4:${proj4}` : `EPSG:${epsg}`;
  const { geographic } = projectionOf(proj4);
  return epsg === undefined ? { name, proj4, geographic } : { name, proj4, epsg, geographic };
}

/**
 * Makes an EPSG code known to `resolveCrs`, for this process; a code known already is replaced.
 *
 * @throws {CrsError} `invalid-crs` where proj4 cannot use the definition.
 */
export function registerCrs(epsg: number, proj4: string): void {
  byCode.set(epsg, crsFromProj4(proj4, epsg));
  registered.set(epsg, proj4);
}

/** Whether coordinates mean the same in both. */
export function sameCrs(a: Crs, b: Crs): boolean {
  return a === b || a.proj4 === b.proj4 || (a.epsg !== undefined && a.epsg === b.epsg);
}
