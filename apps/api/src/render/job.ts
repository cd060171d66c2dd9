import type { Affine, Resampling } from "@swath/raster";
import type { ExtractJob, ExtractOptions, ExtractOutcome } from "../process/extract-job.ts";

/** A grid as plain data: it crosses threads and goes into plan keys. */
export interface GridSpec {
  readonly crs: string;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/** Bands of one file, in the order they are wanted. */
export interface AssetRead {
  readonly href: string;
  /** Zero-based band numbers; absent: every band of the file. */
  readonly bands?: readonly number[];
  /** Added to each stored value that holds data, so that all scenes follow the newest product's offset. */
  readonly shift?: number;
  /** Stored value that means "no data", in place of what the file says. */
  readonly nodata?: number;
}

/** One scene of a picture: files in band order. */
export interface SceneRead {
  readonly id: string;
  /** Outer rings in degrees, for leaving out scenes that miss the picture. */
  readonly footprint: readonly (readonly (readonly [number, number])[])[];
  readonly assets: readonly AssetRead[];
}

/** How stored values become colours. Names, not tables: small, stable and comparable. */
export interface StyleSpec {
  /** One for each band of the picture, with semicolons between them. */
  readonly expression?: string;
  /** Names of the bands in `expression`, in the order they are read; absent: b1, b2, ... */
  readonly variables?: readonly string[];
  /** One a band, or the first for all; absent: the whole range of the samples' type. */
  readonly rescale?: readonly (readonly [number, number])[];
  readonly colormap?: string;
  /** `nearest` for classes, `bilinear` for what is looked at. */
  readonly resampling: Resampling;
}

/** A picture on a given grid: a map tile. Scenes are in order, first on top. */
export interface TileJob {
  readonly kind: "tile";
  readonly grid: GridSpec;
  readonly scenes: readonly SceneRead[];
  /** More scenes match than `scenes` holds. */
  readonly more: boolean;
  readonly style: StyleSpec;
  /** `auto`: JPEG where every pixel has data, else PNG. */
  readonly format: ImageFormat | "auto";
  /** Whether pixels with data are counted. */
  readonly measure?: boolean;
}

/** A picture of one scene on its own grid, at most `maxSize` pixels on the long edge. */
export interface PreviewJob {
  readonly kind: "preview";
  readonly scene: SceneRead;
  readonly maxSize: number;
  readonly style: StyleSpec;
  readonly format: ImageFormat;
}

export type ImageFormat = "png" | "jpg" | "webp";
export type RenderJob = TileJob | PreviewJob;

export interface Picture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: ImageFormat;
  /** Share of the pixels that hold data, 0 to 1; there when it was asked for. */
  readonly validFraction?: number;
  /** Scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Scenes that can never be read (missing or broken files), left out. */
  readonly skipped: readonly string[];
  /** More scenes would have been needed to fill the picture. */
  readonly truncated: boolean;
}

/** Draws pictures: in this thread or in others. */
export interface Renderer {
  render(job: RenderJob, options: { readonly signal: AbortSignal }): Promise<Picture>;
  /** Writes an area as a GeoTIFF; see `process/extract.ts`. */
  extract(job: ExtractJob, options: ExtractOptions): Promise<ExtractOutcome>;
  /** Resolves when the renderer can take work. */
  ping(options: { readonly signal: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}

export const MEDIA_TYPES: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

/** Named in ETags: raised when the same plan gives other pixels than before. */
export const RENDER_VERSION = 3;
