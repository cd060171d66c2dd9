export { type FileFacts, fileFacts } from "./chain/file-facts.ts";
export {
  errorOfPart,
  type FileParts,
  failureOfPart,
  makeFilePart,
  SceneUnreadable,
  type SharedFiles,
} from "./chain/file-parts.ts";
export { footprintOf } from "./items/placement.ts";
export { type ImagePlan, MAX_TILE_SCENES, planImage, planPreview, styleOf } from "./job/image-plan.ts";
export { FILE_CAPS } from "./limits/limits.ts";
export { displayScene } from "./read/display-scene.ts";
export { DISPLAY } from "./read/item-scene.ts";
export type { ExtractJob } from "./run/extract/extract-job.ts";
export { writeResult } from "./run/files/result-file.ts";
export type { ImageJob, StyleSpec, TileJob } from "./run/job.ts";
export { type FileRead, type GridSpec, gridSpec, type MaskRead, type SceneRead } from "./run/scene/scene-read.ts";
export { meetsArea } from "./when/process-scenes.ts";
export { areaOf, readCrs } from "./where/area.ts";
