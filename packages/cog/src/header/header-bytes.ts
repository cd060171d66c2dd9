import { CogError } from "../errors.ts";
import { readCompared } from "../sources/read-compared.ts";
import type { Source } from "../sources/source.ts";

/** More header than this is not a header. */
const MAX_HEADER = 64 * 1024 * 1024;

/** The part of a file that holds its directories: one prefetch, then whatever else is asked, kept until the file is open. */
export class HeaderBytes {
  readonly #source: Source;
  readonly #prefetch: number;
  readonly #signal: AbortSignal | undefined;
  readonly #pieces: { offset: number; bytes: Uint8Array; last: boolean }[] = [];
  #total = 0;

  constructor(source: Source, prefetch: number, signal: AbortSignal | undefined) {
    this.#source = source;
    this.#prefetch = prefetch;
    this.#signal = signal;
  }

  /** Bytes held, for accounting. */
  get total(): number {
    return this.#total;
  }

  /** `length` bytes at `offset` where they have been read already. */
  peek(offset: number, length: number): Uint8Array | undefined {
    for (const piece of this.#pieces) {
      const start = offset - piece.offset;
      if (start >= 0 && (start + length <= piece.bytes.length || (piece.last && start <= piece.bytes.length))) {
        return piece.bytes.subarray(start, start + length);
      }
    }
    return undefined;
  }

  /** `length` bytes at `offset`, fewer only at the end of the file. Reads at least the prefetch length at a time. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const held = this.peek(offset, length);
    if (held !== undefined) return held;
    const size = this.#source.size;
    if (size !== undefined && offset >= size) return new Uint8Array(0);
    const wanted = Math.max(length, this.#prefetch);
    if (this.#total + wanted > MAX_HEADER) {
      throw new CogError("too-large", `${this.#source.key}: the header is larger than ${MAX_HEADER} bytes.`);
    }
    const bytes = await readCompared(this.#source, offset, wanted, { signal: this.#signal });
    this.#pieces.push({ offset, bytes, last: bytes.length < wanted });
    this.#total += bytes.length;
    return bytes.subarray(0, length);
  }

  /** All of `length` bytes at `offset`. @throws {CogError} `corrupt` when the file ends before. */
  async readExactly(offset: number, length: number): Promise<Uint8Array> {
    const bytes = await this.read(offset, length);
    if (bytes.length < length) {
      throw new CogError(
        "corrupt",
        `${this.#source.key}: expected ${length} bytes at ${offset}, the file ends after ${bytes.length}.`,
      );
    }
    return bytes;
  }
}
