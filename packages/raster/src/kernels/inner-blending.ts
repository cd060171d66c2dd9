import { QUADS } from "../blend.ts";
import { exactPlace, type InnerPatch, type InnerPatches, limitsOf } from "../patch.ts";
import type { Samples } from "../samples.ts";
import type { Window } from "../window.ts";
import { isWorthCopying, signsOf } from "./blending.ts";
import { POWERS_BYTES, putPowers } from "./fitting.ts";
import { aligned, kernels, type RasterKernels } from "./kernels.ts";

/** A band of a window, and what is drawn of it. */
export interface BandPair {
  readonly band: Samples;
  readonly out: Samples;
}

/** Bytes of results that are made in the kernels' memory, which is never given back, at a time. */
const MAX_OUT = 4 << 20;
/** Words of a band in the kernel's table. */
const BAND_WORDS = 5;

/**
 * Blends bands of a window that holds the quads of all pixels of a target `width` pixels wide, and writes all of each `out`. False
 * where the kernels cannot, or it is not worth it: nothing is written.
 */
export function blendInner(inner: InnerPatches, width: number, pairs: readonly BandPair[], window: Window): boolean {
  const bands = pairs.map(({ band }) => band);
  const count = pairs[0]?.out.length ?? 0;
  if (!isWorthCopying(bands, window, count) || pairs.some(({ out }) => out.byteLength > MAX_OUT)) return false;
  let group: BandPair[] = [];
  let bytes = 0;
  for (const pair of pairs) {
    if (bytes + pair.out.byteLength > MAX_OUT) {
      new InnerBlending(inner, width, group, window).run();
      group = [];
      bytes = 0;
    }
    group.push(pair);
    bytes += pair.out.byteLength;
  }
  new InnerBlending(inner, width, group, window).run();
  return true;
}

interface PlacedBand extends BandPair {
  readonly address: number;
  readonly plane: number;
}

class InnerBlending {
  readonly #inner: InnerPatches;
  readonly #width: number;
  readonly #window: Window;
  readonly #run: RasterKernels;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #bands: readonly PlacedBand[];
  /** Addresses of the polynomials, the places and after them the quads, the table of bands, the means of some pixels, and the list of those in doubt. */
  readonly #powers: number;
  readonly #work: number;
  readonly #table: number;
  readonly #means: number;
  readonly #list: number;

  constructor(inner: InnerPatches, width: number, pairs: readonly BandPair[], window: Window) {
    this.#inner = inner;
    this.#width = width;
    this.#window = window;
    const listBytes = 4 * Math.max(...inner.patches.map((patch) => patch.width * patch.height));
    const sizes = [POWERS_BYTES, 28 * QUADS, 4 * BAND_WORDS * pairs.length, 4 * QUADS, listBytes];
    const bands = [...new Set(pairs.map(({ band }) => band))];
    const arrays = [...bands, ...pairs.map(({ out }) => out)];
    const room = [...sizes, ...arrays.map(({ byteLength }) => byteLength)].reduce(
      (sum, size) => sum + aligned(size),
      0,
    );
    const { run, base, bytes } = kernels(room);
    let end = base;
    const place = (size: number): number => {
      const at = end;
      end += aligned(size);
      return at;
    };
    const [powers, work, table, means, list] = sizes.map(place) as [number, number, number, number, number];
    const addresses = new Map<Samples, number>();
    for (const band of bands) {
      const address = place(band.byteLength);
      bytes.set(bytesOf(band), address);
      addresses.set(band, address);
    }
    this.#run = run;
    this.#bytes = bytes;
    this.#bands = pairs.map(({ band, out }) => ({
      band,
      out,
      address: addresses.get(band)!,
      plane: place(out.byteLength),
    }));
    this.#powers = powers;
    this.#work = work;
    this.#table = table;
    this.#means = means;
    this.#list = list;
  }

  run(): void {
    for (const patch of this.#inner.patches) this.#blend(patch);
    for (const { out, plane } of this.#bands) {
      bytesOf(out).set(this.#bytes.subarray(plane, plane + out.byteLength));
    }
  }

  #blend(patch: InnerPatch): void {
    const { x, y, width, height } = patch;
    const window = this.#window;
    const start = y * this.#width + x;
    putPowers(this.#bytes, this.#powers, patch.fit);
    const table = new Uint32Array(this.#bytes.buffer, this.#table, BAND_WORDS * this.#bands.length);
    this.#bands.forEach(({ band, address, plane }, i) => {
      const size = band.BYTES_PER_ELEMENT;
      table.set([size, address, window.width * size, signsOf(band), plane + start * size], i * BAND_WORDS);
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
    for (let first = 0; first < listed; first += QUADS) {
      this.#blendExactly(patch, start, first, Math.min(QUADS, listed - first));
    }
  }

  /** The pixels of a patch that the list names from number `first` on. */
  #blendExactly({ x, y }: InnerPatch, start: number, first: number, count: number): void {
    const { buffer } = this.#bytes;
    const window = this.#window;
    const run = this.#run;
    const places = new Int32Array(buffer, this.#list + 4 * first, count);
    const integers = new Int32Array(buffer, this.#work, 2 * QUADS);
    const offsets = new Float32Array(buffer, this.#work + 8 * QUADS, 2 * QUADS);
    places.forEach((place, i) => {
      const { map } = this.#inner;
      const { col, row, dx, dy } = exactPlace(map, x + (place % this.#width), y + Math.floor(place / this.#width));
      integers[i] = col;
      integers[QUADS + i] = row;
      offsets[i] = dx;
      offsets[QUADS + i] = dy;
    });
    const quads = this.#work + 16 * QUADS;
    run.findQuads(this.#work, count, window.width, window.y * window.width + window.x, quads);
    for (const { band, out, address, plane } of this.#bands) {
      const size = band.BYTES_PER_ELEMENT;
      const below = window.width * size;
      if (size === 4) run.blendFloat(quads, count, address, below, this.#means);
      else if (size === 2) run.blend16(quads, count, address, below, signsOf(band), this.#means);
      else run.blend8(quads, count, address, below, signsOf(band), this.#means);
      const Words = size === 4 ? Uint32Array : size === 2 ? Uint16Array : Uint8Array;
      const means = new Words(buffer, this.#means, count);
      const all = new Words(buffer, plane, out.length);
      places.forEach((place, i) => {
        all[start + place] = means[i]!;
      });
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Samples): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
