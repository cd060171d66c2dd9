export { nodeDeflate } from "./node/deflate.ts";
export { fileSink, fileSpool } from "./node/files.ts";
