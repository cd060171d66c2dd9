import { allocateSamples, type Raster, type Samples, type Window, windowGrid } from "@swath/raster";
import { deinterleaveRgb } from "@swath/raster/warp";
import type { BlockJob } from "../blocks/block-job.ts";
import { loadBlocks } from "../blocks/load-blocks.ts";
import { BlockCache } from "../cache/block-cache.ts";
import { type CogState, reopen } from "../cog-state.ts";
import { CogError } from "../errors.ts";
import type { HeaderLevel } from "../header/header.ts";
import { alphaBand, holds } from "../header/image-facts.ts";
import { blockRows, type TiffImage } from "../header/tiff-image.ts";
import type { Allocate, InterleavedRgb, RasterFile, WindowRaster } from "../raster-file.ts";
import { copyBand, copyThreeBands, fillBand, markData, type Patch, toValidity } from "./copy-samples.ts";
import type { ReadOptions } from "./read-options.ts";

/**
 * Reads pixels of one level. `window` is in pixels of that level and is inside it. In `valid` a pixel is 1 where
 * the internal mask says so, else where any of the read bands is not nodata, else where alpha is above 0.
 *
 * @throws {RangeError} when level, window or bands do not exist.
 * @throws {CogError} `corrupt`, `unsupported`, `changed`, or what the source throws.
 */
export async function readWindow(
  file: RasterFile,
  level: number,
  window: Window,
  options: ReadOptions = {},
): Promise<Raster> {
  const { grid, bands, valid } = toRaster(await file.readPixels(level, window, options), allocateSamples);
  return { grid, bands, valid };
}

/** The largest window that is read pixel-interleaved, bytes: where it has to be deinterleaved, memory holds it twice. */
const MAX_INTERLEAVED = 16 << 20;

/** @internal The bands of a window, from the pixels that were read. */
export function toRaster(pixels: WindowRaster | InterleavedRgb, allocate: Allocate): WindowRaster {
  if ("bands" in pixels) return pixels;
  const { grid, rgb, nodata } = pixels;
  const count = rgb.length / 3;
  const take = (): Uint8Array => allocate("uint8", count) as Uint8Array;
  const bands = [take(), take(), take()] as const;
  deinterleaveRgb(rgb, bands);
  const valid = take();
  markAll(valid, bands, nodata);
  return { grid, bands, valid, nodata };
}

/**
 * @internal As {@link readWindow}, into arrays of the caller's making, which may hold anything. With `keepInterleaved` three bands of bytes are
 * returned pixel-interleaved, as stored, where neither a mask nor an alpha band decides which pixels are valid.
 */
export async function readPixels(
  state: CogState,
  level: number,
  window: Window,
  options: ReadOptions,
  allocate: Allocate,
  keepInterleaved: boolean,
): Promise<WindowRaster | InterleavedRgb> {
  const before = levelOf(state, level).image;
  try {
    return await readOnce(state, level, window, options, allocate, keepInterleaved);
  } catch (error) {
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    await reopen(state, options.signal);
    const after = state.header.levels[level]?.image;
    // pixels of the old image mean nothing in one of another size
    if (after?.width !== before.width || after.height !== before.height) throw error;
    return readOnce(state, level, window, options, allocate, keepInterleaved);
  }
}

async function readOnce(
  state: CogState,
  index: number,
  window: Window,
  options: ReadOptions,
  allocate: Allocate,
  keepInterleaved: boolean,
): Promise<WindowRaster | InterleavedRgb> {
  const level = levelOf(state, index);
  const { image } = level;
  checkWindow(image, window, state.source.key);
  const bands = options.bands ?? Array.from({ length: image.bandCount }, (_, band) => band);
  for (const band of bands) {
    if (!Number.isInteger(band) || band < 0 || band >= image.bandCount) {
      throw new RangeError(`Expected bands 0 to ${image.bandCount - 1}, got ${band}.`);
    }
  }
  const count = window.width * window.height;
  const stated = options.nodata === null ? undefined : (options.nodata ?? state.header.nodata);
  const nodata = stated !== undefined && holds(image.sampleType, stated) ? stated : undefined;
  const mask = options.nodata === undefined ? level.mask : undefined;
  const alpha =
    options.nodata === undefined && mask === undefined && nodata === undefined ? alphaBand(image) : undefined;
  const cache = options.cache ?? new BlockCache({ maxBytes: 0 });
  const { signal, sequential = false, partialBlocks: partial = false } = options;
  const how = { signal, sequential, partial };
  const isWhole = bands.length === 3 && bands.every((band, i) => band === i);
  const isPlain = mask === undefined && alpha === undefined;
  if (keepInterleaved && isWhole && isPlain && isInterleavedRgb(image) && 3 * count <= MAX_INTERLEAVED) {
    const rgb = allocate("uint8", 3 * count) as Uint8Array;
    await loadBlocks(state, planInterleaved(image, window, rgb, sparseValue(state, image)), cache, how);
    return { grid: windowGrid(level.grid, window), rgb, nodata };
  }
  const targets = new Map<number, Samples>();
  for (const band of bands) if (!targets.has(band)) targets.set(band, allocate(image.sampleType, count));
  if (alpha !== undefined && !targets.has(alpha)) targets.set(alpha, allocateSamples(image.sampleType, count));

  const jobs = planBlocks(image, window, targets, sparseValue(state, image));
  const maskValues = mask === undefined ? undefined : allocateSamples(mask.sampleType, count);
  if (mask !== undefined && maskValues !== undefined) {
    jobs.push(...planBlocks(mask, window, new Map([[0, maskValues]]), 0));
  }
  await loadBlocks(state, jobs, cache, how);

  const valid = allocate("uint8", count) as Uint8Array;
  const alphaValues = alpha === undefined ? undefined : targets.get(alpha);
  if (maskValues !== undefined) toValidity(maskValues, valid);
  else if (alphaValues !== undefined) toValidity(alphaValues, valid);
  else markAll(valid, [...targets.values()], nodata);
  return {
    grid: windowGrid(level.grid, window),
    bands: bands.map((band) => targets.get(band)!),
    valid,
    nodata: isPlain ? nodata : undefined,
  };
}

/** @internal 1 where any band is not `nodata`. */
export function markAll(valid: Uint8Array, bands: readonly Samples[], nodata: number | undefined): void {
  valid.fill(nodata === undefined ? 1 : 0);
  if (nodata !== undefined) for (const band of bands) if (markData(valid, band, nodata) === 0) break;
}

/** The sample of sparse blocks, which the file does not store. */
function sparseValue({ header: { nodata } }: CogState, image: TiffImage): number {
  return nodata !== undefined && holds(image.sampleType, nodata) ? nodata : 0;
}

function levelOf(state: CogState, index: number): HeaderLevel {
  const level = state.header.levels[index];
  if (level === undefined) {
    throw new RangeError(`Expected a level from 0 to ${state.header.levels.length - 1}, got ${index}.`);
  }
  return level;
}

function checkWindow(image: TiffImage, { x, y, width, height }: Window, key: string): void {
  const whole = [x, y, width, height].every(Number.isInteger);
  if (!whole || width < 1 || height < 1 || x < 0 || y < 0 || x + width > image.width || y + height > image.height) {
    throw new RangeError(
      `${key}: expected a window inside ${image.width} x ${image.height} pixels, got ${width} x ${height} at ${x}, ${y}.`,
    );
  }
}

function isInterleavedRgb({ interleaved, sampleType, planar }: TiffImage): boolean {
  return interleaved === 3 && sampleType === "uint8" && !planar;
}

/** Plans the blocks that a window touches, with the part to copy out of each. */
function planBlocks(
  image: TiffImage,
  window: Window,
  targets: ReadonlyMap<number, Samples>,
  sparseValue: number,
): BlockJob[] {
  const { blockWidth, interleaved } = image;
  const groups: (readonly [plane: number, bands: readonly number[]])[] = image.planar
    ? [...targets.keys()].map((band) => [band, [band]] as const)
    : [[0, [...targets.keys()]]];
  const three = interleaved === 3 && targets.size === 3 ? bytesOfThree(targets) : undefined;
  return groups.flatMap(([plane, bands]) =>
    eachBlock(image, window, plane, (patch) => ({
      copy(samples) {
        if (three !== undefined && samples instanceof Uint8Array) {
          copyThreeBands(samples, blockWidth, ...three, window.width, patch);
          return;
        }
        for (const band of bands) {
          const offset = image.planar ? 0 : band;
          copyBand(samples, blockWidth, interleaved, offset, targets.get(band)!, window.width, patch);
        }
      },
      fill() {
        for (const band of bands) fillBand(targets.get(band)!, window.width, patch, sparseValue);
      },
    })),
  );
}

function bytesOfThree(targets: ReadonlyMap<number, Samples>): [Uint8Array, Uint8Array, Uint8Array] | undefined {
  const [first, second, third] = [targets.get(0), targets.get(1), targets.get(2)];
  if (!(first instanceof Uint8Array && second instanceof Uint8Array && third instanceof Uint8Array)) return undefined;
  return [first, second, third];
}

/** As `planBlocks`, for the three bands of each pixel together. */
function planInterleaved(image: TiffImage, window: Window, rgb: Uint8Array, sparseValue: number): BlockJob[] {
  return eachBlock(image, window, 0, (patch) => {
    // as one band of rows three times as long
    const bytes: Patch = {
      ...patch,
      fromColumn: 3 * patch.fromColumn,
      toColumn: 3 * patch.toColumn,
      width: 3 * patch.width,
    };
    return {
      copy: (samples) => copyBand(samples, 3 * image.blockWidth, 1, 0, rgb, 3 * window.width, bytes),
      fill: () => fillBand(rgb, 3 * window.width, bytes, sparseValue),
    };
  });
}

function eachBlock(
  image: TiffImage,
  window: Window,
  plane: number,
  copying: (patch: Patch) => Pick<BlockJob, "copy" | "fill">,
): BlockJob[] {
  const { blockWidth, blockHeight, blocksAcross, blocksDown } = image;
  const jobs: BlockJob[] = [];
  const right = window.x + window.width;
  const bottom = window.y + window.height;
  for (let row = Math.floor(window.y / blockHeight); row * blockHeight < bottom; row++) {
    for (let column = Math.floor(window.x / blockWidth); column * blockWidth < right; column++) {
      const left = column * blockWidth;
      const top = row * blockHeight;
      const x = Math.max(left, window.x);
      const y = Math.max(top, window.y);
      const patch: Patch = {
        fromColumn: x - left,
        fromRow: y - top,
        toColumn: x - window.x,
        toRow: y - window.y,
        width: Math.min(left + blockWidth, right) - x,
        height: Math.min(top + blockHeight, bottom) - y,
      };
      jobs.push({
        image,
        block: (plane * blocksDown + row) * blocksAcross + column,
        rows: patch.fromRow + patch.height,
        imageRows: blockRows(image, row),
        ...copying(patch),
      });
    }
  }
  return jobs;
}
