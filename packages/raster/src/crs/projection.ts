import proj4 from "proj4";
import { CrsError } from "../errors.ts";
import { colombiaUrban } from "./colombia-urban.ts";
import { EQUATOR_RADIUS } from "./earth.ts";

/** Longitude and latitude in radians; NaN where undefined. Written to by every call, so that none allocates. */
export interface Point {
  x: number;
  y: number;
}

/** One proj4 projection behind checks. Both directions work in place on `point`. */
export interface Projection {
  readonly geographic: boolean;
  /** x depends on longitude alone and y on latitude alone. */
  readonly cylindrical: boolean;
  /** The shift of x that leads to the same point; 0 where x does not wrap. */
  readonly period: number;
  /** Datum as proj4 parameters; empty for WGS 84 and for those taken to equal it. */
  readonly datum: string;
  toGeodetic(point: Point): void;
  fromGeodetic(point: Point): void;
}

type ProjInstance = InstanceType<typeof proj4.Proj>;

const RADIANS = Math.PI / 180;
const HALF_PI = Math.PI / 2;
const TWO_PI = 2 * Math.PI;
/** Axes to the west and the south, of transverse Mercator as South Africa uses it: both coordinates negated. */
const SOUTH_WEST = / \+axis=wsu(?= |$)/;
const cache = new Map<string, Projection>();

// its types want all that an instance has; the number is for projections without names
proj4.Proj.projections.add(colombiaUrban as unknown as ProjInstance, 0);

/**
 * The projection of a proj4 definition; made once for each definition.
 *
 * @throws {CrsError} `invalid-crs` where proj4 cannot use it.
 */
export function projectionOf(definition: string): Projection {
  let projection = cache.get(definition);
  if (projection === undefined) {
    projection = makeProjection(definition);
    if (cache.size >= 1000) cache.clear(); // definitions may come from files: bounded
    cache.set(definition, projection);
  }
  return projection;
}

function makeProjection(definition: string): Projection {
  const kind = /^\+proj=(\w+)/.exec(definition)?.[1];
  // a bare code would be looked up in proj4's own global table
  if (kind === undefined) {
    throw new CrsError("invalid-crs", `Expected a definition that begins with +proj=, got "${definition}".`);
  }
  const sign = SOUTH_WEST.test(definition) ? -1 : 1;
  const eastNorth = definition.replace(SOUTH_WEST, "");
  if (kind === "geocent" || /\+axis=(?!enu)/.test(eastNorth)) {
    throw new CrsError("invalid-crs", `Expected two-dimensional x, y coordinates, got "${definition}".`);
  }
  let proj: ProjInstance;
  try {
    proj = new proj4.Proj(eastNorth);
  } catch (cause) {
    throw new CrsError("invalid-crs", `Expected a definition that proj4 can use, got "${definition}".`, { cause });
  }
  const number = (name: string): number | undefined => {
    const value: unknown = Reflect.get(proj, name);
    return typeof value === "number" ? value : undefined;
  };
  const geographic = kind === "longlat" || kind === "latlong" || kind === "lonlat" || kind === "latlon";
  const mercator = kind === "merc";
  const transverse = kind === "utm" || kind === "tmerc" || kind === "etmerc";
  const toMeter = geographic ? 1 : (number("to_meter") ?? 1);
  const longitude0 = number("long0") ?? 0;
  const a = number("a") ?? EQUATOR_RADIUS;
  const radius = a * (number("k0") ?? 1);
  const datum = datumOf(definition);
  const check = !geographic && !mercator && !transverse;

  const forward = (point: Point): void => {
    try {
      const out: Point | null | undefined = proj.forward(point);
      point.x = out ? out.x : Number.NaN;
      point.y = out ? out.y : Number.NaN;
    } catch {
      point.x = point.y = Number.NaN;
    }
  };
  const inverse = (point: Point): void => {
    try {
      const out: Point | null | undefined = proj.inverse(point);
      point.x = out ? out.x : Number.NaN;
      point.y = out ? out.y : Number.NaN;
    } catch {
      point.x = point.y = Number.NaN;
    }
  };

  const toGeodetic = (point: Point): void => {
    const { x, y } = point;
    if (!(Number.isFinite(x) && Number.isFinite(y))) {
      point.x = point.y = Number.NaN;
      return;
    }
    if (geographic) {
      point.x = wrapLongitude(x * RADIANS);
      point.y = clampLatitude(y * RADIANS);
      return;
    }
    const mx = sign * x * toMeter;
    const my = sign * y * toMeter;
    // proj4 wraps longitudes once only, so far-away copies of a Mercator map are brought back first
    point.x = mercator && Math.abs(mx) > 3 * Math.PI * radius ? mx % (TWO_PI * radius) : mx;
    point.y = my;
    inverse(point);
    const lon = wrapLongitude(point.x);
    const lat = clampLatitude(point.y);
    if (!mercator) {
      // coordinates off the edge of a projection come back as some other point: go there and see
      point.x = lon;
      point.y = lat;
      forward(point);
      const tolerance = transverse ? 1e-3 : 1e-2;
      if (!(Math.abs(point.x - mx) <= tolerance && Math.abs(point.y - my) <= tolerance)) {
        point.x = point.y = Number.NaN;
        return;
      }
    }
    point.x = lon;
    point.y = lat;
  };

  const fromGeodetic = (point: Point): void => {
    const lon = wrapLongitude(point.x);
    const lat = clampLatitude(point.y);
    if (geographic) {
      point.x = lon / RADIANS;
      point.y = lat / RADIANS;
      return;
    }
    if (transverse && !inTransverseDomain(wrapLongitude(lon - longitude0), lat)) {
      point.x = point.y = Number.NaN;
      return;
    }
    point.x = lon;
    point.y = lat;
    if (Number.isNaN(lon + lat)) return;
    forward(point);
    const { x, y } = point;
    // the whole globe fits into 100 Earth radii in every projection that has a use here
    if (!(Math.abs(x) < 100 * EQUATOR_RADIUS && Math.abs(y) < 100 * EQUATOR_RADIUS)) {
      point.x = point.y = Number.NaN;
      return;
    }
    if (check) {
      inverse(point);
      const east = Math.abs(wrapLongitude(point.x - lon)) * Math.cos(lat);
      if (!(east < 1e-7 && Math.abs(point.y - lat) < 1e-7)) {
        point.x = point.y = Number.NaN;
        return;
      }
    }
    point.x = (sign * x) / toMeter;
    point.y = (sign * y) / toMeter;
  };

  return {
    geographic,
    cylindrical: geographic || mercator,
    period: geographic ? 360 : mercator ? (TWO_PI * radius) / toMeter : 0,
    datum,
    toGeodetic,
    fromGeodetic,
  };
}

/**
 * Whether the transverse Mercator series is exact and unambiguous there: within 80° of arc of the central meridian, on
 * its near side. The far side is cut away below 70°: no images are there, and pixels of others must not be taken to be.
 */
function inTransverseDomain(fromMeridian: number, lat: number): boolean {
  const across = Math.cos(lat) * Math.sin(fromMeridian);
  return Math.abs(across) < 0.985 && (Math.cos(fromMeridian) > 0 || Math.abs(lat) > 1.22);
}

/** Into −180° to 180°; both ends stay as they are. */
function wrapLongitude(lon: number): number {
  if (Math.abs(lon) <= Math.PI) return lon;
  if (Math.abs(lon) <= Math.PI + 1e-12) return lon > 0 ? Math.PI : -Math.PI;
  return lon - TWO_PI * Math.round(lon / TWO_PI);
}

/** A rounding error past a pole is the pole; farther is nowhere. */
function clampLatitude(lat: number): number {
  if (Math.abs(lat) <= HALF_PI) return lat;
  return Math.abs(lat) <= HALF_PI + 1e-9 ? Math.sign(lat) * HALF_PI : Number.NaN;
}

/** The parameters that say the datum; empty where coordinates are those of WGS 84. */
function datumOf(definition: string): string {
  const words = definition.split(" ").filter((word) => /^\+(?:datum|ellps|a|b|rf|R|towgs84|nadgrids|pm)=/.test(word));
  if (words.includes("+nadgrids=@null")) return "";
  if (words.some((word) => /^\+pm=(?!greenwich$|0$)/i.test(word))) return words.join(" ");
  if (words.some((word) => /^\+datum=(?:WGS84|NAD83)$/i.test(word))) return "";
  const shift = words.find((word) => word.startsWith("+towgs84="));
  if (shift !== undefined && /^\+towgs84=[0.,]+$/.test(shift)) return "";
  const shifted = shift !== undefined || words.some((word) => /^\+(?:datum|nadgrids)=/.test(word));
  // an ellipsoid alone names no datum: as PROJ does, its latitudes are taken as they are
  return shifted ? words.join(" ") : "";
}
