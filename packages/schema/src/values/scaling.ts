import type { BandSchema } from "../collection/band.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import type { OffsetRule } from "../file/band-file.ts";
import { findPattern } from "../file/patterns.ts";
import type { CollectionName } from "../registry/resolve.ts";
import { resolveBand } from "../registry/resolve.ts";

/** Constants of Planck's law for a band: K1 in W/(m² sr µm), K2 in kelvin. */
export interface Brightness {
  readonly k1: number;
  readonly k2: number;
}

/** Factors of one band of one scene. */
export interface BandFactors {
  readonly scale: number;
  readonly offset: number;
  readonly brightness?: Brightness;
}

/** Property of planned items, never of served ones: `BandFactors` by native band name, from the scene's own document. */
export const SCENE_FACTORS = "svc:scene_factors";

/** Whether a band's factors are in a document of each scene. */
export function hasSceneFactors({ scaling }: CollectionSchema, { kind }: Pick<BandSchema, "kind">): boolean {
  return scaling !== undefined && (kind === "spectral" || kind === "thermal");
}

/** The conversion of the stored numbers of one band of one scene to values: value = scale × DN + offset. */
export interface BandScaling {
  readonly scale: number;
  readonly offset: number;
  /** The number that `offset_removed` subtracts from each DN: the offset in DN where the scene carries it, else 0. */
  readonly dnOffset: number;
  /**
   * The number to add to each DN so that it can be used with a preset recipe, whose numbers are those of the newest
   * product: the offset in DN for scenes that lack the one of the newest product, else 0.
   */
  readonly recipeShift: number;
  /**
   * Constants of thermal bands whose scaled value is radiance: brightness temperature is K2 / ln(K1 / radiance + 1),
   * kelvin.
   */
  readonly brightness?: Brightness;
  /** Stored value that means "no data", whatever the TIFF's tag says; `undefined` when every value is data. */
  readonly nodata: number | undefined;
}

/**
 * Scaling of a band in a scene, from the properties of its item.
 *
 * Where the band has an offset rule, the offset follows the item: under `by-processing-baseline` it applies from the
 * rule's baseline on, never by acquisition date, and not where the host has taken it out of the pixels. An item that
 * says nothing of its baseline is taken for the newest product.
 *
 * @throws {SchemaError} when the band or collection does not resolve.
 */
export function bandScaling(
  collection: CollectionName,
  band: BandSchema | string,
  properties: Readonly<Record<string, unknown>>,
): BandScaling {
  const known = typeof band === "string" ? resolveBand(collection, band) : band;
  const { scale, offset } = known;
  const nodata = known.nodata ?? undefined;
  const own = (properties[SCENE_FACTORS] as Readonly<Record<string, BandFactors>> | undefined)?.[known.name];
  if (own !== undefined) return { ...own, dnOffset: 0, recipeShift: 0, nodata };
  if (known.offsetRule === undefined) return { scale, offset, dnOffset: 0, recipeShift: 0, nodata };
  const shift = Math.round(-offset / scale);
  return carriesOffset(known.offsetRule, properties)
    ? { scale, offset, dnOffset: shift, recipeShift: 0, nodata }
    : { scale, offset: 0, dnOffset: 0, recipeShift: shift, nodata };
}

function carriesOffset(rule: OffsetRule, properties: Readonly<Record<string, unknown>>): boolean {
  if (rule.appliedFlags.some((flag) => properties[flag] === true)) return false;
  const baseline = baselineOf(rule, properties);
  return baseline === undefined || baseline >= Math.round(Number(rule.from) * 100);
}

/** Baseline times 100, so that `"04.00"`, `"4.0"` and `4` compare as equal. */
function baselineOf(rule: OffsetRule, properties: Readonly<Record<string, unknown>>): number | undefined {
  const stated = properties[rule.property];
  if (typeof stated === "number" && Number.isFinite(stated)) return Math.round(stated * 100);
  if (typeof stated === "string" && /^\d{1,2}(\.\d{1,2})?$/.test(stated.trim()))
    return Math.round(Number(stated) * 100);
  if (rule.product === undefined) return undefined;
  const product = properties[rule.product.property];
  const baseline = typeof product === "string" ? findPattern(product, rule.product.pattern, "$1.$2") : undefined;
  return baseline === undefined ? undefined : Math.round(Number(baseline) * 100);
}
