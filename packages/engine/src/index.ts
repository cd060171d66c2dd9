export { SEARCH_UNITS, statisticsUnits } from "./job/cost.ts";
export { readStatistics } from "./job/statistics-plan.ts";
export { type AngleReader, createAngleReader, MAX_METADATA_BYTES } from "./metadata/angle-reader.ts";
export { anglesOfBand, readGranuleMetadata } from "./metadata/granule-metadata.ts";
export { type SceneDocuments, sceneDocuments } from "./metadata/scene-documents.ts";
export { assetFile } from "./read/asset-file.ts";
export { displayScene } from "./read/display-scene.ts";
export { extractScenes } from "./read/extract-scenes.ts";
export {
  type CollectionAccess,
  type CredentialReport,
  createFileAccess,
  type FileAccess,
  type FileAccessOptions,
  type FileAccessSources,
} from "./read/file-access.ts";
export { footprintOf } from "./read/footprint.ts";
export { DISPLAY } from "./read/item-scene.ts";
export { maskRead } from "./read/mask.ts";
export { type Fault, type Path, Refusal, type RefusalCode, type RefusalOptions } from "./refusal.ts";
export type {
  AreaImageRequest,
  AreaWhere,
  Calculation,
  ExtractionRequest,
  Frame,
  GeoTiffInto,
  GraphInto,
  GraphRequest,
  GraphWhere,
  HistogramSettings,
  ImageInto,
  ImageRequest,
  IntervalsInto,
  Into,
  ItemImageRequest,
  ItemWhere,
  OverpassesInto,
  PointWhere,
  Request,
  SeriesRequest,
  StatisticsRequest,
  TileRequest,
  TileWhere,
  What,
  When,
  Where,
} from "./request.ts";
export { type CsvField, toCsvText } from "./result/csv.ts";
export { seriesCsv } from "./result/series-csv.ts";
export { skippedDetail } from "./result/skipped-scenes.ts";
export { statisticsCsv } from "./result/statistics-csv.ts";
export { type OutputRow, type StatisticsRow, statisticsRows } from "./result/statistics-rows.ts";
export { webCredentials } from "./run/asset-credentials.ts";
export { assetHosts, HostError } from "./run/asset-hosts.ts";
export { equalEdges, MAX_BINS } from "./run/bins.ts";
export {
  type ComputeJob,
  type GridGroups,
  type GridPart,
  mosaicGroup,
  type ReducedGroup,
  type ReducedOutput,
  type Reducer,
  type SkippedScene,
} from "./run/compute-job.ts";
export { polygonTiles } from "./run/counted-pixels.ts";
export {
  CredentialError,
  type CredentialFault,
  type CredentialName,
  credentialFault,
  credentialVariables,
} from "./run/credentials.ts";
export { refusalOfRead, unavailable } from "./run/errors.ts";
export type { Extraction, ExtractJob, ExtractScene } from "./run/extract-job.ts";
export { findBucket, findServer, type ServerFacts } from "./run/file-storage.ts";
export { paceStates } from "./run/host-paces.ts";
export { addNumbers, EXACT_VALUES, finishNumbers, numbersOf } from "./run/partial-numbers.ts";
export { runTogether } from "./run/run-together.ts";
export { planS3 } from "./run/s3-plan.ts";
export type { S3Keys, S3Settings } from "./run/s3-settings.ts";
export {
  type FileAddress,
  type FileRead,
  type GridSpec,
  gridSpec,
  type MaskRead,
  type SceneRead,
} from "./run/scene-read.ts";
export { AccessServer, createSharedAccess, type SharedAccess, ThreadAccess } from "./run/shared-access.ts";
export { containerOf, createUrlTokens, signedUrl } from "./run/signed-urls.ts";
export { binValues, countBelow, percentilesOf, sortValues, thinValues, valueAt } from "./run/sorted-values.ts";
export { type OnRead, type Traffic, TrafficCount } from "./run/traffic.ts";
export { type CubeCollection, cubeCollection } from "./what/cube-bands.ts";
export { didYouMean, presetNamed, unknownCollection } from "./what/names.ts";
export { nodataTag, type Product, productOf } from "./what/product.ts";
export { hasFilesOf, previewRecipe } from "./what/recipe-bands.ts";
export { collectionOf, collectionsOf } from "./when/collections.ts";
export { divideTime, intervalOf, readTimeRange } from "./when/intervals.ts";
export { aliasFilter, scopedQuery, searchNames } from "./when/search-scope.ts";
export { withDays } from "./when/time-window.ts";
export { upstreamFault, upstreamProblem, upstreamsNamed } from "./when/upstream-fault.ts";
export { cornerGrid, coveringPixels } from "./where/alignment.ts";
export { type Area, areaOf } from "./where/area.ts";
export { type AskedFrame, readFrame } from "./where/frame.ts";
export { checkSize, JOB_CAPS, type SizeCaps, SYNC_CAPS } from "./where/limits.ts";
