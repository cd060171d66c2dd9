import { isLoopbackHost } from "@swath/web/origins";

/** A base map of the owner's, which the map page shows below its imagery. */
export interface BaseMap {
  /** Address of a MapLibre style, or of raster tiles with `{z}`, `{x}` and `{y}`. */
  readonly url: string;
  /** Origins that it is loaded from, that of the address first. */
  readonly origins: readonly string[];
  /** The credit that is shown in place of the style's own. */
  readonly credit?: string;
}

const MARKS = ["{z}", "{x}", "{y}"];

/** An origin by TLS, or of this machine; undefined for other addresses. */
function safeOrigin(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol, hostname, username } = new URL(address);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopbackHost(hostname));
  // what ends a directive of a policy, or begins another one, is no host
  return isSafe && username === "" && /^[a-z0-9.:/[\]-]+$/.test(origin) ? origin : undefined;
}

/**
 * Reads `https://…/style.json,https://tiles.example,…`: an address, and after it further origins that its tiles, glyphs and
 * sprites come from.
 *
 * @throws {RangeError} saying what was expected.
 */
export function parseBaseMap(text: string): Pick<BaseMap, "url" | "origins"> {
  const [url = "", ...further] = text.split(",").map((part) => part.trim());
  const origin = safeOrigin(url);
  if (origin === undefined) throw new RangeError("Expected https://…/style.json or https://…/{z}/{x}/{y}.png");
  const marks = MARKS.filter((mark) => url.includes(mark));
  if (marks.length !== 0 && marks.length !== MARKS.length) {
    throw new RangeError("Expected all of {z}, {x} and {y} in the address of tiles");
  }
  const origins = further.map((each) => {
    const found = safeOrigin(each);
    if (found === undefined || new URL(each).pathname !== "/" || /[?#*]/.test(each)) {
      throw new RangeError(`Expected https://host after the address, got "${each}"`);
    }
    return found;
  });
  return { url, origins: [...new Set([origin, ...origins])] };
}

/** Variables as they were set; each has its form already. */
interface BaseMapVariables {
  readonly SWATH_BASEMAP?: Pick<BaseMap, "url" | "origins"> | undefined;
  readonly SWATH_BASEMAP_CREDIT?: string | undefined;
}

/**
 * The base map that the variables name; undefined: the page's own.
 *
 * @throws {RangeError} naming the variable that is missing.
 */
export function baseMapOf({ SWATH_BASEMAP: map, SWATH_BASEMAP_CREDIT: credit }: BaseMapVariables): BaseMap | undefined {
  if (map === undefined) {
    if (credit !== undefined) throw new RangeError("SWATH_BASEMAP_CREDIT needs SWATH_BASEMAP, whose credit it is");
    return undefined;
  }
  if (map.url.includes("{z}") && credit === undefined) {
    throw new RangeError("SWATH_BASEMAP needs SWATH_BASEMAP_CREDIT: raster tiles do not say whose they are");
  }
  return { ...map, ...(credit === undefined ? {} : { credit }) };
}
