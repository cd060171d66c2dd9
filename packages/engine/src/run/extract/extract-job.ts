import type { BlockRows, GeoTiffPart, Sink } from "@swath/encode";
import type { Clip, GridSpec, OutputType, SceneRead } from "../scene/scene-read.ts";

/** A scene of a GeoTIFF, with what the file's metadata says of it. */
export interface ExtractScene {
  readonly read: SceneRead;
  readonly datetime: string | null;
  /** Credit line with `{years}` in it, where scenes of one job have different ones; absent: the job's. */
  readonly attribution?: string;
  /** One per band: value = scale × sample of the output + offset. */
  readonly scales: readonly { readonly scale: number; readonly offset: number }[];
}

/** Expressions over the bands that are read. */
export interface BandMath {
  /** Name of each band that is read, in the expressions. */
  readonly names: readonly string[];
  readonly expressions: readonly string[];
}

/** A GeoTIFF to be written: plain data, so that it crosses threads. */
export interface ExtractJob {
  readonly kind: "extract";
  readonly grid: GridSpec;
  /** In mosaicking order, first on top. */
  readonly scenes: readonly ExtractScene[];
  /** Names of the bands in the file. */
  readonly bands: readonly string[];
  /** Band math of the scenes' bands, one expression for each band of the file; absent: the file has the scenes' bands. */
  readonly math?: BandMath;
  readonly sampleType: Exclude<OutputType, "float64">;
  /** Written to the file's nodata tag; `undefined`: no tag, and 0 stands where no scene is: data, unless a mask says otherwise. */
  readonly nodata: number | undefined;
  /** One per band: the number where no scene holds data; `undefined`: nodata, else 0. Absent: `undefined` for all. */
  readonly fills?: readonly (number | undefined)[];
  /** Whether the file says by an internal mask which pixels are data; not beside a nodata value. */
  readonly mask?: true;
  readonly clip?: Clip;
  readonly collection: string;
  /** Credit line with `{years}` in it. */
  readonly attribution: string;
  readonly units: string;
  readonly harmonize: string;
  /** Whether pixels with data are counted, band by band. */
  readonly countsValid?: boolean;
  /** The file to write; its folder exists. */
  readonly path: string;
  /** Folder for blocks that wait to be written. */
  readonly spoolDirectory: string;
}

/** A band of the written file. */
export interface ExtractedBand {
  readonly name: string;
  /** value = scale × sample + offset; absent where scenes of one mosaic differ. */
  readonly scale?: number;
  readonly offset?: number;
  /** Share of the pixels that hold data, 0 to 1; of files of one band each. */
  readonly validFraction?: number;
}

/** A written file. */
export interface Extraction {
  readonly kind: "written";
  readonly bytes: number;
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  readonly bands: readonly ExtractedBand[];
  readonly attribution: string;
}

/** A scene that can never be read (a missing or broken file): nothing was written. */
export interface UnreadableScene {
  readonly kind: "unreadable";
  readonly scene: string;
  readonly reason: string;
  /** The error's own words: see `SkippedScene`. */
  readonly error?: string;
}

/** A written part of a file: plain data. */
export interface ExtractedPart {
  readonly kind: "part";
  readonly part: GeoTiffPart;
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Pixels with data, band by band; 0 where they are not counted. */
  readonly counts: readonly number[];
}

export type ExtractOutcome = Extraction | ExtractedPart | UnreadableScene;

/** A part of a file, to be read. */
export interface JoinedPart extends Omit<ExtractedPart, "kind"> {
  /** Fills `into` with the bytes from `position` on. */
  read(position: number, into: Uint8Array): Promise<void>;
}

export interface ExtractOptions {
  readonly signal: AbortSignal;
  /** Part of the work done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /** These rows of blocks alone are made: what is written is a part of the file. Absent: the file is written. */
  readonly rows?: BlockRows;
  /** The file is put together of all its parts, and goes to `sink`. Absent: its pixels are read. */
  readonly join?: { readonly parts: readonly JoinedPart[]; readonly sink: Sink };
}
