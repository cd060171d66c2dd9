export { type AliasQuery, type AliasSchema, PATH_ID } from "./collection/alias.ts";
export { attributionFor } from "./collection/attribution.ts";
export { type BandKind, type BandSchema, fileOfBand } from "./collection/band.ts";
export { namesOfBand } from "./collection/band-names.ts";
export type { CollectionSchema, Provider, UpstreamSchema, VirtualSchema } from "./collection/collection.ts";
export { type MaskSettings, maskCode } from "./collection/mask.ts";
export { bandOfCommonName, sourceCollection } from "./collection/virtual.ts";
export { SchemaDocument } from "./document/document-model.ts";
export { isUnit, type UnitSchema, units } from "./document/units.ts";
export { SchemaError } from "./errors.ts";
export type {} from "./platform-types.ts";
export { CloudMask } from "./preset/cloud-mask.ts";
export { collections, defaultRegistry } from "./registry/default-registry.ts";
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
export { suggest } from "./suggest.ts";
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
  DEFAULT_EXCLUDED,
  HARMONIZE_LEVELS,
  HarmonizeLevel,
  MaskClass,
  MOSAICKING_SORTS,
  MosaickingOrder,
  type MosaickingSort,
  SCHEMA_VERSION,
  UNIT_IDS,
  Unit,
} from "./vocabulary.ts";
