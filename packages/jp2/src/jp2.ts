import {
  CogError,
  type RasterFile,
  type RasterLevel,
  type Source,
  type WindowOptions,
  type WindowRaster,
} from "@swath/cog";
import { type Affine, type Crs, type Grid, type SampleType, scaleAffine, type Window } from "@swath/raster";
import { rectHeight, rectWidth } from "./codestream/image-size.ts";
import { countPrecincts } from "./codestream/packets.ts";
import { isPlaced } from "./container/georeference.ts";
import { type FileContents, type FileState, levelRects, readContents } from "./file-state.ts";
import { KnownPackets } from "./tiles/known-packets.ts";
import { sampleTypeOf } from "./tiles/load-tiles.ts";
import { readPixels } from "./window/read-pixels.ts";

/** One resolution of a file. */
export interface Jp2Level extends RasterLevel {
  /** Pixels of a tile of this resolution. */
  readonly tileWidth: number;
  readonly tileHeight: number;
}

/** An open JPEG 2000 file: what it holds and where; no pixels. */
export interface Jp2 extends RasterFile {
  /** Finest first: the image, and the reduced resolutions that its wavelet transform has. */
  readonly levels: readonly Jp2Level[];
  readonly sampleType: SampleType;
  /** Bits of a sample that are used: 15 of the 16 of Sentinel-2. */
  readonly bits: number;
  /** Colour interpretation of each band, in GDAL's names. */
  readonly colorInterpretation: readonly ("red" | "green" | "blue" | "gray" | "undefined")[];
  /** Are there an affine transform and a CRS, so that it can be warped? */
  readonly georeferenced: boolean;
}

/** The place of an image on Earth. */
export interface Placement {
  readonly crs: Crs;
  /** Column and row to coordinates. */
  readonly transform: Affine;
}

/** Options for opening a file. */
export interface OpenJp2Options {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the first read. Default 32768: boxes and main header of nearly every file. */
  readonly prefetch?: number | undefined;
  /** The place of the image, for a file that does not state it itself. */
  readonly placement?: Placement | undefined;
}

const DEFAULT_PREFETCH = 32_768;
/** A CRS for files that name none: grids stay usable for windows, and equal to no other CRS. */
const NO_CRS: Crs = { name: "none", proj4: "", geographic: false };
const PIXEL_TRANSFORM: Affine = [1, 0, 0, 0, 1, 0];

/**
 * Opens a JPEG 2000 file (JP2, or a codestream alone): one read where its boxes and its main header are within the first
 * `prefetch` bytes.
 *
 * @throws {CogError} `not-a-jp2`, `corrupt`, `unsupported`, `too-large`, or what the source throws
 */
export async function openJp2(source: Source, options: OpenJp2Options = {}): Promise<Jp2> {
  const { prefetch = DEFAULT_PREFETCH, signal, placement } = options;
  const contents = await readContents(source, prefetch, signal).catch((error: unknown) => {
    // it was replaced between two reads of its header: the second look sees one file
    if (error instanceof CogError && error.code === "changed") return readContents(source, prefetch, signal);
    throw error;
  });
  return new OpenFile({ source, prefetch, contents, suspect: false }, placement);
}

class OpenFile implements Jp2 {
  readonly #state: FileState;
  readonly #placement: Placement | undefined;
  #levels: { readonly contents: FileContents; readonly levels: readonly Jp2Level[] } | undefined;

  constructor(state: FileState, placement: Placement | undefined) {
    this.#state = state;
    this.#placement = placement;
  }

  get key(): string {
    return this.#state.source.key;
  }
  get grid(): Grid {
    return this.levels[0]!.grid;
  }
  get levels(): readonly Jp2Level[] {
    const { contents } = this.#state;
    // every read needs them, and a file that changed has others
    if (this.#levels?.contents !== contents) {
      this.#levels = { contents, levels: levelsOf(contents, this.#placement) };
    }
    return this.#levels.levels;
  }
  get bandCount(): number {
    return this.#state.contents.header.size.components;
  }
  get sampleType(): SampleType {
    return sampleTypeOf(this.#state.contents);
  }
  get bits(): number {
    return this.#state.contents.header.size.bits;
  }
  get colorInterpretation(): Jp2["colorInterpretation"] {
    const { colors } = this.#state.contents.container;
    if (this.bandCount === 3 && colors === "rgb") return ["red", "green", "blue"];
    return Array(this.bandCount).fill(this.bandCount === 1 && colors === "gray" ? "gray" : "undefined");
  }
  get georeferenced(): boolean {
    return this.georeferenceProblem === undefined;
  }
  get georeferenceProblem(): string | undefined {
    const { georeference } = this.#state.contents.container;
    return isPlaced(georeference) || this.#placement !== undefined ? undefined : georeference.problem;
  }
  get headerBytes(): number {
    const { bytes, header } = this.#state.contents;
    const { size, coding } = header;
    const tiles = size.tilesAcross * size.tilesDown;
    const { tileWidth, tileHeight } = size;
    const precincts = countPrecincts({ x0: 0, y0: 0, x1: tileWidth, y1: tileHeight }, coding);
    // places of tile-parts, of which a tile has at least one, and of packets, which are found later
    return bytes.total + 200 * tiles + KnownPackets.bytesFor(tiles, precincts * coding.layers) + 4096;
  }

  get suspect(): boolean {
    return this.#state.suspect;
  }

  readPixels(level: number, window: Window, options: WindowOptions = {}): Promise<WindowRaster> {
    return readPixels(this.#state, () => this.levels, level, window, options);
  }
}

function levelsOf({ header, container }: FileContents, placement: Placement | undefined): Jp2Level[] {
  const { georeference } = container;
  const place = isPlaced(georeference) || placement === undefined ? georeference : placement;
  const { crs = NO_CRS, transform = PIXEL_TRANSFORM } = place;
  const { tileWidth, tileHeight } = header.size;
  const rects = levelRects(header);
  const [fullWidth, fullHeight] = [rectWidth(rects[0]!), rectHeight(rects[0]!)];
  return rects.map((rect, index) => {
    const [width, height] = [rectWidth(rect), rectHeight(rect)];
    // as in GDAL all resolutions cover the same ground
    const own = index === 0 ? transform : scaleAffine(transform, fullWidth / width, fullHeight / height);
    return {
      index,
      grid: { crs, transform: own, width, height },
      width,
      height,
      tileWidth: Math.min(width, Math.ceil(tileWidth / 2 ** index)),
      tileHeight: Math.min(height, Math.ceil(tileHeight / 2 ** index)),
    };
  });
}
