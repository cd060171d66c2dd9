import { allocateSamples, type Grid, type SampleType, type Window } from "@swath/raster";
import type { FileCache } from "./cache/file-cache.ts";
import { type Codecs, portableCodecs } from "./codecs/codecs.ts";
import { type CogState, openState } from "./cog-state.ts";
import type { BandInfo } from "./header/gdal-metadata.ts";
import type { Header } from "./header/header.ts";
import { alphaBand, holds } from "./header/image-facts.ts";
import { COMPRESSION_NAMES, type TiffImage } from "./header/tiff-image.ts";
import type { InterleavedRgb, RasterFile, RasterLevel, WindowOptions, WindowRaster } from "./raster-file.ts";
import type { Source } from "./sources/source.ts";
import { readPixels } from "./window/read-window.ts";

/** One resolution of a file. */
export interface CogLevel extends RasterLevel {
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Name of the compression: `none`, `LZW`, `JPEG`, `deflate`, `PackBits`, `LERC`, `ZSTD` or `WebP`. */
  readonly compression: string;
}

/** The part of a file that decides which pixels are valid. */
export type MaskKind = "all-valid" | "mask" | "nodata" | "alpha";
/** Colour interpretation of a band, in GDAL's names. */
export type BandColor = "red" | "green" | "blue" | "alpha" | "gray" | "palette" | "undefined" | (string & {});

/** An open GeoTIFF: what it holds and where; no pixels. */
export interface Cog extends RasterFile {
  /** Finest first. Masks are not among them. */
  readonly levels: readonly CogLevel[];
  readonly sampleType: SampleType;
  /** The value that means "no data" in every band; NaN possible. */
  readonly nodata?: number | undefined;
  readonly bands: readonly BandInfo[];
  readonly colorInterpretation: readonly BandColor[];
  /**
   * The part of the file that decides which pixels are valid: as in GDAL an internal mask has precedence over nodata,
   * nodata over alpha.
   */
  readonly mask: MaskKind;
  /** RGBA of each index, where the file has a palette. */
  readonly palette?: Uint8Array | undefined;
  /** GDAL metadata of the file, default domain. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Is there an affine transform and a CRS, so that it can be warped? */
  readonly georeferenced: boolean;
}

/** Options for opening a file. */
export interface OpenOptions {
  readonly signal?: AbortSignal | undefined;
  /** Shares headers between callers. */
  readonly cache?: FileCache<Cog> | undefined;
  /** Bytes of the first read. Default 32768: the header of nearly every COG. */
  readonly prefetch?: number | undefined;
  /** Decompressors. Default: portable ones. */
  readonly codecs?: Codecs | undefined;
}

const DEFAULT_PREFETCH = 32_768;

/**
 * Opens a GeoTIFF: one read where its header is within the first `prefetch` bytes.
 *
 * @throws {CogError} `not-a-tiff`, `corrupt`, `unsupported`, `too-large`, or what the source throws.
 */
export async function openCog(source: Source, options: OpenOptions = {}): Promise<Cog> {
  const { cache, codecs = portableCodecs, prefetch = DEFAULT_PREFETCH, signal } = options;
  if (cache !== undefined) {
    const open = (shared: AbortSignal): Promise<Cog> =>
      openCog(source, { ...options, cache: undefined, signal: shared });
    return cache.share(source.key, open, signal);
  }
  return new OpenFile(await openState(source, codecs, prefetch, signal));
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
    return this.georeferenceProblem === undefined;
  }
  get georeferenceProblem(): string | undefined {
    return this.#state.header.georeference.problem;
  }
  get headerBytes(): number {
    const { bytes, levels } = this.#state.header;
    return bytes.total + levels.length * 1024 + 2048;
  }

  get suspect(): boolean {
    return this.#state.suspect;
  }

  readPixels(level: number, window: Window, options: WindowOptions = {}): Promise<WindowRaster | InterleavedRgb> {
    const { allocate = allocateSamples, keepInterleaved = false } = options;
    return readPixels(this.#state, level, window, options, allocate, keepInterleaved);
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
