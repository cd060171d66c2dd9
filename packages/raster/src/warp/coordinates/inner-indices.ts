import type { Window } from "../../grid/window.ts";
import { aligned, type RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import { COEFFICIENT_BYTES, putCoefficients } from "./fitting.ts";
import { exactSourcePixel, type InnerPatches, limitsOf, PATCH_SIZE } from "./patch.ts";

/** Target pixels whose columns, rows and offsets are computed at a time. */
export const CAPACITY = 8192;
const PART = 4 * CAPACITY;

/** Indices of the source pixels of whole rows of a target, into the arrays of a window that holds all of them. */
export class InnerIndices {
  readonly #inner: InnerPatches;
  readonly #width: number;
  readonly #window: Window;
  readonly #run: RasterKernels;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Addresses of the polynomials of a line of patches, of the columns, and of the list of doubtful pixels. */
  readonly #powers: number;
  readonly #cols: number;
  readonly #list: number;
  /** The line of patches whose polynomials are in the kernels' memory. */
  #line = -1;

  /** @param width pixels of a row, at most `CAPACITY` */
  constructor(kernels: KernelMemory<RasterKernels>, inner: InnerPatches, width: number, window: Window) {
    const powersBytes = aligned(inner.across * COEFFICIENT_BYTES);
    const { run, base, bytes } = kernels(powersBytes + 5 * PART);
    this.#inner = inner;
    this.#width = width;
    this.#window = window;
    this.#run = run;
    this.#bytes = bytes;
    this.#powers = base;
    this.#cols = base + powersBytes;
    this.#list = base + powersBytes + 4 * PART;
  }

  /**
   * Returns the indices of `rows` rows, at most `CAPACITY` pixels: a view of memory that the next call of any kernel
   * uses again.
   */
  find(firstRow: number, rows: number): Int32Array {
    const endRow = firstRow + rows;
    for (let row = firstRow; row < endRow; ) {
      const line = Math.floor(row / PATCH_SIZE);
      const end = Math.min(endRow, (line + 1) * PATCH_SIZE);
      this.#findInLine(line, row, end - row, (row - firstRow) * this.#width);
      row = end;
    }
    const count = rows * this.#width;
    const { x, y, width } = this.#window;
    this.#run.toIndices(this.#cols, count, PART, width, y * width + x);
    return new Int32Array(this.#bytes.buffer, this.#cols, count);
  }

  /** Columns and rows of some rows of the patches of a line, from index `start` on. */
  #findInLine(line: number, firstRow: number, rows: number, start: number): void {
    const { patches, across, map } = this.#inner;
    const isNew = this.#line !== line;
    this.#line = line;
    const cols = new Int32Array(this.#bytes.buffer, this.#cols, 2 * CAPACITY);
    for (let i = 0; i < across; i++) {
      const patch = patches[line * across + i]!;
      const { x, y, width, height } = patch;
      const powers = this.#powers + i * COEFFICIENT_BYTES;
      if (isNew) putCoefficients(this.#bytes, powers, patch.fit);
      const { limit, edge } = limitsOf(patch);
      const first = start + x;
      const listed = this.#run.fit(
        powers,
        width,
        height,
        firstRow - y,
        rows,
        this.#width,
        limit,
        edge,
        this.#cols + 4 * first,
        PART,
        this.#list,
        0,
        0,
      );
      for (const k of new Int32Array(this.#bytes.buffer, this.#list, listed)) {
        const { col, row } = exactSourcePixel(map, x + (k % this.#width), firstRow + Math.floor(k / this.#width));
        cols[first + k] = col;
        cols[CAPACITY + first + k] = row;
      }
    }
  }
}
