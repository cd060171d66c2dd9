import { evaluateExpression, type Raster, type Samples } from "@swath/raster";
import { colormap, HILLSHADE_MARGIN, hillshade, type Image, type Style, styleRaster } from "@swath/raster/style";
import { parseOnce } from "../expressions.ts";
import type { StyleSpec } from "../job.ts";
import type { RenderResources } from "../resources.ts";
import { validInEvery } from "../scene/convert.ts";
import { rangeBetween } from "./stretch.ts";

const FLOAT32_RANGE = [-3.4028234663852886e38, 3.4028234663852886e38] as const;

/** The resources of a thread that styling uses. */
type Resources = Pick<RenderResources, "pool">;

/** Pixels that a style needs around each side of those that it colours. */
export function marginOf({ hillshade: sun }: StyleSpec): number {
  return sun === undefined ? 0 : HILLSHADE_MARGIN;
}

/**
 * Returns the raster that is shown for one read with the margin of a style: itself, or its shaded relief without the
 * margin.
 */
export function shownRaster(raster: Raster, { hillshade: sun }: StyleSpec): Raster {
  return sun === undefined ? raster : hillshade(raster, sun);
}

/**
 * The style with the ranges that its percentiles are of a raster's values; the style itself where it names none. A raster without a
 * value has ranges from 0 to 1.
 */
export function stretched(raster: Raster, { percentiles, ...style }: StyleSpec): StyleSpec {
  if (percentiles === undefined) return style;
  const texts = textsOf(style);
  const { bands, valid } = texts.length > 0 ? evaluateEach(raster, texts, style) : raster;
  const rescale = bands.map((band) => rangeBetween(validIn(band, valid), percentiles) ?? ([0, 1] as const));
  return { ...style, rescale };
}

function* validIn(band: Samples, valid: Uint8Array): Iterable<number> {
  for (let i = 0; i < band.length; i++) if (valid[i] === 1) yield band[i]!;
}

const textsOf = ({ expression }: StyleSpec): readonly string[] =>
  expression?.split(";").filter((text) => text.trim() !== "") ?? [];

/** A raster, without margin, in the colours of a style; expressions make one band each. */
export function styleImage(raster: Raster, spec: StyleSpec, resources: Resources): Image {
  const texts = textsOf(spec);
  const shown = texts.length > 1 ? evaluateEach(raster, texts, spec) : raster;
  const [text] = texts;
  const count = text === undefined ? raster.bands.length : texts.length;
  const ranges = spec.rescale ?? (texts.length > 0 ? [FLOAT32_RANGE] : shown.bands.slice(0, 1).flatMap(rangeOfType));
  const style: Style = {
    ...(texts.length === 1 && text !== undefined ? { expression: parseOnce(text, variablesOf(raster, spec)) } : {}),
    ...(ranges.length === 0 ? {} : { rescale: ranges.length === count ? ranges : ranges.slice(0, 1) }),
    ...(spec.colormap === undefined ? {} : { colormap: colormap(spec.colormap) }),
  };
  return styleRaster(shown, style, { pool: resources.pool });
}

const variablesOf = (raster: Raster, { variables }: StyleSpec): readonly string[] =>
  variables ?? raster.bands.map((_, i) => `b${i + 1}`);

/** One band for each expression; a pixel is valid where all of them are. */
function evaluateEach(raster: Raster, texts: readonly string[], spec: StyleSpec): Raster {
  const results = texts.map((text) =>
    evaluateExpression(parseOnce(text, variablesOf(raster, spec)), raster.bands, raster.valid),
  );
  return { grid: raster.grid, bands: results.map(({ values }) => values), valid: validInEvery(results) };
}

/** Lowest and highest value of the samples' type, for samples that are not colours already. */
function rangeOfType(band: Samples): (readonly [number, number])[] {
  if (band instanceof Uint8Array) return [];
  if (band instanceof Float32Array) return [FLOAT32_RANGE];
  if (band instanceof Float64Array) return [[-Number.MAX_VALUE / 2, Number.MAX_VALUE / 2]];
  const bits = band.BYTES_PER_ELEMENT * 8;
  const isSigned = band instanceof Int8Array || band instanceof Int16Array || band instanceof Int32Array;
  return [isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1]];
}
