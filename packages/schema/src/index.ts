export { Alias, type AliasQuery, type AliasSchema, PATH_ID, toAlias } from "./alias.ts";
export { attributionFor } from "./attribution.ts";
export { Band, type BandKind, type BandSchema, fileOfBand, toBand } from "./band.ts";
export { namesOfBand } from "./band-names.ts";
export { Calculation } from "./calculation.ts";
export { CloudMask } from "./cloud-mask.ts";
export type { CollectionSchema, Provider, UpstreamSchema } from "./collection.ts";
export { PRESET_FILES as BUILT_IN_PRESETS } from "./collections/generated.ts";
export { COLORMAPS } from "./colormaps.ts";
export {
  BUILT_IN_FILES,
  COLLECTION_IDS,
  COLLECTION_NAMES,
  collections,
  defaultRegistry,
  findPreset,
  harmonization,
  LIVE_COLLECTION_IDS,
  type LiveCollectionId,
  presets,
  resolvePreset,
  schemaData,
  schemaDocument,
} from "./default-registry.ts";
export { derivedRecipe } from "./derived-recipe.ts";
export { SchemaCollection, SchemaDocument, schemaJsonSchema } from "./document-model.ts";
export { SchemaError } from "./errors.ts";
export { type BandFile, OffsetRule } from "./file/band-file.ts";
export { type AnyCollectionFile, CollectionFile, isVirtualFile } from "./file/collection-file.ts";
export { type FileFault, formatFault } from "./file/faults.ts";
export type { ExtensionRule, FieldRule, PropertyRule, QueryableFile, ValueSource } from "./file/item-rules.ts";
export type { BitFlagsMask, ClassTableMask, MaskFile } from "./file/mask-file.ts";
export {
  CollectionFileError,
  collectionFileFaults,
  collectionJsonSchema,
  isUpstreamKindFile,
  parseAnyCollectionFile,
  parseCollectionFile,
  parseServiceFile,
  type ServiceFile,
  upstreamKindJsonSchema,
} from "./file/parse.ts";
export { parsePresetFile } from "./file/parse-preset.ts";
export { type FilesRule, fileDate, fillTemplate, matchPath, templateNames } from "./file/path-template.ts";
export { findPattern } from "./file/patterns.ts";
export type { InstrumentRule, OrbitRule } from "./file/platform-rules.ts";
export {
  checkFileNames,
  type NamedText,
  readPresetFiles,
  readServiceFiles,
  type SourcedFile,
  withArchived,
} from "./file/service-files.ts";
export type { BucketFile, ServerFile, StorageFile } from "./file/storage-file.ts";
export { type FallbackFile, type UpstreamFile, UpstreamName } from "./file/upstream-file.ts";
export { UpstreamKindFile, UpstreamKindId } from "./file/upstream-kind-file.ts";
export { type Membership, VirtualCollectionFile } from "./file/virtual-file.ts";
export {
  bandAdjustment,
  type HarmonizeRule,
  type HarmonizeSchema,
  isAdjustable,
  type NadirAdjustment,
  nadirAdjustment,
  PRESCRIBED_SUN_ZENITH,
} from "./harmonization.ts";
export { AngleSource, BandAdjustment, BandpassTable, KernelWeights, NadirTable } from "./harmonization-file.ts";
export { INDEX_PRESETS } from "./index-presets.ts";
export { type IndexSchema, indices, resolveIndex } from "./indices.ts";
export { type LandsatMtl, parseLandsatMtl } from "./landsat-mtl.ts";
export { type MaskSettings, maskCode } from "./mask.ts";
export { keepTable, maskClassesOf, maskClassOf, maskTable, type TableSource } from "./mask-sources.ts";
export type {} from "./platform-types.ts";
export { Hillshade, Preset, PresetFile, Recipe } from "./preset.ts";
export type { QueryableSchema } from "./queryables.ts";
export { type CollectionRegistry, createRegistry } from "./registry.ts";
export type { CollectionMatch } from "./registry-names.ts";
export {
  type CollectionName,
  defaultBands,
  findBand,
  findByUpstream,
  findCollection,
  hasPhysicalUnits,
  resolveBand,
  resolveCollection,
  toNativeAsset,
  toUpstreamAsset,
} from "./resolve.ts";
export {
  type BandFactors,
  type BandScaling,
  type Brightness,
  bandScaling,
  hasSceneFactors,
  SCENE_FACTORS,
} from "./scaling.ts";
export { ShownRecipe, shownRecipe } from "./shown-recipe.ts";
export { suggest } from "./suggest.ts";
export { isUnit, type UnitSchema, units } from "./units.ts";
export { fallbackOf, upstreamCollections } from "./upstream-collections.ts";
export { findUpstreamKind, UPSTREAM_KINDS, upstreamKindOf } from "./upstream-kinds.ts";
export { bandOfCommonName, sourceCollection, type VirtualSchema } from "./virtual.ts";
export {
  CollectionId,
  DATA_TYPES,
  DataType,
  DEFAULT_EXCLUDED,
  HARMONIZE_LEVELS,
  HarmonizeLevel,
  MASK_CLASSES,
  MaskClass,
  MaskSource,
  MOSAICKING_ORDERS,
  MOSAICKING_SORTS,
  MosaickingOrder,
  type MosaickingSort,
  PSEUDO_BANDS,
  PseudoBand,
  SCHEMA_VERSION,
  UNIT_IDS,
  Unit,
} from "./vocabulary.ts";
