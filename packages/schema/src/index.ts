export { Alias, type AliasQuery, type AliasSchema, PATH_ID, toAlias } from "./alias.ts";
export { attributionFor } from "./attribution.ts";
export { Band, type BandKind, type BandSchema, toBand } from "./band.ts";
export type { CollectionSchema, Provider, UpstreamSchema } from "./collection.ts";
export {
  SchemaCollection,
  SchemaDocument,
  schemaData,
  schemaDocument,
  schemaJsonSchema,
} from "./document.ts";
export { SchemaError } from "./errors.ts";
export { type HarmonizeRule, type HarmonizeSchema, harmonization } from "./harmonization.ts";
export { type IndexSchema, indices, resolveIndex } from "./indices.ts";
export {
  CloudMask,
  keepTable,
  type MaskSettings,
  maskClassesOf,
  maskClassOf,
  maskCode,
  maskTable,
  QA_PIXEL_BITS,
  QA_PIXEL_CONFIDENCES,
  SCL_CLASSES,
  type TableSource,
} from "./mask.ts";
export { findPreset, Preset, presets, Recipe, resolvePreset } from "./presets.ts";
export { collections, LIVE_COLLECTION_IDS, type LiveCollectionId } from "./registry.ts";
export {
  COLLECTION_NAMES,
  type CollectionMatch,
  type CollectionName,
  defaultBands,
  findBand,
  findByUpstream,
  findCollection,
  hasPhysicalUnits,
  namesOfBand,
  resolveBand,
  resolveCollection,
  toNativeAsset,
  toUpstreamAsset,
} from "./resolve.ts";
export { type BandScaling, bandScaling } from "./scaling.ts";
export { suggest } from "./suggest.ts";
export { isUnit, type UnitSchema, units } from "./units.ts";
export {
  COLLECTION_IDS,
  CollectionId,
  DATA_TYPES,
  DataType,
  HARMONIZE_LEVELS,
  HarmonizeLevel,
  MASK_CLASSES,
  MASK_SOURCES,
  MaskClass,
  MaskSource,
  MOSAICKING_ORDERS,
  MosaickingOrder,
  PSEUDO_BANDS,
  PseudoBand,
  SCHEMA_VERSION,
  UNIT_IDS,
  Unit,
} from "./vocabulary.ts";
