import { BlockCache, type Cog, CogError, openCog, readWindow } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { type FolderFiles, folderSource } from "@swath/engine/node/files";
import { MAX_STRETCH_SAMPLES, MAX_USUAL } from "../limits.ts";

/** Shares of the values below and above the range, percent. */
const PERCENTILES = [2, 98] as const;
/** Windows along each edge of a level that is too large to be read whole, and their edge in pixels. */
const WINDOWS = 3;
const WINDOW_SIZE = 128;

interface Window {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Values of a file. */
export interface FileValues {
  /** The 2nd and the 98th percentile of the values of the bands that an image shows, together; absent where it shows them as they are. */
  readonly stretch?: readonly [low: number, high: number];
  /** At most {@link MAX_USUAL} pixels in which all bands have data, each with a value of every band. */
  readonly pixels: readonly (readonly number[])[];
}

/**
 * Reads values of the bands of a file: of the coarsest overview, or of a small file's own pixels, or of windows of one that is large
 * and has no overview.
 *
 * @param bands from 0.
 * @param shown places in `bands` of those that are stretched.
 * @returns `null` where no pixel has data, or pixels cannot be read.
 */
export async function readValues(
  folder: FolderFiles,
  path: string,
  { bands, shown }: { readonly bands: readonly number[]; readonly shown: readonly number[] },
  signal: AbortSignal | undefined,
): Promise<FileValues | null> {
  const source = folderSource(folder, path);
  try {
    const cog = await openCog(source, { codecs: nodeCodecs, signal });
    const cache = new BlockCache({ maxBytes: 64 * 1_048_576 });
    const nodata = nodataOf(cog);
    // a pixel is valid where one of its bands has data
    const isData = (value: number | undefined): boolean => value !== nodata && Number.isFinite(value);
    const values: number[] = [];
    const pixels = new SpreadPixels();
    for (const window of windowsOf(cog, bands.length)) {
      const read = await readWindow(cog, cog.levels.length - 1, window, { bands, cache, signal });
      for (let i = 0; i < read.valid.length; i++) {
        if (read.valid[i] !== 1) continue;
        for (const band of shown) {
          const value = read.bands[band]?.[i];
          if (isData(value)) values.push(value as number);
        }
        if (read.bands.every((band) => isData(band[i]))) pixels.offer(read.bands, i);
      }
    }
    const stretch = rangeOf(Float64Array.from(values).sort());
    const found = spread(pixels.kept);
    return stretch === undefined && found.length === 0
      ? null
      : { ...(stretch === undefined ? {} : { stretch }), pixels: found };
  } catch (error) {
    signal?.throwIfAborted();
    // its items say what is wrong with the file when they are read
    if (error instanceof CogError) return null;
    throw error;
  } finally {
    await source.close?.();
  }
}

/** Pixels at equal steps of those that are offered, some more than {@link MAX_USUAL} of many. */
class SpreadPixels {
  #step = 1;
  #offered = 0;
  kept: (readonly number[])[] = [];

  offer(bands: readonly ArrayLike<number>[], at: number): void {
    if (this.#offered++ % this.#step !== 0) return;
    this.kept.push(bands.map((band) => rounded(band[at] ?? 0)));
    if (this.kept.length < 3 * MAX_USUAL) return;
    // steps of two would be parts of the widths of windows, and all pixels from a few columns
    this.kept = this.kept.filter((_, i) => i % 3 === 0);
    this.#step *= 3;
  }
}

/** At most {@link MAX_USUAL} pixels of all, at equal steps. */
export function spread(pixels: FileValues["pixels"]): FileValues["pixels"] {
  const count = Math.min(pixels.length, MAX_USUAL);
  return Array.from({ length: count }, (_, i) => pixels[Math.floor((i * pixels.length) / count)] ?? []);
}

function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** The value that means "no data" as samples have it. */
function nodataOf({ nodata, sampleType }: Cog): number | undefined {
  return nodata !== undefined && sampleType === "float32" ? Math.fround(nodata) : nodata;
}

function windowsOf({ levels }: Cog, bandCount: number): readonly Window[] {
  const { width = 0, height = 0 } = levels.at(-1) ?? {};
  if (width * height * bandCount <= MAX_STRETCH_SAMPLES) return [{ x: 0, y: 0, width, height }];
  const size = { width: Math.min(WINDOW_SIZE, width), height: Math.min(WINDOW_SIZE, height) };
  const shares = Array.from({ length: WINDOWS }, (_, i) => (i + 0.5) / WINDOWS);
  return shares.flatMap((down) =>
    shares.map((across) => ({
      x: Math.floor((width - size.width) * across),
      y: Math.floor((height - size.height) * down),
      ...size,
    })),
  );
}

function rangeOf(sorted: Float64Array): readonly [number, number] | undefined {
  if (sorted.length === 0) return undefined;
  const [low = 0, high = 0] = PERCENTILES.map((percent) =>
    rounded(sorted[Math.round(((sorted.length - 1) * percent) / 100)] ?? 0),
  );
  return [low, high];
}
