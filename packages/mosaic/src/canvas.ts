import { countValid, type Grid, type Raster, type Samples, sameGrid, sampleTypeOf } from "@swath/raster";
import { SceneMismatchError } from "./errors.ts";
import type { FootprintCells } from "./footprint.ts";

/** Pixels gathered so far. Holds the first raster with data as it came, until a second one adds to it. */
export class Canvas {
  readonly #grid: Grid;
  #like: { readonly count: number; readonly type: string; readonly id: string } | undefined;
  #raster: Raster | undefined;
  #own = false;
  #missing: number;
  #open: Uint8Array | undefined;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#missing = grid.width * grid.height;
  }

  get full(): boolean {
    return this.#missing === 0;
  }

  /** `undefined` while no pixel has data. */
  get raster(): Raster | undefined {
    return this.#raster;
  }

  /** The cells that still have pixels to fill. */
  open(cells: FootprintCells): Uint8Array {
    this.#open ??= cells.open(this.#raster?.valid);
    return this.#open;
  }

  /**
   * Fills open pixels; returns whether `raster` had data for any.
   *
   * @throws {SceneMismatchError} unless it is on the canvas's grid and like the rasters before it.
   */
  add(id: string, raster: Raster): boolean {
    this.#check(id, raster);
    const filled = this.#raster === undefined ? this.#begin(raster) : this.#fill(this.#raster, raster);
    this.#missing -= filled;
    if (filled > 0) this.#open = undefined;
    return filled > 0;
  }

  #begin(raster: Raster): number {
    const count = countValid(raster);
    if (count > 0) this.#raster = raster;
    return count;
  }

  #fill(below: Raster, raster: Raster): number {
    const from = new Additions(below.valid, raster.valid).next(0);
    if (from === -1) return 0;
    let target = below;
    if (!this.#own) {
      target = { grid: this.#grid, bands: below.bands.map((band) => band.slice()), valid: below.valid.slice() };
      this.#own = true;
      this.#raster = target;
    }
    return fillOpen(target, raster, from);
  }

  #check(id: string, raster: Raster): void {
    const { width, height } = this.#grid;
    if (!sameGrid(raster.grid, this.#grid)) {
      throw new SceneMismatchError(id, `Scene "${id}" was read on another grid than the requested one.`);
    }
    if ([...raster.bands, raster.valid].some((array) => array.length !== width * height)) {
      throw new SceneMismatchError(id, `Expected ${width} × ${height} values in each band of scene "${id}".`);
    }
    const type = raster.bands.map(sampleTypeOf).join(", ");
    const count = raster.bands.length;
    this.#like ??= { count, type, id };
    const like = this.#like;
    if (count !== like.count || type !== like.type) {
      const expected = `${like.count} ${like.count === 1 ? "band" : "bands"} (${like.type}) as scene "${like.id}" has`;
      throw new SceneMismatchError(id, `Expected ${expected}, got ${count} (${type}) from scene "${id}".`);
    }
  }
}

/** The pixels that are open in `valid` and have data in `source`. */
class Additions {
  readonly #valid: Uint8Array;
  readonly #source: Uint8Array;
  /** Both by fours of pixels; none where one of them does not begin with a whole four. */
  readonly #validWords: Int32Array;
  readonly #sourceWords: Int32Array;

  constructor(valid: Uint8Array, source: Uint8Array) {
    const words = (valid.byteOffset | source.byteOffset) % 4 === 0 ? valid.length >> 2 : 0;
    this.#valid = valid;
    this.#source = source;
    this.#validWords = words === 0 ? new Int32Array(0) : new Int32Array(valid.buffer, valid.byteOffset, words);
    this.#sourceWords = words === 0 ? new Int32Array(0) : new Int32Array(source.buffer, source.byteOffset, words);
  }

  /** Index of the first of them from `from` on, −1 where there is none. */
  next(from: number): number {
    const [valid, source, validWords, sourceWords] = [this.#valid, this.#source, this.#validWords, this.#sourceWords];
    for (let i = from; i < valid.length; i++) {
      if (i % 4 === 0) {
        let word = i >> 2;
        while (word < validWords.length && (sourceWords[word]! & ~validWords[word]!) === 0) word++;
        i = Math.max(i, word << 2);
      }
      if (valid[i] === 0 && source[i] !== 0) return i;
    }
    return -1;
  }
}

/** Copies `source` into the open pixels of `target` from index `from` on; returns their number. */
function fillOpen(target: Raster, source: Raster, from: number): number {
  const { valid } = target;
  const additions = new Additions(valid, source.valid);
  let filled = 0;
  for (let i = from; i !== -1; i = additions.next(i)) {
    const start = i;
    while (i < valid.length && valid[i] === 0 && source.valid[i] !== 0) valid[i++] = 1;
    for (let band = 0; band < target.bands.length; band++) copyRun(target.bands[band]!, source.bands[band]!, start, i);
    filled += i - start;
  }
  return filled;
}

function copyRun(target: Samples, source: Samples, start: number, end: number): void {
  // a view costs more than copying a few values
  if (end - start > 32) target.set(source.subarray(start, end), start);
  else for (let i = start; i < end; i++) target[i] = source[i]!;
}
