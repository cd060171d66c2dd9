/** GeoKeys by number (OGC GeoTIFF 1.1, annex): shorts, doubles or text. */
export type GeoKeys = ReadonlyMap<number, number | string | readonly number[]>;

/** Joins the three GeoKey tags; keys that point outside their tag are ignored. */
export function toGeoKeys(directory: readonly number[], doubles: readonly number[], text: string): GeoKeys {
  const keys = new Map<number, number | string | readonly number[]>();
  const count = Math.min(directory[3] ?? 0, Math.floor((directory.length - 4) / 4));
  for (let i = 1; i <= count; i++) {
    const [key, location, length, at] = directory.slice(i * 4, i * 4 + 4) as [number, number, number, number];
    if (location === 0) keys.set(key, at);
    else if (location === 34737) keys.set(key, text.slice(at, at + length).replace(/[|\0]+$/, ""));
    else if (location === 34736 && at + length <= doubles.length) {
      keys.set(key, length === 1 ? doubles[at]! : doubles.slice(at, at + length));
    }
  }
  return keys;
}

const USER_DEFINED = 32767;

/** EPSG code the keys name, if they do. */
export function epsgOf(keys: GeoKeys): number | undefined {
  const model = keys.get(1024);
  const projected = keys.get(3072);
  const geographic = keys.get(2048);
  const code = model === 2 || (model !== 1 && projected === undefined) ? geographic : projected;
  return typeof code === "number" && code > 0 && code < USER_DEFINED ? code : undefined;
}

/** Ellipsoids by EPSG code: semi-major axis in metres, inverse flattening (EPSG registry). */
const ELLIPSOIDS: Readonly<Record<number, readonly [a: number, rf: number]>> = {
  7001: [6377563.396, 299.3249646],
  7004: [6377397.155, 299.1528128],
  7008: [6378206.4, 294.9786982138982],
  7012: [6378249.145, 293.465],
  7015: [6377276.345, 300.8017],
  7019: [6378137, 298.257222101],
  7022: [6378388, 297],
  7024: [6378245, 298.3],
  7030: [6378137, 298.257223563],
  7043: [6378135, 298.26],
  7003: [6378160, 298.25],
  7036: [6378160, 298.247167427],
  7049: [6378140, 298.257],
};
/** Ellipsoid of a geographic CRS or datum code (datum codes are 6000 + … of the geographic 4000 + …). */
const DATUM_ELLIPSOIDS: Readonly<Record<number, number>> = {
  326: 7030,
  269: 7019,
  258: 7019,
  167: 7019,
  283: 7019,
  267: 7008,
  230: 7022,
  277: 7001,
  322: 7043,
  612: 7019,
  617: 7019,
  674: 7019,
};

/** Metres of a linear unit by EPSG code. */
const METRES: Readonly<Record<number, number>> = {
  9001: 1,
  9002: 0.3048,
  9003: 1200 / 3937,
  9005: 0.3047972654,
  9036: 1000,
  9030: 1852,
};

/**
 * A PROJ definition from user-defined keys. Parameters and their keys follow libgeotiff's
 * `geo_normalize.c`; undefined where the method or the ellipsoid is not known.
 */
export function proj4Of(keys: GeoKeys): string | undefined {
  const number = (...names: number[]): number => {
    for (const name of names) {
      const value = keys.get(name);
      if (typeof value === "number") return value;
    }
    return 0;
  };
  const scale = (...names: number[]): number => number(...names) || 1;
  const ellipsoid = ellipsoidOf(number);
  if (ellipsoid === undefined) return undefined;
  const shift = keys.get(2062);
  const datum = `${ellipsoid}${Array.isArray(shift) && (shift.length === 3 || shift.length === 7) ? ` +towgs84=${shift.join(",")}` : ""}`;
  const meridian = number(2061) === 0 ? "" : ` +pm=${number(2061)}`;
  if (keys.get(1024) === 2) return `+proj=longlat ${datum}${meridian} +no_defs`;

  const coded = number(3074);
  if ((coded >= 16001 && coded <= 16060) || (coded >= 16101 && coded <= 16160)) {
    return `+proj=utm +zone=${coded % 100}${coded > 16100 ? " +south" : ""} ${datum} +units=m +no_defs`;
  }
  const metres = METRES[number(3076)] ?? (number(3077) || 1);
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
  if (method === undefined) return undefined;
  const units = metres === 1 ? "+units=m" : `+to_meter=${metres}`;
  return `+proj=${method} +x_0=${x0} +y_0=${y0} ${datum}${meridian} ${units} +no_defs`;
}

function ellipsoidOf(number: (...names: number[]) => number): string | undefined {
  const axis = number(2057);
  if (axis > 0) {
    const inverse = number(2059);
    if (inverse > 0) return `+a=${axis} +rf=${inverse}`;
    return `+a=${axis} +b=${number(2058) || axis}`;
  }
  for (const code of [number(2056), ellipsoidOfDatum(number(2050) - 6000), ellipsoidOfDatum(number(2048) - 4000)]) {
    const known = code === undefined ? undefined : ELLIPSOIDS[code];
    if (known !== undefined) return `+a=${known[0]} +rf=${known[1]}`;
  }
  return undefined;
}

function ellipsoidOfDatum(code: number): number | undefined {
  return DATUM_ELLIPSOIDS[code];
}
