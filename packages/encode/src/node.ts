export { nodeDeflate } from "./node/deflate.ts";
export { createDeflateThread, type DeflateThread } from "./node/deflate-thread.ts";
export { nodeEncoder } from "./node/encoder.ts";
export { fileSink, fileSpool } from "./node/files.ts";
