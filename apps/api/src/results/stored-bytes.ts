export interface ByteRange {
  readonly start: number;
  /** Last byte, inclusive. */
  readonly end: number;
}

/** Stored bytes, to be sent whole or in part. */
export interface StoredBytes {
  readonly size: number;
  readonly modified: Date;
  /** Quoted, as in the header. */
  readonly etag: string;
  /** A stream of the range, which is never empty. */
  open(range: ByteRange): Promise<ReadableStream<Uint8Array>> | ReadableStream<Uint8Array>;
}
