import type { BandSchema } from "./band.ts";
import type { OffsetRule } from "./file/band-file.ts";
import { findPattern } from "./file/patterns.ts";
import type { CollectionName } from "./resolve.ts";
import { resolveBand } from "./resolve.ts";

/** How the stored numbers of one band of one scene become values: value = scale × DN + offset. */
export interface BandScaling {
  readonly scale: number;
  readonly offset: number;
  /** What `offset_removed` subtracts from each DN: the offset in DN where the scene carries it, else 0. */
  readonly dnOffset: number;
  /**
   * What to add to each DN so that it can be used with a preset recipe, whose numbers are those of the newest product:
   * the offset in DN for scenes that lack the one of the newest product, else 0.
   */
  readonly recipeShift: number;
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

/** Baseline times 100, so that `"04.00"`, `"4.0"` and `4` compare alike. */
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
