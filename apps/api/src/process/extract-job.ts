import type { BandConversion } from "@swath/mosaic";
import type { GridSpec } from "../render/job.ts";
import type { Polygons } from "./area.ts";
import type { OutputType } from "./product.ts";

/** One band of one scene: a file of one band. */
export interface ExtractAsset {
  readonly href: string;
  /** What becomes of its stored numbers: the scene's own offset is in it. */
  readonly conversion: BandConversion;
  /** Stored value that means "no data", whether the file says so or not. */
  readonly nodata?: number;
  /** value = scale × output + offset. */
  readonly scale: number;
  readonly offset: number;
}

export interface ExtractScene {
  readonly id: string;
  readonly datetime: string | null;
  /** In the order of `bands`. */
  readonly assets: readonly ExtractAsset[];
}

/** An area to be written as a GeoTIFF: plain data, so that it crosses threads. */
export interface ExtractJob {
  readonly kind: "extract";
  readonly grid: GridSpec;
  /** First on top. */
  readonly scenes: readonly ExtractScene[];
  /** Native names. */
  readonly bands: readonly string[];
  readonly sampleType: OutputType;
  readonly nodata: number;
  /** Outside of it there is no data. */
  readonly clip?: { readonly polygon: Polygons; readonly crs: string };
  readonly collection: string;
  readonly units: string;
  readonly harmonize: string;
  /** Whether pixels with data are counted, band by band. */
  readonly measure?: boolean;
  /** The file to write; its folder exists. */
  readonly path: string;
  /** Folder for what waits to be written. */
  readonly spoolDirectory: string;
}

/** A band of the written file. */
export interface ExtractedBand {
  readonly name: string;
  /** value = scale × sample + offset; absent where scenes of one mosaic differ. */
  readonly scale?: number;
  readonly offset?: number;
  /** Share of the pixels that hold data, 0 to 1; there when it was asked for. */
  readonly validFraction?: number;
}

/** A written file. */
export interface Extraction {
  readonly kind: "written";
  readonly bytes: number;
  /** Scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  readonly bands: readonly ExtractedBand[];
  readonly attribution: string;
}

/** A scene that can never be read (a missing or broken file): nothing was written. */
export interface UnreadableScene {
  readonly kind: "unreadable";
  readonly scene: string;
  readonly reason: string;
}

export type ExtractOutcome = Extraction | UnreadableScene;

export interface ExtractOptions {
  readonly signal: AbortSignal;
  /** Part of the work done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}
