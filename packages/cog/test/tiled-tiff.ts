/** A little-endian TIFF of 16-bit tiles in one row, its directory first. */
export interface TiledTiff {
  readonly bytes: Uint8Array;
  /** The offset and bytes of each tile. */
  readonly tiles: readonly { readonly offset: number; readonly length: number }[];
  /** Offset of TileOffsets: 32 bits each. */
  readonly offsetsAt: number;
}

/** Bytes before the first tile: more than what opening a file reads. */
export const TILES_START = 40_000;

const FRAME = ["BLOCK_LEADER=SIZE_AS_UINT4", "BLOCK_TRAILER=LAST_4_BYTES_REPEATED"];

export interface TiledTiffOptions {
  /** Samples of an edge of a tile. */
  readonly side: number;
  readonly compression: number;
  /** The text about later edits in a COG of GDAL, whose tiles are framed. Default: no such text, and no frames. */
  readonly edition?: string;
  /** Bytes between tiles. Default 0. */
  readonly padding?: number;
}

/** Makes a file of encoded tiles. */
export function tiledTiff(
  tiles: readonly Uint8Array[],
  { side, compression, edition, padding = 0 }: TiledTiffOptions,
): TiledTiff {
  const isFramed = edition !== undefined;
  const lines = ["LAYOUT=IFDS_BEFORE_DATA", ...FRAME, `KNOWN_INCOMPATIBLE_EDITION=${edition}`].join("\n");
  const text = `GDAL_STRUCTURAL_METADATA_SIZE=${String(lines.length + 1).padStart(6, "0")} bytes\n${lines}\n`;
  const ghost = new TextEncoder().encode(isFramed ? text : "");
  const directory = 8 + ghost.length + (ghost.length % 2);
  const offsetsAt = directory + 2 + 12 * 10 + 4;
  const countsAt = offsetsAt + 4 * tiles.length;
  const gap = isFramed ? 4 : 0;
  let offset = TILES_START;
  const places = tiles.map(({ length }) => {
    const place = { offset: offset + gap, length };
    offset += length + 2 * gap + padding;
    return place;
  });
  const bytes = new Uint8Array(offset);
  const view = new DataView(bytes.buffer);
  const isOne = tiles.length === 1;
  const tags = [
    [256, 4, 1, side * tiles.length],
    [257, 4, 1, side],
    [258, 3, 1, 16],
    [259, 3, 1, compression],
    [262, 3, 1, 1],
    [277, 3, 1, 1],
    [322, 4, 1, side],
    [323, 4, 1, side],
    [324, 4, tiles.length, isOne ? places[0]!.offset : offsetsAt],
    [325, 4, tiles.length, isOne ? places[0]!.length : countsAt],
  ] as const;
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, directory, true);
  bytes.set(ghost, 8);
  view.setUint16(directory, tags.length, true);
  tags.forEach(([tag, type, count, value], i) => {
    const at = directory + 2 + 12 * i;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, count, true);
    view.setUint32(at + 8, value, true);
  });
  tiles.forEach((tile, i) => {
    const place = places[i]!;
    view.setUint32(offsetsAt + 4 * i, place.offset, true);
    view.setUint32(countsAt + 4 * i, place.length, true);
    bytes.set(tile, place.offset);
    if (!isFramed) return;
    view.setUint32(place.offset - 4, place.length, true);
    bytes.set(tile.subarray(-4), place.offset + place.length);
  });
  return { bytes, tiles: places, offsetsAt };
}

/** Samples of noise: what is wrong with them is seen. */
export function noise(count: number, seed = 7): Uint16Array {
  let state = seed;
  return Uint16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return 1000 + (state >>> 22);
  });
}
