import { type Crs, EQUATOR_RADIUS } from "@swath/raster";
import { EncodeError } from "../../errors.ts";

/** A GeoKey and its value: whole numbers up to 65535 are SHORTs, `double` values go to GeoDoubleParams, text to GeoAsciiParams. */
export type GeoKey =
  | { readonly key: number; readonly short: number }
  | { readonly key: number; readonly double: number }
  | { readonly key: number; readonly text: string };

const USER_DEFINED = 32767;
const KEY = {
  geographicType: 2048,
  geogCitation: 2049,
  geodeticDatum: 2050,
  primeMeridian: 2051,
  angularUnits: 2054,
  ellipsoid: 2056,
  semiMajor: 2057,
  semiMinor: 2058,
  inverseFlattening: 2059,
  primeMeridianLongitude: 2061,
  projectedType: 3072,
  projectedCitation: 3073,
  projection: 3074,
  coordTrans: 3075,
  linearUnits: 3076,
  linearUnitSize: 3077,
  stdParallel1: 3078,
  stdParallel2: 3079,
  natOriginLong: 3080,
  natOriginLat: 3081,
  falseEasting: 3082,
  falseNorthing: 3083,
  falseOriginLong: 3084,
  falseOriginLat: 3085,
  falseOriginEasting: 3086,
  falseOriginNorthing: 3087,
  centerLong: 3088,
  centerLat: 3089,
  scaleAtNatOrigin: 3092,
  straightVertPoleLong: 3095,
} as const;

type Parameters = ReadonlyMap<string, string>;

function parseProj4(definition: string): Parameters {
  const parameters = new Map<string, string>();
  for (const part of definition.trim().split(/\s+/)) {
    const [name, value] = part.replace(/^\+/, "").split("=", 2);
    if (name) parameters.set(name, value ?? "");
  }
  return parameters;
}

/** Codes of the EPSG registry, by the names that PROJ has. */
const DATUMS: Record<string, number> = { WGS84: 4326, NAD83: 4269, NAD27: 4267, OSGB36: 4277, potsdam: 4314 };
const ELLIPSOIDS: Record<string, number> = {
  WGS84: 7030,
  GRS80: 7019,
  WGS72: 7043,
  intl: 7022,
  bessel: 7004,
  clrk66: 7008,
  krass: 7024,
  airy: 7001,
};
/** Radius in metres of what PROJ calls `sphere`, which has no code. */
const SPHERE_RADIUS = 6_370_997;
const UNITS: Record<string, readonly [code: number, metres: number]> = {
  m: [9001, 1],
  ft: [9002, 0.3048],
  "us-ft": [9003, 1200 / 3937],
};
/** Values that say "no change": their presence alters nothing. */
const IGNORED = new Set([
  "proj",
  "no_defs",
  "type",
  "wktext",
  "over",
  "units",
  "to_meter",
  "datum",
  "ellps",
  "a",
  "b",
  "rf",
  "R",
]);

function refuse(crs: Crs, reason: string): EncodeError {
  return new EncodeError("unsupported-crs", `GeoKeys cannot express ${crs.name}: ${reason}.`);
}

function numberOf(crs: Crs, parameters: Parameters, name: string, fallback: number): number {
  const text = parameters.get(name);
  const value = text === undefined ? fallback : Number(text);
  if (text === "" || !Number.isFinite(value)) throw refuse(crs, `+${name}=${text} is not a number`);
  return value;
}

function ellipsoidKeys(crs: Crs, parameters: Parameters): GeoKey[] {
  const named = parameters.get("ellps") ?? (parameters.get("datum") === "WGS84" ? "WGS84" : undefined);
  const isSphere = named === "sphere";
  const code = named === undefined ? undefined : ELLIPSOIDS[named];
  if (code !== undefined) return [{ key: KEY.ellipsoid, short: code }];
  if (named !== undefined && !isSphere) throw refuse(crs, `unknown ellipsoid ${named}`);
  const radius = parameters.has("R") ? "R" : "a";
  const a = isSphere ? SPHERE_RADIUS : numberOf(crs, parameters, radius, EQUATOR_RADIUS);
  // PROJ's own default ellipsoid is GRS80
  const hasShape = isSphere || ["R", "a", "b", "rf"].some((name) => parameters.has(name));
  if (!hasShape) return [{ key: KEY.ellipsoid, short: 7019 }];
  const keys: GeoKey[] = [
    { key: KEY.ellipsoid, short: USER_DEFINED },
    { key: KEY.semiMajor, double: a },
  ];
  if (parameters.has("rf")) keys.push({ key: KEY.inverseFlattening, double: numberOf(crs, parameters, "rf", 0) });
  else keys.push({ key: KEY.semiMinor, double: numberOf(crs, parameters, "b", a) });
  return keys;
}

function geographicKeys(crs: Crs, parameters: Parameters): GeoKey[] {
  const degrees: GeoKey = { key: KEY.angularUnits, short: 9102 };
  const shift = parameters.get("towgs84");
  if (shift?.split(",").some((part) => Number(part) !== 0)) throw refuse(crs, "it carries a datum shift (+towgs84)");
  const pm = parameters.get("pm");
  const meridian = pm === undefined || pm === "greenwich" ? 0 : numberOf(crs, parameters, "pm", 0);
  const datum = parameters.get("datum");
  const code = datum === undefined ? undefined : DATUMS[datum];
  if (datum !== undefined && code === undefined) throw refuse(crs, `unknown datum ${datum}`);
  if (code !== undefined && meridian === 0) return [{ key: KEY.geographicType, short: code }, degrees];
  const keys: GeoKey[] = [
    { key: KEY.geographicType, short: USER_DEFINED },
    { key: KEY.geogCitation, text: "unknown" },
    { key: KEY.geodeticDatum, short: USER_DEFINED },
    degrees,
    ...ellipsoidKeys(crs, parameters),
  ];
  if (meridian !== 0) {
    keys.push({ key: KEY.primeMeridian, short: USER_DEFINED }, { key: KEY.primeMeridianLongitude, double: meridian });
  }
  return keys;
}

/** A parameter of a projection: its GeoKey, its PROJ name, the value PROJ takes when it is absent, and whether it is a length. */
type Slot = readonly [key: number, name: string, fallback: number, length?: "length"];

const EASTING: Slot = [KEY.falseEasting, "x_0", 0, "length"];
const NORTHING: Slot = [KEY.falseNorthing, "y_0", 0, "length"];
const ORIGIN: readonly Slot[] = [
  [KEY.natOriginLong, "lon_0", 0],
  [KEY.natOriginLat, "lat_0", 0],
];
const SCALE: Slot = [KEY.scaleAtNatOrigin, "k_0", 1];
const CENTER: readonly Slot[] = [[KEY.centerLong, "lon_0", 0], [KEY.centerLat, "lat_0", 0], EASTING, NORTHING];
const PARALLELS: readonly Slot[] = [
  [KEY.stdParallel1, "lat_1", 0],
  [KEY.stdParallel2, "lat_2", 0],
];
const LONGITUDE: readonly Slot[] = [[KEY.centerLong, "lon_0", 0], EASTING, NORTHING];

interface Method {
  readonly code: number;
  readonly slots: readonly Slot[];
}

// Coordinate transformation codes: GeoTIFF 1.1 (OGC 19-008r4), annex on ProjMethodGeoKey; parameters as libgeotiff reads them.
const METHODS: Record<string, Method> = {
  tmerc: { code: 1, slots: [...ORIGIN, SCALE, EASTING, NORTHING] },
  lcc2: {
    code: 8,
    slots: [
      ...PARALLELS,
      [KEY.falseOriginLong, "lon_0", 0],
      [KEY.falseOriginLat, "lat_0", 0],
      [KEY.falseOriginEasting, "x_0", 0, "length"],
      [KEY.falseOriginNorthing, "y_0", 0, "length"],
    ],
  },
  merc: { code: 7, slots: [...ORIGIN, SCALE, EASTING, NORTHING] },
  merc2: { code: 7, slots: [[KEY.natOriginLong, "lon_0", 0], [KEY.stdParallel1, "lat_ts", 0], EASTING, NORTHING] },
  lcc1: { code: 9, slots: [...ORIGIN, SCALE, EASTING, NORTHING] },
  laea: { code: 10, slots: CENTER },
  aea: { code: 11, slots: [...PARALLELS, ...ORIGIN, EASTING, NORTHING] },
  aeqd: { code: 12, slots: CENTER },
  eqdc: { code: 13, slots: [...PARALLELS, ...ORIGIN, EASTING, NORTHING] },
  ups: {
    code: 15,
    slots: [[KEY.straightVertPoleLong, "lon_0", 0], [KEY.natOriginLat, "lat_ts", 0], SCALE, EASTING, NORTHING],
  },
  sterea: { code: 16, slots: [...ORIGIN, SCALE, EASTING, NORTHING] },
  eqc: {
    code: 17,
    slots: [
      [KEY.centerLong, "lon_0", 0],
      [KEY.centerLat, "lat_0", 0],
      [KEY.stdParallel1, "lat_ts", 0],
      EASTING,
      NORTHING,
    ],
  },
  cass: { code: 18, slots: [...ORIGIN, EASTING, NORTHING] },
  gnom: { code: 19, slots: CENTER },
  mill: { code: 20, slots: LONGITUDE },
  ortho: { code: 21, slots: CENTER },
  poly: { code: 22, slots: [...ORIGIN, EASTING, NORTHING] },
  robin: { code: 23, slots: LONGITUDE },
  sinu: { code: 24, slots: LONGITUDE },
  vandg: { code: 25, slots: LONGITUDE },
  cea: { code: 28, slots: [[KEY.natOriginLong, "lon_0", 0], [KEY.stdParallel1, "lat_ts", 0], EASTING, NORTHING] },
};

/** The method's name above, and parameters under the names its slots use. */
function resolveMethod(crs: Crs, given: Parameters): { method: Method; parameters: Map<string, string> } {
  const parameters = new Map(given);
  const k = parameters.get("k");
  if (k !== undefined) {
    parameters.delete("k");
    if (!parameters.has("k_0")) parameters.set("k_0", k);
  }
  let name = parameters.get("proj") ?? "";
  if (name === "utm") {
    const zone = numberOf(crs, parameters, "zone", Number.NaN);
    for (const [key, value] of [
      ["lon_0", zone * 6 - 183],
      ["k_0", 0.9996],
      ["x_0", 500000],
    ] as const)
      parameters.set(key, String(value));
    parameters.set("y_0", parameters.has("south") ? "10000000" : "0");
    parameters.delete("zone");
    parameters.delete("south");
    name = "tmerc";
  } else if (name === "lcc") {
    const first = parameters.get("lat_1") ?? parameters.get("lat_0") ?? "0";
    const second = parameters.get("lat_2") ?? first;
    if (Number(first) === Number(second) && Number(first) === Number(parameters.get("lat_0") ?? first)) {
      name = "lcc1";
      parameters.set("lat_0", first);
      parameters.delete("lat_1");
      parameters.delete("lat_2");
    } else {
      if (numberOf(crs, parameters, "k_0", 1) !== 1) throw refuse(crs, "a scale on two standard parallels");
      parameters.delete("k_0");
      parameters.set("lat_1", first);
      parameters.set("lat_2", second);
      name = "lcc2";
    }
  } else if (name === "merc" && parameters.has("lat_ts")) {
    name = "merc2";
    if (numberOf(crs, parameters, "k_0", 1) === 1) parameters.delete("k_0");
  } else if (name === "stere") {
    const pole = numberOf(crs, parameters, "lat_0", 0);
    if (Math.abs(pole) !== 90) throw refuse(crs, "a stereographic projection that is not polar");
    const parallel = numberOf(crs, parameters, "lat_ts", pole);
    if (parallel * pole <= 0) throw refuse(crs, "a latitude of true scale on the other hemisphere");
    parameters.set("lat_ts", String(parallel));
    parameters.delete("lat_0");
    name = "ups";
  } else if (name === "eqc" && !parameters.has("lat_ts")) {
    parameters.set("lat_ts", "0");
  }
  const method = METHODS[name];
  if (method === undefined) throw refuse(crs, `no method for +proj=${name}`);
  return { method, parameters };
}

/**
 * GeoKeys of a CRS without an EPSG code, from its PROJ definition.
 *
 * @throws {EncodeError} `unsupported-crs` for projections, datums or parameters that GeoKeys cannot hold; none is
 * dropped silently.
 */
export function projGeoKeys(crs: Crs): GeoKey[] {
  const given = parseProj4(crs.proj4);
  const projection = given.get("proj");
  const geographic = geographicKeys(crs, given);
  const isGeographic = projection === "longlat" || projection === "latlong";
  const { method, parameters } = isGeographic ? { method: undefined, parameters: given } : resolveMethod(crs, given);
  const slots = method?.slots ?? [];
  const harmless = (name: string, value: string): boolean =>
    IGNORED.has(name) ||
    name === "towgs84" ||
    name === "pm" ||
    (name === "axis" && value === "enu") ||
    (name === "k_0" && Number(value) === 1) ||
    (["x_0", "y_0", "lat_0", "lon_0"].includes(name) && Number(value) === 0) ||
    slots.some(([, slot]) => slot === name);
  for (const [name, value] of parameters) {
    if (!harmless(name, value)) throw refuse(crs, `no key for +${name}${value === "" ? "" : `=${value}`}`);
  }
  if (method === undefined) return [{ key: 1024, short: 2 }, ...geographic];
  const unit = given.has("to_meter")
    ? ([USER_DEFINED, numberOf(crs, given, "to_meter", 1)] as const)
    : UNITS[given.get("units") ?? "m"];
  if (unit === undefined) throw refuse(crs, `unknown unit ${given.get("units")}`);
  const [unitCode, metres] = unit;
  const keys: GeoKey[] = [
    { key: 1024, short: 1 },
    ...geographic,
    { key: KEY.projectedType, short: USER_DEFINED },
    { key: KEY.projectedCitation, text: "unknown" },
    { key: KEY.projection, short: USER_DEFINED },
    { key: KEY.coordTrans, short: method.code },
    { key: KEY.linearUnits, short: unitCode },
  ];
  if (unitCode === USER_DEFINED) keys.push({ key: KEY.linearUnitSize, double: metres });
  for (const [key, name, fallback, length] of slots) {
    const value = numberOf(crs, parameters, name, fallback);
    keys.push({ key, double: length === undefined ? value : value / metres });
  }
  return keys;
}
