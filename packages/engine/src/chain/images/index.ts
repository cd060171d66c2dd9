export type { PresetRecipe } from "../../job/image-plan.ts";
export { ImageCache, type Turn } from "../../run/image/image-cache.ts";
export type { ImageTurn } from "../../run/image/image-turns.ts";
export {
  type SharedImageOptions,
  SharedImages,
  type SharedObjects,
  type SharedOutcome,
} from "../../run/image/shared-images.ts";
export { type ImageFormat, MEDIA_TYPES, RENDER_VERSION, type RenderedImage } from "../../run/job.ts";
export { findImage } from "./find-image.ts";
export { FinishedImages } from "./finished-images.ts";
export { type FinishedImage, finishImage, type ImagePayment, type PlannedImage } from "./images.ts";
export { type LowZoomOptions, LowZooms } from "./low-zooms.ts";
export { readTileSet, type TileSet, type TileSetRequest } from "./tile-set.ts";
