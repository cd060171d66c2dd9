import { allocateSamples, type Samples } from "@swath/raster";
import { CogError } from "../errors.ts";
import type { TiffImage } from "../header/tiff-image.ts";
import { inflateAnywhere } from "../kernels/without-wasm.ts";
import type { Codecs } from "./codecs.ts";
import { codecLoader } from "./load-codec.ts";
import { toNativeOrder } from "./stored-samples.ts";

/** The LERC module with its WebAssembly. */
const lerc = codecLoader("LERC", async () => {
  const module = await import("lerc");
  await module.load();
  return module;
});

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
        ? await codecs.zstd(bytes, bound, bound)
        : bytes;
  const module = await lerc();
  const info = module.getBlobInfo(blob);
  const depth = info.bandCount * info.depthCount;
  const alphaInMask = depth === interleaved - 1 && image.sampleType === "uint8";
  if (
    info.width !== blockWidth ||
    info.height < rows ||
    info.height > image.blockHeight ||
    (depth !== interleaved && !alphaInMask)
  ) {
    throw new CogError(
      "corrupt",
      `Expected a block of ${blockWidth} x ${rows} x ${interleaved}, the LERC in it is ${info.width} x ${info.height} x ${depth}.`,
    );
  }
  const decoded = module.decode(blob, { returnInterleaved: true });
  const out = allocateSamples(image.sampleType, whole);
  const empty = image.float ? Number.NaN : 0;
  const pixels = blockWidth * rows;
  for (let band = 0; band < depth; band++) {
    const separate = info.bandCount > 1;
    const values = decoded.pixels[separate ? band : 0]!;
    const stride = separate ? 1 : info.depthCount;
    const first = separate ? 0 : band;
    const mask = decoded.bandMasks?.[separate ? band : 0] ?? decoded.mask;
    for (let i = 0; i < pixels; i++) {
      out[i * interleaved + band] =
        mask === null || mask === undefined || mask[i] !== 0 ? values[i * stride + first]! : empty;
    }
  }
  if (alphaInMask) {
    for (let i = 0; i < pixels; i++)
      out[i * interleaved + depth] = decoded.mask === null || decoded.mask[i] !== 0 ? 255 : 0;
  }
  // libtiff swaps the bytes of samples before it compresses them for a big-endian file
  const samples = new Uint8Array(out.buffer, out.byteOffset, out.byteLength);
  if (image.bits > 8) toNativeOrder(samples, image.bits / 8, image.littleEndian);
  return out;
}
