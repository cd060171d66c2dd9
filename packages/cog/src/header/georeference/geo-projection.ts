import { datumOf } from "./geo-datum.ts";
import type { Definition, GeoKeys } from "./geo-keys.ts";

/** Metres of a linear unit by EPSG code. */
const METRES: Readonly<Record<number, number>> = {
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.3047972654,
  9036: 1000,
  9030: 1852,
};

/** Metres of the linear unit that the keys name; metres where they name none, `undefined` for one that is not known. */
export function metresOfUnit(keys: GeoKeys): number | undefined {
  const [unit, size] = [keys.get(3076), keys.get(3077)];
  if (typeof unit === "number" && METRES[unit] !== undefined) return METRES[unit];
  if (typeof size === "number" && size > 0) return size;
  return unit === undefined ? 1 : undefined;
}

/** EPSG codes of degrees. */
const DEGREES = [9102, 9122];

/**
 * A PROJ definition from user-defined keys. Parameters and their keys follow libgeotiff's `geo_normalize.c`.
 */
export function definitionOfKeys(keys: GeoKeys): Definition {
  const number = (...names: number[]): number => {
    for (const name of names) {
      const value = keys.get(name);
      if (typeof value === "number") return value;
    }
    return 0;
  };
  const scale = (...names: number[]): number => number(...names) || 1;
  const model = keys.get(1024);
  if (model === undefined) return { problem: "It does not state the type of its CRS." };
  if (model !== 1 && model !== 2 && !keys.has(3075) && !keys.has(3074)) {
    return { problem: "Its CRS is user-defined, and its parameters are not stated." };
  }
  const angles = keys.get(2054);
  if (typeof angles === "number" && !DEGREES.includes(angles)) return { problem: "Its angles are not in degrees." };
  const known = datumOf(keys);
  if ("problem" in known) return known;
  const datum = known.proj4;
  if (model === 2) return { proj4: `+proj=longlat ${datum} +no_defs` };

  const coded = number(3074);
  if ((coded >= 16001 && coded <= 16060) || (coded >= 16101 && coded <= 16160)) {
    return { proj4: `+proj=utm +zone=${coded % 100}${coded > 16100 ? " +south" : ""} ${datum} +units=m +no_defs` };
  }
  const metres = metresOfUnit(keys);
  if (metres === undefined) return { problem: `Its linear unit (${number(3076)} of EPSG) is not known.` };
  // false eastings are in the linear unit of the CRS, PROJ wants metres
  const x0 = number(3082, 3086, 3090) * metres;
  const y0 = number(3083, 3087, 3091) * metres;
  const natural = `+lat_0=${number(3081, 3089, 3085)} +lon_0=${number(3080, 3088, 3084)}`;
  const centre = `+lat_0=${number(3089, 3081, 3085)} +lon_0=${number(3088, 3080, 3084)}`;
  const parallels = `+lat_1=${number(3078)} +lat_2=${number(3079)}`;
  const method = ((): string | undefined => {
    switch (number(3075)) {
      case 1:
        return `tmerc ${natural} +k=${scale(3092, 3093)}`;
      case 3: {
        const gamma = keys.get(3096);
        return `omerc +lat_0=${number(3089)} +lonc=${number(3088)} +alpha=${number(3094)}${typeof gamma === "number" ? ` +gamma=${gamma}` : ""} +k=${scale(3093)} +no_uoff`;
      }
      case 7:
        return keys.has(3078)
          ? `merc +lat_ts=${number(3078)} +lon_0=${number(3080, 3088)}`
          : `merc +lon_0=${number(3080, 3088)} +k=${scale(3092)}`;
      case 8:
        return `lcc +lat_0=${number(3085, 3081)} +lon_0=${number(3084, 3080)} ${parallels}`;
      case 9:
        return `lcc +lat_1=${number(3081)} ${natural} +k_0=${scale(3092)}`;
      case 10:
        return `laea ${centre}`;
      case 11:
        return `aea ${natural} ${parallels}`;
      case 12:
        return `aeqd ${centre}`;
      case 13:
        return `eqdc ${natural} ${parallels}`;
      case 14:
        return `stere ${centre} +k=${scale(3092)}`;
      case 15: {
        // a scale other than 1 belongs to variant A, where the natural origin is the pole itself
        const latitude = number(3081);
        const pole = latitude < 0 ? -90 : 90;
        const rest = Math.abs(latitude) === 90 ? ` +k=${scale(3092)}` : ` +lat_ts=${latitude}`;
        return `stere +lat_0=${pole} +lon_0=${number(3095, 3080)}${rest}`;
      }
      case 16:
        return `sterea ${natural} +k=${scale(3092)}`;
      case 17:
        return `eqc +lat_ts=${number(3078)} ${centre}`;
      case 18:
        return `cass ${natural}`;
      case 19:
        return `gnom ${centre}`;
      case 20:
        return `mill ${centre}`;
      case 21:
        return `ortho ${centre}`;
      case 22:
        return `poly ${natural}`;
      case 23:
        return `robin +lon_0=${number(3088, 3080)}`;
      case 24:
        return `sinu +lon_0=${number(3088, 3080)}`;
      case 25:
        return `vandg +lon_0=${number(3088, 3080)}`;
      case 28:
        return `cea +lat_ts=${number(3078)} +lon_0=${number(3080, 3088)}`;
      default:
        return undefined;
    }
  })();
  if (method === undefined) return { problem: `Its projection (method ${number(3075)} of GeoTIFF) is not read.` };
  const units = metres === 1 ? "+units=m" : `+to_meter=${metres}`;
  return { proj4: `+proj=${method} +x_0=${x0} +y_0=${y0} ${datum} ${units} +no_defs` };
}
