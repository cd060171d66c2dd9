import type { Samples } from "@swath/raster";
import { CogError } from "../../errors.ts";
import { MAX_BLOCK_BYTES, type TiffImage } from "../../header/tiff-image.ts";
import type { DecodedImage } from "../codecs.ts";
import { imageSamples } from "../webp/webp.ts";
import { interleave, type Plane, toRgb, upsample } from "./jpeg-color.ts";
import {
  type Component,
  decodeScan,
  type HuffmanTable,
  huffmanTable,
  type ScanComponent,
  toNatural,
} from "./jpeg-scan.ts";

/** Decodes a JPEG block with the tables its file keeps apart; YCbCr becomes RGB, as GDAL gives it. */
export function decodeJpegBlock(image: TiffImage, bytes: Uint8Array, rows: number): Samples {
  const toColor = image.photometric === 6 && image.interleaved === 3;
  // encoders may pad a block to whole units of 8 or 16 pixels; twice its size is not padding
  const maxPixels = 4 * Math.max(image.blockWidth, 16) * Math.max(image.blockHeight, 16);
  return imageSamples(image, decodeJpeg(bytes, { tables: image.jpegTables, toColor, maxPixels }), rows);
}

export interface JpegOptions {
  /** An abbreviated stream of tables only (TIFF tag JPEGTables). */
  readonly tables?: Uint8Array | undefined;
  /** Are the components YCbCr, to be made RGB? */
  readonly toColor?: boolean | undefined;
  /** Most pixels that the stream may declare, before memory for them is allocated. Default: what the largest block has. */
  readonly maxPixels?: number | undefined;
}

/** Longest side that libjpeg reads (JPEG_MAX_DIMENSION of `jmorecfg.h`). */
const MAX_SIDE = 65_500;

interface Reader {
  readonly quantization: Map<number, Int32Array>;
  readonly dc: Map<number, HuffmanTable>;
  readonly ac: Map<number, HuffmanTable>;
  restartInterval: number;
}

/**
 * Decodes a baseline JPEG of 8 bits (ITU-T T.81), sample for sample as libjpeg-turbo with its default settings:
 * accurate integer DCT, fancy upsampling.
 *
 * @throws {CogError} `corrupt`, or `unsupported` for progressive, lossless, arithmetic or 12-bit streams.
 */
export function decodeJpeg(bytes: Uint8Array, options: JpegOptions = {}): DecodedImage {
  const reader: Reader = { quantization: new Map(), dc: new Map(), ac: new Map(), restartInterval: 0 };
  const maxPixels = options.maxPixels ?? MAX_BLOCK_BYTES;
  if (options.tables !== undefined) readSegments(options.tables, reader, maxPixels);
  const image = readSegments(bytes, reader, maxPixels);
  if (image === undefined) throw new CogError("corrupt", "A JPEG block holds no image.");
  const { width, height, components } = image;
  const maxAcross = Math.max(...components.map((component) => component.across));
  const maxDown = Math.max(...components.map((component) => component.down));
  const planes = components.map((component): Plane => {
    const plane: Plane = {
      data: component.data,
      stride: component.stride,
      width: Math.ceil((width * component.across) / maxAcross),
      height: Math.ceil((height * component.down) / maxDown),
    };
    return upsample(plane, maxAcross / component.across, maxDown / component.down, width, height);
  });
  const data =
    options.toColor === true && planes.length === 3
      ? toRgb(planes as [Plane, Plane, Plane], width, height)
      : interleave(planes, width, height);
  return { width, height, channels: planes.length, data };
}

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly mcusAcross: number;
  readonly mcusDown: number;
  readonly components: Component[];
}

/** Walks the markers of a stream; gives the frame once all its components are decoded. */
function readSegments(bytes: Uint8Array, reader: Reader, maxPixels: number): Frame | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new CogError("corrupt", "A JPEG block does not start with SOI.");
  let frame: Frame | undefined;
  let decoded = 0;
  let at = 2;
  while (at + 3 < bytes.length) {
    if (bytes[at] !== 0xff) {
      at++; // the rest of a scan
      continue;
    }
    const marker = bytes[at + 1]!;
    if (marker === 0xff || marker === 0 || (marker >= 0xd0 && marker <= 0xd8) || marker === 1) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    if (marker === 0xd9) break;
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length)
      throw new CogError("corrupt", "A segment of a JPEG block ends after the block.");
    const body = bytes.subarray(at + 4, end);
    at = end;
    switch (marker) {
      case 0xdb:
        readQuantization(body, reader);
        break;
      case 0xc4:
        readHuffman(body, reader);
        break;
      case 0xdd:
        reader.restartInterval = ((body[0] ?? 0) << 8) | (body[1] ?? 0);
        break;
      case 0xc0:
      case 0xc1:
        if (frame !== undefined) throw new CogError("corrupt", "A JPEG block holds two frames.");
        frame = readFrame(body, maxPixels);
        break;
      case 0xda: {
        if (frame === undefined) throw new CogError("corrupt", "A JPEG block has a scan before its frame.");
        const parts = scanComponents(body, frame, reader);
        const [only] = parts;
        const alone = parts.length === 1 && only !== undefined;
        const { across, down } = alone
          ? singleSize(frame, only.component)
          : { across: frame.mcusAcross, down: frame.mcusDown };
        at = decodeScan(bytes, at, parts, across, down, reader.restartInterval);
        decoded += parts.length;
        if (decoded < frame.components.length) break;
        checkEnd(bytes, at);
        return frame;
      }
      case 0xc2:
      case 0xc3:
      case 0xc5:
      case 0xc6:
      case 0xc7:
      case 0xc9:
      case 0xca:
      case 0xcb:
      case 0xcd:
      case 0xce:
      case 0xcf:
        throw new CogError("unsupported", `JPEG of process ${marker - 0xc0} (baseline is 0) is not read.`);
    }
  }
  return undefined;
}

/** Checks what follows the last scan: the marker of the end, which some writers leave out, and padding. */
function checkEnd(bytes: Uint8Array, at: number): void {
  const isEnd = bytes[at] === 0xff && bytes[at + 1] === 0xd9;
  const after = bytes.subarray(isEnd ? at + 2 : at);
  if (after.some((byte) => byte !== 0 && byte !== 0xff)) {
    throw new CogError("corrupt", "More follows the image of a JPEG block.");
  }
}

/** Blocks of a scan of one component: only those that hold samples of the image (T.81 A.2.2). */
function singleSize(frame: Frame, component: Component): { across: number; down: number } {
  const maxAcross = Math.max(...frame.components.map((each) => each.across));
  const maxDown = Math.max(...frame.components.map((each) => each.down));
  return {
    across: Math.ceil(Math.ceil((frame.width * component.across) / maxAcross) / 8),
    down: Math.ceil(Math.ceil((frame.height * component.down) / maxDown) / 8),
  };
}

function readQuantization(body: Uint8Array, reader: Reader): void {
  let at = 0;
  while (at < body.length) {
    const head = body[at++]!;
    const wide = head >> 4 !== 0;
    const values = new Int32Array(64);
    if (at + (wide ? 128 : 64) > body.length)
      throw new CogError("corrupt", "A quantization table of a JPEG block is cut off.");
    for (let i = 0; i < 64; i++) {
      values[i] = wide ? (body[at]! << 8) | body[at + 1]! : body[at]!;
      at += wide ? 2 : 1;
    }
    reader.quantization.set(head & 15, toNatural(values));
  }
}

function readHuffman(body: Uint8Array, reader: Reader): void {
  let at = 0;
  while (at + 17 <= body.length) {
    const head = body[at++]!;
    const counts = body.slice(at, at + 16);
    at += 16;
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (total > 256 || at + total > body.length)
      throw new CogError("corrupt", "A Huffman table of a JPEG block is cut off.");
    (head >> 4 === 0 ? reader.dc : reader.ac).set(head & 15, huffmanTable(counts, body.slice(at, at + total)));
    at += total;
  }
}

function readFrame(body: Uint8Array, maxPixels: number): Frame {
  if (body[0] !== 8) throw new CogError("unsupported", `JPEG of ${body[0]} bits is not read.`);
  const height = (body[1]! << 8) | body[2]!;
  const width = (body[3]! << 8) | body[4]!;
  const count = body[5] ?? 0;
  if (width === 0 || height === 0 || count === 0 || count > 4 || body.length < 6 + count * 3) {
    throw new CogError("corrupt", `A JPEG block declares ${width} x ${height} pixels of ${count} components.`);
  }
  if (width > MAX_SIDE || height > MAX_SIDE) {
    throw new CogError(
      "unsupported",
      `A JPEG block of ${width} x ${height} pixels: sides above ${MAX_SIDE} are not read.`,
    );
  }
  if (width * height > maxPixels) {
    throw new CogError("corrupt", `A JPEG block declares ${width} x ${height} pixels, more than the block has.`);
  }
  const heads = Array.from({ length: count }, (_, i) => {
    const at = 6 + i * 3;
    return { id: body[at]!, across: body[at + 1]! >> 4, down: body[at + 1]! & 15, quantization: body[at + 2]! };
  });
  if (heads.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)) {
    throw new CogError("corrupt", "A JPEG block has sampling factors outside 1 to 4.");
  }
  const maxAcross = Math.max(...heads.map((head) => head.across));
  const maxDown = Math.max(...heads.map((head) => head.down));
  const mcusAcross = Math.ceil(width / (8 * maxAcross));
  const mcusDown = Math.ceil(height / (8 * maxDown));
  if (mcusAcross * mcusDown * 64 * maxAcross * maxDown * count > MAX_BLOCK_BYTES) {
    throw new CogError("too-large", `A JPEG block declares ${width} x ${height} pixels.`);
  }
  const components = heads.map((head): Component => {
    if (maxAcross % head.across !== 0 || maxDown % head.down !== 0) {
      throw new CogError("unsupported", "JPEG with fractional sampling factors is not read.");
    }
    const stride = mcusAcross * head.across * 8;
    return { ...head, stride, data: new Uint8ClampedArray(stride * mcusDown * head.down * 8) };
  });
  return { width, height, mcusAcross, mcusDown, components };
}

function scanComponents(body: Uint8Array, frame: Frame, reader: Reader): ScanComponent[] {
  const count = body[0] ?? 0;
  if (count < 1 || count > frame.components.length || body.length < 1 + count * 2) {
    throw new CogError("corrupt", `A JPEG scan declares ${count} components.`);
  }
  return Array.from({ length: count }, (_, i) => {
    const component = frame.components.find((each) => each.id === body[1 + i * 2]);
    const tables = body[2 + i * 2]!;
    const table = component === undefined ? undefined : reader.quantization.get(component.quantization);
    const dc = reader.dc.get(tables >> 4);
    const ac = reader.ac.get(tables & 15);
    if (component === undefined || table === undefined || dc === undefined || ac === undefined) {
      throw new CogError("corrupt", "A JPEG scan names a component or table that is not there.");
    }
    return { component, table, dc, ac };
  });
}
