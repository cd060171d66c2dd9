export type { ExtractedFile, ExtractionServices, PreparedExtraction } from "./chain/extraction.ts";
export { type OpenEoResult, type OpenEoServices, type SentGraph, validateGraph } from "./chain/graph/graph.ts";
export type { FeatureResults } from "./chain/numbers/features.ts";
export type { Observation, SeriesServices, Timeseries } from "./chain/numbers/series.ts";
export type { IntervalStatistics, Statistics, StatisticsServices } from "./chain/numbers/statistics.ts";
export { prepare, type Results } from "./chain/prepare.ts";
export type { Prepared, RunOptions } from "./chain/prepared.ts";
export {
  type Engine,
  type EngineOptions,
  type EngineRunOptions,
  openEngine,
  type SceneSource,
} from "./open/open-engine.ts";
export { ObservedGroups } from "./run/compute/observed-groups.ts";
export type { Renderer } from "./run/job.ts";
export type { RenderSettings } from "./run/resources.ts";
export { inlineRenderer } from "./run/threads/inline-renderer.ts";
export { OwnThread } from "./run/threads/own-thread.ts";
export { type PoolOptions, RenderPool } from "./run/threads/pool.ts";
export type { ServiceRenderer } from "./run/threads/service-renderer.ts";
export { getItem } from "./when/items.ts";
