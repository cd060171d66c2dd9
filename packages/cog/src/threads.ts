export { attachSharedBlocks, detachSharedBlocks } from "./cache/shared-blocks.ts";
export { type SharedBlocks, shareBlocks } from "./cache/shared-table.ts";
