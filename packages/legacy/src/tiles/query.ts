import { ExpressionError, parseExpression } from "@swath/raster";
import { COLORMAPS } from "@swath/raster/style";
import type { Resampling } from "@swath/raster/warp";
import { LegacyError, type ValidationFault, validationError } from "../errors.ts";

/** TiTiler's tile parameters, parsed. */
export interface TileQuery {
  /** Upstream asset names, in band order. */
  readonly assets: readonly string[];
  /** Bands of an asset, counted from 0; absent: all. */
  readonly bandsOf: ReadonlyMap<string, readonly number[]>;
  readonly expression?: string;
  readonly rescale?: readonly (readonly [number, number])[];
  readonly colormap?: string;
  readonly nodata?: number;
  readonly resampling?: Resampling;
}

const MAX_ASSETS = 16;
/** TiTiler's methods; unsupported ones are replaced by the most similar supported one. */
const RESAMPLINGS = new Map<string, Resampling>([
  ["nearest", "nearest"],
  ["mode", "nearest"],
  ["bilinear", "bilinear"],
  ["cubic", "bilinear"],
  ["cubic_spline", "bilinear"],
  ["lanczos", "bilinear"],
  ["average", "bilinear"],
  ["gauss", "bilinear"],
  ["rms", "bilinear"],
]);
/** Unsupported parameters that would change the image: an error is better than another image. */
const NOT_MADE = ["asset_expression", "color_formula", "colormap", "algorithm"] as const;
/** Names that an expression may use, before it is known how many bands the files have. */
const ANY_BANDS = Array.from({ length: 256 }, (_, i) => `b${i + 1}`);

/**
 * Reads the query of a tile.
 *
 * @throws {LegacyError} 400 and 422, as TiTiler answers.
 */
export function parseTileQuery(parameters: URLSearchParams): TileQuery {
  for (const name of NOT_MADE) {
    if (parameters.has(name)) throw LegacyError.detail(400, `The parameter ${name} is not served here.`);
  }
  if (/^(true|1|yes|on)$/i.test(parameters.get("unscale") ?? "")) {
    throw LegacyError.detail(400, "The parameter unscale is not served here.");
  }
  const assets = parameters.getAll("assets").flatMap(listOf);
  if (assets.length === 0) {
    throw LegacyError.detail(400, "assets must be defined either via expression or assets options.");
  }
  if (assets.length > MAX_ASSETS) throw LegacyError.detail(400, `Expected at most ${MAX_ASSETS} assets.`);
  const expression = parseBandMath(parameters.get("expression"));
  const rescale = parameters.getAll("rescale").flatMap(parseRanges);
  const faults: ValidationFault[] = [];
  const colormap = oneOf(parameters, "colormap_name", isColormap, COLORMAPS, faults);
  const method = oneOf(parameters, "resampling", (name) => RESAMPLINGS.has(name), [...RESAMPLINGS.keys()], faults);
  if (faults.length > 0) throw validationError(faults);
  const nodata = parseNodata(parameters.get("nodata"));
  const resampling = method === undefined ? undefined : RESAMPLINGS.get(method);
  return {
    assets,
    bandsOf: new Map(parameters.getAll("asset_bidx").map(parseBandIndexes)),
    ...(expression === undefined ? {} : { expression }),
    ...(rescale.length === 0 ? {} : { rescale }),
    ...(colormap === undefined ? {} : { colormap }),
    ...(nodata === undefined ? {} : { nodata }),
    ...(resampling === undefined ? {} : { resampling }),
  };
}

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const isColormap = (name: string): boolean => COLORMAPS.includes(name.replace(/_r$/, ""));

function oneOf(
  parameters: URLSearchParams,
  name: string,
  isKnown: (value: string) => boolean,
  known: readonly string[],
  faults: ValidationFault[],
): string | undefined {
  const value = parameters.get(name);
  if (value === null || value === "") return undefined;
  if (isKnown(value)) return value;
  const names = known.map((each) => `'${each}'`).join(", ");
  faults.push({ type: "literal_error", loc: ["query", name], msg: `Input should be ${names}`, input: value });
  return undefined;
}

/** A plus that was not encoded arrives as a space: between two operands nothing else can have been meant. */
const withPluses = (text: string): string => text.replace(/(?<=[\w).]) +(?=[\w(.])/g, "+");

function parseBandMath(given: string | null): string | undefined {
  if (given === null || given.trim() === "") return undefined;
  const text = withPluses(given);
  for (const part of text.split(";").filter((each) => each.trim() !== "")) {
    try {
      parseExpression(part, ANY_BANDS);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      throw LegacyError.detail(400, `Invalid expression: ${text.slice(0, 200)}. ${error.message.slice(0, 300)}`);
    }
  }
  return text;
}

/** `min,max`, or several pairs in one list. */
function parseRanges(text: string): (readonly [number, number])[] {
  const numbers = text
    .replace(/[[\]\s]/g, "")
    .split(",")
    .map((part) => (part === "" ? Number.NaN : Number(part)));
  const isWhole = numbers.length >= 2 && numbers.length % 2 === 0 && numbers.every(Number.isFinite);
  const ranges = Array.from({ length: numbers.length >> 1 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]] as const);
  if (isWhole && ranges.every(([low = 0, high = 0]) => low < high)) return ranges as [number, number][];
  throw LegacyError.detail(400, `Invalid rescale values: ${text}, should be of form 'min,max' with min < max.`);
}

function parseNodata(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (text.toLowerCase() === "nan") return Number.NaN;
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw LegacyError.detail(400, `Invalid nodata: expected a number or nan, got "${text}".`);
}

/** `visual|1,2`: bands counted from 1. */
function parseBandIndexes(text: string): [string, readonly number[]] {
  const [name = "", list = ""] = text.split("|");
  const bands = list.split(",", MAX_ASSETS + 1).map(Number);
  if (name !== "" && bands.length <= MAX_ASSETS && bands.every((band) => Number.isInteger(band) && band > 0)) {
    return [name, bands.map((band) => band - 1)];
  }
  throw LegacyError.detail(400, `Invalid asset_bidx: expected a form such as 'visual|1,2,3', got "${text}".`);
}
