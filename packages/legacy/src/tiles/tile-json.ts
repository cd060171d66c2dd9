import { splitBbox, uniteBounds } from "@swath/geometry";
import { type ValidationFault, validationError } from "../errors.ts";
import type { LegacyItem } from "../items.ts";
import { FORMATS, MAX_SCALE, type TileTarget, unknownFormat } from "./address.ts";

/** Parameters of the document itself, which its tile addresses do not carry. */
const OWN = ["tile_format", "tile_scale", "minzoom", "maxzoom", "tilesize"];
const WORLD = [-180, -85.0511287798066, 180, 85.0511287798066] as const;
const MAX_ZOOM = 24;

export interface TileJson {
  readonly tilejson: "3.0.0";
  readonly name: string;
  readonly version: "1.0.0";
  readonly scheme: "xyz";
  readonly tiles: readonly string[];
  readonly minzoom: number;
  readonly maxzoom: number;
  readonly bounds: readonly number[];
  readonly center: readonly number[];
}

/**
 * The TileJSON document of a scene or mosaic: its tiles carry the parameters of the document.
 *
 * @throws {LegacyError} 422 for parameters that are none.
 */
export function tileJson(
  root: string,
  target: TileTarget,
  parameters: URLSearchParams,
  items: readonly LegacyItem[],
): TileJson {
  const faults: ValidationFault[] = [];
  const number = (name: string, fallback: number, least: number, most: number): number => {
    const text = parameters.get(name);
    if (text === null) return fallback;
    if (/^\d{1,2}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    const msg = `Input should be a valid integer from ${least} to ${most}`;
    faults.push({ type: "int_parsing", loc: ["query", name], msg, input: text });
    return fallback;
  };
  const minzoom = number("minzoom", 0, 0, MAX_ZOOM);
  const maxzoom = number("maxzoom", MAX_ZOOM, 0, MAX_ZOOM);
  const scale = number("tile_scale", 1, 1, MAX_SCALE);
  const format = parameters.get("tile_format");
  if (format !== null && !FORMATS.has(format)) faults.push(unknownFormat(["query", "tile_format"], format));
  if (faults.length > 0) throw validationError(faults);

  const carried = new URLSearchParams([...parameters].filter(([name]) => !OWN.includes(name)));
  const owner = [target.collection, ...(target.item === undefined ? [] : ["items", target.item])];
  const path = owner.map((part) => encodeURIComponent(part)).join("/");
  const template = `${root}/collections/${path}/tiles/WebMercatorQuad/{z}/{x}/{y}`;
  const ending = `${scale === 1 ? "" : `@${scale}x`}${format === null ? "" : `.${format}`}`;
  const bounds = boundsOf(items);
  const [west = -180, south = -85, east = 180, north = 85] = bounds;
  return {
    tilejson: "3.0.0",
    name: target.item ?? target.collection,
    version: "1.0.0",
    scheme: "xyz",
    tiles: [`${template}${ending}${carried.size === 0 ? "" : `?${carried}`}`],
    minzoom,
    maxzoom,
    bounds,
    center: [(west + east) / 2, (south + north) / 2, minzoom],
  };
}

/** The box around all items, the whole turn where one crosses the antimeridian or says nothing. */
function boundsOf(items: readonly LegacyItem[]): readonly number[] {
  if (items.length === 0) return WORLD;
  return uniteBounds(items.flatMap(({ bbox }) => splitBbox(bbox ?? WORLD)));
}
