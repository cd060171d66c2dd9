export { decodePng, type RgbaImage } from "./node/decode-png.ts";
export { nodeDeflate } from "./node/deflate.ts";
export { createNodeEncoder, type NodeEncoderOptions, nodeEncoder } from "./node/encoder.ts";
export { fileSink, fileSpool } from "./node/files.ts";
export type { JpegTurbo } from "./node/jpeg-turbo.ts";
