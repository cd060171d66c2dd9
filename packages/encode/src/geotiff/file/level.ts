import { bytesPerSample } from "@swath/raster";
import type { LevelShape } from "../levels/level-shape.ts";
import type { BlockRows } from "../levels/sources.ts";
import type { Settings } from "../options.ts";
import { geoFields } from "./geo-fields.ts";
import type { LevelData } from "./layout.ts";
import { toGdalMetadata } from "./metadata.ts";
import type { ByteSource, Spool } from "./spool.ts";
import type { TiffField } from "./tiff.ts";

/** One resolution of the file while it is written. */
export interface Level extends LevelShape {
  /** Rows of blocks that the file has: all of them, or those of a part of a file. */
  readonly rows: BlockRows;
  /** The parts that have made rows of blocks, by row; empty unless parts are joined. */
  readonly madeBy: readonly (ByteSource | undefined)[];
  /** Rows of blocks that are made for this file. */
  readonly rowsToMake: number;
  /** One per plane: that of the mask first, where there is one. Empty where no blocks are made. */
  readonly spools: readonly Spool[];
  /**
   * Offset within its plane's spool, or within its part, and size of each block, in TIFF order (plane by plane); −1 and 0 for
   * sparse blocks. The spool may hold them in another order.
   */
  readonly blockOffsets: Float64Array;
  readonly blockSizes: Float64Array;
  readonly spoolSizes: number[];
}

/** Adds to a level the memory of its blocks, and the spools of those that are made. */
export async function openLevel(
  shape: LevelShape,
  rows: BlockRows,
  madeBy: readonly (ByteSource | undefined)[],
  makeSpool: () => Promise<Spool>,
): Promise<Level> {
  const { planes, blocksAcross, blocksDown } = shape;
  const rowsToMake = rows.to - rows.from - madeBy.filter((part) => part !== undefined).length;
  const spools: Spool[] = [];
  if (rowsToMake > 0) for (let plane = 0; plane < planes; plane++) spools.push(await makeSpool());
  return {
    ...shape,
    rows,
    madeBy,
    rowsToMake,
    spools,
    blockOffsets: new Float64Array(blocksAcross * blocksDown * planes),
    blockSizes: new Float64Array(blocksAcross * blocksDown * planes),
    spoolSizes: spools.map(() => 0),
  };
}

/** Bytes before and after each block: its size, and its last four bytes again. */
export const LEADER_BYTES = 4;
export const TRAILER_BYTES = 4;

const FORMATS = { u: 1, i: 2, f: 3 } as const;

/** The directory of a level, without the offsets and sizes of its blocks. */
function levelFields(level: Level, settings: Settings): TiffField[] {
  const { sampleType, bandCount, interleave, compression, predictor, nodata } = settings;
  const bits = bytesPerSample(sampleType) * 8;
  const isRgb = sampleType === "uint8" && bandCount === 3;
  const each = (value: number): number[] => new Array<number>(bandCount).fill(value);
  const short = (tag: number, ...values: number[]): TiffField => ({ tag, kind: "short", values });
  const fields: TiffField[] = [
    { tag: 256, kind: "long", values: [level.width] },
    { tag: 257, kind: "long", values: [level.height] },
    short(258, ...each(bits)),
    short(259, compression === "deflate" ? 8 : 1),
    short(262, isRgb ? 2 : 1),
    short(277, bandCount),
    short(284, interleave === "band" ? 2 : 1),
    short(322, level.blockWidth),
    short(323, level.blockHeight),
    short(339, ...each(FORMATS[sampleType[0] as "u" | "i" | "f"])),
  ];
  if (level.factor > 1) fields.push({ tag: 254, kind: "long", values: [1] });
  if (predictor !== 1) fields.push(short(317, predictor));
  if (!isRgb && bandCount > 1) fields.push(short(338, ...new Array<number>(bandCount - 1).fill(0)));
  if (nodata !== undefined) fields.push({ tag: 42113, kind: "ascii", text: nodataText(nodata) });
  if (level.factor === 1) {
    fields.push(...geoFields(settings.grid));
    const xml = toGdalMetadata(settings.metadata, settings.bands);
    if (xml !== undefined) fields.push({ tag: 42112, kind: "ascii", text: xml });
  }
  return fields;
}

function nodataText(nodata: number): string {
  if (Number.isNaN(nodata)) return "nan";
  if (!Number.isFinite(nodata)) return nodata > 0 ? "inf" : "-inf";
  return String(nodata);
}

/** The directory of the mask of a level, without the offsets and sizes of its blocks. */
function maskFields(level: Level, { compression }: Settings): TiffField[] {
  const short = (tag: number, value: number): TiffField => ({ tag, kind: "short", values: [value] });
  return [
    { tag: 254, kind: "long", values: [level.factor === 1 ? 4 : 5] },
    { tag: 256, kind: "long", values: [level.width] },
    { tag: 257, kind: "long", values: [level.height] },
    short(258, 1),
    short(259, compression === "deflate" ? 8 : 1),
    short(262, 4),
    short(277, 1),
    short(284, 1),
    short(322, level.blockWidth),
    short(323, level.blockHeight),
    short(339, 1),
  ];
}

/** Returns the data about a level, and behind it about its mask where there is one, that {@link layOut} needs. */
export function levelData(level: Level, settings: Settings): readonly LevelData[] {
  const masked = settings.mask ? level.blocksAcross * level.blocksDown : 0;
  const image = dataOf(
    levelFields(level, settings),
    level.blockOffsets.subarray(masked),
    level.blockSizes.subarray(masked),
  );
  if (masked === 0) return [image];
  const { blockOffsets, blockSizes } = level;
  return [image, dataOf(maskFields(level, settings), blockOffsets.subarray(0, masked), blockSizes.subarray(0, masked))];
}

function dataOf(fields: readonly TiffField[], spooled: Float64Array, blockSizes: Float64Array): LevelData {
  const blockOffsets = new Float64Array(spooled.length);
  let size = 0;
  for (let i = 0; i < blockOffsets.length; i++) {
    const isSparse = (spooled[i] as number) < 0;
    blockOffsets[i] = isSparse ? -1 : size + LEADER_BYTES;
    if (!isSparse) size += LEADER_BYTES + (blockSizes[i] as number) + TRAILER_BYTES;
  }
  return { fields, blockOffsets, blockSizes, dataSize: size };
}
