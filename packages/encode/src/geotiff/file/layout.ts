import { directorySize, type TiffField, writeDirectory } from "./tiff.ts";

/** One directory of the file before its offset is known: the full size, then ever smaller ones, behind each its mask. */
export interface LevelData {
  /** Every field except tile offsets and sizes. */
  readonly fields: readonly TiffField[];
  /** Offset of each block within the level's data, −1 for a sparse block. */
  readonly blockOffsets: ArrayLike<number>;
  readonly blockSizes: ArrayLike<number>;
  /** Length of the level's data in bytes. */
  readonly dataSize: number;
}

export interface FileLayout {
  readonly big: boolean;
  /** Header, structural metadata and all directories: the bytes before the data. */
  readonly head: Uint8Array;
  /** Offsets of the data of each level. They follow each other without gaps, the last directory's first. */
  readonly dataOffsets: readonly number[];
  readonly size: number;
}

const TILE_OFFSETS = 324;
const TILE_BYTE_COUNTS = 325;
const LIMIT = 2 ** 32;

/**
 * GDAL's structural metadata (the "ghost area" of its COG driver). All of it is true for both interleavings: blocks are
 * in the order of their TIFF index (plane by plane for `band`), each with a leader and a trailer.
 */
export function structuralMetadata(): Uint8Array {
  const promises = "BLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\n";
  // The blank at the end lets an editor replace NO by YES without moving bytes.
  const body = `LAYOUT=IFDS_BEFORE_DATA\n${promises}KNOWN_INCOMPATIBLE_EDITION=NO\n `;
  const text = `GDAL_STRUCTURAL_METADATA_SIZE=${String(body.length).padStart(6, "0")} bytes\n${body}`;
  return new TextEncoder().encode(text.length % 2 === 0 ? text : `${text}\0`);
}

function withBlocks(level: LevelData, start: number, big: boolean): TiffField[] {
  const offsets = Float64Array.from(level.blockOffsets, (offset) => (offset < 0 ? 0 : start + offset));
  return [
    ...level.fields,
    { tag: TILE_OFFSETS, kind: big ? "long8" : "long", values: offsets },
    { tag: TILE_BYTE_COUNTS, kind: "long", values: level.blockSizes },
  ];
}

function offsetsOf(levels: readonly LevelData[], ghost: Uint8Array, big: boolean) {
  const directoryOffsets: number[] = [];
  let offset = (big ? 16 : 8) + ghost.length;
  for (const level of levels) {
    directoryOffsets.push(offset);
    offset += directorySize(withBlocks(level, 0, big), big);
  }
  const headSize = offset;
  const dataOffsets = new Array<number>(levels.length);
  for (let i = levels.length - 1; i >= 0; i--) {
    dataOffsets[i] = offset;
    offset += (levels[i] as LevelData).dataSize;
  }
  return { directoryOffsets, headSize, dataOffsets, size: offset };
}

/**
 * Gives every directory and block its offset: header, structural metadata, directories from the full size down, data from
 * the smallest level up. BigTIFF when requested, or when an offset would not fit into 32 bits.
 */
export function layOut(levels: readonly LevelData[], bigTiff: "auto" | "always"): FileLayout {
  const ghost = structuralMetadata();
  const big = bigTiff === "always" || offsetsOf(levels, ghost, false).size >= LIMIT;
  const { directoryOffsets, headSize, dataOffsets, size } = offsetsOf(levels, ghost, big);
  const head = new Uint8Array(headSize);
  const view = new DataView(head.buffer);
  view.setUint16(0, 0x4949, true);
  if (big) {
    view.setUint16(2, 43, true);
    view.setUint16(4, 8, true);
    view.setBigUint64(8, BigInt(directoryOffsets[0] as number), true);
  } else {
    view.setUint16(2, 42, true);
    view.setUint32(4, directoryOffsets[0] as number, true);
  }
  head.set(ghost, big ? 16 : 8);
  for (const [i, level] of levels.entries()) {
    const at = directoryOffsets[i] as number;
    head.set(
      writeDirectory(withBlocks(level, dataOffsets[i] as number, big), at, directoryOffsets[i + 1] ?? 0, big),
      at,
    );
  }
  return { big, head, dataOffsets, size };
}
