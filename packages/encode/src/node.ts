export { nodeDeflate } from "./node/deflate.ts";
export { nodeEncoder } from "./node/encoder.ts";
export { fileSink, fileSpool } from "./node/files.ts";
