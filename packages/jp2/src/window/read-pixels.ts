import { BlockCache, CogError, type RasterLevel, type WindowOptions, type WindowRaster } from "@swath/cog";
import { allocateSamples, type Samples, type Window, windowGrid } from "@swath/raster";
import { type ImageSize, type Rect, rectHeight, rectWidth, reduceRect, tileRect } from "../codestream/image-size.ts";
import { type FileState, levelRects, reopen } from "../file-state.ts";
import { loadTiles, sampleTypeOf, type TileJob } from "../tiles/load-tiles.ts";

/**
 * Reads pixels of one level. `window` is in pixels of that level and inside it. In `valid` a pixel is 0 where all bands that were
 * read hold `options.nodata`, for which the format has no place.
 *
 * @throws {RangeError} when level, window or bands do not exist.
 * @throws {CogError} `corrupt`, `unsupported`, `too-large`, `changed`, or what the source throws
 */
export async function readPixels(
  state: FileState,
  levelsOf: () => readonly RasterLevel[],
  level: number,
  window: Window,
  options: WindowOptions,
): Promise<WindowRaster> {
  const before = levelOf(levelsOf(), level);
  try {
    return await readOnce(state, before, window, options);
  } catch (error) {
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    await reopen(state, options.signal);
    const after = levelsOf()[level];
    // pixels of the old image mean nothing in one of another size
    if (after?.width !== before.width || after.height !== before.height) throw error;
    return readOnce(state, after, window, options);
  }
}

async function readOnce(
  state: FileState,
  level: RasterLevel,
  window: Window,
  options: WindowOptions,
): Promise<WindowRaster> {
  const { contents, source } = state;
  const { size } = contents.header;
  checkWindow(level, window, source.key);
  const bands = options.bands ?? Array.from({ length: size.components }, (_, band) => band);
  for (const band of bands) {
    if (!Number.isInteger(band) || band < 0 || band >= size.components) {
      throw new RangeError(`Expected bands 0 to ${size.components - 1}, got ${band}.`);
    }
  }
  const { allocate = allocateSamples, cache = new BlockCache({ maxBytes: 0 }), sequential = false } = options;
  const count = window.width * window.height;
  const targets = new Map<number, Samples>();
  for (const band of bands) if (!targets.has(band)) targets.set(band, allocate(sampleTypeOf(contents), count));
  const origin = levelRects(contents.header)[level.index]!;
  const wanted: Rect = {
    x0: origin.x0 + window.x,
    y0: origin.y0 + window.y,
    x1: origin.x0 + window.x + window.width,
    y1: origin.y0 + window.y + window.height,
  };
  const jobs = planTiles(size, level.index, wanted, targets, options.partialBlocks === true);
  await loadTiles(state, jobs, cache, { signal: options.signal, sequential });
  const valid = allocate("uint8", count) as Uint8Array;
  const nodata = options.nodata ?? undefined;
  markValid(valid, [...targets.values()], nodata);
  return { grid: windowGrid(level.grid, window), bands: bands.map((band) => targets.get(band)!), valid, nodata };
}

/** Plans the tiles that a window touches, with the part to copy out of each. */
function planTiles(
  size: ImageSize,
  reduction: number,
  wanted: Rect,
  targets: ReadonlyMap<number, Samples>,
  isPartial: boolean,
): TileJob[] {
  // a sample of a resolution belongs to the tile that its point of the reference grid is in
  const scale = 2 ** reduction;
  const columnOf = (x: number): number => Math.floor((x * scale - size.tileX) / size.tileWidth);
  const rowOf = (y: number): number => Math.floor((y * scale - size.tileY) / size.tileHeight);
  const jobs: TileJob[] = [];
  for (let row = rowOf(wanted.y0); row <= rowOf(wanted.y1 - 1); row++) {
    for (let column = columnOf(wanted.x0); column <= columnOf(wanted.x1 - 1); column++) {
      const tile = row * size.tilesAcross + column;
      const rect = tileRect(size, tile);
      const own = reduceRect(rect, reduction);
      const part = intersection(own, wanted);
      if (part === undefined) continue;
      jobs.push({
        tile,
        rect,
        reduction,
        ...(isPartial ? { window: part } : {}),
        copy(samples) {
          for (const [band, target] of targets) copyBand(samples, own, band, target, wanted, part);
        },
      });
    }
  }
  return jobs;
}

/** Copies a part of a tile into a band of the window. */
function copyBand(
  samples: Samples,
  tile: Rect,
  band: number,
  target: Samples,
  window: Rect,
  { x0, y0, x1, y1 }: Rect,
): void {
  const stride = rectWidth(tile);
  const targetStride = rectWidth(window);
  const first = band * stride * rectHeight(tile);
  for (let y = y0; y < y1; y++) {
    const from = first + (y - tile.y0) * stride + x0 - tile.x0;
    target.set(samples.subarray(from, from + x1 - x0), (y - window.y0) * targetStride + x0 - window.x0);
  }
}

/** 1 where any band is not `nodata`. */
function markValid(valid: Uint8Array, bands: readonly Samples[], nodata: number | undefined): void {
  valid.fill(nodata === undefined ? 1 : 0);
  if (nodata === undefined) return;
  for (const band of bands) {
    if (!band.includes(nodata)) {
      valid.fill(1);
      return;
    }
    for (let i = 0; i < valid.length; i++) if (band[i] !== nodata) valid[i] = 1;
  }
}

function intersection(a: Rect, b: Rect): Rect | undefined {
  const both = {
    x0: Math.max(a.x0, b.x0),
    y0: Math.max(a.y0, b.y0),
    x1: Math.min(a.x1, b.x1),
    y1: Math.min(a.y1, b.y1),
  };
  return both.x0 < both.x1 && both.y0 < both.y1 ? both : undefined;
}

function levelOf(levels: readonly RasterLevel[], index: number): RasterLevel {
  const level = levels[index];
  if (level === undefined) throw new RangeError(`Expected a level from 0 to ${levels.length - 1}, got ${index}.`);
  return level;
}

function checkWindow(level: RasterLevel, { x, y, width, height }: Window, key: string): void {
  const whole = [x, y, width, height].every(Number.isInteger);
  if (!whole || width < 1 || height < 1 || x < 0 || y < 0 || x + width > level.width || y + height > level.height) {
    throw new RangeError(
      `${key}: expected a window inside ${level.width} x ${level.height} pixels, got ${width} x ${height} at ${x}, ${y}.`,
    );
  }
}
