import { type Affine, type Grid, scaleAffine } from "@swath/raster";
import { GeoTIFF } from "geotiff";
import { type DirectoryPlace, locateDirectories, type TagPlace, typeBytes, viewOf } from "./directories.ts";
import { CogError } from "./errors.ts";
import { toGeoKeys } from "./geokeys.ts";
import { type Georeference, NO_CRS, PIXEL_TRANSFORM, toGeoreference } from "./georeference.ts";
import { HeaderBytes } from "./header-bytes.ts";
import { type ImageTags, type TiffImage, toImage } from "./image.ts";
import { type GdalMetadata, parseGdalMetadata, parseNodata } from "./metadata.ts";
import { copyBytes } from "./samples.ts";
import type { Source } from "./source.ts";

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
  /** Kept for the block tables that lie in it. */
  readonly bytes: HeaderBytes;
}

/**
 * Reads the directories of a TIFF: sizes are checked first, values are parsed by `geotiff`.
 *
 * @throws {CogError} `not-a-tiff`, `corrupt`, `unsupported`, `too-large`, or what the source throws.
 */
export async function readHeader(source: Source, prefetch: number, signal: AbortSignal | undefined): Promise<Header> {
  const bytes = new HeaderBytes(source, prefetch, signal);
  const layout = await locateDirectories(bytes, source.key, source.size);
  const tiff = await parsed(source.key, signal, () => GeoTIFF.fromSource(toBaseSource(bytes)));
  const first = await readTags(tiff, layout.directories[0]!, bytes, layout.littleEndian, source.key, signal);
  const image = toImage(first.tags, source.key);
  const images: TiffImage[] = [image];
  const masks: TiffImage[] = [];
  for (const place of layout.directories.slice(1)) {
    const found = await secondary(tiff, place, bytes, layout.littleEndian, source.key, signal);
    if (found === undefined) continue;
    if (found.mask) masks.push(found);
    else if (found.overview && found.bandCount === image.bandCount) images.push(found);
  }
  const keys = toGeoKeys(first.tags.numbers(34735), first.tags.numbers(34736), first.text(34737) ?? "");
  const georeference = toGeoreference(
    first.tags.numbers(33550),
    first.tags.numbers(33922),
    first.tags.numbers(34264),
    keys,
  );
  const metadata = parseGdalMetadata((await first.load(42112)) ?? "", image.bandCount);
  const nodata = parseNodata(first.text(42113));
  const palette =
    image.photometric === 3 ? toPalette(await shorts(first.tags.place(320), bytes, layout.littleEndian)) : undefined;
  const transform = georeference.transform ?? PIXEL_TRANSFORM;
  const crs = georeference.crs ?? NO_CRS;
  const [main, ...overviews] = images as [TiffImage, ...TiffImage[]];
  const sorted = overviews.sort((a, b) => b.width - a.width || b.height - a.height);
  return {
    version: source.version,
    levels: [main, ...sorted].map((level) => {
      const mask = masks.find((candidate) => candidate.width === level.width && candidate.height === level.height);
      return { image: level, grid: levelGrid(crs, transform, main, level), ...(mask === undefined ? {} : { mask }) };
    }),
    georeference,
    ...(nodata === undefined ? {} : { nodata }),
    metadata,
    ...(palette === undefined ? {} : { palette }),
    littleEndian: layout.littleEndian,
    bytes,
  };
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

interface Tags {
  readonly tags: ImageTags;
  text(tag: number): string | undefined;
  load(tag: number): Promise<string | undefined>;
}

/** An overview or mask; one that is damaged or of an unknown kind is left out, as the image itself is still good. */
async function secondary(
  tiff: GeoTIFF,
  place: DirectoryPlace,
  bytes: HeaderBytes,
  littleEndian: boolean,
  key: string,
  signal: AbortSignal | undefined,
): Promise<TiffImage | undefined> {
  if (!place.tags.has(254) && !place.tags.has(255)) return undefined;
  const { tags } = await readTags(tiff, place, bytes, littleEndian, key, signal);
  try {
    return toImage(tags, key);
  } catch (error) {
    if (error instanceof CogError) return undefined;
    throw error;
  }
}

async function readTags(
  tiff: GeoTIFF,
  place: DirectoryPlace,
  bytes: HeaderBytes,
  littleEndian: boolean,
  key: string,
  signal: AbortSignal | undefined,
): Promise<Tags> {
  const directory = await parsed(key, signal, () => tiff.parser.parseFileDirectoryAt(place.offset));
  const value = (tag: number): unknown => directory.actualizedFields.get(tag);
  const numbers = (tag: number): readonly number[] => {
    const found = value(tag);
    if (typeof found === "number") return [found];
    return ArrayBuffer.isView(found) || Array.isArray(found) ? Array.from(found as ArrayLike<number>) : [];
  };
  // small arrays that geotiff would load later, in the wrong byte order for big-endian files
  for (const tag of [258, 338, 339, 530, 50674]) {
    const at = place.tags.get(tag);
    if (at !== undefined && value(tag) === undefined) {
      directory.actualizedFields.set(tag, (await shorts(at, bytes, littleEndian)) as number[]);
    }
  }
  const text = (found: unknown): string | undefined => (typeof found === "string" ? found : undefined);
  return {
    tags: {
      id: place.offset,
      littleEndian,
      number: (tag) => numbers(tag)[0],
      numbers,
      bytes: (tag) => {
        const found = value(tag);
        return found instanceof Uint8Array ? found : undefined;
      },
      place: (tag) => place.tags.get(tag),
    },
    text: (tag) => text(value(tag)),
    load: async (tag) =>
      place.tags.has(tag) ? text(await parsed(key, signal, () => directory.loadValue(tag))) : undefined,
  };
}

async function shorts(place: TagPlace | undefined, bytes: HeaderBytes, littleEndian: boolean): Promise<number[]> {
  if (place === undefined) return [];
  const size = typeBytes(place.type);
  const view = viewOf(await bytes.readExactly(place.offset, size * place.count));
  const values: number[] = [];
  for (let i = 0; i < place.count; i++) {
    if (size === 1) values.push(view.getUint8(i));
    else if (size === 2) values.push(view.getUint16(i * 2, littleEndian));
    else if (size === 4) values.push(view.getUint32(i * 4, littleEndian));
  }
  return values;
}

/** Palette of tag 320 (all reds, all greens, all blues, 16 bits each) as RGBA bytes. */
function toPalette(values: readonly number[]): Uint8Array | undefined {
  const count = Math.floor(values.length / 3);
  if (count === 0) return undefined;
  const palette = new Uint8Array(count * 4);
  for (let i = 0; i < count; i++) {
    palette.set([values[i]! >> 8, values[count + i]! >> 8, values[2 * count + i]! >> 8, 255], i * 4);
  }
  return palette;
}

function toBaseSource(bytes: HeaderBytes): Parameters<typeof GeoTIFF.fromSource>[0] {
  const fetchSlice = async (slice: {
    offset: number;
    length: number;
  }): Promise<{ offset: number; length: number; data: ArrayBuffer }> => {
    const found = await bytes.read(slice.offset, slice.length);
    return { ...slice, data: copyBytes(found).buffer };
  };
  return {
    fetchSlice,
    fetch: async (slices: { offset: number; length: number }[]) =>
      Promise.all(slices.map(async (slice) => (await fetchSlice(slice)).data)),
    fileSize: null,
    close: async () => {},
  };
}

/** Runs the parser; whatever it stumbles over means that the file is damaged. */
async function parsed<T>(key: string, signal: AbortSignal | undefined, parse: () => Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof CogError) throw error;
    throw new CogError("corrupt", `${key}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
