import { portableCodecs } from "../codecs/codecs.ts";
import { type CogState, openState, tableOf } from "../cog-state.ts";
import { locateDirectories } from "../header/directories.ts";
import { alphaBand, holds } from "../header/image-facts.ts";
import { type GhostArea, readGhostArea } from "../header/structural-metadata.ts";
import type { TiffImage } from "../header/tiff-image.ts";
import type { Source } from "../sources/source.ts";

/** A block whose neighbouring bytes were read. */
export interface BlockFrameFacts {
  readonly block: number;
  /** Number in the four bytes before the block, little-endian; `undefined` where the file has none there. */
  readonly leader: number | undefined;
  /** Are the four bytes after the block its last four? */
  readonly repeats: boolean;
}

/** The place of one image in a file. Offsets are bytes from the file's start. */
export interface ImageLayout {
  /** Offset of its directory. */
  readonly directory: number;
  readonly width: number;
  readonly height: number;
  readonly tiled: boolean;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly compressed: boolean;
  /** Blocks of the first plane in row-major order, as far as they were read; 0 is a sparse one. */
  readonly offsets: Float64Array;
  /** Bytes of each of these blocks. */
  readonly sizes: Float64Array;
  /** Blocks of any plane that do not lie within the file. */
  readonly outside: readonly { readonly block: number; readonly offset: number; readonly size: number }[];
  /** Some of the blocks within the file, or all of them. */
  readonly frames: readonly BlockFrameFacts[];
}

/** Layout of a GeoTIFF: plain data, which `checkLayout` compares with the rules of COGs. */
export interface CogLayout {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Bytes of the file's head: 8, in BigTIFF 16. */
  readonly headBytes: number;
  readonly ghost?: GhostArea;
  /** The full image first, then its overviews in the file's own order. */
  readonly levels: readonly { readonly image: ImageLayout; readonly mask?: ImageLayout }[];
  /** The reason why the file has no usable georeference; `undefined`: it has one. */
  readonly georeferenceProblem?: string;
  /** Do a nodata value, a mask or an alpha band say which pixels hold no data? */
  readonly marksGaps: boolean;
}

/** Limits of the parts of a file that are examined. */
export interface LayoutOptions {
  readonly signal?: AbortSignal | undefined;
  /** Blocks of each image whose neighbouring bytes are read, where the file says what stands there. Default 16; two reads each. */
  readonly frames?: number | undefined;
}

/** Entries of the table of blocks that are read of each image: those of 92,000 × 92,000 pixels in blocks of 256. */
const MAX_BLOCKS = 131_072;
const FRAMES = 16;
/** Reads of neighbouring bytes at once. */
const AT_ONCE = 8;
const PREFETCH = 32_768;

/**
 * Reads the header, the tables of blocks, and the bytes around some blocks of a GeoTIFF.
 *
 * @throws {CogError} where the file cannot be opened, a table of blocks is damaged, or a read fails.
 */
export async function readLayout(source: Source, options: LayoutOptions = {}): Promise<CogLayout> {
  const { signal, frames = FRAMES } = options;
  const state = await openState(source, portableCodecs, PREFETCH, signal);
  const { bytes, levels, nodata, georeference } = state.header;
  const { directories, big } = await locateDirectories({ bytes, key: source.key, wanted: new Set() });
  const headBytes = big ? 16 : 8;
  const ghost = await readGhostArea(bytes, headBytes);
  const order = new Map(directories.map(({ offset }, index) => [offset, index]));
  const inOrder = levels.toSorted((a, b) => (order.get(a.image.id) ?? 0) - (order.get(b.image.id) ?? 0));
  const images = inOrder.flatMap(({ image, mask }) => (mask === undefined ? [image] : [image, mask]));
  for (const image of images) {
    await tableOf(state, image).load(blocksOf(image), source, bytes, signal);
  }
  const size = await sizeOf(state, images, signal);
  const isFramed = ghost?.lines.some((line) => /^BLOCK_(LEADER|TRAILER)=/.test(line)) === true;
  const layoutOf = (image: TiffImage): Promise<ImageLayout> =>
    imageLayout(state, image, { bytes: size, frameCount: isFramed ? frames : 0, signal });
  const found: { image: ImageLayout; mask?: ImageLayout }[] = [];
  for (const { image, mask } of inOrder) {
    found.push({ image: await layoutOf(image), ...(mask === undefined ? {} : { mask: await layoutOf(mask) }) });
  }
  const [{ image: full, mask }] = levels as [(typeof levels)[number]];
  return {
    bytes: size,
    headBytes,
    ...(ghost === undefined ? {} : { ghost }),
    levels: found,
    ...(georeference.problem === undefined ? {} : { georeferenceProblem: georeference.problem }),
    marksGaps:
      mask !== undefined || (nodata !== undefined && holds(full.sampleType, nodata)) || alphaBand(full) !== undefined,
  };
}

/** Blocks of all planes of an image, as many as are read. */
function blocksOf({ blocksAcross, blocksDown, planar, bandCount }: TiffImage): readonly number[] {
  const count = Math.min(blocksAcross * blocksDown * (planar ? bandCount : 1), MAX_BLOCKS);
  return Array.from({ length: count }, (_, block) => block);
}

/** Bytes of the file: where no answer said how many, the blocks' ends are looked for. */
async function sizeOf(state: CogState, images: readonly TiffImage[], signal: AbortSignal | undefined): Promise<number> {
  const { source } = state;
  if (source.size !== undefined) return source.size;
  let end = 0;
  for (const image of images) {
    const table = tableOf(state, image);
    for (const block of blocksOf(image)) {
      const { offset, length } = table.range(block) ?? { offset: 0, length: 0 };
      end = Math.max(end, offset + length);
    }
  }
  const last = await source.read(Math.max(0, end - 1), 1, { signal });
  return source.size ?? (last.length === 1 ? end : end - 1);
}

interface Examining extends Pick<LayoutOptions, "signal"> {
  /** Bytes of the file. */
  readonly bytes: number;
  readonly frameCount: number;
}

/** The layout of an image whose table of blocks is loaded. */
async function imageLayout(
  state: CogState,
  image: TiffImage,
  { bytes, frameCount, signal }: Examining,
): Promise<ImageLayout> {
  const count = Math.min(image.blocksAcross * image.blocksDown, MAX_BLOCKS);
  const table = tableOf(state, image);
  const offsets = new Float64Array(count);
  const sizes = new Float64Array(count);
  const outside: { block: number; offset: number; size: number }[] = [];
  const within: number[] = [];
  for (const block of blocksOf(image)) {
    const { offset, length: size } = table.range(block) ?? { offset: 0, length: 0 };
    if (offset + size > bytes) outside.push({ block, offset, size });
    if (block >= count) continue;
    offsets[block] = offset;
    sizes[block] = size;
    if (offset !== 0 && offset + size <= bytes) within.push(block);
  }
  const { id, width, height, tiled, blockWidth, blockHeight, compression } = image;
  const chosen = spread(within, frameCount);
  const frames: BlockFrameFacts[] = [];
  for (let i = 0; i < chosen.length; i += AT_ONCE) {
    const some = chosen.slice(i, i + AT_ONCE).map(async (block) => {
      return { block, ...(await readFrame(state.source, offsets[block] ?? 0, sizes[block] ?? 0, signal)) };
    });
    frames.push(...(await Promise.all(some)));
  }
  const compressed = compression !== 1;
  return { directory: id, width, height, tiled, blockWidth, blockHeight, compressed, offsets, sizes, outside, frames };
}

/** At most `count` of some values, evenly spread, the first and the last among them. */
function spread(values: readonly number[], count: number): readonly number[] {
  if (values.length <= count) return values;
  const step = (values.length - 1) / Math.max(1, count - 1);
  return Array.from({ length: count }, (_, i) => values[Math.round(i * step)] ?? 0);
}

async function readFrame(
  source: Source,
  offset: number,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Omit<BlockFrameFacts, "block">> {
  const [before, after] = await Promise.all([
    offset < 4 ? undefined : source.read(offset - 4, 4, { signal }),
    size < 4 ? undefined : source.read(offset + size - 4, 8, { signal }),
  ]);
  const leader = before?.length === 4 ? new DataView(before.buffer, before.byteOffset).getUint32(0, true) : undefined;
  const repeats = after === undefined || (after.length === 8 && [0, 1, 2, 3].every((i) => after[i] === after[i + 4]));
  return { leader, repeats };
}
