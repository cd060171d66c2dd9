export { EncodeError } from "./errors.ts";
export type { Rows } from "./geotiff/block.ts";
export type { BlockFileOptions } from "./geotiff/block-file.ts";
export { type BlockFormat, type BlockOrder, type BlockPixels, makeBlock } from "./geotiff/block-order.ts";
export {
  type BlockMaker,
  type BlockwiseOptions,
  type BlockwiseSummary,
  writeGeoTiffByBlocks,
} from "./geotiff/by-blocks.ts";
export { type Deflate, deflateRuns, portableDeflate } from "./geotiff/deflate.ts";
export { encodeGeoTiff } from "./geotiff/encode.ts";
export type { BandMetadata, GeoTiffOptions, GeoTiffShape, OverviewResampling } from "./geotiff/options.ts";
export { memorySink, memorySpool, type Sink, type Spool } from "./geotiff/spool.ts";
export {
  createGeoTiffWriter,
  type GeoTiffSummary,
  type GeoTiffWriter,
  type GeoTiffWriterOptions,
} from "./geotiff/writer.ts";
export type { ImageEncoder, ImageFormat, ImageOptions } from "./image/image.ts";
export { portableEncoder } from "./image/portable.ts";
