export { type Deflate, deflateRuns } from "./deflate/deflate.ts";
export { EncodeError } from "./errors.ts";
export type { Rows } from "./geotiff/blocks/block.ts";
export { type BlockFormat, type BlockPixelsTask, type BlockTask, makeBlock } from "./geotiff/blocks/block-task.ts";
export { encodeGeoTiff } from "./geotiff/encode.ts";
export type { BlockFileOptions } from "./geotiff/file/block-file.ts";
export type { GeoTiffPart, GeoTiffPartSource } from "./geotiff/file/part.ts";
export { memorySink, type Sink, type Spool } from "./geotiff/file/spool.ts";
export type { BlockRows } from "./geotiff/levels/sources.ts";
export type { BandMetadata, GeoTiffOptions, GeoTiffShape, OverviewResampling } from "./geotiff/options.ts";
export {
  createGeoTiffWriter,
  type GeoTiffSummary,
  type GeoTiffWriter,
  type GeoTiffWriterOptions,
} from "./geotiff/row-writer.ts";
export {
  type BlockMaker,
  type BlockWriterOptions,
  type BlockWriterSummary,
  joinGeoTiffParts,
  planGeoTiffParts,
  writeGeoTiffByBlocks,
  writeGeoTiffPart,
} from "./geotiff/writer.ts";
export type { ImageEncoder, ImageFormat, ImageOptions } from "./image/image.ts";
export { portableEncoder } from "./image/portable.ts";
