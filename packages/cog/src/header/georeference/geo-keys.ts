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

/** A PROJ definition, or why there is none. */
export type Definition = { readonly proj4: string } | { readonly problem: string };

const PROJECTED = 1;
const GEOGRAPHIC = 2;
const USER_DEFINED = 32767;

/**
 * EPSG code the keys name, if they do. A user-defined model is only based on the geographic CRS whose code it gives:
 * its coordinates are not in degrees.
 */
export function epsgOf(keys: GeoKeys): number | undefined {
  const model = keys.get(1024);
  const projected = codeOf(keys, 3072);
  if (model === PROJECTED || model === USER_DEFINED) return projected;
  if (model === GEOGRAPHIC) return codeOf(keys, 2048);
  return model === undefined ? (keys.has(3072) ? projected : codeOf(keys, 2048)) : undefined;
}

function codeOf(keys: GeoKeys, key: number): number | undefined {
  const code = keys.get(key);
  return typeof code === "number" && code > 0 && code < USER_DEFINED ? code : undefined;
}
