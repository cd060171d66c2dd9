import type { Window } from "../../grid/window.ts";
import { aligned, type RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import type { Samples } from "../../raster/samples.ts";
import type { PixelIndices } from "../coordinates/pixel-indices.ts";
import { blend, STENCILS, type Stencils } from "./blend.ts";

/** Bytes of bands up to which they are copied to the kernels' memory, which is never given back. */
const MAX_COPIED = 16 << 20;
/** Window pixels for each target pixel from which on copying the window costs more than it saves. */
const SPARSE = 32;
/** Bytes of a run of stencils as the kernels have them, index and both weights, and of the sourcePixels that they are found from. */
const STENCIL_BYTES = 3 * 4 * STENCILS;
const SOURCE_PIXEL_BYTES = 4 * 4 * STENCILS;
/** Sign bits of signed samples of one and of two bytes. */
const [SIGNS8, SIGNS16] = [0x80_80_80_80 | 0, 0x80_00_80_00 | 0];

/** Writes weighted means of pixels of some bands. */
export interface Blending {
  /** Up to `STENCILS` stencils from number `first`, for the calls of `write` that follow. */
  use(stencils: Stencils, first: number, count: number): void;
  /** Whether it may be given sourcePixels. */
  readonly takesSourcePixels: boolean;
  /** Does the same as `use` for pixels whose stencils are wholly in the window. */
  useSourcePixels(pixels: PixelIndices, window: Window, first: number, count: number): void;
  /**
   * Does the same as `use` for pixels that may be outside the window or on nodata: `covered` tells which are neither.
   */
  useAnySourcePixels(
    pixels: PixelIndices,
    window: Window,
    valid: Uint8Array | undefined,
    first: number,
    count: number,
    covered: Uint8Array,
  ): void;
  /** As `blend` does for them. */
  write(band: Samples, out: Samples, start: number): void;
}

/**
 * Returns the blending of `count` pixels of bands of a window: by WebAssembly where it is allowed, in half the time.
 * `out` starts as zeros.
 *
 * @param flags the array that will be given as `valid`
 */
export function blendingOf(
  kernels: KernelMemory<RasterKernels> | undefined,
  bands: readonly Samples[],
  window: Pick<Window, "width" | "height">,
  count: number,
  flags: readonly Uint8Array[] = [],
): Blending {
  const distinct = [...new Set(bands)];
  const copied = distinct.filter(hasKernel);
  if (kernels === undefined || !isWorthCopying(kernels, copied, window, count)) return new PlainBlending();
  const { width, height } = window;
  const takesSourcePixels = copied.length === distinct.length;
  const arrays = takesSourcePixels ? [...new Set([...copied, ...flags])] : copied;
  return new KernelBlending(kernels, arrays, height > 1 ? width : 0, takesSourcePixels);
}

/** Whether the kernels can blend bands of a window to `count` pixels, and it is worth copying them to their memory. */
export function isWorthCopying(
  kernels: KernelMemory<RasterKernels> | undefined,
  bands: readonly Samples[],
  { width, height }: Pick<Window, "width" | "height">,
  count: number,
): boolean {
  const size = bands.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const isSparse = size > MAX_COPIED || width * height > SPARSE * count;
  // pixels of a row of one have no right neighbours
  return bands.length > 0 && bands.every(hasKernel) && width > 1 && !isSparse && kernels !== undefined;
}

class PlainBlending implements Blending {
  readonly takesSourcePixels = false;
  #stencils: Stencils | undefined;
  #first = 0;
  #count = 0;

  use(stencils: Stencils, first: number, count: number): void {
    this.#stencils = stencils;
    this.#first = first;
    this.#count = count;
  }

  useSourcePixels(): void {
    throw new Error("Stencils are expected here.");
  }

  useAnySourcePixels(): void {
    this.useSourcePixels();
  }

  write(band: Samples, out: Samples, start: number): void {
    if (this.#stencils !== undefined) blend(band, this.#stencils, this.#first, this.#count, out, start);
  }
}

/**
 * Does the same as `blendingOf` for three bands of bytes, pixel by pixel; undefined where the kernels cannot, it is not
 * worth it, or pixels of the window hold no data, which is where all their bytes are `nodata`.
 */
export function interleavedRgbBlending(
  kernels: KernelMemory<RasterKernels> | undefined,
  rgb: Uint8Array,
  window: Pick<Window, "width" | "height">,
  count: number,
  nodata: number | undefined,
): KernelBlending | undefined {
  if (kernels === undefined || !isWorthCopying(kernels, [rgb], window, count)) return undefined;
  const blending = new KernelBlending(kernels, [rgb], window.height > 1 ? window.width : 0, true);
  return nodata !== undefined && blending.hasPixelOf(rgb, nodata) ? undefined : blending;
}

class KernelBlending implements Blending {
  readonly takesSourcePixels: boolean;
  readonly #plain = new PlainBlending();
  readonly #run: RasterKernels;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #addresses = new Map<Samples, number>();
  readonly #rowPixels: number;
  /** Address of the stencils; the results follow them. */
  readonly #stencils: number;
  readonly #out: number;
  readonly #index: Int32Array;
  readonly #weightX: Float32Array;
  readonly #weightY: Float32Array;
  /** Columns, rows, dx and dy of sourcePixels. */
  readonly #sourcePixels: readonly (Int32Array | Float32Array)[];
  #count = 0;
  /** Address of the list of stencils some of whose pixels hold no data, how many they are, and address of the flags that say which. */
  readonly #mixed: number;
  #mixedCount = 0;
  #valid = 0;

  constructor(
    kernels: KernelMemory<RasterKernels>,
    arrays: readonly Samples[],
    rowPixels: number,
    takesSourcePixels: boolean,
  ) {
    const size = arrays.reduce((sum, { byteLength }) => sum + aligned(byteLength), 0);
    const { run, base, bytes } = kernels(size + STENCIL_BYTES + SOURCE_PIXEL_BYTES + 8 * STENCILS);
    this.takesSourcePixels = takesSourcePixels;
    this.#run = run;
    this.#bytes = bytes;
    this.#rowPixels = rowPixels;
    let at = base;
    for (const array of arrays) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
      this.#addresses.set(array, at);
      at += aligned(array.byteLength);
    }
    this.#stencils = at;
    this.#out = at + STENCIL_BYTES + SOURCE_PIXEL_BYTES;
    this.#mixed = this.#out + 4 * STENCILS;
    this.#index = new Int32Array(bytes.buffer, at, STENCILS);
    this.#weightX = new Float32Array(bytes.buffer, at + 4 * STENCILS, STENCILS);
    this.#weightY = new Float32Array(bytes.buffer, at + 8 * STENCILS, STENCILS);
    this.#sourcePixels = [Int32Array, Int32Array, Float32Array, Float32Array].map(
      (Offsets, i) => new Offsets(bytes.buffer, at + STENCIL_BYTES + i * 4 * STENCILS, STENCILS),
    );
  }

  use(stencils: Stencils, first: number, count: number): void {
    this.#plain.use(stencils, first, count);
    this.#count = count;
    this.#mixedCount = 0;
    const last = first + count;
    this.#index.set(stencils.index.subarray(first, last));
    this.#weightX.set(stencils.weightX.subarray(first, last));
    this.#weightY.set(stencils.weightY.subarray(first, last));
  }

  useSourcePixels(pixels: PixelIndices, { x, y, width }: Window, first: number, count: number): void {
    const sourcePixels = this.#put(pixels, first, count);
    this.#mixedCount = 0;
    this.#run.toStencils(sourcePixels, count, width, y * width + x, this.#stencils);
  }

  useAnySourcePixels(
    pixels: PixelIndices,
    { x, y, width, height }: Window,
    valid: Uint8Array | undefined,
    first: number,
    count: number,
    covered: Uint8Array,
  ): void {
    const sourcePixels = this.#put(pixels, first, count);
    this.#valid = valid === undefined ? 0 : this.#addresses.get(valid)!;
    // the blended bands will be written there later
    const flags = this.#out;
    this.#mixedCount = this.#run.toStencilsAny(
      sourcePixels,
      count,
      x,
      y,
      width,
      height,
      this.#valid,
      this.#stencils,
      flags,
      this.#mixed,
    );
    covered.set(this.#bytes.subarray(flags, flags + count), first);
  }

  /** Copies sourcePixels to the kernels' memory; their address. */
  #put({ cols, rows, dx, dy }: PixelIndices, first: number, count: number): number {
    this.#count = count;
    [cols, rows, dx, dy].forEach((values, i) => {
      if (values !== undefined) this.#sourcePixels[i]?.set(values.subarray(first, first + count));
    });
    return this.#stencils + STENCIL_BYTES;
  }

  /** Whether a pixel of the interleaved `rgb` has `value` in all three bytes. */
  hasPixelOf(rgb: Uint8Array, value: number): boolean {
    return this.#run.hasPixelOf(this.#addresses.get(rgb)!, rgb.length / 3, value) !== 0;
  }

  /** Does the same as `write` for three bands of bytes, where every pixel holds data. */
  writeInterleavedRgb(rgb: Uint8Array, outs: readonly Uint8Array[], start: number): void {
    const to = this.#out;
    this.#run.blendColors(this.#stencils, this.#count, this.#addresses.get(rgb)!, 3 * this.#rowPixels, to, STENCILS);
    outs.forEach((out, i) => {
      out.set(this.#bytes.subarray(to + i * STENCILS, to + i * STENCILS + this.#count), start);
    });
  }

  write(band: Samples, out: Samples, start: number): void {
    const source = this.#addresses.get(band);
    if (source === undefined) {
      this.#plain.write(band, out, start);
      return;
    }
    const size = band.BYTES_PER_ELEMENT;
    const row = this.#rowPixels * size;
    const to = this.#out;
    const end = to + this.#count * size;
    // the kernels do not write where there is no data
    this.#bytes.fill(0, to, end);
    if (size === 4) this.#run.blendFloat(this.#stencils, this.#count, source, row, to);
    else if (size === 2) this.#run.blend16(this.#stencils, this.#count, source, row, signsOf(band), to);
    else this.#run.blend8(this.#stencils, this.#count, source, row, signsOf(band), to);
    if (this.#mixedCount > 0) {
      const kind = signsOf(band) === 0 ? size : -size;
      const [stencils, mixed, count] = [this.#stencils, this.#mixed, this.#mixedCount];
      this.#run.blendMixed(kind, stencils, mixed, count, source, this.#rowPixels, this.#valid, to);
    }
    new Uint8Array(out.buffer, out.byteOffset + start * size).set(this.#bytes.subarray(to, end));
  }
}

/** Returns the sign bits that the kernels take as `flip`. */
export function signsOf(band: Samples): number {
  return band instanceof Int16Array ? SIGNS16 : band instanceof Int8Array ? SIGNS8 : 0;
}

function hasKernel(band: Samples): boolean {
  return band.BYTES_PER_ELEMENT <= 2 || band instanceof Float32Array;
}
