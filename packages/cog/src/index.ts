export type { RetryOptions } from "@swath/http";
export { BlockCache, type BlockCacheOptions, type CacheUse } from "./cache/block-cache.ts";
export { CogCache, type CogCacheOptions } from "./cache/cog-cache.ts";
export { FileCache, type FileCacheOptions } from "./cache/file-cache.ts";
export { attachSharedBlocks, detachSharedBlocks } from "./cache/shared-blocks.ts";
export { type SharedBlocks, shareBlocks } from "./cache/shared-table.ts";
export { type Codecs, type DecodedImage, portableCodecs } from "./codecs/codecs.ts";
export { type BandColor, type Cog, type CogLevel, type MaskKind, type OpenOptions, openCog } from "./cog.ts";
export { CogError, type CogErrorCode, type CogErrorOptions } from "./errors.ts";
export type { BandInfo } from "./header/gdal-metadata.ts";
export { HeaderBytes } from "./header/header-bytes.ts";
export type { Allocate, InterleavedRgb, RasterFile, RasterLevel, WindowOptions } from "./raster-file.ts";
export { type HttpOptions, httpSource, type RequestRecord } from "./sources/http-source.ts";
export { type ByteRange, mergeRanges } from "./sources/ranges.ts";
export { readCompared } from "./sources/read-compared.ts";
export { memorySource, type Source, type SourceReadOptions } from "./sources/source.ts";
export { checkLayout } from "./validate/check-layout.ts";
export {
  type BlockFrameFacts,
  type CogLayout,
  type ImageLayout,
  type LayoutOptions,
  readLayout,
} from "./validate/cog-layout.ts";
export { COG_RULES, type CogFinding, type CogRule, type CogRuleId } from "./validate/cog-rules.ts";
export { validateCog } from "./validate/validate-cog.ts";
export { closeDefaultGridContext, GridContext } from "./window/grid-context.ts";
export { type LevelRule, levelFor } from "./window/level.ts";
export { type GridOptions, type GridRead, readGrid, readGrids } from "./window/read-grid.ts";
export type { ReadOptions } from "./window/read-options.ts";
export { readWindow } from "./window/read-window.ts";
