/** Bytes that can be read. */
export interface ByteSource {
  /** Fills `into` with the bytes from `position` on, all of which are there. Several reads may run at a time. */
  read(position: number, into: Uint8Array): Promise<void>;
}

/** Keeps the compressed data of one level until the directories before it can be written. */
export interface Spool extends ByteSource {
  /** Adds bytes at the end. The caller may reuse their memory once the promise settles. */
  append(parts: readonly Uint8Array[]): Promise<void>;
  /** Frees all bytes from `size` on; they are not read any more. */
  shrink?(size: number): Promise<void>;
  /** Frees what is held. Called once, after success and after failure. */
  close(): Promise<void>;
}

/** Takes the finished file: a file, an upload, a list. */
export interface Sink {
  /** Called once, before the first byte, with the size of the whole file. */
  start?(size: number): Promise<void>;
  /** Takes the next bytes, from front to back. */
  write(bytes: Uint8Array): Promise<void>;
  /** Writes bytes at any position. Where present, it is called instead of `write`, several times at once. */
  writeAt?(bytes: Uint8Array, position: number): Promise<void>;
  /**
   * Takes bytes of a part that is joined as the next ones, without their being read here. Where present, it is called in place of `write`
   * for what parts hold.
   *
   * @param part its number among the parts as they were given
   */
  copy?(part: number, position: number, length: number): Promise<void>;
  /** The file is complete. */
  end(): Promise<void>;
  /** The file will not be completed; what was written is to be thrown away. */
  abort(): Promise<void>;
}

/** A spool in memory. */
export function memorySpool(): Spool {
  let kept: { readonly start: number; readonly bytes: Uint8Array }[] = [];
  let size = 0;
  return {
    async append(parts) {
      for (const part of parts) {
        kept.push({ start: size, bytes: part.slice() });
        size += part.length;
      }
    },
    async read(position, into) {
      let low = 0;
      for (let high = kept.length - 1; low < high; ) {
        const middle = (low + high + 1) >> 1;
        if (kept[middle]!.start <= position) low = middle;
        else high = middle - 1;
      }
      for (let done = 0; done < into.length; low++) {
        const { start, bytes } = kept[low]!;
        const from = position + done - start;
        const part = bytes.subarray(from, from + into.length - done);
        into.set(part, done);
        done += part.length;
      }
    },
    async close() {
      kept = [];
    },
  };
}

/** A sink in memory; `bytes()` is what was written. */
export function memorySink(): Sink & { bytes(): Uint8Array } {
  let held = new Uint8Array(0);
  let length = 0;
  return {
    async start(size) {
      held = new Uint8Array(size);
    },
    async write(bytes) {
      held.set(bytes, length);
      length += bytes.length;
    },
    async end() {},
    async abort() {
      held = new Uint8Array(0);
    },
    bytes: () => held.subarray(0, length),
  };
}
