export { fileSource } from "./file.ts";
export { nodeCodecs } from "./node-codecs.ts";
export { type S3Credentials, type S3Options, s3Source } from "./s3.ts";
