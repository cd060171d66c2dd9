import type { CollectionMatch, CollectionRegistry, CollectionSchema } from "@swath/schema";
import { COLORMAPS, derivedRecipe, type Preset, type Recipe } from "@swath/schema/presets";
import { didYouMean } from "../names.ts";
import { type Path, Refusal, refuseAny } from "../refusal.ts";
import type { ImageStyle, Percentiles, What } from "../request.ts";
import { bandsNamed, knownBands, type ProductBand } from "./bands/bands.ts";
import { usualRanges } from "./bands/usual-range.ts";
import { readFormula } from "./formula.ts";

/** Id that documents and messages have for an image of bands or an expression of the request's own. */
export const CUSTOM = "custom";
/** Characters of all expressions of an image: the bound of each, three times, and what divides them. */
const MAX_EXPRESSIONS = 6100;
const RESCALE: Path = ["what", "style", "rescale"];

/** A recipe of a file, or of a request of its own. */
export interface DrawnRecipe extends Recipe {
  /** A range for each band of the image, in place of the one of `rescale`. */
  readonly ranges?: readonly (readonly [low: number, high: number])[];
  /** Percentiles of the image's own values, in place of ranges. */
  readonly percentiles?: Percentiles["percentiles"];
}

/** The drawing of one collection: bands or expressions of the request. */
export interface Drawing {
  readonly bands: readonly ProductBand[];
  readonly paths: readonly Path[];
  /** Over b1, b2, ... in the order of `bands`. */
  readonly expression?: string;
  /** One for each color, as the request has them. */
  readonly names: readonly string[];
}

/**
 * Reads an image of bands or an expression of the request's own as a preset of one collection, whose time, order and zooms are
 * those of the first preset that draws the collection.
 *
 * @throws {Refusal} `invalid` for none and for both of `bands` and `expression`, for another number of colors than one and three,
 *   and for a range or colormap that does not fit; `unknown-band`; `units-unavailable` for bands of classes and flags.
 */
export function customPreset(
  match: CollectionMatch,
  what: What,
  { presets }: Pick<CollectionRegistry, "presets">,
): { readonly preset: Preset; readonly recipe: DrawnRecipe } {
  const { collection } = match;
  const drawing = drawingOf(match, what);
  const { bands, names, expression } = drawing;
  const assets = bands.map(({ name }) => name);
  checkKinds(match, drawing);
  const colormap = colormapOf(what, names.length);
  const recipe: Recipe = {
    ...(derivedRecipe({ bands: assets }, collection) ?? { assets }),
    ...(expression === undefined ? {} : { expression }),
    ...(colormap === undefined ? {} : { colormap }),
  };
  const drawn = { ...recipe, ...stretchOf(collection, recipe, what.style?.rescale, names.length) };
  const like = presets.find(({ collections = [] }) => collections.includes(collection.id));
  const [first = [0, 1]] = drawn.ranges ?? [];
  return {
    recipe: drawn,
    preset: {
      id: CUSTOM,
      title: names.join("; "),
      collection: collection.id,
      collections: [collection.id],
      bands: assets,
      ...(what.expression === undefined ? {} : { expression: what.expression }),
      ...(names.length === 1 ? { rescale: [...first] } : {}),
      harmonize: "offset_removed",
      ...(like?.mosaickingOrder === undefined ? {} : { mosaickingOrder: like.mosaickingOrder }),
      ...(like?.defaultWindow === undefined ? {} : { defaultWindow: like.defaultWindow }),
      minzoom: collection.zoom.min,
      maxzoom: collection.zoom.max,
      tileMatrixSets: ["WebMercatorQuad", "WorldCRS84Quad"],
      formats: ["png", "jpg", "webp"],
    },
  };
}

/** The ranges of an image's bands, or the percentiles that they are taken from. */
function stretchOf(
  collection: CollectionSchema,
  recipe: Recipe,
  rescale: ImageStyle["rescale"],
  colors: number,
): Pick<DrawnRecipe, "ranges" | "percentiles"> {
  if (rescale !== undefined && "percentiles" in rescale) {
    const { percentiles } = rescale;
    const [low, high] = percentiles;
    if (low >= 0 && low < high && high <= 100) return { percentiles };
    throw new Refusal(
      "invalid",
      RESCALE,
      `Expected percentiles from 0 to 100, the lower one first, got ${low} and ${high}.`,
    );
  }
  const ranges = rescale ?? usualRanges(collection, recipe);
  if (ranges === undefined) {
    const bands = recipe.assets.join(", ");
    const detail = `Expected min,max: ${collection.id} says nothing of the usual values of ${bands}.`;
    throw new Refusal("invalid", RESCALE, detail);
  }
  checkRanges(ranges, colors);
  return { ranges };
}

/** @throws {Refusal} `invalid` for percentiles where an image is one of many: each would have a range of its own. */
export function refusePercentiles({ percentiles }: DrawnRecipe): void {
  if (percentiles === undefined) return;
  const detail =
    "Expected min,max: percentiles are of a view. TileJSON takes them with bbox, and gives addresses of tiles with their values.";
  throw new Refusal("invalid", RESCALE, detail);
}

function drawingOf(match: CollectionMatch, what: What): Drawing {
  const path: Path = ["what", "expression"];
  if ((what.bands === undefined) === (what.expression === undefined)) {
    const got = what.bands === undefined ? "neither" : "both";
    throw new Refusal("invalid", path, `Expected expression or bands, got ${got}.`);
  }
  if (what.expression !== undefined) return expressionsOf(match, what.expression, path);
  const names = what.bands ?? [];
  const at: Path = ["what", "bands"];
  checkColors(names.length, at);
  const bands = bandsNamed(names, knownBands(match.collection, { hasPseudo: false }), at);
  return { bands, paths: bands.map((_, i) => [...at, i]), names };
}

/**
 * Reads one or three expressions divided by semicolons, over all the bands that they name.
 *
 * @throws {Refusal} `invalid` for another number of them and for what does not parse, `unknown-band`.
 */
export function expressionsOf({ collection }: CollectionMatch, text: string, path: Path): Drawing {
  if (text.length > MAX_EXPRESSIONS) {
    throw new Refusal("invalid", path, `Expected at most ${MAX_EXPRESSIONS} characters, got ${text.length}.`);
  }
  const texts = text.split(";").map((each) => each.trim());
  checkColors(texts.length, path);
  const formulas = texts.map((expression) => readFormula(collection, { expression }, path, {}));
  const bands = [...new Map(formulas.flatMap(({ bands }) => bands.map((band) => [band.name, band] as const))).values()];
  const place = new Map(bands.map(({ name }, i) => [name, `b${i + 1}`]));
  const written = formulas.map(({ outputs }) =>
    (outputs[0]?.expression ?? "").replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word) => place.get(word) ?? word),
  );
  return { bands, paths: bands.map(() => path), expression: written.join(";"), names: texts };
}

function checkColors(count: number, path: Path): void {
  if (count !== 1 && count !== 3) throw new Refusal("invalid", path, `Expected one or three, got ${count}.`);
}

/**
 * Bands of classes and flags have no values between which colors could be mixed, and other ancillary ones none beside physical
 * values; they have where all values of the collection are stored numbers.
 */
function checkKinds({ collection }: CollectionMatch, { bands, paths }: Drawing): void {
  const drawn = ["spectral", "thermal", "elevation", "backscatter"];
  if (collection.defaultUnits === "DN") drawn.push("ancillary");
  const faults = bands.flatMap(({ name, kind }, i) =>
    drawn.includes(kind)
      ? []
      : [{ path: paths[i] ?? [], detail: `${name} of ${collection.id} has no physical values to draw.` }],
  );
  refuseAny("units-unavailable", faults);
}

function colormapOf({ style }: What, colors: number): string | undefined {
  const name = style?.colormap?.toLowerCase();
  if (name === undefined) return undefined;
  const path: Path = ["what", "style", "colormap"];
  if (!COLORMAPS.includes(name.replace(/_r$/, ""))) {
    const detail = `No colormap is called "${name.slice(0, 50)}"; they are listed at /v1/schema.${didYouMean(name, COLORMAPS)}`;
    throw new Refusal("invalid", path, detail);
  }
  if (colors === 1) return name;
  throw new Refusal("invalid", path, `Expected none: ${colors} bands are colors themselves.`);
}

function checkRanges(ranges: readonly (readonly [number, number])[], colors: number): void {
  if (ranges.length !== 1 && ranges.length !== colors) {
    const expected = colors === 1 ? "min,max" : `min,max once or ${colors} times`;
    throw new Refusal("invalid", RESCALE, `Expected ${expected}, got ${ranges.length} pairs.`);
  }
  const wrong = ranges.find(([low, high]) => !(low < high && Number.isFinite(high - low)));
  if (wrong === undefined) return;
  throw new Refusal("invalid", RESCALE, `Expected min < max and a difference below 1.8e308, got ${wrong.join(",")}.`);
}
