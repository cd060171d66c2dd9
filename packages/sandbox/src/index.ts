export { REFLECTANCE_BANDS, type ReflectanceBand, TRUTH_CLASSES, type TruthClass } from "./country/spectra.ts";
export type { CropName } from "./country/valley/crop-years.ts";
export { VALLEY } from "./country/valley/places.ts";
export { syntheticItems } from "./items/synthetic-items.ts";
export type { UpstreamAsset, UpstreamGeometry, UpstreamItem, UpstreamLink } from "./items/upstream-item.ts";
export type {} from "./platform-types.ts";
export type { Acquisition } from "./scenes/plan.ts";
export { planScenes, type SandboxScene } from "./scenes/scenes.ts";
export { type Response, responseOfMsi } from "./sensors/responses.ts";
export {
  createTruth,
  sensorReflectance,
  type Truth,
  type TruthAt,
  type TruthCrop,
  type TruthOptions,
} from "./truth.ts";
export type { AssetStore } from "./upstream/asset-response.ts";
export { createStacHandler, type StacHandler, type StacHandlerOptions } from "./upstream/handler.ts";
