export { nodeCodecs } from "./codecs/node-codecs.ts";
export { fileSource } from "./sources/file-source.ts";
export { type S3Options, s3Source } from "./sources/s3-source.ts";
