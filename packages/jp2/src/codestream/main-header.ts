import { CogError } from "@swath/cog";
import type { HeaderBytes } from "@swath/cog/bytes";
import { type CodingStyle, parseCodingStyle } from "./coding-style.ts";
import { type ImageSize, parseImageSize } from "./image-size.ts";
import { MARKER, type Segment, viewOf } from "./markers.ts";

/** The main header of a codestream. */
export interface MainHeader {
  /** Byte offset of the first tile-part. */
  readonly tilesAt: number;
  /** Byte offset where the codestream ends; infinite where the file does not say so. */
  readonly end: number;
  readonly size: ImageSize;
  readonly coding: CodingStyle;
  /** Order of packets changes on the way (POC): which packet is where is not known without decoding. */
  readonly changesProgression: boolean;
  /** Segments that decode a tile, SIZ first. */
  readonly segments: readonly Segment[];
  /** Segments with lengths of tile-parts (TLM), in file order. */
  readonly tileLengths: readonly Segment[];
}

/** More main header than this is none: lengths of 262,144 tile-parts take 1.5 MB. */
const MAX_BYTES = 4 << 20;
/** Segments that say how samples are coded. Others (comments, registration, lengths of packets) are left out. */
const CODING: ReadonlySet<number> = new Set([
  MARKER.SIZ,
  MARKER.COD,
  MARKER.COC,
  MARKER.QCD,
  MARKER.QCC,
  MARKER.RGN,
  MARKER.POC,
]);

/**
 * Reads the main header of the codestream at `offset`, up to the first tile-part.
 *
 * @param end byte offset where the codestream ends
 * @throws {CogError} `not-a-jp2`, `corrupt`, `unsupported`, `too-large`, or what the source throws
 */
export async function readMainHeader(
  bytes: HeaderBytes,
  offset: number,
  end: number,
  key: string,
): Promise<MainHeader> {
  const start = await bytes.read(offset, 4);
  if (start.length < 4 || viewOf(start).getUint16(0) !== MARKER.SOC || viewOf(start).getUint16(2) !== MARKER.SIZ) {
    throw new CogError("not-a-jp2", `${key}: expected a JPEG 2000 codestream that starts with SOC and SIZ.`);
  }
  const segments: Segment[] = [];
  const tileLengths: Segment[] = [];
  let at = offset + 2;
  for (;;) {
    if (at - offset > MAX_BYTES) {
      throw new CogError("too-large", `${key}: the JPEG 2000 header is larger than ${MAX_BYTES} bytes.`);
    }
    const head = viewOf(await bytes.readExactly(at, 4));
    const marker = head.getUint16(0);
    if (marker === MARKER.SOT) break;
    const length = head.getUint16(2);
    if (marker < 0xff00 || length < 2) {
      throw new CogError("corrupt", `${key}: expected a marker segment at ${at}, got ${marker.toString(16)}.`);
    }
    if (marker === MARKER.PPM) {
      throw new CogError("unsupported", `${key}: JPEG 2000 with packet headers in its main header is not read.`);
    }
    if (marker === MARKER.CAP) throw new CogError("unsupported", `${key}: High-Throughput JPEG 2000 is not read.`);
    const isKept = CODING.has(marker);
    if (isKept || marker === MARKER.TLM) {
      // copies: they outlive what was read of the file, and are changed, which a slice of Node's buffers would pass on
      const segment = { marker, bytes: Uint8Array.from(await bytes.readExactly(at, 2 + length)) };
      (isKept ? segments : tileLengths).push(segment);
    }
    at += 2 + length;
  }
  return toMainHeader(segments, tileLengths, at, end, key);
}

function toMainHeader(
  segments: readonly Segment[],
  tileLengths: readonly Segment[],
  tilesAt: number,
  end: number,
  key: string,
): MainHeader {
  const all = (marker: number): Uint8Array[] =>
    segments.filter((segment) => segment.marker === marker).map(({ bytes }) => bytes);
  const [siz] = all(MARKER.SIZ);
  const [cod] = all(MARKER.COD);
  if (siz === undefined || cod === undefined || all(MARKER.QCD).length === 0) {
    throw new CogError("corrupt", `${key}: the JPEG 2000 header lacks SIZ, COD or QCD.`);
  }
  const size = parseImageSize(siz, key);
  return {
    tilesAt,
    end,
    size,
    coding: parseCodingStyle(cod, all(MARKER.COC), size.components, key),
    changesProgression: all(MARKER.POC).length > 0,
    segments,
    tileLengths,
  };
}
