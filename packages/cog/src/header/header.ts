import { type Affine, type Grid, scaleAffine } from "@swath/raster";
import { CogError } from "../errors.ts";
import type { Source } from "../sources/source.ts";
import { BLOCK_TAGS, locateDirectories, type TiffDirectory } from "./directories.ts";
import { type GdalMetadata, parseGdalMetadata, parseNodata } from "./gdal-metadata.ts";
import { toGeoKeys } from "./georeference/geo-keys.ts";
import { type Georeference, NO_CRS, PIXEL_TRANSFORM, toGeoreference } from "./georeference/georeference.ts";
import { HeaderBytes } from "./header-bytes.ts";
import { type BlockFrame, readBlockFrame } from "./structural-metadata.ts";
import { readTags, type Tags } from "./tags.ts";
import { IMAGE_TAGS, type TiffImage, toImage } from "./tiff-image.ts";

export interface HeaderLevel {
  readonly image: TiffImage;
  readonly mask?: TiffImage;
  readonly grid: Grid;
}

/** All that is known of a file once it is open. */
export interface Header {
  readonly version: string | undefined;
  /** Finest first. */
  readonly levels: readonly HeaderLevel[];
  readonly georeference: Georeference;
  readonly nodata?: number;
  readonly metadata: GdalMetadata;
  readonly palette?: Uint8Array;
  readonly littleEndian: boolean;
  /** Bytes that the file repeats around each tile. */
  readonly frame?: BlockFrame;
  /** Kept for the block tables in it. */
  readonly bytes: HeaderBytes;
}

/** Tags of the first directory that say something about the whole file. */
const FILE_TAGS = [320, 33550, 33922, 34264, 34735, 34736, 34737, 42112, 42113];
const READ_TAGS: ReadonlySet<number> = new Set([...IMAGE_TAGS, ...FILE_TAGS, ...BLOCK_TAGS]);

/**
 * Reads the directories of a TIFF. Sizes are checked before anything is read or allocated.
 *
 * @throws {CogError} `not-a-tiff`, `corrupt`, `unsupported`, `too-large`, or what the source throws.
 */
export async function readHeader(source: Source, prefetch: number, signal: AbortSignal | undefined): Promise<Header> {
  const bytes = new HeaderBytes(source, prefetch, signal);
  const { directories, littleEndian, big } = await locateDirectories({
    bytes,
    key: source.key,
    size: source.size,
    wanted: READ_TAGS,
  });
  const [main, ...others] = directories as [TiffDirectory, ...TiffDirectory[]];
  const read = await tagReader(bytes, littleEndian, source.key, signal);
  const tags = await read(main, [...IMAGE_TAGS, ...FILE_TAGS]);
  const image = toImage({ ...tags, id: main.offset, littleEndian }, source.key);
  const images: TiffImage[] = [image];
  const masks: TiffImage[] = [];
  for (const directory of others) {
    const found = await secondary(directory, read, littleEndian, source.key);
    if (found === undefined) continue;
    if (found.mask) masks.push(found);
    else if (found.overview && found.bandCount === image.bandCount) images.push(found);
  }
  const keys = toGeoKeys(tags.numbers(34735), tags.numbers(34736), tags.text(34737) ?? "");
  const georeference = await toGeoreference(tags.numbers(33550), tags.numbers(33922), tags.numbers(34264), keys);
  const metadata = parseGdalMetadata(tags.text(42112) ?? "", image.bandCount);
  const nodata = parseNodata(tags.text(42113));
  const frame = await readBlockFrame(bytes, big ? 16 : 8);
  const palette = image.photometric === 3 ? toPalette(tags.numbers(320), nodata) : undefined;
  const transform = georeference.transform ?? PIXEL_TRANSFORM;
  const crs = georeference.crs ?? NO_CRS;
  const sorted = images.slice(1).sort((a, b) => b.width - a.width || b.height - a.height);
  return {
    version: source.version,
    levels: [image, ...sorted].map((level) => {
      const mask = masks.find((candidate) => candidate.width === level.width && candidate.height === level.height);
      return { image: level, grid: levelGrid(crs, transform, image, level), ...(mask === undefined ? {} : { mask }) };
    }),
    georeference,
    ...(nodata === undefined ? {} : { nodata }),
    metadata,
    ...(palette === undefined ? {} : { palette }),
    littleEndian,
    ...(frame === undefined ? {} : { frame }),
    bytes,
  };
}

type TagReader = (directory: TiffDirectory, wanted: readonly number[]) => Promise<Tags>;

/** Little-endian files, which are nearly all, are read by us: geotiff.js is loaded for the others. */
async function tagReader(
  bytes: HeaderBytes,
  littleEndian: boolean,
  key: string,
  signal: AbortSignal | undefined,
): Promise<TagReader> {
  if (littleEndian) return (directory, wanted) => readTags(directory, wanted, bytes, littleEndian);
  const { readTagsByGeotiff } = await import("./tags-by-geotiff.ts");
  return (directory, wanted) => readTagsByGeotiff(directory, wanted, bytes, littleEndian, { key, signal });
}

function levelGrid(crs: Grid["crs"], transform: Affine, main: TiffImage, level: TiffImage): Grid {
  const { width, height } = level;
  // overviews carry no georeferencing of their own: they cover the same ground
  return {
    crs,
    transform: level === main ? transform : scaleAffine(transform, main.width / width, main.height / height),
    width,
    height,
  };
}

/** An overview or mask; one that is damaged or of an unknown kind is ignored, as the image itself is still good. */
async function secondary(
  directory: TiffDirectory,
  read: TagReader,
  littleEndian: boolean,
  key: string,
): Promise<TiffImage | undefined> {
  if (!directory.tags.has(254) && !directory.tags.has(255)) return undefined;
  const tags = await read(directory, IMAGE_TAGS);
  try {
    return toImage({ ...tags, id: directory.offset, littleEndian }, key);
  } catch (error) {
    if (error instanceof CogError) return undefined;
    throw error;
  }
}

/**
 * Palette of tag 320 (all reds, all greens, all blues, 16 bits each) as RGBA bytes; nodata is transparent, as in GDAL. Some
 * writers store 8 bits: then no value is above 255 (libtiff's tools and GDAL look for that, too).
 */
function toPalette(values: readonly number[], nodata: number | undefined): Uint8Array | undefined {
  const count = Math.floor(values.length / 3);
  if (count === 0) return undefined;
  const palette = new Uint8Array(count * 4);
  const shift = values.every((value) => value < 256) ? 0 : 8;
  for (let i = 0; i < count; i++) {
    const [red, green, blue] = [values[i]!, values[count + i]!, values[2 * count + i]!];
    palette.set([red >> shift, green >> shift, blue >> shift, i === nodata ? 0 : 255], i * 4);
  }
  return palette;
}
