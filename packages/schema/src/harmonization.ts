import type { CollectionSchema } from "./collection.ts";
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
