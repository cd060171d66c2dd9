import { CrsError } from "../errors.ts";
import { METRES_PER_LATITUDE } from "./earth.ts";
import { builtInDefinition } from "./epsg.ts";
import { type EpsgTable, REFUSAL_TEXT, readEpsgTable } from "./epsg-table.ts";
import { projectionOf } from "./projection.ts";

/**
 * A coordinate reference system. Coordinates are always x, y: east, north (west, south where the definition has `+axis=wsu`), or longitude, latitude in degrees where
 * `geographic`, whatever axis order an authority states. `name` is `EPSG:n`, or `proj4:` and the definition.
 */
export interface Crs {
  readonly name: string;
  readonly proj4: string;
  readonly epsg?: number;
  readonly geographic: boolean;
}

/** Metres of the units that PROJ names (its `units.c`), as far as definitions of EPSG have them. */
const UNITS: Readonly<Record<string, number>> = { m: 1, km: 1000, ft: 0.3048, "us-ft": 1200 / 3937 };

/** Metres of one unit of the coordinates of a CRS; of a geographic one along a meridian, in the mean. */
export function metresPerUnit({ geographic, proj4 }: Pick<Crs, "geographic" | "proj4">): number {
  if (geographic) return METRES_PER_LATITUDE;
  const stated = Number(/\+to_meter=(\S+)/.exec(proj4)?.[1]);
  if (Number.isFinite(stated)) return stated;
  return UNITS[/\+units=(\S+)/.exec(proj4)?.[1] ?? "m"] ?? 1;
}

const registered = new Map<number, string>();
const byCode = new Map<number, Crs>();
let table: EpsgTable | undefined;
let loading: Promise<EpsgTable> | undefined;

const NAMES = [
  /^EPSG:(\d{1,6})$/i,
  /^https?:\/\/www\.opengis\.net\/def\/crs\/EPSG\/[^/]+\/(\d{1,6})$/i,
  /^urn:(?:x-)?ogc:def:crs:EPSG:[^:]*:(\d{1,6})$/i,
];
const CRS84 =
  /^(?:CRS84|OGC:CRS84|https?:\/\/www\.opengis\.net\/def\/crs\/OGC\/(?:1\.3|0)\/CRS84|urn:ogc:def:crs:OGC:(?:1\.3)?:CRS84)$/i;

/**
 * Reads `EPSG:n`, the OGC URI or URN of an EPSG code, the names of CRS84 (which is EPSG:4326 here: x is longitude
 * either way), or a name of `crsFromProj4` (`proj4:+proj=…`). Some 210 codes are known at once, those registered, and, once `loadCrs`
 * was called for any of them, some 4,400 more.
 *
 * @throws {CrsError} `unknown-crs` for any other name and for codes neither known nor registered.
 */
export function resolveCrs(name: string): Crs {
  if (name.startsWith("proj4:")) return crsFromProj4(name.slice("proj4:".length));
  const code = codeOf(name);
  const known = byCode.get(code);
  if (known !== undefined) return known;
  const definition = registered.get(code) ?? builtInDefinition(code);
  if (definition !== undefined) return keep(code, definition);
  if (table === undefined || Number.isNaN(code)) {
    throw new CrsError("unknown-crs", `Expected a known CRS, got "${name}".`);
  }
  const found = table.find(code);
  if ("definition" in found) return keep(code, found.definition);
  const { refusal } = found;
  throw new CrsError("unknown-crs", `Expected a known CRS: EPSG:${code} ${REFUSAL_TEXT[refusal]}.`, { refusal });
}

/**
 * As `resolveCrs`, for all EPSG codes of projected and geographic CRSs whose transform is within a metre of PROJ's: their
 * definitions (some 40 kB, compressed) are loaded once, when a code is asked for that needs no less. `resolveCrs` knows
 * them from then on.
 *
 * @throws {CrsError} `unknown-crs` for other names; `refusal` says why: a grid file is needed for the shift of its datum, no
 * single shift holds over its area of use, or its projection is not supported. Whatever the loading of the module throws.
 */
export async function loadCrs(name: string): Promise<Crs> {
  try {
    return resolveCrs(name);
  } catch (error) {
    if (table !== undefined || Number.isNaN(codeOf(name))) throw error;
  }
  loading ??= import("./epsg-data.ts").then(readEpsgTable).catch((cause: unknown) => {
    loading = undefined;
    throw cause;
  });
  table = await loading;
  return resolveCrs(name);
}

/** The EPSG code of a name; NaN where it names none. */
function codeOf(name: string): number {
  return CRS84.test(name) ? 4326 : Number(NAMES.map((form) => form.exec(name)?.[1]).find((n) => n !== undefined));
}

function keep(code: number, definition: string): Crs {
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
