export {
  bandAdjustment,
  isAdjustable,
  type NadirAdjustment,
  nadirAdjustment,
  PRESCRIBED_SUN_ZENITH,
} from "./collection/harmonization.ts";
export { AngleSource, BandAdjustment, BandpassTable, KernelWeights, NadirTable } from "./file/harmonization-file.ts";
export type {} from "./platform-types.ts";
