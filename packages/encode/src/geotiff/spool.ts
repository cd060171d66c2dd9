/** Keeps the compressed data of one level until the directories before it can be written. */
export interface Spool {
  /** Adds bytes at the end. The caller may reuse their memory once the promise settles. */
  append(parts: readonly Uint8Array[]): Promise<void>;
  /** All bytes in order, in pieces; each piece is used before the next is asked for. */
  pieces(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Frees what is held. Called once, after success and after failure. */
  close(): Promise<void>;
}

/** Takes the finished file from front to back: a file, an upload, a list. */
export interface Sink {
  /** Called once, before the first byte, with the size of the whole file. */
  start?(size: number): Promise<void>;
  write(bytes: Uint8Array): Promise<void>;
  /** The file is complete. */
  end(): Promise<void>;
  /** The file will not be completed; what was written is to be thrown away. */
  abort(): Promise<void>;
}

/** A spool in memory. */
export function memorySpool(): Spool {
  let kept: Uint8Array[] = [];
  return {
    async append(parts) {
      for (const part of parts) kept.push(part.slice());
    },
    pieces: () => kept,
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
