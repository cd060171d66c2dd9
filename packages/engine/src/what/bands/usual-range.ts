import { evaluateExpression } from "@swath/raster";
import { type CollectionSchema, findBand } from "@swath/schema";
import type { Recipe } from "@swath/schema/presets";
import { parseOnce } from "../../run/expressions.ts";
import { rangeBetween } from "../../run/image/stretch.ts";

/** Shares of the usual values below and above a range, percent. */
const PERCENTILES = [2, 98] as const;

/**
 * The range of each band or expression of a recipe: from the 2nd to the 98th percentile of its values over the usual surfaces
 * of the collection's bands.
 *
 * @returns undefined where a band says nothing of usual values, or none of them gives a number.
 */
export function usualRanges(
  collection: CollectionSchema,
  { assets, expression }: Pick<Recipe, "assets" | "expression">,
): readonly (readonly [low: number, high: number])[] | undefined {
  const usual = assets.map((name) => findBand(collection, name)?.usual);
  const [first] = usual;
  if (first === undefined || usual.some((values) => values?.length !== first.length)) return undefined;
  const bands = usual.map((values) => Float64Array.from(values ?? []));
  const texts = expression?.split(";").filter((text) => text.trim() !== "");
  const shown = texts?.map((text) => valuesOf(text, bands)) ?? bands.map((band) => [...band]);
  const ranges = shown.map((values) => rangeBetween(values, PERCENTILES));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

function valuesOf(text: string, bands: readonly Float64Array[]): readonly number[] {
  const names = bands.map((_, i) => `b${i + 1}`);
  const valid = new Uint8Array(bands[0]?.length ?? 0).fill(1);
  const result = evaluateExpression(parseOnce(text, names), bands, valid);
  return [...result.values].filter((_, i) => result.valid[i] === 1);
}
