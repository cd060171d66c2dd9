import type { BandSchema } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";
import type { BandAdjustment, BandpassTable } from "./harmonization-file.ts";
import type { CollectionId, HarmonizeLevel } from "./vocabulary.ts";

/** What a level of harmonization does. */
export interface HarmonizeSchema {
  readonly title: string;
  readonly description: string;
}

/** What a level does to the bands of one collection. */
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
    description: "Bandpass adjusted, and brought to nadir view and one solar angle.",
  },
};

/** What each level does to each of these collections. */
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
