export type { ExtractedFile, ExtractionServices } from "./chain/extraction.ts";
export { type FileFacts, fileFacts, nodataFact } from "./chain/file-facts.ts";
export { type OpenEoResult, type OpenEoServices, type SentGraph, validateGraph } from "./chain/graph/graph.ts";
export { findImage } from "./chain/images/find-image.ts";
export { FinishedImages } from "./chain/images/finished-images.ts";
export { type FinishedImage, finishImage, type ImagePayment, type PlannedImage } from "./chain/images/images.ts";
export { readTileSet, type TileSet, type TileSetRequest } from "./chain/images/tile-set.ts";
export type { FeatureResults } from "./chain/numbers/features.ts";
export type { Observation, SeriesServices, Timeseries } from "./chain/numbers/series.ts";
export type { IntervalStatistics, Statistics, StatisticsServices } from "./chain/numbers/statistics.ts";
export { prepare, type Results } from "./chain/prepare.ts";
export type { Prepared, RunOptions } from "./chain/prepared.ts";
export {
  type ImagePlan,
  MAX_TILE_SCENES,
  type PresetRecipe,
  planImage,
  planPreview,
  styleOf,
} from "./job/image-plan.ts";
export {
  type Engine,
  type EngineOptions,
  type EngineRunOptions,
  openEngine,
  type SceneSource,
} from "./open/open-engine.ts";
export { type FeatureResult, factsOfAll, seriesOfFeaturesCsv, statisticsOfFeaturesCsv } from "./result/features.ts";
export { type ComputeWorkers, compute } from "./run/compute/compute.ts";
export { ObservedGroups } from "./run/compute/observed-groups.ts";
export { extract } from "./run/extract/extract.ts";
export { checkFile, type FolderFiles, folderHref, folderPath, folderSource } from "./run/files/folder-files.ts";
export { openFile } from "./run/files/open-file.ts";
export { isPrivateAddress, privateHosts } from "./run/files/private-addresses.ts";
export { writeResult } from "./run/files/result-file.ts";
export { createSources, type SourceFor, type SourceSettings } from "./run/files/sources.ts";
export { ImageCache, type Turn } from "./run/image/image-cache.ts";
export type { ImageTurn } from "./run/image/image-turns.ts";
export {
  type SharedImageOptions,
  SharedImages,
  type SharedObjects,
  type SharedOutcome,
} from "./run/image/shared-images.ts";
export type { ImageFormat } from "./run/job.ts";
export {
  type ImageJob,
  MEDIA_TYPES,
  RENDER_VERSION,
  type RenderedImage,
  type Renderer,
  type StyleSpec,
  type TileJob,
} from "./run/job.ts";
export { createResources, type RenderSettings } from "./run/resources.ts";
export { ruleTable } from "./run/scene/read-mask.ts";
export { createReadScene } from "./run/scene/read-scene.ts";
export { createRenderEngine, type RenderEngine, type ThreadJob } from "./run/threads/engine.ts";
export { inlineRenderer } from "./run/threads/inline-renderer.ts";
export type { ThreadResponse, ThreadResult } from "./run/threads/messages.ts";
export { type PoolOptions, RenderPool } from "./run/threads/pool.ts";
export { getItem } from "./when/items.ts";
export { meetsArea } from "./when/process-scenes.ts";
export { wholePage } from "./when/scene-walk.ts";
