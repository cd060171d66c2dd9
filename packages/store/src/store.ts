/** A value of a column: text, numbers up to 2⁵³ (also for `bigint` columns), bytes. */
export type StoreValue = string | number | null | Uint8Array;
/** A row of an answer, by names of columns. */
export type StoreRow = Readonly<Record<string, StoreValue>>;

/** Runs statements, in the SQL that SQLite and PostgreSQL share; parameters are `$1`, `$2`, ... */
export interface Queries {
  query(text: string, parameters?: readonly StoreValue[]): Promise<readonly StoreRow[]>;
  /** Runs one or more statements without parameters or rows. */
  exec(text: string): Promise<void>;
}

/**
 * The crash that a transaction survives once it is answered: by default a crash of the machine. `process`: a crash of
 * the process, and of the machine once a later transaction has survived that; SQLite then does not wait for the disk.
 */
export type Survives = "machine" | "process";

/**
 * Durable state behind one port. A statement takes effect whole or not at all, and what has been answered survives a
 * crash of the process and of the machine.
 *
 * @throws {StoreError} `unavailable` from every method while the database does not answer.
 */
export interface Store extends Queries {
  readonly engine: "sqlite" | "postgres";
  /**
   * Runs `work` whole or not at all, and one after the other with every transaction of the same `name`, on all nodes.
   * `work` awaits nothing but its own queries.
   */
  transaction<T>(
    name: string,
    work: (queries: Queries) => Promise<T>,
    options?: { readonly survives?: Survives },
  ): Promise<T>;
  /**
   * Removes what was deleted from the store's files, as far as the engine can. SQLite: deleted rows are overwritten as
   * they are deleted, and the write-ahead log, which still has them, is emptied; another process that reads at the time
   * keeps it until the next call. PostgreSQL: nothing, see `docs/operations.md`.
   */
  scrub(): Promise<void>;
  close(): Promise<void>;
}

/** A failure of the database. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** `unavailable`: try again later. `newer-schema`: the database was written by a newer release. */
  readonly code: "unavailable" | "newer-schema";

  constructor(code: StoreError["code"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
