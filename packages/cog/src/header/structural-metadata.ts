import type { HeaderBytes } from "./header-bytes.ts";

/** Bytes that a file repeats around each block: GDAL's COGs have both kinds, others neither. */
export interface BlockFrame {
  /** Its size in four bytes before it. */
  readonly leader: boolean;
  /** Its last four bytes after it. */
  readonly trailer: boolean;
}

/** The first line: it says how many bytes follow it. */
const FIRST_LINE = /^GDAL_STRUCTURAL_METADATA_SIZE=(\d{6}) bytes\n$/;
const FIRST_BYTES = "GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\n".length;
/** GDAL writes about 170 bytes. */
const LONGEST = 4096;

/** The text that GDAL's COG driver writes between the head of a file and its first directory. */
export interface GhostArea {
  readonly lines: readonly string[];
  /** Byte offset at which the first directory is expected: behind the text, even. */
  readonly end: number;
}

/**
 * Reads that text (https://gdal.org/drivers/raster/cog.html, "Header ghost area"); `undefined` where there is none.
 *
 * @param start where the text would begin: 8, in BigTIFF 16
 * @throws what the source throws
 */
export async function readGhostArea(bytes: HeaderBytes, start: number): Promise<GhostArea | undefined> {
  const size = FIRST_LINE.exec(toText(await bytes.read(start, FIRST_BYTES)))?.[1];
  if (size === undefined || Number(size) > LONGEST) return undefined;
  const lines = toText(await bytes.read(start + FIRST_BYTES, Number(size))).split("\n");
  const end = start + FIRST_BYTES + Number(size);
  return { lines, end: end + (end % 2) };
}

/**
 * Reads from that text whether each block is preceded by its size and followed by its last bytes. `undefined` where the
 * text says neither, or where the file was edited in a way that its blocks may not follow.
 *
 * @param start where the text would begin: 8, in BigTIFF 16
 * @throws what the source throws
 */
export async function readBlockFrame(bytes: HeaderBytes, start: number): Promise<BlockFrame | undefined> {
  const { lines = [] } = (await readGhostArea(bytes, start)) ?? {};
  if (lines.includes("KNOWN_INCOMPATIBLE_EDITION=YES")) return undefined;
  const leader = lines.includes("BLOCK_LEADER=SIZE_AS_UINT4");
  const trailer = lines.includes("BLOCK_TRAILER=LAST_4_BYTES_REPEATED");
  return leader || trailer ? { leader, trailer } : undefined;
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}
