import type { Samples } from "@swath/raster";
import { CogError } from "../../errors.ts";
import type { TiffImage } from "../../header/tiff-image.ts";
import type { Codecs, DecodedImage } from "../codecs.ts";

/** Decodes a WebP block of 3 or 4 bands; bands without alpha in the stream get 255, as GDAL gives. */
export async function decodeWebpBlock(
  image: TiffImage,
  bytes: Uint8Array,
  rows: number,
  codecs: Codecs,
): Promise<Samples> {
  if (image.interleaved !== 3 && image.interleaved !== 4) {
    throw new CogError("unsupported", `WebP of ${image.interleaved} bands is not read.`);
  }
  checkWebpSize(image, bytes, rows);
  checkWebpEnd(bytes);
  return imageSamples(image, await codecs.webp(bytes), rows);
}

/** Crops a decoded image to a block's width, rows and bands. @throws {CogError} `corrupt` when it is smaller. */
export function imageSamples(image: TiffImage, decoded: DecodedImage, rows: number): Uint8Array {
  const { blockWidth, interleaved } = image;
  const { data, channels } = decoded;
  if (decoded.width < blockWidth || decoded.height < rows || channels < interleaved) {
    throw new CogError(
      "corrupt",
      `Expected a block of ${blockWidth} x ${rows} x ${interleaved}, the image in it is ${decoded.width} x ${decoded.height} x ${channels}.`,
    );
  }
  if (decoded.width === blockWidth && channels === interleaved)
    return data.subarray(0, blockWidth * rows * interleaved);
  const out = new Uint8Array(blockWidth * rows * interleaved);
  let to = 0;
  for (let row = 0; row < rows; row++) {
    let from = row * decoded.width * channels;
    for (let column = 0; column < blockWidth; column++) {
      for (let band = 0; band < interleaved; band++) out[to++] = data[from + band]!;
      from += channels;
    }
  }
  return out;
}

/** Size of the image before it is decoded (RFC 9649 sections 2.5 to 2.7): it bounds what the decoder allocates. */
function checkWebpSize(image: TiffImage, bytes: Uint8Array, rows: number): void {
  const size = webpSize(bytes);
  if (size === undefined) throw new CogError("corrupt", "A WebP block does not start with a WebP header.");
  const [width, height] = size;
  if (width < image.blockWidth || height < rows || width > image.blockWidth * 2 || height > image.blockHeight * 2) {
    throw new CogError(
      "corrupt",
      `Expected a block of ${image.blockWidth} x ${rows}, the WebP in it is ${width} x ${height}.`,
    );
  }
}

/** The image ends where its RIFF header says (RFC 9649 section 2.4), and padding may follow: it has no checksum. */
function checkWebpEnd(bytes: Uint8Array): void {
  const end = 8 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (end > bytes.length) {
    throw new CogError("corrupt", `A WebP block declares ${end} bytes, its block has ${bytes.length}.`);
  }
  if (bytes.subarray(end).some((byte) => byte !== 0))
    throw new CogError("corrupt", "More follows the image of a WebP block.");
}

function webpSize(b: Uint8Array): [number, number] | undefined {
  if (b.length < 30 || b[0] !== 0x52 || b[1] !== 0x49 || b[8] !== 0x57 || b[9] !== 0x45) return undefined;
  switch (b[15]) {
    case 0x20:
      return [(b[26]! | (b[27]! << 8)) & 0x3fff, (b[28]! | (b[29]! << 8)) & 0x3fff];
    case 0x4c:
      return [1 + (b[21]! | ((b[22]! & 0x3f) << 8)), 1 + ((b[22]! >> 6) | (b[23]! << 2) | ((b[24]! & 0x0f) << 10))];
    case 0x58:
      return [1 + (b[24]! | (b[25]! << 8) | (b[26]! << 16)), 1 + (b[27]! | (b[28]! << 8) | (b[29]! << 16))];
    default:
      return undefined;
  }
}
