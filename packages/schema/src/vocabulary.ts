import * as z from "zod";

/** Version of schema v1: shown as `svc:schemaVersion`. Additions raise the minor, corrections the patch number. */
export const SCHEMA_VERSION = "1.0.0";

/** Id of a collection: also a segment of a path. */
export const CollectionId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
  .meta({ id: "CollectionId", description: "Canonical collection id." });
export type CollectionId = z.infer<typeof CollectionId>;

/**
 * Classes of pixels, in the same words for every sensor. The position in the list is the value in a `mask_class`
 * raster.
 */
export const MASK_CLASSES = [
  "nodata",
  "saturated_defective",
  "cloud",
  "cloud_shadow",
  "cirrus",
  "cloud_adjacent",
  "snow_ice",
  "water",
  "dark_terrain_shadow",
  "unclassified",
  "clear",
] as const;
/** The name of a class of pixels. */
export const MaskClass = z.enum(MASK_CLASSES).meta({ id: "MaskClass", description: "What a pixel shows." });
export type MaskClass = z.infer<typeof MaskClass>;

/** Classes that a cloud mask drops, and that the pseudo band `mask` marks, unless a request names others. */
export const DEFAULT_EXCLUDED: readonly MaskClass[] = [
  "nodata",
  "saturated_defective",
  "cloud",
  "cloud_shadow",
  "cirrus",
];

/** Name of where mask classes come from; `none` where nothing is known of clouds. */
export const MaskSource = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/)
  .meta({ id: "MaskSource", description: "Where mask classes come from." });
export type MaskSource = z.infer<typeof MaskSource>;

/** Names that are requested as bands and made from the mask. */
export const PSEUDO_BANDS = ["mask", "mask_class", "dataMask", "cloud_probability"] as const;
/** Name that is requested as a band and made from the mask. */
export const PseudoBand = z
  .enum(PSEUDO_BANDS)
  .meta({ id: "PseudoBand", description: "A band derived from others of the same scene." });
export type PseudoBand = z.infer<typeof PseudoBand>;

/** Ids of units. */
export const UNIT_IDS = [
  "REFLECTANCE",
  "DN",
  "KELVIN",
  "CELSIUS",
  "LINEAR_POWER",
  "DB",
  "METERS",
  "DEGREES",
  "FRACTION",
] as const;
/** Unit of values. */
export const Unit = z.enum(UNIT_IDS).meta({ id: "Unit", description: "Unit of pixel values." });
export type Unit = z.infer<typeof Unit>;

/** Levels of harmonization, from none on. */
export const HARMONIZE_LEVELS = ["none", "offset_removed", "bandpass_adjusted", "nbar"] as const;
/** Level of harmonization. */
export const HarmonizeLevel = z
  .enum(HARMONIZE_LEVELS)
  .meta({ id: "HarmonizeLevel", description: "How far values are brought to one scale across products and sensors." });
export type HarmonizeLevel = z.infer<typeof HarmonizeLevel>;

/** Types of samples. */
export const DATA_TYPES = ["uint8", "uint16", "int16", "float32"] as const;
/** Type of samples. */
export const DataType = z.enum(DATA_TYPES).meta({ id: "DataType", description: "Type of stored values." });
export type DataType = z.infer<typeof DataType>;

/** The mosaicking orders: they decide which scene is on top. */
export const MOSAICKING_ORDERS = ["mostRecent", "leastRecent", "leastCC"] as const;
/** The mosaicking order: it decides which scene is on top. */
export const MosaickingOrder = z
  .enum(MOSAICKING_ORDERS)
  .meta({ id: "MosaickingOrder", description: "Which scene comes on top." });
export type MosaickingOrder = z.infer<typeof MosaickingOrder>;

/** A property of items, and whether its smallest or its largest value comes first. */
export interface MosaickingSort {
  readonly field: "datetime" | "eo:cloud_cover" | "id";
  readonly direction: "asc" | "desc";
}

const NEWEST: readonly MosaickingSort[] = [
  { field: "datetime", direction: "desc" },
  { field: "id", direction: "asc" },
];

/** The sort order of items in each mosaicking order, first on top; items without a value come last. */
export const MOSAICKING_SORTS: Readonly<Record<MosaickingOrder, readonly MosaickingSort[]>> = {
  mostRecent: NEWEST,
  leastRecent: [
    { field: "datetime", direction: "asc" },
    { field: "id", direction: "asc" },
  ],
  leastCC: [{ field: "eo:cloud_cover", direction: "asc" }, ...NEWEST],
};
