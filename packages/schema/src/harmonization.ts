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

/** Levels of harmonization, and what each does to each collection. */
export const harmonization: {
  readonly levels: Readonly<Record<HarmonizeLevel, HarmonizeSchema>>;
  readonly rules: readonly HarmonizeRule[];
} = {
  levels: {
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
  },
  rules: [
    {
      collection: "sentinel-2-l2a",
      level: "none",
      rule: "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0001 × DN + offset, offset by processing baseline.",
    },
    {
      collection: "sentinel-2-l2a",
      level: "offset_removed",
      rule:
        "int16: DN - 1000 from processing baseline 04.00 on, DN before; at most 32767; nodata -32768. " +
        "reflectance = 0.0001 × value.",
    },
    {
      collection: "landsat-ot-l2",
      level: "none",
      rule: "Digital numbers as stored, uint16, nodata 0; reflectance = 0.0000275 × DN - 0.2.",
    },
    {
      collection: "landsat-ot-l2",
      level: "offset_removed",
      rule: "The same as none: the offset is the same for every product.",
    },
  ],
};
