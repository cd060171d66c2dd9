export { assetFile } from "./items/asset-file.ts";
export { footprintOf } from "./items/placement.ts";
export { SEARCH_UNITS } from "./limits/cost.ts";
export { checkSize, JOB_CAPS, type SizeCaps } from "./limits/limits.ts";
export { type AngleReader, createAngleReader, MAX_METADATA_BYTES } from "./metadata/angle-reader.ts";
export { anglesOfBand, readGranuleMetadata } from "./metadata/granule-metadata.ts";
export { type SceneDocuments, sceneDocuments } from "./metadata/scene-documents.ts";
export { didYouMean, presetNamed, unknownCollection } from "./names.ts";
export {
  type CollectionAccess,
  type CredentialReport,
  createFileAccess,
  type FileAccess,
  type FileAccessOptions,
  type FileAccessSources,
} from "./open/file-access.ts";
export { displayScene } from "./read/display-scene.ts";
export { extractScenes } from "./read/extract-scenes.ts";
export { DISPLAY } from "./read/item-scene.ts";
export { maskRead } from "./read/mask.ts";
export { hasFilesOf, previewRecipe } from "./read/recipe-bands.ts";
export { type Fault, type Path, Refusal, type RefusalCode, type RefusalOptions } from "./refusal.ts";
export type { AreaWhere, Calculation, ExtractionRequest, FeaturesRequest, FeaturesWhere, FeatureWhere, Frame, GeoTiffInto, GraphInto, GraphRequest, GraphWhere, HistogramSettings, ImageInto, ImageRequest, IntervalsInto, Into, ItemImageRequest, ItemWhere, Measure, OverpassesInto, PointWhere, Request, SeriesReducer, SeriesRequest, StatisticsRequest, TileRequest, TileWhere, What, When, Where } from "./request.ts";
export { type CsvField, toCsvText } from "./result/csv.ts";
export { legendOf, type PresetLegend } from "./result/legend.ts";
export { seriesCsv } from "./result/series-csv.ts";
export { skippedDetail } from "./result/skipped-scenes.ts";
export { statisticsCsv } from "./result/statistics-csv.ts";
export { type OutputRow, type StatisticsRow, statisticsRows } from "./result/statistics-rows.ts";
export { statisticsText } from "./result/statistics-text.ts";
export type {
  ComputeJob,
  GridGroups,
  GridPart,
  ReducedGroup,
  ReducedOutput,
  Reducer,
  SkippedScene,
} from "./run/compute/compute-job.ts";
export { refusalOfRead, unavailable } from "./run/errors.ts";
export type { Extraction, ExtractJob, ExtractScene } from "./run/extract/extract-job.ts";
export { webCredentials } from "./run/files/access/asset-credentials.ts";
export { assetHosts, HostError } from "./run/files/access/asset-hosts.ts";
export {
  CredentialError,
  type CredentialFault,
  type CredentialName,
  credentialFault,
  credentialVariables,
} from "./run/files/access/credentials.ts";
export { findServer, type ServerFacts } from "./run/files/access/file-storage.ts";
export { paceStates } from "./run/files/access/host-paces.ts";
export { planS3 } from "./run/files/access/s3-plan.ts";
export type { S3Keys, S3Settings } from "./run/files/access/s3-settings.ts";
export { AccessServer, createSharedAccess, type SharedAccess, ThreadAccess } from "./run/files/access/shared-access.ts";
export { containerOf, createUrlTokens, signedUrl } from "./run/files/access/signed-urls.ts";
export { type OnRead, type Traffic, TrafficCount } from "./run/files/traffic.ts";
export { runTogether } from "./run/run-together.ts";
export {
  type FileAddress,
  type FileRead,
  type GridSpec,
  gridSpec,
  type MaskRead,
  type SceneRead,
} from "./run/scene/scene-read.ts";
export { type CubeCollection, cubeCollection } from "./what/cube-bands.ts";
export { nodataTag, type Product, productOf } from "./what/product.ts";
export { collectionOf, collectionsOf } from "./when/collections.ts";
export { divideTime, intervalOf, readTimeRange } from "./when/intervals.ts";
export { aliasFilter, scopedQuery, searchNames } from "./when/search-scope.ts";
export { withDays } from "./when/time-window.ts";
export { upstreamFault, upstreamProblem, upstreamsNamed } from "./when/upstream-fault.ts";
export { cornerGrid, coveringPixels } from "./where/alignment.ts";
export { type Area, areaOf } from "./where/area.ts";
export { type AskedFrame, readFrame } from "./where/frame.ts";
