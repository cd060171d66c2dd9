import { datumOf, type Ellipsoid } from "./geo-datum.ts";
import type { Definition, GeoKeys } from "./geo-keys.ts";
import { childOf, parseWkt, type WktNode } from "./wkt.ts";

/**
 * The definition that a file spells out as "ESRI PE String" in its citations, where GeoKeys have no code for the projection
 * (GDAL writes it for model type 32767, ArcGIS for any). `undefined` where there is none.
 */
export function definitionOfEsriString(keys: GeoKeys): Definition | undefined {
  for (const key of [3073, 1026, 2049]) {
    const citation = keys.get(key);
    const text = typeof citation === "string" ? /ESRI PE String\s*=\s*(.*)/s.exec(citation)?.[1] : undefined;
    if (text !== undefined) return definitionOf(parseWkt(text.trim()), keys);
  }
  return undefined;
}

function definitionOf(root: WktNode | undefined, keys: GeoKeys): Definition {
  if (root?.keyword !== "PROJCS" && root?.keyword !== "GEOGCS") {
    return { problem: "The ESRI PE String of its CRS does not parse." };
  }
  const geographic = root.keyword === "GEOGCS" ? root : childOf(root, "GEOGCS");
  const datum = datumOf(datumKeys(keys, geographic), ellipsoidOf(geographic));
  if ("problem" in datum) return datum;
  const degrees = unitOf(geographic);
  if (degrees !== undefined && Math.abs(degrees - Math.PI / 180) > 1e-9) {
    return { problem: "Its angles are not in degrees." };
  }
  if (root === geographic) return { proj4: `+proj=longlat ${datum.proj4} +no_defs` };
  const metres = unitOf(root) ?? 1;
  const projection = String(childOf(root, "PROJECTION")?.values[0] ?? "");
  const parameter = parametersOf(root);
  const method = methodOf(projection, parameter, extensionOf(root));
  if (method === undefined) return { problem: `Its projection "${projection.slice(0, 80)}" is not read.` };
  const isSpherical = projection.toLowerCase() === "mercator_auxiliary_sphere";
  // Web Mercator projects geodetic latitudes of WGS 84 as if they were on a sphere of its semi-major axis
  const shape = isSpherical ? datum.proj4.replace(/\+a=(\S+) \+(?:rf|b)=\S+/, "+a=$1 +b=$1") : datum.proj4;
  const [x0, y0] = [parameter("false_easting") * metres, parameter("false_northing") * metres];
  const units = metres === 1 ? "+units=m" : `+to_meter=${metres}`;
  return { proj4: `+proj=${method} +x_0=${x0} +y_0=${y0} ${shape} ${units} +no_defs` };
}

type Parameter = (...names: string[]) => number;

/** PROJ's method and parameters of an Esri or OGC projection that proj4 knows and GeoKeys cannot say, or say wrongly. */
function methodOf(name: string, parameter: Parameter, extension: string): string | undefined {
  const meridian = `+lon_0=${parameter("central_meridian", "longitude_of_center")}`;
  switch (name.toLowerCase()) {
    case "mercator_auxiliary_sphere": {
      // type 0: the semi-major axis is the sphere's; others are not Web Mercator
      if (parameter("auxiliary_sphere_type") !== 0) return undefined;
      return `merc ${meridian} +lat_ts=${parameter("standard_parallel_1")}`;
    }
    case "mollweide":
      return `moll ${meridian}`;
    case "robinson":
      return `robin ${meridian}`;
    case "sinusoidal":
      return `sinu ${meridian}`;
    case "eckert_vi":
      return `eck6 ${meridian}`;
    case "geostationary_satellite": {
      const sweep = /\+sweep=([xy])\b/.exec(extension)?.[1] ?? (parameter("option") === 1 ? "x" : "y");
      return `geos ${meridian} +h=${parameter("height", "satellite_height")} +sweep=${sweep}`;
    }
    default:
      return undefined;
  }
}

function parametersOf(root: WktNode): Parameter {
  const values = new Map<string, number>();
  for (const { keyword, values: pair } of root.nodes) {
    if (keyword === "PARAMETER") values.set(String(pair[0]).toLowerCase(), Number(pair[1]));
  }
  return (...names) => names.map((name) => values.get(name)).find((value) => value !== undefined) ?? 0;
}

function extensionOf(root: WktNode): string {
  return String(childOf(root, "EXTENSION")?.values[1] ?? "");
}

function unitOf(node: WktNode | undefined): number | undefined {
  const value = childOf(node, "UNIT")?.values[1];
  return typeof value === "number" ? value : undefined;
}

function ellipsoidOf(geographic: WktNode | undefined): Ellipsoid | undefined {
  const [, axis, inverse] = childOf(childOf(geographic, "DATUM"), "SPHEROID")?.values ?? [];
  return typeof axis === "number" && axis > 0 && typeof inverse === "number" ? { axis, inverse } : undefined;
}

/** Keys of the datum, with the name in the string where the keys have none. */
function datumKeys(keys: GeoKeys, geographic: WktNode | undefined): GeoKeys {
  if (keys.has(2048) || keys.has(2050)) return keys;
  const name = childOf(geographic, "DATUM")?.values[0];
  return typeof name === "string" ? new Map([...keys, [2049, name]]) : keys;
}
