import { basename } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Queries, type Store, StoreError, type StoreRow, type StoreValue } from "../store.ts";
import { DatabaseSync, resultCode, type StatementSync } from "./sqlite.ts";

/** Result codes of https://www.sqlite.org/rescode.html. */
const BUSY = 5;
const LOCKED = 6;
/** Read-only, input or output error, full, cannot open: faults of the disk rather than of a statement. */
const DISK_FAULTS = [8, 10, 13, 14];
/** Damaged, or no database at all. */
const DAMAGED = [11, 26];

function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

/** Turns an error of SQLite into a StoreError where it is not the statement's fault; messages name the file as `file`. */
function translate(cause: unknown, { file, begin }: Place): unknown {
  const code = resultCode(cause) ?? 0;
  const unavailable = (what: string): StoreError => new StoreError("unavailable", `${begin}${what}.`, { cause });
  if (isBusy(cause)) return unavailable(`another process keeps ${file} locked`);
  if (DAMAGED.includes(code)) return unavailable(`${file} is damaged, or no SQLite file`);
  return DISK_FAULTS.includes(code) ? unavailable(`${file} cannot be read or written`) : cause;
}

interface Place {
  readonly file: string;
  /** The beginning of messages. */
  readonly begin: string;
}

/** Options of a store on SQLite. */
export interface SqliteOptions {
  /** Name of the setting that holds the path, with which messages begin. */
  readonly setting?: string;
  /** Longest wait for other processes that write to the same file, milliseconds. Default 10,000. */
  readonly longestWait?: number;
}

/**
 * The embedded store: one SQLite file, which several processes of one machine may share, or `":memory:"`.
 * A file that another process writes to is waited for off the event loop.
 */
export function openSqliteStore(file: string, { setting, longestWait = 10_000 }: SqliteOptions = {}): Store {
  const place = { file: basename(file), begin: setting === undefined ? "" : `${setting}: ` };
  // the engine's own wait stops the whole process, so it is short; the longer one is ours
  const db = new DatabaseSync(file, { timeout: 5 });
  const statements = new Map<string, StatementSync>();
  let turn: Promise<unknown> = Promise.resolve();
  let synchronous: "full" | "normal" = "full";

  const prepare = (text: string): StatementSync => {
    let statement = statements.get(text);
    if (statement === undefined) {
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement;
  };
  const run = (text: string, parameters: readonly StoreValue[] = []): readonly StoreRow[] => {
    const named: Record<string, StoreValue> = {};
    for (const [index, value] of parameters.entries()) named[`$${index + 1}`] = value;
    return prepare(text).all(named) as unknown as readonly StoreRow[];
  };
  /** In WAL mode `normal` writes the log and leaves it to the system when it reaches the disk. */
  const synchronize = (wanted: typeof synchronous): void => {
    if (wanted === synchronous) return;
    db.exec(`pragma synchronous = ${wanted}`);
    synchronous = wanted;
  };
  const patiently = async <T>(work: () => T): Promise<T> => {
    const deadline = performance.now() + longestWait;
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw translate(error, place);
        await pause(1 + Math.random() * 10);
      }
    }
  };
  /** The connection is one: statements from elsewhere wait until a transaction is over. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };
  const inside: Queries = {
    query: async (text, parameters) => run(text, parameters),
    exec: async (text) => db.exec(text),
  };
  // full: a commit is on the disk before it is answered; in WAL mode readers never wait
  // secure_delete: what is deleted is overwritten with zeros
  for (const pragma of ["journal_mode = wal", "synchronous = full", "foreign_keys = on", "secure_delete = on"]) {
    const deadline = performance.now() + longestWait;
    for (;;) {
      try {
        db.exec(`pragma ${pragma}`);
        break;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw translate(error, place);
      }
    }
  }
  return {
    engine: "sqlite",
    query: (text, parameters) =>
      inTurn(() =>
        patiently(() => {
          synchronize("full");
          return run(text, parameters);
        }),
      ),
    exec: (text) =>
      inTurn(() =>
        patiently(() => {
          synchronize("full");
          db.exec(text);
        }),
      ),
    transaction: (_name, work, { survives = "machine" } = {}) =>
      inTurn(async () => {
        try {
          synchronize(survives === "process" ? "normal" : "full");
          await patiently(() => run("begin immediate"));
          const result = await work(inside);
          run("commit");
          return result;
        } catch (error) {
          if (db.isTransaction) db.exec("rollback");
          throw translate(error, place);
        }
      }),
    async scrub() {
      for (let left = 20; left > 0; left--) {
        const [row] = await inTurn(async () => run("pragma wal_checkpoint(truncate)"));
        if (row?.busy !== 1) return;
        await pause(50);
      }
    },
    close: () => inTurn(async () => db.close()),
  };
}
