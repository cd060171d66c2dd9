import type { ComputeJob, ComputeOptions, ComputeResult } from "./compute/compute-job.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome } from "./extract/extract-job.ts";
import type { GridSpec, SceneRead } from "./scene/scene-read.ts";

/** Formats of images, by the ends of their addresses. */
export type ImageFormat = "png" | "jpg" | "webp";

/** The conversion of samples to colours. Names, not tables: small, stable and comparable. */
export interface StyleSpec {
  /** One for each band of the image, separated by semicolons. */
  readonly expression?: string;
  /** Names of the bands in `expression`, in the order they are read; absent: b1, b2, ... */
  readonly variables?: readonly string[];
  /** One per band, or the first for all; absent: the whole range of the samples' type. */
  readonly rescale?: readonly (readonly [number, number])[];
  /** Percentiles of the image's own values, in place of `rescale`. */
  readonly percentiles?: readonly [low: number, high: number];
  readonly colormap?: string;
  /** Shaded relief of the one band, in place of all others; degrees as in `Sun` of `@swath/raster`. */
  readonly hillshade?: { readonly azimuth: number; readonly altitude: number };
}

/** An image on a given grid: a map tile. Scenes are in mosaicking order, first on top. */
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
  readonly countsValid?: boolean;
}

/** An image of one scene on its own grid, at most `maxSize` pixels on the long edge. */
export interface PreviewJob {
  readonly kind: "preview";
  readonly scene: SceneRead;
  readonly maxSize: number;
  readonly style: StyleSpec;
  readonly format: ImageFormat;
}

/** A part of an image that is made of images. */
export type ImagePart = Pick<RenderedImage, "bytes" | "used" | "truncated">;

/** A tile made of the four below it, or of itself in another format. */
export interface ParentJob {
  readonly kind: "parent";
  /** PNGs of 256 × 256 pixels, row by row: four, or the tile itself alone; an absent one is transparent. */
  readonly parts: readonly (ImagePart | undefined)[];
  /** Pixels a side. Of four parts 512 are theirs, and 256 the means of four each. */
  readonly size: 256 | 512;
  readonly format: ImageFormat | "auto";
}

/** An image of scenes. */
export type SceneImageJob = TileJob | PreviewJob;

/** A job whose result is an image. */
export type ImageJob = SceneImageJob | ParentJob;

/** An encoded image, and the scenes it was made of. */
export interface RenderedImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: ImageFormat;
  /** Width × height; absent: as planned. */
  readonly pixels?: number;
  /** Share of the pixels that hold data, 0 to 1; there when it was asked for. */
  readonly validFraction?: number;
  /** The range of each band, or one for all; there where the style asked for percentiles. */
  readonly ranges?: readonly (readonly [low: number, high: number])[];
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Ids of the scenes that can never be read (missing or broken files), left out. */
  readonly skipped: readonly string[];
  /**
   * The reason why no scene could be read, where scenes were skipped and none was read: all their files are gone, or
   * not.
   */
  readonly unread?: "missing" | "unreadable";
  /** More scenes would have been needed to fill the image. */
  readonly truncated: boolean;
}

export interface RenderOptions {
  readonly signal: AbortSignal;
}

/** Carries out jobs of three kinds, in this thread or in others: images, GeoTIFFs, and what is computed pixel by pixel. */
export interface Renderer {
  render(job: ImageJob, options: RenderOptions): Promise<RenderedImage>;
  /** Writes a GeoTIFF; see `extract.ts`. */
  extract(job: ExtractJob, options: ExtractOptions): Promise<ExtractOutcome>;
  /** Computes numbers, or bands of a raster, of groups of scenes; see `compute.ts`. */
  compute(job: ComputeJob, options: ComputeOptions): Promise<ComputeResult>;
  /** Resolves when the renderer can take work. */
  ping(options: RenderOptions): Promise<void>;
  close(): Promise<void>;
}

/** Media types of image formats. */
export const MEDIA_TYPES: Readonly<Record<ImageFormat, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

/** Named in ETags: raised when the same plan gives other pixels than before. */
export const RENDER_VERSION = 3;
