export type { ExtractedFile, ExtractionServices } from "./chain/extraction.ts";
export { type FileFacts, fileFacts, nodataFact } from "./chain/file-facts.ts";
export { findImage } from "./chain/find-image.ts";
export { FinishedImages } from "./chain/finished-images.ts";
export { type OpenEoResult, type OpenEoServices, type SentGraph, validateGraph } from "./chain/graph.ts";
export { type FinishedImage, finishImage, type ImagePayment, type PlannedImage } from "./chain/images.ts";
export { ObservedGroups } from "./chain/observed-groups.ts";
export { prepare, type Results } from "./chain/prepare.ts";
export type { Prepared, RunOptions } from "./chain/prepared.ts";
export type { Observation, SeriesServices, Timeseries } from "./chain/series.ts";
export type { IntervalStatistics, Statistics, StatisticsServices } from "./chain/statistics.ts";
export { readTileSet, type TileSet, type TileSetRequest } from "./chain/tile-set.ts";
export { type ImagePlan, MAX_TILE_SCENES, planImage, planPreview, styleOf } from "./job/image-plan.ts";
export {
  type Engine,
  type EngineOptions,
  type EngineRunOptions,
  openEngine,
  type SceneSource,
} from "./open/open-engine.ts";
export { type ComputeWorkers, compute } from "./run/compute.ts";
export { createRenderEngine, type RenderEngine, type ThreadJob } from "./run/engine.ts";
export { extract } from "./run/extract.ts";
export { checkFile, type FolderFiles, folderHref, folderPath, folderSource } from "./run/folder-files.ts";
export { ImageCache, type Turn } from "./run/image-cache.ts";
export type { ImageFormat } from "./run/image-format.ts";
export type { ImageTurn } from "./run/image-turns.ts";
export { inlineRenderer } from "./run/inline-renderer.ts";
export {
  type ImageJob,
  MEDIA_TYPES,
  RENDER_VERSION,
  type RenderedImage,
  type Renderer,
  type StyleSpec,
  type TileJob,
} from "./run/job.ts";
export type { ThreadRequest, ThreadResponse, ThreadResult } from "./run/messages.ts";
export { openFile } from "./run/open-file.ts";
export { type PoolOptions, RenderPool } from "./run/pool.ts";
export { isPrivateAddress, privateHosts } from "./run/private-addresses.ts";
export { ruleTable } from "./run/read-mask.ts";
export { createReadScene } from "./run/read-scene.ts";
export { createResources, type RenderSettings } from "./run/resources.ts";
export { writeResult } from "./run/result-file.ts";
export { createSources, type SourceFor, type SourceSettings } from "./run/sources.ts";
export { warmUp } from "./run/warm-up.ts";
export { getItem } from "./when/items.ts";
export { meetsArea } from "./when/process-scenes.ts";
export { wholePage } from "./when/scene-walk.ts";
