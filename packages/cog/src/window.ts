import { allocateSamples, type Raster, type Samples, type SampleType, type Window, windowGrid } from "@swath/raster";
import { BlockCache } from "./block-cache.ts";
import { type BlockJob, loadBlocks } from "./blocks.ts";
import { alphaBand, type Cog, type CogState, holds, reopen, stateOf } from "./cog.ts";
import { copyBand, copyThreeBands, fillBand, markData, type Patch, toFlags } from "./copy.ts";
import { CogError } from "./errors.ts";
import type { HeaderLevel } from "./header.ts";
import { blockRows, type TiffImage } from "./image.ts";

/** What of a window is read, and how. */
export interface ReadOptions {
  /** Bands to read, counted from 0, in the order wanted. Default: all. */
  readonly bands?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Keeps decoded blocks between calls. */
  readonly cache?: BlockCache | undefined;
  /**
   * For a caller that reads an area part by part: blocks are decoded whole, or down to this row of the level if it is a number, since
   * the next part comes back for them, and take half of the cache at most, since nobody does after that.
   */
  readonly wholeBlocks?: boolean | number | undefined;
  /** The value that means "no data", in place of what the file says: its own one, its mask and its alpha. */
  readonly nodata?: number | undefined;
}

/**
 * Reads pixels of one level. `window` is in pixels of that level and lies inside it. In `valid` a pixel is 1 where
 * the internal mask says so, else where any of the read bands is not nodata, else where alpha is above 0.
 *
 * @throws {RangeError} when level, window or bands do not exist.
 * @throws {CogError} `corrupt`, `unsupported`, `changed`, or what the source throws.
 */
export async function readWindow(cog: Cog, level: number, window: Window, options: ReadOptions = {}): Promise<Raster> {
  return readInto(cog, level, window, options, allocateSamples);
}

/** @internal As {@link readWindow}, into arrays of the caller's making, which may hold anything. */
export async function readInto(
  cog: Cog,
  level: number,
  window: Window,
  options: ReadOptions,
  allocate: Allocate,
): Promise<Raster> {
  const state = stateOf(cog);
  const before = levelOf(state, level).image;
  try {
    return await readOnce(state, level, window, options, allocate);
  } catch (error) {
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    await reopen(state, options.signal);
    const after = state.header.levels[level]?.image;
    // pixels of the old image mean nothing in one of another size
    if (after?.width !== before.width || after.height !== before.height) throw error;
    return readOnce(state, level, window, options, allocate);
  }
}

type Allocate = (type: SampleType, length: number) => Samples;

async function readOnce(
  state: CogState,
  index: number,
  window: Window,
  options: ReadOptions,
  allocate: Allocate,
): Promise<Raster> {
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
  const targets = new Map<number, Samples>();
  for (const band of bands) if (!targets.has(band)) targets.set(band, allocate(image.sampleType, count));
  const stated = options.nodata ?? state.header.nodata;
  const nodata = stated !== undefined && holds(image.sampleType, stated) ? stated : undefined;
  const mask = options.nodata === undefined ? level.mask : undefined;
  const alpha =
    options.nodata === undefined && mask === undefined && nodata === undefined ? alphaBand(image) : undefined;
  if (alpha !== undefined && !targets.has(alpha)) targets.set(alpha, allocateSamples(image.sampleType, count));

  const { wholeBlocks = false } = options;
  const until = typeof wholeBlocks === "number" ? wholeBlocks : wholeBlocks ? image.height : 0;
  const jobs = planBlocks(image, window, targets, sparseValue(state, image), until);
  const maskValues = mask === undefined ? undefined : allocateSamples(mask.sampleType, count);
  if (mask !== undefined && maskValues !== undefined) {
    jobs.push(...planBlocks(mask, window, new Map([[0, maskValues]]), 0, until));
  }
  await loadBlocks(state, jobs, options.cache ?? new BlockCache({ maxBytes: 0 }), {
    signal: options.signal,
    passing: wholeBlocks !== false,
  });

  const valid = allocate("uint8", count) as Uint8Array;
  const alphaValues = alpha === undefined ? undefined : targets.get(alpha);
  if (maskValues !== undefined) toFlags(maskValues, valid);
  else if (nodata !== undefined) {
    valid.fill(0);
    for (const band of new Set(bands)) if (markData(valid, targets.get(band)!, nodata) === 0) break;
  } else if (alphaValues !== undefined) toFlags(alphaValues, valid);
  else valid.fill(1);
  return { grid: windowGrid(level.grid, window), bands: bands.map((band) => targets.get(band)!), valid };
}

/** What blocks that the file leaves out hold. */
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

/** The blocks a window touches, with what to copy out of each; they are decoded to row `until` of the image too. */
function planBlocks(
  image: TiffImage,
  window: Window,
  targets: ReadonlyMap<number, Samples>,
  sparseValue: number,
  until: number,
): BlockJob[] {
  const { blockWidth, blockHeight, blocksAcross, blocksDown, interleaved } = image;
  const jobs: BlockJob[] = [];
  const right = window.x + window.width;
  const bottom = window.y + window.height;
  const groups: (readonly [plane: number, bands: readonly number[]])[] = image.planar
    ? [...targets.keys()].map((band) => [band, [band]] as const)
    : [[0, [...targets.keys()]]];
  const three = image.interleaved === 3 && targets.size === 3 ? bytesOfThree(targets) : undefined;
  for (const [plane, bands] of groups) {
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
          rows: Math.max(patch.fromRow + patch.height, Math.min(blockRows(image, row), Math.ceil(until) - top)),
          imageRows: blockRows(image, row),
          copy(samples) {
            if (three !== undefined && samples instanceof Uint8Array) {
              copyThreeBands(samples, blockWidth, ...three, window.width, patch);
              return;
            }
            for (const band of bands) {
              copyBand(
                samples,
                blockWidth,
                interleaved,
                image.planar ? 0 : band,
                targets.get(band)!,
                window.width,
                patch,
              );
            }
          },
          fill() {
            for (const band of bands) fillBand(targets.get(band)!, window.width, patch, sparseValue);
          },
        });
      }
    }
  }
  return jobs;
}

function bytesOfThree(targets: ReadonlyMap<number, Samples>): [Uint8Array, Uint8Array, Uint8Array] | undefined {
  const [first, second, third] = [targets.get(0), targets.get(1), targets.get(2)];
  if (!(first instanceof Uint8Array && second instanceof Uint8Array && third instanceof Uint8Array)) return undefined;
  return [first, second, third];
}
