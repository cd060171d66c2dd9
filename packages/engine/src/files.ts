export { assetFile } from "./items/asset-file.ts";
export { type AngleReader, createAngleReader, MAX_METADATA_BYTES } from "./metadata/angle-reader.ts";
export { anglesOfBand, readGranuleMetadata } from "./metadata/granule-metadata.ts";
export { type SceneDocuments, sceneDocuments } from "./metadata/scene-documents.ts";
export {
  type CollectionAccess,
  type CredentialReport,
  createFileAccess,
  type FileAccess,
  type FileAccessOptions,
  type FileAccessSources,
} from "./open/file-access.ts";
export { hasFilesOf } from "./read/recipe-bands.ts";
export { refusalOfRead, unavailable } from "./run/errors.ts";
export { HostError } from "./run/files/access/asset-hosts.ts";
export {
  CredentialError,
  type CredentialFault,
  type CredentialName,
  credentialFault,
  credentialVariables,
} from "./run/files/access/credentials.ts";
export { paceStates } from "./run/files/access/host-paces.ts";
export type { S3Keys, S3Settings } from "./run/files/access/s3-settings.ts";
export { createSharedAccess, type SharedAccess } from "./run/files/access/shared-access.ts";
export { type OnRead, type Traffic, TrafficCount } from "./run/files/traffic.ts";
export type { FileAddress } from "./run/scene/scene-read.ts";
