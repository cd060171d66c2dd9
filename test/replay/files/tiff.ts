import { deflateSync } from "node:zlib";

/** Types of samples that the archives use. */
export type SampleType = "uint8" | "uint16" | "int16" | "float32";

/** Georeference of a file as its GeoKeys say it. */
export type FileCrs =
  | { readonly kind: "projected" | "geographic"; readonly epsg: number }
  /** UTM without an EPSG code, as HLS writes it: zone of the northern hemisphere, also where northings are negative. */
  | { readonly kind: "hls-utm"; readonly zone: number };

/** The description of a file that is made. */
export interface TiffPlan {
  readonly width: number;
  readonly height: number;
  readonly type: SampleType;
  /** Samples of a pixel, interleaved. */
  readonly samples: number;
  /** Side of a block, pixels. */
  readonly block: number;
  /** As GDAL's tag holds it; absent: no tag. */
  readonly nodata?: number;
  /** Column, row to x, y of the pixel's outer corner: `[a, b, c, d, e, f]` as in `proj:transform`. */
  readonly transform: readonly number[];
  readonly crs: FileCrs;
  /** Whether a pixel is a point (elevation). */
  readonly isPoint?: boolean;
  /** Value of every pixel of a block, by the block's column and row in its image; one number for each sample. */
  readonly valueOf: (column: number, row: number) => readonly number[];
}

const BYTES = { uint8: 1, uint16: 2, int16: 2, float32: 4 } as const;
const FORMATS = { uint8: 1, uint16: 1, int16: 2, float32: 3 } as const;
const [BYTE_ASCII, SHORT, LONG, DOUBLE] = [2, 3, 4, 12] as const;

interface Tag {
  readonly id: number;
  readonly type: typeof BYTE_ASCII | typeof SHORT | typeof LONG | typeof DOUBLE;
  readonly values: readonly number[];
}

/** One image of the file: the full one or an overview. */
interface Image {
  readonly width: number;
  readonly height: number;
  /** The compressed bytes of each block, one copy for equal blocks. */
  readonly blocks: readonly Buffer[];
}

/**
 * A Cloud-Optimized GeoTIFF of any size in some kilobytes: blocks that hold the same value are stored once, and all
 * entries of the block table point to that copy, which TIFF 6.0 allows. The file is little-endian, DEFLATE without a
 * predictor, with overviews by factors of two down to one block, image directories first.
 */
export function writeTiff(plan: TiffPlan): Buffer {
  const compressed = new Map<string, Buffer>();
  const images = imagesOf(plan, compressed);
  const directories = images.map((image, i) => tagsOf(plan, image, i > 0));
  // sizes do not depend on where blocks lie: the tables are written once the header's length is known
  const headerBytes = directories.reduce((sum, tags) => sum + directoryBytes(tags), 8);
  const offsets = new Map<Buffer, number>();
  let end = headerBytes;
  for (const bytes of compressed.values()) {
    offsets.set(bytes, end);
    end += bytes.length + (bytes.length % 2);
  }
  const file = Buffer.alloc(end);
  file.write("II", 0, "latin1");
  file.writeUInt16LE(42, 2);
  file.writeUInt32LE(8, 4);
  let at = 8;
  images.forEach((image, i) => {
    const tags = (directories[i] as readonly Tag[]).map((tag) =>
      tag.id === 324 ? { ...tag, values: image.blocks.map((bytes) => offsets.get(bytes) as number) } : tag,
    );
    const next = at + directoryBytes(tags);
    writeDirectory(file, at, tags, i === images.length - 1 ? 0 : next);
    at = next;
  });
  for (const [bytes, offset] of offsets) bytes.copy(file, offset);
  return file;
}

function imagesOf(plan: TiffPlan, compressed: Map<string, Buffer>): Image[] {
  const images: Image[] = [];
  for (let factor = 1; ; factor *= 2) {
    const width = Math.ceil(plan.width / factor);
    const height = Math.ceil(plan.height / factor);
    const [columns, rows] = [Math.ceil(width / plan.block), Math.ceil(height / plan.block)];
    const blocks = Array.from({ length: columns * rows }, (_, i) =>
      blockOf(plan, plan.valueOf(i % columns, Math.floor(i / columns)), compressed),
    );
    images.push({ width, height, blocks });
    if (columns === 1 && rows === 1) return images;
  }
}

function blockOf({ block, type, samples }: TiffPlan, values: readonly number[], known: Map<string, Buffer>): Buffer {
  const key = values.join();
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const size = BYTES[type];
  const pixel = Buffer.alloc(size * samples);
  for (let i = 0; i < samples; i++) {
    const value = values[i] ?? 0;
    if (type === "uint8") pixel.writeUInt8(value, i);
    else if (type === "uint16") pixel.writeUInt16LE(value, 2 * i);
    else if (type === "int16") pixel.writeInt16LE(value, 2 * i);
    else pixel.writeFloatLE(value, 4 * i);
  }
  const made = deflateSync(Buffer.alloc(block * block * pixel.length, pixel));
  known.set(key, made);
  return made;
}

function tagsOf(plan: TiffPlan, image: Image, isOverview: boolean): readonly Tag[] {
  const { samples, type, block, nodata } = plan;
  const short = (id: number, ...values: number[]): Tag => ({ id, type: SHORT, values });
  const long = (id: number, ...values: number[]): Tag => ({ id, type: LONG, values });
  const each = (value: number): number[] => Array.from({ length: samples }, () => value);
  return [
    long(254, isOverview ? 1 : 0),
    long(256, image.width),
    long(257, image.height),
    short(258, ...each(8 * BYTES[type])),
    short(259, 8),
    short(262, samples === 3 ? 2 : 1),
    short(277, samples),
    short(284, 1),
    short(322, block),
    short(323, block),
    long(324, ...image.blocks.map(() => 0)),
    long(325, ...image.blocks.map(({ length }) => length)),
    short(339, ...each(FORMATS[type])),
    ...(isOverview ? [] : geoTags(plan)),
    ...(nodata === undefined ? [] : [ascii(42_113, String(nodata))]),
  ];
}

function ascii(id: number, text: string): Tag {
  return { id, type: BYTE_ASCII, values: [...Buffer.from(`${text}\0`, "latin1")] };
}

/** Scale, tie point and GeoKeys (OGC GeoTIFF 1.1). The tie point of a pixel that is a point is that pixel's centre. */
function geoTags({ transform, crs, isPoint = false }: TiffPlan): readonly Tag[] {
  const [a = 1, , c = 0, , e = -1, f = 0] = transform;
  const [x, y] = isPoint ? [c + a / 2, f + e / 2] : [c, f];
  const double = (id: number, ...values: number[]): Tag => ({ id, type: DOUBLE, values });
  const place = [double(33_550, a, -e, 0), double(33_922, 0, 0, 0, x, y, 0)];
  const raster = [1025, 0, 1, isPoint ? 2 : 1];
  const short = (values: readonly number[]): Tag => ({ id: 34_735, type: SHORT, values });
  if (crs.kind === "hls-utm") return [...place, ...hlsTags(crs.zone, short, double)];
  const isProjected = crs.kind === "projected";
  const model = [1024, 0, 1, isProjected ? 1 : 2];
  return [...place, short([1, 1, 0, 3, ...model, ...raster, isProjected ? 3072 : 2048, 0, 1, crs.epsg])];
}

/** The GeoKeys of HLS L30 v2.0 as recorded (`files/HLS.L30.T19LBJ…`), for another zone. */
function hlsTags(
  zone: number,
  short: (values: readonly number[]) => Tag,
  double: (id: number, ...values: number[]) => Tag,
): readonly Tag[] {
  const name = `UTM Zone ${zone}, Northern Hemisphere|`;
  const geographic =
    "GCS Name = Unknown datum based upon the WGS 84 ellipsoid|Datum = Not specified (based on WGS 84 spheroid)|Primem = Greenwich||";
  const length = name.length;
  const keys = [
    [1024, 0, 1, 1],
    [1025, 0, 1, 1],
    [1026, 34_737, length, 0],
    [2048, 0, 1, 32_767],
    [2049, 34_737, geographic.length, length],
    [2050, 0, 1, 32_767],
    [2054, 0, 1, 9102],
    [2056, 0, 1, 7030],
    [2057, 34_736, 1, 1],
    [2059, 34_736, 1, 0],
    [2061, 34_736, 1, 2],
    [3072, 0, 1, 32_767],
    [3074, 0, 1, 16_000 + zone],
    [3076, 0, 1, 9001],
  ];
  return [
    short([1, 1, 0, keys.length, ...keys.flat()]),
    double(34_736, 298.257223563, 6_378_137, 0),
    ascii(34_737, name + geographic),
  ];
}

const SIZES = { [BYTE_ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 } as const;

function outsideBytes({ type, values }: Tag): number {
  const bytes = SIZES[type] * values.length;
  return bytes <= 4 ? 0 : bytes + (bytes % 2);
}

function directoryBytes(tags: readonly Tag[]): number {
  return tags.reduce((sum, tag) => sum + 12 + outsideBytes(tag), 6);
}

function writeDirectory(file: Buffer, at: number, tags: readonly Tag[], next: number): void {
  let outside = at + 6 + 12 * tags.length;
  file.writeUInt16LE(tags.length, at);
  tags.forEach((tag, i) => {
    const entry = at + 2 + 12 * i;
    file.writeUInt16LE(tag.id, entry);
    file.writeUInt16LE(tag.type, entry + 2);
    file.writeUInt32LE(tag.values.length, entry + 4);
    const isInside = outsideBytes(tag) === 0;
    if (!isInside) file.writeUInt32LE(outside, entry + 8);
    writeValues(file, isInside ? entry + 8 : outside, tag);
    outside += outsideBytes(tag);
  });
  file.writeUInt32LE(next, at + 2 + 12 * tags.length);
}

function writeValues(file: Buffer, at: number, { type, values }: Tag): void {
  values.forEach((value, i) => {
    if (type === BYTE_ASCII) file.writeUInt8(value, at + i);
    else if (type === SHORT) file.writeUInt16LE(value, at + 2 * i);
    else if (type === LONG) file.writeUInt32LE(value, at + 4 * i);
    else file.writeDoubleLE(value, at + 8 * i);
  });
}
