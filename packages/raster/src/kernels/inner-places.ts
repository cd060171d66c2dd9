import { exactPlace, type InnerPatches, limitsOf, PATCH_SIZE } from "../patch.ts";
import type { Kernels } from "../wasm-kernels.ts";
import type { Window } from "../window.ts";
import { POWERS_BYTES, putPowers } from "./fitting.ts";
import { kernels, type RasterKernels } from "./kernels.ts";

/** Columns, rows, dx and dy. */
const PARTS = 4;

/** Places of whole rows of a target, worked out in the kernels' memory as they are needed. */
export class InnerPlaces {
  readonly #run: RasterKernels;
  readonly #inner: InnerPatches;
  readonly #width: number;
  readonly #room: number;
  readonly #address: number;
  readonly #tools: number;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Columns, rows, dx and dy. */
  readonly #parts: readonly (Int32Array | Float32Array)[];
  /** The line of patches whose polynomials are in the kernels' memory. */
  #line = -1;

  /** Bytes for `room` places of rows of `width` pixels, besides the places themselves: 16 bytes each. */
  static bytes(room: number, width: number): number {
    return 4 * room + Math.ceil(width / PATCH_SIZE) * POWERS_BYTES;
  }

  /**
   * @param width pixels of a row
   * @param room places that there is room for: their columns, rows, dx and dy one after the other from `address` on
   * @param tools address of `bytes(room, width)` bytes that nobody else uses meanwhile
   */
  constructor(
    { run, bytes }: Kernels<RasterKernels>,
    inner: InnerPatches,
    width: number,
    room: number,
    address: number,
    tools: number,
  ) {
    this.#run = run;
    this.#inner = inner;
    this.#width = width;
    this.#room = room;
    this.#address = address;
    this.#tools = tools;
    this.#bytes = bytes;
    this.#parts = [Int32Array, Int32Array, Float32Array, Float32Array].map(
      (Part, i) => new Part(bytes.buffer, address + i * 4 * room, room),
    );
  }

  /** Finds those of `rows` rows, for which there must be room. */
  find(firstRow: number, rows: number): void {
    const endRow = firstRow + rows;
    for (let row = firstRow; row < endRow; ) {
      const line = Math.floor(row / PATCH_SIZE);
      const end = Math.min(endRow, (line + 1) * PATCH_SIZE);
      this.#findInLine(line, row, end - row, (row - firstRow) * this.#width);
      row = end;
    }
  }

  /** Places of rows of the patches of a line, from place `start` on. */
  #findInLine(line: number, firstRow: number, rows: number, start: number): void {
    const { patches, across, map } = this.#inner;
    const isNew = this.#line !== line;
    this.#line = line;
    const list = this.#tools;
    for (let i = 0; i < across; i++) {
      const patch = patches[line * across + i]!;
      const { x, y, width, height } = patch;
      const powers = list + 4 * this.#room + i * POWERS_BYTES;
      if (isNew) putPowers(this.#bytes, powers, patch.fit);
      const { limit, edge } = limitsOf(patch);
      const first = start + x;
      const listed = this.#run.fitInside(
        powers,
        width,
        height,
        firstRow - y,
        rows,
        this.#width,
        limit,
        edge,
        this.#address + 4 * first,
        4 * this.#room,
        list,
      );
      for (const k of new Int32Array(this.#bytes.buffer, list, listed)) {
        const { col, row, dx, dy } = exactPlace(map, x + (k % this.#width), firstRow + Math.floor(k / this.#width));
        [col, row, dx, dy].forEach((value, part) => {
          this.#parts[part]![first + k] = value;
        });
      }
    }
  }
}

/**
 * Finds, for whole rows of a target of `width` pixels a row, the place of each pixel's source pixel in the arrays of a window
 * that holds all of them: up to `room` at a time, a view of memory that the next call of any kernel uses again.
 */
export function innerIndices(
  inner: InnerPatches,
  width: number,
  room: number,
  window: Window,
): (firstRow: number, rows: number) => Int32Array {
  const found = kernels(4 * PARTS * room + InnerPlaces.bytes(room, width));
  const { run, base, bytes } = found;
  const places = new InnerPlaces(found, inner, width, room, base, base + 4 * PARTS * room);
  return (firstRow, rows) => {
    places.find(firstRow, rows);
    run.toIndices(base, rows * width, 4 * room, window.width, window.y * window.width + window.x);
    return new Int32Array(bytes.buffer, base, rows * width);
  };
}
