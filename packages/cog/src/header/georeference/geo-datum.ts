import type { GeoKeys } from "./geo-keys.ts";

/** PROJ parameters of an ellipsoid and its datum, or why there are none. */
export type Datum = { readonly proj4: string } | { readonly problem: string };

/** Axes of an ellipsoid in metres; `inverse` flattening, 0 for a sphere. */
export interface Ellipsoid {
  readonly axis: number;
  readonly inverse: number;
}

/** Ellipsoids by EPSG code: semi-major axis in metres, inverse flattening (EPSG registry). */
const ELLIPSOIDS: Readonly<Record<number, readonly [axis: number, inverse: number]>> = {
  7001: [6377563.396, 299.3249646],
  7003: [6378160, 298.25],
  7004: [6377397.155, 299.1528128],
  7008: [6378206.4, 294.9786982138982],
  7012: [6378249.145, 293.465],
  7015: [6377276.345, 300.8017],
  7019: [6378137, 298.257222101],
  7022: [6378388, 297],
  7024: [6378245, 298.3],
  7030: [6378137, 298.257223563],
  7036: [6378160, 298.247167427],
  7043: [6378135, 298.26],
  7049: [6378140, 298.257],
};

/** A datum that is named by code: its ellipsoid, and its shift to WGS 84 where one is known without a grid file. */
interface KnownDatum {
  readonly name: string;
  readonly ellipsoid: number;
  /** `towgs84` of PROJ; 0 where the datum is WGS 84 within a metre; undefined where a shift is needed that is not known. */
  readonly shift?: string;
}

const geocentric = (name: string): KnownDatum => ({ name, ellipsoid: 7019, shift: "0,0,0" });
/**
 * Datums by the code of their geographic CRS; the datum's own code is 2000 above. Shifts as PROJ 4 had them in its table of
 * datums (`pj_datums.c`), within some metres over the whole of their use.
 */
const DATUMS: Readonly<Record<number, KnownDatum>> = {
  4167: geocentric("NZGD2000"),
  4230: { name: "ED50", ellipsoid: 7022 },
  4258: geocentric("ETRS89"),
  4267: { name: "NAD27", ellipsoid: 7008 },
  4269: geocentric("NAD83"),
  4272: { name: "NZGD49", ellipsoid: 7022, shift: "59.47,-5.04,187.44,0.47,-0.1,1.024,-4.5993" },
  4277: { name: "OSGB36", ellipsoid: 7001, shift: "446.448,-125.157,542.06,0.15,0.247,0.842,-20.489" },
  4283: geocentric("GDA94"),
  4301: { name: "Tokyo", ellipsoid: 7004 },
  4314: { name: "DHDN", ellipsoid: 7004, shift: "598.1,73.7,418.2,0.202,0.045,-2.455,6.7" },
  4322: { name: "WGS 72", ellipsoid: 7043, shift: "0,0,4.5,0,0,0.554,0.2263" },
  4326: { name: "WGS 84", ellipsoid: 7030, shift: "0,0,0" },
  4612: geocentric("JGD2000"),
  // EPSG:1946, as PROJ takes it
  4617: { name: "NAD83(CSRS)", ellipsoid: 7019, shift: "-0.991,1.9072,0.5129,0.02578991,0.0096501,0.01165994,0" },
  4674: geocentric("SIRGAS 2000"),
};

/** Two ellipsoids are the same within this many metres of axis and this much of inverse flattening. */
const AXIS_TOLERANCE = 0.01;
const INVERSE_TOLERANCE = 1e-4;

/**
 * Ellipsoid and datum of the keys. A datum is used where its shift to WGS 84 is known or none is needed: modern datums, which
 * share WGS 84's or GRS 80's ellipsoid, and spheres, which have none. The others are refused by name.
 */
export function datumOf(keys: GeoKeys, fallback?: Ellipsoid): Datum {
  const number = (key: number): number | undefined => {
    const value = keys.get(key);
    return typeof value === "number" ? value : undefined;
  };
  // a geographic CRS by EPSG code, else its datum
  const known = DATUMS[number(2048) ?? 0] ?? DATUMS[(number(2050) ?? 0) - 2000];
  const ellipsoid = ellipsoidOf(number) ?? coded(known?.ellipsoid) ?? fallback;
  if (ellipsoid === undefined) return { problem: `The ellipsoid of its datum${named(keys, known)} is not known.` };
  const { axis, inverse } = ellipsoid;
  const shape = inverse === 0 ? `+a=${axis} +b=${axis}` : `+a=${axis} +rf=${inverse}`;
  const meridian = number(2061) ?? 0;
  const prime = meridian === 0 ? "" : ` +pm=${meridian}`;
  const stated = keys.get(2062);
  const shift = Array.isArray(stated) && (stated.length === 3 || stated.length === 7) ? stated.join(",") : known?.shift;
  if (shift !== undefined) {
    return { proj4: `${shape}${/[1-9]/.test(shift) ? ` +towgs84=${shift}` : ""}${prime}` };
  }
  if (known === undefined && (inverse === 0 || isModern(ellipsoid))) return { proj4: `${shape}${prime}` };
  return { problem: `Its datum${named(keys, known)} needs a shift to WGS 84 that is not known.` };
}

/** The name of a datum, for messages. */
function named(keys: GeoKeys, known: KnownDatum | undefined): string {
  const citation = keys.get(2049);
  const code = keys.get(2048);
  if (known !== undefined) return ` ${known.name}`;
  if (typeof citation === "string" && citation !== "") {
    return ` "${(/Datum = ([^|]*)/.exec(citation)?.[1] ?? citation).trim().slice(0, 80)}"`;
  }
  return typeof code === "number" && code < 32767 ? ` of EPSG:${code}` : "";
}

function isModern({ axis, inverse }: Ellipsoid): boolean {
  return [7019, 7030].some((code) => {
    const [modernAxis, modernInverse] = ELLIPSOIDS[code]!;
    return Math.abs(axis - modernAxis) < AXIS_TOLERANCE && Math.abs(inverse - modernInverse) < INVERSE_TOLERANCE;
  });
}

function ellipsoidOf(number: (key: number) => number | undefined): Ellipsoid | undefined {
  const axis = number(2057) ?? 0;
  if (axis > 0) {
    const inverse = number(2059) ?? 0;
    const minor = number(2058) ?? axis;
    if (inverse > 0 || minor === axis || !(minor > 0)) return { axis, inverse: Math.max(0, inverse) };
    return { axis, inverse: axis / (axis - minor) };
  }
  return coded(number(2056));
}

function coded(code: number | undefined): Ellipsoid | undefined {
  const found = ELLIPSOIDS[code ?? 0];
  return found === undefined ? undefined : { axis: found[0], inverse: found[1] };
}
