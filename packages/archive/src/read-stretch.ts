import { BlockCache, type Cog, CogError, openCog, readWindow } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { type FolderFiles, folderSource } from "@swath/engine/node";
import { MAX_STRETCH_PIXELS } from "./limits.ts";

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

/**
 * Returns the 2nd and the 98th percentile of the values of some bands together: of the coarsest overview, or of a small file's own
 * pixels, or of windows of one that is large and has no overview.
 *
 * @param bands from 0.
 * @returns `null` where no pixel has data, or pixels cannot be read.
 */
export async function readStretch(
  folder: FolderFiles,
  path: string,
  bands: readonly number[],
  signal: AbortSignal | undefined,
): Promise<readonly [low: number, high: number] | null> {
  const source = folderSource(folder, path);
  try {
    const cog = await openCog(source, { codecs: nodeCodecs, signal });
    const cache = new BlockCache({ maxBytes: 64 * 1_048_576 });
    const nodata = nodataOf(cog);
    const values: number[] = [];
    for (const window of windowsOf(cog)) {
      const read = await readWindow(cog, cog.levels.length - 1, window, { bands, cache, signal });
      for (const band of read.bands) {
        band.forEach((value, i) => {
          // a pixel is valid where one of its bands has data
          if (read.valid[i] === 1 && value !== nodata && Number.isFinite(value)) values.push(value);
        });
      }
    }
    return rangeOf(Float64Array.from(values).sort());
  } catch (error) {
    signal?.throwIfAborted();
    // its items say what is wrong with the file when they are read
    if (error instanceof CogError) return null;
    throw error;
  } finally {
    await source.close?.();
  }
}

/** The value that means "no data" as samples have it. */
function nodataOf({ nodata, sampleType }: Cog): number | undefined {
  return nodata !== undefined && sampleType === "float32" ? Math.fround(nodata) : nodata;
}

function windowsOf({ levels }: Cog): readonly Window[] {
  const { width = 0, height = 0 } = levels.at(-1) ?? {};
  if (width * height <= MAX_STRETCH_PIXELS) return [{ x: 0, y: 0, width, height }];
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

function rangeOf(sorted: Float64Array): readonly [number, number] | null {
  if (sorted.length === 0) return null;
  const [low = 0, high = 0] = PERCENTILES.map((percent) =>
    Number((sorted[Math.round(((sorted.length - 1) * percent) / 100)] ?? 0).toPrecision(6)),
  );
  return [low, high];
}
