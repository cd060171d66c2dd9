import { allocateSamples, type Samples } from "@swath/raster";
import { CogError } from "../../errors.ts";
import type { TiffImage } from "../../header/tiff-image.ts";
import type { Codecs } from "../codecs.ts";
import { inflateAnywhere } from "../inflate-anywhere.ts";
import { toNativeOrder } from "../stored-samples.ts";
import { decodeLerc2 } from "./lerc2.ts";

/** LercParameters[1]: what the LERC blob is wrapped in. */
const DEFLATE = 1;
const ZSTD = 2;

/**
 * Decodes a LERC block, plain or inside deflate or Zstandard. Pixels outside its mask become NaN in floating
 * point and 0 in integers, and an alpha band may live in the mask alone: both as libtiff's `tif_lerc.c`.
 */
export async function decodeLercBlock(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  codecs: Codecs,
): Promise<Samples> {
  const { blockWidth, interleaved } = image;
  const whole = blockWidth * rows * interleaved;
  const stored = blockWidth * image.blockHeight;
  // a blob is never much larger than its samples: mask, headers, and a little
  const bound = Math.ceil((stored * interleaved * image.bits) / 8) + stored + 65_536;
  const blob =
    image.lercCompression === DEFLATE
      ? await inflateAnywhere(bytes, bound)
      : image.lercCompression === ZSTD
        ? await codecs.zstd(bytes, bound)
        : bytes;
  const { sampleType } = image;
  const bands = decodeLerc2(blob, { sampleType, width: blockWidth, height: image.blockHeight, depth: interleaved });
  const depth = bands.reduce((sum, band) => sum + band.depth, 0);
  const alphaInMask = depth === interleaved - 1 && sampleType === "uint8";
  if (bands.some(({ height }) => height < rows) || (depth !== interleaved && !alphaInMask)) {
    throw new CogError(
      "corrupt",
      `Expected a block of ${blockWidth} x ${rows} x ${interleaved}, the LERC in it is ${blockWidth} x ${bands[0]!.height} x ${depth}.`,
    );
  }
  const out = allocateSamples(sampleType, whole);
  const empty = image.float ? Number.NaN : 0;
  const pixels = blockWidth * rows;
  let to = 0;
  for (const { depth: perPixel, samples, mask } of bands) {
    for (let band = 0; band < perPixel; band++, to++) {
      for (let i = 0; i < pixels; i++) {
        out[i * interleaved + to] = mask === undefined || mask[i] !== 0 ? samples[i * perPixel + band]! : empty;
      }
    }
  }
  if (alphaInMask) {
    const { mask } = bands[0]!;
    for (let i = 0; i < pixels; i++) out[i * interleaved + depth] = mask === undefined || mask[i] !== 0 ? 255 : 0;
  }
  // libtiff swaps the bytes of samples before it compresses them for a big-endian file
  const samples = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  if (image.bits > 8) toNativeOrder(samples, image.bits / 8, image.littleEndian);
  return out;
}
