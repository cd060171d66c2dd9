export { Calculation } from "./calculation.ts";
export { Alias, type AliasQuery, type AliasSchema, PATH_ID, toAlias } from "./collection/alias.ts";
export { attributionFor } from "./collection/attribution.ts";
export { Band, type BandKind, type BandSchema, fileOfBand, toBand } from "./collection/band.ts";
export { namesOfBand } from "./collection/band-names.ts";
export type { CollectionSchema, Provider, UpstreamSchema, VirtualSchema } from "./collection/collection.ts";
export {
  bandAdjustment,
  isAdjustable,
  type NadirAdjustment,
  nadirAdjustment,
  PRESCRIBED_SUN_ZENITH,
} from "./collection/harmonization.ts";
export { type MaskSettings, maskCode } from "./collection/mask.ts";
export { fallbackOf, upstreamCollections } from "./collection/upstream-collections.ts";
export { bandOfCommonName, sourceCollection } from "./collection/virtual.ts";
export { SchemaDocument } from "./document/document-model.ts";
export { isUnit, type UnitSchema, units } from "./document/units.ts";
export { SchemaError } from "./errors.ts";
export { OffsetRule } from "./file/band-file.ts";
export { type AnyCollectionFile, CollectionFile, isVirtualFile } from "./file/collection-file.ts";
export { AngleSource, BandAdjustment, BandpassTable, KernelWeights, NadirTable } from "./file/harmonization-file.ts";
export type { ExtensionRule, FieldRule, PropertyRule, QueryableFile, ValueSource } from "./file/item-rules.ts";
export type { MaskFile } from "./file/mask-file.ts";
export { type FilesRule, type TemplatePart, templateParts } from "./file/path-template.ts";
export { findPattern } from "./file/patterns.ts";
export type { OrbitRule } from "./file/platform-rules.ts";
export type { BucketFile, ServerFile, StorageFile } from "./file/storage-file.ts";
export type { FallbackFile, UpstreamFile } from "./file/upstream-file.ts";
export { UpstreamKindFile } from "./file/upstream-kind-file.ts";
export { type Membership, VirtualCollectionFile } from "./file/virtual-file.ts";
export type { FileFault } from "./parse/faults.ts";
export { CollectionFileError, parseAnyCollectionFile, parseCollectionFile } from "./parse/parse.ts";
export {
  checkFileNames,
  type NamedText,
  readPresetFiles,
  readServiceFiles,
  type SourcedFile,
  withArchived,
} from "./parse/service-files.ts";
export type {} from "./platform-types.ts";
export { CloudMask } from "./preset/cloud-mask.ts";
export { COLORMAPS } from "./preset/colormaps.ts";
export { INDEX_PRESETS } from "./preset/index-presets.ts";
export { type IndexSchema, indices, resolveIndex } from "./preset/indices.ts";
export { Preset, PresetFile, Recipe } from "./preset/preset.ts";
export {
  BUILT_IN_FILES,
  collections,
  defaultRegistry,
} from "./registry/default-registry.ts";
export { derivedRecipe } from "./registry/derived-recipe.ts";
export { PRESET_FILES as BUILT_IN_PRESETS } from "./registry/generated.ts";
export type { QueryableSchema } from "./registry/queryables.ts";
export { type CollectionRegistry, createRegistry } from "./registry/registry.ts";
export type { CollectionMatch } from "./registry/registry-names.ts";
export {
  type CollectionName,
  defaultBands,
  findBand,
  resolveBand,
  resolveCollection,
  toNativeAsset,
  toUpstreamAsset,
} from "./registry/resolve.ts";
export { ShownRecipe, shownRecipe } from "./registry/shown-recipe.ts";
export { suggest } from "./suggest.ts";
export { findUpstreamKind, UPSTREAM_KINDS, upstreamKindOf } from "./upstreams/upstream-kinds.ts";
export { keepTable, maskClassOf, maskTable, type TableSource } from "./values/mask-sources.ts";
export {
  type BandFactors,
  type BandScaling,
  type Brightness,
  bandScaling,
  hasSceneFactors,
  SCENE_FACTORS,
} from "./values/scaling.ts";
export {
  CollectionId,
  DataType,
  DEFAULT_EXCLUDED,
  HARMONIZE_LEVELS,
  HarmonizeLevel,
  MaskClass,
  MaskSource,
  MOSAICKING_SORTS,
  MosaickingOrder,
  type MosaickingSort,
  PseudoBand,
  SCHEMA_VERSION,
  UNIT_IDS,
  Unit,
} from "./vocabulary.ts";
