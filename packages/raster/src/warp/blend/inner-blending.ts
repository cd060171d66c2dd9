import type { Window } from "../../grid/window.ts";
import { aligned, type RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import type { Samples } from "../../raster/samples.ts";
import { COEFFICIENT_BYTES, putCoefficients } from "../coordinates/fitting.ts";
import { exactSourcePixel, type InnerPatch, type InnerPatches, limitsOf } from "../coordinates/patch.ts";
import { STENCILS } from "./blend.ts";
import { isWorthCopying, signsOf } from "./blending.ts";

/** A band of a window, and the output of its warp. */
export interface BandPair {
  readonly band: Samples;
  readonly out: Samples;
}

/** Pixel-interleaved RGB of a window, and the output of its warp: red, green and blue. */
export interface InterleavedRgbBands {
  readonly rgb: Uint8Array;
  readonly outs: readonly [Uint8Array, Uint8Array, Uint8Array];
}

/** Bytes of results that are made in the kernels' memory, which is never given back, at a time. */
const MAX_OUT = 4 << 20;
/** Words of a band in the kernel's table. */
const BAND_WORDS = 5;
/** Bytes that kernels of interleaved RGB may read after the last. */
const BEYOND = 64;

/**
 * Blends bands of a window that holds the stencils of all pixels of a target `width` pixels wide, and writes all of each `out`. False
 * where the kernels cannot, or it is not worth it: nothing is written.
 */
export function blendInner(
  kernels: KernelMemory<RasterKernels>,
  inner: InnerPatches,
  width: number,
  pairs: readonly BandPair[],
  window: Window,
): boolean {
  const bands = pairs.map(({ band }) => band);
  const count = pairs[0]?.out.length ?? 0;
  if (!isWorthCopying(kernels, bands, window, count) || pairs.some(({ out }) => out.byteLength > MAX_OUT)) return false;
  let group: BandPair[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    if (bytes + pair.out.byteLength > MAX_OUT) {
      new InnerBlending(kernels, inner, width, group, window).run();
      group = [];
      bytes = 0;
    }
    group.push(pair);
    bytes += pair.out.byteLength;
  }
  new InnerBlending(kernels, inner, width, group, window).run();
  return true;
}

/**
 * Does the same as `blendInner` for three bands of bytes: false also where pixels of the window hold no data, which is
 * where all their bytes are `nodata`.
 */
export function blendInnerRgb(
  kernels: KernelMemory<RasterKernels>,
  inner: InnerPatches,
  width: number,
  bands: InterleavedRgbBands,
  window: Window,
  nodata: number | undefined,
): boolean {
  const { rgb, outs } = bands;
  const count = outs[0].length;
  if (!isWorthCopying(kernels, [rgb], window, count) || 3 * count > MAX_OUT) return false;
  const blending = new InnerBlending(kernels, inner, width, [bands], window);
  if (nodata !== undefined && blending.hasPixelOf(nodata)) return false;
  blending.run();
  return true;
}

/** Bands that are read together, and their addresses in the kernels' memory. */
interface BandInMemory {
  readonly source: Samples;
  readonly outs: readonly Samples[];
  readonly address: number;
  /** Address of the first result, and bytes from one result to the next. */
  readonly plane: number;
  readonly pitch: number;
}

class InnerBlending {
  readonly #inner: InnerPatches;
  readonly #width: number;
  readonly #window: Window;
  readonly #run: RasterKernels;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #bands: readonly BandInMemory[];
  /** Addresses of the polynomials, the source pixels and after them the stencils, the table of bands, the means of some pixels, and the list of those in doubt. */
  readonly #powers: number;
  readonly #work: number;
  readonly #table: number;
  readonly #means: number;
  readonly #list: number;

  constructor(
    kernels: KernelMemory<RasterKernels>,
    inner: InnerPatches,
    width: number,
    pairsOrRgb: readonly (BandPair | InterleavedRgbBands)[],
    window: Window,
  ) {
    this.#inner = inner;
    this.#width = width;
    this.#window = window;
    const pairs = pairsOrRgb.map((bands) =>
      "rgb" in bands ? { source: bands.rgb, outs: bands.outs } : { source: bands.band, outs: [bands.out] },
    );
    const listBytes = 4 * Math.max(...inner.patches.map((patch) => patch.width * patch.height));
    const sizes = [COEFFICIENT_BYTES, 28 * STENCILS, 4 * BAND_WORDS * pairs.length, 4 * STENCILS, listBytes];
    const sources = [...new Set(pairs.map(({ source }) => source))];
    const arrays = [...sources, ...pairs.flatMap(({ outs }) => outs)];
    const needed = [...sizes, ...arrays.map(({ byteLength }) => byteLength), BEYOND].reduce(
      (sum, size) => sum + aligned(size),
      0,
    );
    const { run, base, bytes } = kernels(needed);
    let end = base;
    const reserve = (size: number): number => {
      const at = end;
      end += aligned(size);
      return at;
    };
    const [powers, work, table, means, list] = sizes.map(reserve) as [number, number, number, number, number];
    const addresses = new Map<Samples, number>();
    for (const source of sources) {
      const address = reserve(source.byteLength);
      bytes.set(bytesOf(source), address);
      addresses.set(source, address);
    }
    this.#run = run;
    this.#bytes = bytes;
    this.#bands = pairs.map(({ source, outs }) => {
      const [plane] = outs.map(({ byteLength }) => reserve(byteLength));
      return { source, outs, address: addresses.get(source)!, plane: plane!, pitch: aligned(outs[0]!.byteLength) };
    });
    this.#powers = powers;
    this.#work = work;
    this.#table = table;
    this.#means = means;
    this.#list = list;
  }

  /** Whether a pixel of the interleaved RGB has `value` in all three bytes. */
  hasPixelOf(value: number): boolean {
    return this.#bands.some(({ source, address }) => this.#run.hasPixelOf(address, source.length / 3, value) !== 0);
  }

  run(): void {
    for (const patch of this.#inner.patches) this.#blend(patch);
    for (const { outs, plane, pitch } of this.#bands) {
      outs.forEach((out, i) => {
        const at = plane + i * pitch;
        bytesOf(out).set(this.#bytes.subarray(at, at + out.byteLength));
      });
    }
  }

  #blend(patch: InnerPatch): void {
    const { x, y, width, height } = patch;
    const window = this.#window;
    const start = y * this.#width + x;
    putCoefficients(this.#bytes, this.#powers, patch.fit);
    const table = new Uint32Array(this.#bytes.buffer, this.#table, BAND_WORDS * this.#bands.length);
    this.#bands.forEach(({ source, outs, address, plane, pitch }, i) => {
      const size = pixelBytes(source, outs);
      const first = plane + start * source.BYTES_PER_ELEMENT;
      table.set([size, address, window.width * size, size === 3 ? pitch : signsOf(source), first], i * BAND_WORDS);
    });
    const { limit, edge } = limitsOf(patch);
    const listed = this.#run.blendPatch(
      this.#powers,
      width,
      height,
      this.#width,
      limit,
      edge,
      window.width,
      window.y * window.width + window.x,
      this.#work,
      this.#table,
      this.#bands.length,
      this.#list,
    );
    for (let first = 0; first < listed; first += STENCILS) {
      this.#blendExactly(patch, start, first, Math.min(STENCILS, listed - first));
    }
  }

  /** The pixels of a patch that the list names from number `first` on. */
  #blendExactly({ x, y }: InnerPatch, start: number, first: number, count: number): void {
    const { buffer } = this.#bytes;
    const window = this.#window;
    const run = this.#run;
    const indices = new Int32Array(buffer, this.#list + 4 * first, count);
    const integers = new Int32Array(buffer, this.#work, 2 * STENCILS);
    const offsets = new Float32Array(buffer, this.#work + 8 * STENCILS, 2 * STENCILS);
    indices.forEach((index, i) => {
      const { map } = this.#inner;
      const { col, row, dx, dy } = exactSourcePixel(
        map,
        x + (index % this.#width),
        y + Math.floor(index / this.#width),
      );
      integers[i] = col;
      integers[STENCILS + i] = row;
      offsets[i] = dx;
      offsets[STENCILS + i] = dy;
    });
    const stencils = this.#work + 16 * STENCILS;
    run.toStencils(this.#work, count, window.width, window.y * window.width + window.x, stencils);
    for (const { source, outs, address, plane, pitch } of this.#bands) {
      const size = pixelBytes(source, outs);
      const below = window.width * size;
      if (size === 3) run.blendColors(stencils, count, address, below, this.#means, STENCILS);
      else if (size === 4) run.blendFloat(stencils, count, address, below, this.#means);
      else if (size === 2) run.blend16(stencils, count, address, below, signsOf(source), this.#means);
      else run.blend8(stencils, count, address, below, signsOf(source), this.#means);
      const Words = size === 4 ? Uint32Array : size === 2 ? Uint16Array : Uint8Array;
      outs.forEach((out, b) => {
        const means = new Words(buffer, this.#means + b * STENCILS, count);
        const all = new Words(buffer, plane + b * pitch, out.length);
        indices.forEach((index, i) => {
          all[start + index] = means[i]!;
        });
      });
    }
  }
}

/** Bytes of a pixel as it was read. */
function pixelBytes(source: Samples, outs: readonly Samples[]): number {
  return source.BYTES_PER_ELEMENT * outs.length;
}

function bytesOf({ buffer, byteOffset, byteLength }: Samples): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
