/** Formats of images, by the ends of their addresses. */
export type ImageFormat = "png" | "jpg" | "webp";
