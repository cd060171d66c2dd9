import type { ImageFormat } from "@swath/engine/node/images";
import { type ValidationFault, validationError } from "../errors.ts";

/** The target of a path of the tiles host: a scene, or a mosaic of a collection. */
export interface TileTarget {
  readonly collection: string;
  /** Absent: a mosaic. */
  readonly item?: string;
}

export interface TileAddress extends TileTarget {
  readonly z: number;
  readonly x: number;
  readonly y: number;
  /** Pixels on a side: 256 times the scale. */
  readonly size: number;
  readonly format: ImageFormat | "auto";
}

const TARGET = "^/collections/(?<collection>[^/]+)(?:/items/(?<item>[^/]+))?";
const TILE = new RegExp(
  `${TARGET}/tiles(?:/(?<set>[^/]+))?/(?<z>[^/]+)/(?<x>[^/]+)/(?<y>[^/@.]+)(?:@(?<scale>[^/.]+)x)?(?:\\.(?<format>[^/]+))?$`,
);
const TILE_JSON = new RegExp(`${TARGET}(?:/tiles)?(?:/(?<set>[^/]+))?/tilejson\\.json$`);

export const FORMATS: ReadonlyMap<string, ImageFormat> = new Map<string, ImageFormat>([
  ["png", "png"],
  ["pngraw", "png"],
  ["jpg", "jpg"],
  ["jpeg", "jpg"],
  ["webp", "webp"],
]);
export const MAX_SCALE = 4;

type Groups = Readonly<Record<string, string | undefined>>;

/**
 * Reads a tile's path: `…/tiles/WebMercatorQuad/{z}/{x}/{y}[@{scale}x][.{format}]`; undefined for other paths.
 *
 * @throws {LegacyError} 422 in FastAPI's shape for what is no number, scale, format or tile matrix set.
 */
export function parseTilePath(path: string): TileAddress | undefined {
  const groups: Groups | undefined = TILE.exec(path)?.groups;
  if (groups === undefined) return undefined;
  const faults: ValidationFault[] = [];
  checkSet(groups.set, faults);
  const z = wholeNumber("z", groups.z, faults);
  const x = wholeNumber("x", groups.x, faults);
  const y = wholeNumber("y", groups.y, faults);
  const scale = groups.scale === undefined ? 1 : wholeNumber("scale", groups.scale, faults);
  if (scale < 1 || scale > MAX_SCALE) {
    const msg = `Input should be from 1 to ${MAX_SCALE}`;
    faults.push({ type: "less_than_equal", loc: ["path", "scale"], msg, input: groups.scale });
  }
  const format = groups.format === undefined ? "auto" : FORMATS.get(groups.format);
  if (format === undefined) faults.push(unknownFormat(["path", "format"], groups.format));
  if (faults.length > 0 || format === undefined) throw validationError(faults);
  return { ...targetOf(groups), z, x, y, size: 256 * scale, format };
}

/**
 * Reads the path of a TileJSON document; undefined for other paths.
 *
 * @throws {LegacyError} 422 for another tile matrix set.
 */
export function parseTileJsonPath(path: string): TileTarget | undefined {
  const groups: Groups | undefined = TILE_JSON.exec(path)?.groups;
  if (groups === undefined) return undefined;
  const faults: ValidationFault[] = [];
  checkSet(groups.set, faults);
  if (faults.length > 0) throw validationError(faults);
  return targetOf(groups);
}

export function unknownFormat(loc: readonly string[], input: unknown): ValidationFault {
  const names = Array.from(FORMATS.keys(), (name) => `'${name}'`);
  return { type: "enum", loc, msg: `Input should be ${names.join(", ")}`, input };
}

function targetOf({ collection = "", item }: Groups): TileTarget {
  return { collection: decoded(collection), ...(item === undefined ? {} : { item: decoded(item) }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function checkSet(set: string | undefined, faults: ValidationFault[]): void {
  if (set === undefined || set === "WebMercatorQuad") return;
  const msg = "Input should be 'WebMercatorQuad'";
  faults.push({ type: "literal_error", loc: ["path", "tileMatrixSetId"], msg, input: set });
}

function wholeNumber(name: string, text: string | undefined, faults: ValidationFault[]): number {
  if (text !== undefined && /^[+-]?\d{1,15}$/.test(text)) return Number(text);
  const msg = "Input should be a valid integer, unable to parse string as an integer";
  faults.push({ type: "int_parsing", loc: ["path", name], msg, input: text });
  return 1;
}
