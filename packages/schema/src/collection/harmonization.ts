import type { BandAdjustment, BandpassTable, KernelWeights, NadirTable } from "../file/harmonization-file.ts";
import type { CollectionId, HarmonizeLevel } from "../vocabulary.ts";
import type { BandSchema } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";

/** The effect of a level of harmonization. */
export interface HarmonizeSchema {
  readonly title: string;
  readonly description: string;
}

/** The effect of a level on the bands of one collection. */
export interface HarmonizeRule {
  readonly collection: CollectionId;
  readonly level: HarmonizeLevel;
  readonly rule: string;
}

/** Levels of harmonization by id. */
export const HARMONIZATION_LEVELS: Readonly<Record<HarmonizeLevel, HarmonizeSchema>> = {
  none: { title: "None", description: "Values as the producer stores them." },
  offset_removed: {
    title: "Offset removed",
    description: "The offset that newer products add to digital numbers is subtracted, so that all products compare.",
  },
  bandpass_adjusted: {
    title: "Bandpass adjusted",
    description: "Offset removed, and each band brought to one reference spectral response by linear coefficients.",
  },
  nbar: {
    title: "NBAR",
    description:
      "Bandpass adjusted, and brought to nadir view and to a solar zenith that depends on the latitude alone.",
  },
};

/** Returns the effect of each level on each of these collections. */
export function harmonizeRules(collections: readonly CollectionSchema[]): HarmonizeRule[] {
  return collections.flatMap(({ id, harmonize }) =>
    Object.entries(harmonize.levels).map(([level, rule]) => ({ collection: id, level: level as HarmonizeLevel, rule })),
  );
}

/** The sensor whose spectral response `bandpass_adjusted` brings all others to. */
export const BANDPASS_REFERENCE = "Landsat 8 and 9 OLI";

/** The coefficients of `bandpass_adjusted` as the schema document gives them. */
export interface BandpassSchema {
  readonly reference: string;
  readonly formula: string;
  readonly tables: readonly ({ readonly collection: CollectionId } & BandpassTable)[];
}

/** The coefficients of these collections; `undefined` where none has any. */
export function bandpassSchema(collections: readonly CollectionSchema[]): BandpassSchema | undefined {
  const tables = collections.flatMap(({ id, harmonize }) =>
    (harmonize.bandpass ?? []).map((table) => ({ collection: id, ...structuredClone(table) })),
  );
  if (tables.length === 0) return undefined;
  return { reference: BANDPASS_REFERENCE, formula: "slope × reflectance + offset", tables };
}

/**
 * The coefficients that bring the reflectance of a band of one scene to the reference sensor: slope × value + offset,
 * both without a unit. Temperatures have none to be brought to and stay: slope 1, offset 0.
 *
 * @param properties of the item, of which `platform` decides.
 * @returns `undefined` where none are published for the band or the platform.
 */
export function bandAdjustment(
  { harmonize }: Pick<CollectionSchema, "harmonize">,
  { name, kind }: Pick<BandSchema, "name" | "kind">,
  { platform }: Readonly<Record<string, unknown>>,
): BandAdjustment | undefined {
  if (kind === "thermal") return { slope: 1, offset: 0 };
  const table = harmonize.bandpass?.find(
    ({ platforms }) => platforms === undefined || platforms.some((each) => each === platform),
  );
  return table !== undefined && Object.hasOwn(table.bands, name) ? table.bands[name] : undefined;
}

/** Whether coefficients of a band are published for every platform of the collection. */
export function isAdjustable(
  { harmonize }: Pick<CollectionSchema, "harmonize">,
  { name, kind }: Pick<BandSchema, "name" | "kind">,
): boolean {
  // tables of one collection have the same bands
  return kind === "thermal" || harmonize.bandpass?.some(({ bands }) => Object.hasOwn(bands, name)) === true;
}

/** The solar zenith of `nbar` in degrees: coefficients of the powers 0 to 6 of the latitude in degrees. */
export const PRESCRIBED_SUN_ZENITH = {
  source:
    "Zhang et al. 2016, doi:10.1016/j.rse.2016.07.005, as the HLS Product User Guide v1.4 gives it; HLS v2.0 uses another.",
  coefficients: [31.0076, -0.1272, 0.01187, 2.4e-5, -9.48e-7, -1.95e-9, 6.15e-11],
} as const;

/** The weights, angles and solar zenith of `nbar` as the schema document gives them. */
export interface NadirSchema {
  readonly formula: string;
  readonly kernels: string;
  /** Degrees. */
  readonly view_zenith: number;
  readonly sun_zenith: { readonly source: string; readonly coefficients: readonly number[] };
  readonly tables: readonly ({ readonly collection: CollectionId } & NadirTable)[];
}

/** The weights of these collections; `undefined` where none has any. */
export function nadirSchema(collections: readonly CollectionSchema[]): NadirSchema | undefined {
  const tables = collections.flatMap(({ id, harmonize }) =>
    harmonize.nbar === undefined ? [] : [{ collection: id, ...structuredClone(harmonize.nbar) }],
  );
  if (tables.length === 0) return undefined;
  return {
    formula:
      "reflectance at bandpass_adjusted × BRDF(view 0, sun_zenith of the latitude) / BRDF(observed); BRDF = iso + vol × K_vol + geo × K_geo (Roy et al. 2016, doi:10.1016/j.rse.2016.01.023)",
    kernels:
      "K_vol: RossThick; K_geo: LiSparseReciprocal with h/b = 2, b/r = 1 (Lucht, Schaaf and Strahler 2000, doi:10.1109/36.841980)",
    view_zenith: 0,
    sun_zenith: structuredClone(PRESCRIBED_SUN_ZENITH),
    tables,
  };
}

/** The step that brings a band from `bandpass_adjusted` to `nbar`: none, or factors by the weights of its kernels. */
export type NadirAdjustment =
  | { readonly kind: "unchanged" }
  | { readonly kind: "kernels"; readonly weights: KernelWeights };

/**
 * Returns the step that brings a band from `bandpass_adjusted` to `nbar`. Temperatures stay, and so does reflectance
 * that the producer gives at nadir view.
 *
 * @returns `undefined` where no weights are published for the band.
 */
export function nadirAdjustment(
  collection: Pick<CollectionSchema, "harmonize">,
  band: Pick<BandSchema, "name" | "kind">,
): NadirAdjustment | undefined {
  const { nbar } = collection.harmonize;
  if (band.kind === "thermal") return { kind: "unchanged" };
  if (nbar?.angles.kind === "normalized") return isAdjustable(collection, band) ? { kind: "unchanged" } : undefined;
  const { bands = {} } = nbar ?? {};
  const weights = Object.hasOwn(bands, band.name) ? bands[band.name] : undefined;
  return weights === undefined ? undefined : { kind: "kernels", weights };
}
