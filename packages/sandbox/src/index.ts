export { directionalFactor } from "./anisotropy.ts";
export type { AssetStore } from "./asset-response.ts";
export { createStacHandler, type StacHandler, type StacHandlerOptions } from "./handler.ts";
export type { UpstreamAsset, UpstreamGeometry, UpstreamItem, UpstreamLink } from "./items.ts";
export { type Acquisition, DEFAULT_SEED, SANDBOX_VERSION } from "./plan.ts";
export type {} from "./platform-types.ts";
export { type Response, responseOfMsi } from "./responses.ts";
export { planScenes, type SandboxScene } from "./scenes.ts";
export { REFLECTANCE_BANDS, type ReflectanceBand, TRUTH_CLASSES, type TruthClass } from "./spectra.ts";
export { syntheticItems } from "./synthetic-items.ts";
export {
  createTruth,
  sensorReflectance,
  type Truth,
  type TruthAt,
  type TruthCrop,
  type TruthOptions,
  truthAt,
} from "./truth.ts";
export type { CropName } from "./valley/crop-years.ts";
export { VALLEY } from "./valley/places.ts";
