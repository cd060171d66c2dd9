export { fallbackOf, upstreamCollections } from "./collection/upstream-collections.ts";
export type { UpstreamFile } from "./file/upstream-file.ts";
export { findUpstreamKind, UPSTREAM_KINDS, upstreamKindOf } from "./upstreams/upstream-kinds.ts";
