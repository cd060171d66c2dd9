import { CogError } from "../errors.ts";

/** Options for reading bytes. */
export interface SourceReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Allocates memory that a source may read into. It belongs to the caller again when `read` has resolved. */
  readonly allocate?: ((length: number) => Uint8Array) | undefined;
}

/** Random access to the bytes of one object. */
export interface Source {
  /** Names the object in caches and messages. */
  readonly key: string;
  /** Size in bytes, where it is known. */
  readonly size?: number | undefined;
  /** Changes when the bytes change (ETag, Last-Modified, modification time); undefined until known. */
  readonly version?: string | undefined;
  /**
   * Can bytes be changed on their way without being noticed, as by plain HTTP? Bytes without a checksum are then read
   * twice and compared, and blocks are read whole. Default false, as for files, memory and TLS.
   */
  readonly exposed?: boolean | undefined;
  /**
   * Bytes `offset … offset + length`; fewer only where the object ends.
   *
   * @throws {CogError} `changed` when the object is no longer the one earlier reads saw; the next read accepts the new one.
   */
  read(offset: number, length: number, options?: SourceReadOptions): Promise<Uint8Array>;
  /** Drops what is kept open or remembered; the source stays usable. */
  close?(): Promise<void>;
}

/** A source over bytes in memory. */
export function memorySource(bytes: Uint8Array, key = `memory:${bytes.byteLength}`): Source {
  return {
    key,
    size: bytes.byteLength,
    async read(offset, length, options) {
      options?.signal?.throwIfAborted();
      checkRange(offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

/** @throws {CogError} `corrupt` unless `offset` and `length` are whole numbers that can be requested. */
export function checkRange(offset: number, length: number): void {
  if (!Number.isSafeInteger(offset) || !Number.isSafeInteger(length) || offset < 0 || length < 0) {
    throw new CogError("corrupt", `Expected a byte range, got offset ${offset} and length ${length}.`);
  }
}

/** A copy with a buffer of its own: `slice` of a Node `Buffer` is a view. */
export function copyBytes(bytes: Uint8Array, length = bytes.length): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes.subarray(0, length));
}
