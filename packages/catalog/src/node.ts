export { type OpenArchive, openArchive } from "./archive/open-archive.ts";
export { Extents, type KnownExtent } from "./collections/extents.ts";
export { type PageTokens, pageTokens } from "./page-tokens.ts";
