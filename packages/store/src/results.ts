/** A range of a file. */
export interface FileRange {
  readonly start: number;
  /** Last byte, inclusive. */
  readonly end: number;
}

/** A file as it is stored, to be sent whole or in part. */
export interface StoredFile {
  readonly size: number;
  readonly modified: Date;
  /** Quoted, as in the header. */
  readonly etag: string;
  /** A stream of the range, which is never empty. */
  open(range: FileRange): Promise<ReadableStream<Uint8Array>> | ReadableStream<Uint8Array>;
  /** Fills `into`, which is not empty, with the bytes from `position` on. @throws {ResultStoreError} where it cannot. */
  read(position: number, into: Uint8Array): Promise<void>;
}

/** Takes a file from front to back. */
export interface ResultSink {
  write(bytes: Uint8Array): Promise<void>;
  /** Takes bytes of a published file as the next ones, which this machine does not read where the store can copy them. */
  copy?(id: string, file: string, position: number, length: number): Promise<void>;
  /** Publishes the file, whole. */
  end(): Promise<void>;
  /** Throws away what was written. Harmless after the end. */
  abort(): Promise<void>;
}

/** The folder of one result: each result has its own, so that no two share a name. */
export interface ResultPlace {
  /** 128 random bits in hexadecimal: not to be guessed. */
  readonly id: string;
  readonly directory: string;
}

/**
 * Finished files: in a folder, or in a bucket. A file is written in its folder on this machine, and is found once it is
 * published, whole.
 */
export interface ResultStore {
  /** Folder for what waits to be written; it is emptied by the system when its writer ends. */
  readonly spoolDirectory: string;
  allocate(): Promise<ResultPlace>;
  /** Tries to write to the folders of this machine. @throws {Error} with the `code` of the system and the `path`. */
  check(): Promise<void>;
  /**
   * Publishes a complete file of a folder.
   *
   * @throws {ResultStoreError} when the store does not answer or is full.
   */
  publish(id: string, file: string): Promise<void>;
  /**
   * Begins a file in the folder of a result, which is published when it ends: with a bucket this machine does not hold it.
   *
   * @throws {ResultStoreError} when the store does not answer or is full; so do the methods of the sink.
   */
  create(id: string, file: string): Promise<ResultSink>;
  /** A published file; `undefined` for names that no result has, and for files that are gone. */
  find(id: string, file: string): Promise<StoredFile | undefined>;
  /** An address outside of the service that gives the file for so many seconds, where the deployment allows it. */
  address?(id: string, file: string, seconds: number): Promise<string | undefined>;
  /** Deletes a result, published or not. */
  remove(id: string): Promise<void>;
  /** Deletes what was last written before `olderThan` (milliseconds since 1970), unfinished files too. */
  removeExpired(olderThan: number): Promise<readonly string[]>;
}

/** The store of results does not answer, or refuses. */
export class ResultStoreError extends Error {
  override readonly name = "ResultStoreError";
  readonly code = "unavailable";
}

const ID = /^[0-9a-f]{32}$/;
const FILE = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\.(tif|png|blocks)$/;

/** Whether text is the id of a result: nothing that could lead elsewhere. */
export const isResultId = (id: string): boolean => ID.test(id);
/** Whether two texts are the id of a result and the name of a file in it. */
export const isResultName = (id: string, file: string): boolean => ID.test(id) && FILE.test(file);
