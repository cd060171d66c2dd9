import type { BandSchema } from "./band.ts";
import type { CollectionName } from "./resolve.ts";
import { resolveBand } from "./resolve.ts";

/** How the stored numbers of one band of one scene become values: value = scale × DN + offset. */
export interface BandScaling {
  readonly scale: number;
  readonly offset: number;
  /** What `offset_removed` subtracts from each DN: 1000 for Sentinel-2 from baseline 04.00 on, else 0. */
  readonly dnOffset: number;
  /**
   * What to add to each DN so that it can be used with a preset recipe, whose numbers are those of the newest product:
   * 1000 for Sentinel-2 scenes without the offset, else 0.
   */
  readonly recipeShift: number;
  /** Stored value that means "no data"; `undefined` when every value is data. */
  readonly nodata: number | undefined;
}

/** The first Sentinel-2 processing baseline whose digital numbers carry the offset (ESA, 25 January 2022). */
const OFFSET_BASELINE = 400;

/**
 * Scaling of a band in a scene, from the properties of its item.
 *
 * For Sentinel-2 reflectance the offset follows `s2:processing_baseline`, never the acquisition date: -0.1 from 04.00
 * on, 0 before, and 0 where `earthsearch:boa_offset_applied` is true, since those pixels have it taken out already.
 * Without a baseline, `s2:product_uri` (`…_N0510_…`) tells it; without both, the newest product is assumed.
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
  return carriesOffset(properties)
    ? { scale, offset, dnOffset: shift, recipeShift: 0, nodata }
    : { scale, offset: 0, dnOffset: 0, recipeShift: shift, nodata };
}

function carriesOffset(properties: Readonly<Record<string, unknown>>): boolean {
  if (properties["earthsearch:boa_offset_applied"] === true) return false;
  const baseline = baselineOf(properties);
  return baseline === undefined || baseline >= OFFSET_BASELINE;
}

/** Baseline times 100, so that `"04.00"`, `"4.0"` and `4` compare alike. */
function baselineOf(properties: Readonly<Record<string, unknown>>): number | undefined {
  const stated = properties["s2:processing_baseline"];
  if (typeof stated === "number" && Number.isFinite(stated)) return Math.round(stated * 100);
  if (typeof stated === "string" && /^\d{1,2}(\.\d{1,2})?$/.test(stated.trim()))
    return Math.round(Number(stated) * 100);
  const uri = properties["s2:product_uri"];
  const digits = typeof uri === "string" ? /_N(\d{4})_/.exec(uri)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
