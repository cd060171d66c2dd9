export { type ArchiveInfo, readArchiveInfo } from "./archive/archive.ts";
export { type MakeSandboxOptions, makeSandbox } from "./archive/make.ts";
export { type RequestCounts, type ServedUpstream, type ServeOptions, serveUpstream } from "./upstream/serve.ts";
export { createUpstreamHandler, readArchiveItems, type UpstreamOptions } from "./upstream/upstream.ts";
