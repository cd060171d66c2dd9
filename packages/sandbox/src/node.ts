export { type ArchiveInfo, readArchiveInfo } from "./archive.ts";
export { type MakeSandboxOptions, makeSandbox } from "./make.ts";
export { type RequestCounts, type ServedUpstream, type ServeOptions, serveUpstream } from "./serve.ts";
export { createUpstreamHandler, readArchiveItems, type UpstreamOptions } from "./upstream.ts";
