import type { Grid, SampleType } from "@swath/raster";
import { BlockTable } from "./blocks/block-table.ts";
import type { CogCache } from "./blocks/cog-cache.ts";
import { type Codecs, portableCodecs } from "./codecs/codecs.ts";
import { CogError } from "./errors.ts";
import type { BandInfo } from "./header/gdal-metadata.ts";
import type { Header } from "./header/header.ts";
import { readHeader } from "./header/header.ts";
import { COMPRESSION_NAMES, colorSamples, type TiffImage } from "./header/tiff-image.ts";
import type { Source } from "./sources/source.ts";

/** One resolution of a file. */
export interface CogLevel {
  /** 0 is the finest. */
  readonly index: number;
  readonly grid: Grid;
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Name of the compression: `none`, `LZW`, `JPEG`, `deflate`, `PackBits`, `LERC`, `ZSTD` or `WebP`. */
  readonly compression: string;
}

/** What decides which pixels are valid. */
export type MaskKind = "all-valid" | "mask" | "nodata" | "alpha";
/** Colour interpretation of a band, in GDAL's names. */
export type BandColor = "red" | "green" | "blue" | "alpha" | "gray" | "palette" | "undefined" | (string & {});

/** An open GeoTIFF: what it holds and where; no pixels. */
export interface Cog {
  readonly key: string;
  /** Grid of level 0. Its CRS is named `none` where the file names none; only warping needs one. */
  readonly grid: Grid;
  /** Finest first. Masks are not among them. */
  readonly levels: readonly CogLevel[];
  readonly bandCount: number;
  readonly sampleType: SampleType;
  /** The value that means "no data" in every band; NaN possible. */
  readonly nodata?: number | undefined;
  readonly bands: readonly BandInfo[];
  readonly colorInterpretation: readonly BandColor[];
  /** What decides which pixels are valid: as in GDAL an internal mask has precedence over nodata, nodata over alpha. */
  readonly mask: MaskKind;
  /** RGBA of each index, where the file has a palette. */
  readonly palette?: Uint8Array | undefined;
  /** GDAL metadata of the file, default domain. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Is there an affine transform and a CRS, so that it can be warped? */
  readonly georeferenced: boolean;
}

/** How a file is opened. */
export interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** Shares headers between callers. */
  readonly cache?: CogCache | undefined;
  /** Bytes of the first read. Default 32768: the header of nearly every COG. */
  readonly prefetch?: number | undefined;
  /** Decompressors. Default: portable ones. */
  readonly codecs?: Codecs | undefined;
}

/** @internal What is behind a `Cog`; replaced when the file changed. */
export interface CogState {
  readonly source: Source;
  readonly codecs: Codecs;
  readonly prefetch: number;
  header: Header;
  tables: Map<number, BlockTable>;
  /** A block was damaged in two answers: the header that located it is read again before it is used again. */
  suspect: boolean;
}

const STATES = new WeakMap<Cog, CogState>();
export const DEFAULT_PREFETCH = 32_768;

/**
 * Opens a GeoTIFF: one read where its header is within the first `prefetch` bytes.
 *
 * @throws {CogError} `not-a-tiff`, `corrupt`, `unsupported`, `too-large`, or what the source throws.
 */
export async function openCog(source: Source, options: OpenOptions = {}): Promise<Cog> {
  if (options.cache !== undefined) return options.cache.open(source, { ...options, cache: undefined });
  const prefetch = options.prefetch ?? DEFAULT_PREFETCH;
  const header = await readHeader(source, prefetch, options.signal).catch((error: unknown) => {
    // it was replaced between two reads of its header: the second look sees one file
    if (error instanceof CogError && error.code === "changed") return readHeader(source, prefetch, options.signal);
    throw error;
  });
  const state: CogState = {
    source,
    codecs: options.codecs ?? portableCodecs,
    prefetch,
    header,
    tables: new Map(),
    suspect: false,
  };
  const cog = new OpenFile(state);
  STATES.set(cog, state);
  return cog;
}

/** @internal */
export function stateOf(cog: Cog): CogState {
  const state = STATES.get(cog);
  if (state === undefined) throw new TypeError("Expected a Cog that openCog gave.");
  return state;
}

/** @internal The table of an image, made once. */
export function tableOf(state: CogState, image: TiffImage): BlockTable {
  let table = state.tables.get(image.id);
  if (table === undefined) {
    table = new BlockTable(image, state.header.littleEndian, state.source.key);
    state.tables.set(image.id, table);
  }
  return table;
}

/** @internal Reads the header again after the file changed; every holder of the `Cog` sees the new one. */
export async function reopen(state: CogState, signal: AbortSignal | undefined): Promise<void> {
  state.header = await readHeader(state.source, state.prefetch, signal);
  state.tables = new Map();
  state.suspect = false;
}

/** @throws {CogError} `no-georeference` where the file cannot be warped. */
export function checkGeoreference(cog: Cog): void {
  const { georeference } = stateOf(cog).header;
  if (georeference.problem !== undefined) {
    throw new CogError("no-georeference", `${cog.key} has no usable georeference. ${georeference.problem}`);
  }
}

/** @internal Bytes a header takes in a cache. */
export function headerBytes(cog: Cog): number {
  const { header } = stateOf(cog);
  return header.bytes.total + header.levels.length * 1024 + 2048;
}

class OpenFile implements Cog {
  readonly #state: CogState;
  #levels: { readonly header: Header; readonly levels: readonly CogLevel[] } | undefined;

  constructor(state: CogState) {
    this.#state = state;
  }

  get #image(): TiffImage {
    return this.#state.header.levels[0]!.image;
  }
  get key(): string {
    return this.#state.source.key;
  }
  get grid(): Grid {
    return this.#state.header.levels[0]!.grid;
  }
  get levels(): readonly CogLevel[] {
    const { header } = this.#state;
    // every read needs them, and a file that changed has others
    if (this.#levels?.header !== header) this.#levels = { header, levels: levelsOf(header) };
    return this.#levels.levels;
  }
  get bandCount(): number {
    return this.#image.bandCount;
  }
  get sampleType(): SampleType {
    return this.#image.sampleType;
  }
  get nodata(): number | undefined {
    return this.#state.header.nodata;
  }
  get bands(): readonly BandInfo[] {
    return this.#state.header.metadata.bands;
  }
  get colorInterpretation(): readonly BandColor[] {
    return colorsOf(this.#image, this.#state.header.metadata.colors);
  }
  get mask(): MaskKind {
    const { levels, nodata } = this.#state.header;
    if (levels[0]!.mask !== undefined) return "mask";
    if (nodata !== undefined && holds(this.#image.sampleType, nodata)) return "nodata";
    return alphaBand(this.#image) === undefined ? "all-valid" : "alpha";
  }
  get palette(): Uint8Array | undefined {
    return this.#state.header.palette;
  }
  get metadata(): Readonly<Record<string, string>> {
    return this.#state.header.metadata.items;
  }
  get georeferenced(): boolean {
    return this.#state.header.georeference.problem === undefined;
  }
}

function levelsOf({ levels }: Header): CogLevel[] {
  return levels.map(({ image, grid }, index) => ({
    index,
    grid,
    width: image.width,
    height: image.height,
    blockWidth: image.blockWidth,
    blockHeight: image.blockHeight,
    compression: COMPRESSION_NAMES[image.compression] ?? "unknown",
  }));
}

/** Index of the alpha band: the first extra sample that says so (ExtraSamples 1 or 2). */
export function alphaBand(image: TiffImage): number | undefined {
  const first = image.bandCount - image.extraSamples.length;
  const at = image.extraSamples.findIndex((kind, i) => (kind === 1 || kind === 2) && first + i >= colorSamples(image));
  return at < 0 ? undefined : first + at;
}

const RANGES: Readonly<Record<SampleType, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  float64: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

/** Can a sample of this type have this value? A nodata outside the type marks nothing. */
export function holds(type: SampleType, value: number): boolean {
  if (type === "float32" || type === "float64") return true;
  const [low, high] = RANGES[type];
  return Number.isInteger(value) && value >= low && value <= high;
}

function colorsOf(image: TiffImage, stated: ReadonlyMap<number, string>): BandColor[] {
  const alpha = alphaBand(image);
  return Array.from({ length: image.bandCount }, (_, band) => {
    const name = stated.get(band);
    if (name !== undefined) return name;
    if (band === alpha) return "alpha";
    if (image.photometric === 2 || image.photometric === 6)
      return (["red", "green", "blue"] as const)[band] ?? "undefined";
    if (band > 0) return "undefined";
    return image.photometric === 3 ? "palette" : image.photometric <= 1 ? "gray" : "undefined";
  });
}
