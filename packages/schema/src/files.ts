export { type AnyCollectionFile, CollectionFile, isVirtualFile } from "./file/collection-file.ts";
export type { ExtensionRule, FieldRule, PropertyRule, QueryableFile, ValueSource } from "./file/item-rules.ts";
export type { MaskFile } from "./file/mask-file.ts";
export { type FilesRule, type TemplatePart, templateParts } from "./file/path-template.ts";
export { findPattern } from "./file/patterns.ts";
export type { OrbitRule } from "./file/platform-rules.ts";
export type { FallbackFile } from "./file/upstream-file.ts";
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
export { PresetFile } from "./preset/preset.ts";
export { BUILT_IN_FILES } from "./registry/default-registry.ts";
export { PRESET_FILES as BUILT_IN_PRESETS } from "./registry/generated.ts";
