export { fileSource } from "./file.ts";
export { nodeCodecs } from "./node-codecs.ts";
