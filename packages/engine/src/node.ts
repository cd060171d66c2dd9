export { findImage } from "./chain/find-image.ts";
export { FinishedImages } from "./chain/finished-images.ts";
export { computeGraph, type OpenEoResult, type OpenEoServices, type SentGraph, validateGraph } from "./chain/graph.ts";
export { type FinishedImage, finishImage, type ImagePayment, type PlannedImage } from "./chain/images.ts";
export { ObservedGroups } from "./chain/observed-groups.ts";
export {
  mostBytesOf,
  type ProcessResult,
  type ProcessServices,
  runProcess,
  unitsOf,
} from "./chain/process.ts";
export { findProcessScenes, planProcess, readProcess } from "./chain/process-plan.ts";
export {
  computeStatistics,
  type IntervalStatistics,
  type Statistics,
  type StatisticsServices,
} from "./chain/statistics.ts";
export { readTileSet, type TileSet, type TileSetRequest } from "./chain/tile-set.ts";
export {
  computeTimeseries,
  findTimeseries,
  type Observation,
  type Timeseries,
  type TimeseriesServices,
} from "./chain/timeseries.ts";
export { type ImagePlan, MAX_TILE_SCENES, planImage, planPreview, styleOf } from "./job/image-plan.ts";
export { type Engine, type EngineOptions, openEngine, type Scenes } from "./open/open-engine.ts";
export type { EngineParts } from "./parts.ts";
export { runCube } from "./run/cube.ts";
export { createRenderEngine, type RenderEngine, type ThreadJob } from "./run/engine.ts";
export { extract } from "./run/extract.ts";
export { checkFile, type FolderFiles, folderHref, folderPath, folderSource } from "./run/folder-files.ts";
export { ImageCache, type Turn } from "./run/image-cache.ts";
export type { ImageTurn } from "./run/image-turns.ts";
export {
  type ImageFormat,
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
export { type ReduceWorkers, reduce } from "./run/reduce.ts";
export { createResources, type RenderSettings } from "./run/resources.ts";
export { createSources, type SourceFor, type SourceSettings } from "./run/sources.ts";
export { warmUp } from "./run/warm-up.ts";
export { getItem } from "./when/items.ts";
export { type Candidate, candidateOf } from "./when/process-scenes.ts";
export { wholePage } from "./when/scene-walk.ts";
