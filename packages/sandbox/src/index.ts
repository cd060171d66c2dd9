export {
  compareItems,
  SANDBOX_COLLECTIONS,
  type SceneFacts,
  toUpstreamItem,
  type UpstreamAsset,
  type UpstreamGeometry,
  type UpstreamItem,
  type UpstreamLink,
} from "./items.ts";
export { type Acquisition, DEFAULT_SEED, planAcquisitions, SANDBOX_VERSION } from "./plan.ts";
export { planScenes, type SandboxScene } from "./scenes.ts";
export { REFLECTANCE_BANDS, type ReflectanceBand, TRUTH_CLASSES, type TruthClass } from "./spectra.ts";
export { createTruth, type Truth, type TruthAt, type TruthOptions, truthAt } from "./truth.ts";
