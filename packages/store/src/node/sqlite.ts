import type * as Sqlite from "node:sqlite";

/** Loads SQLite without Node 22's line on stderr that it is experimental there: a command's stderr is for its user. */
async function ofNode(): Promise<typeof Sqlite> {
  const { emitWarning } = process;
  process.emitWarning = (...args: unknown[]): void => {
    if (!String(args[0]).startsWith("SQLite is an experimental feature")) Reflect.apply(emitWarning, process, args);
  };
  try {
    return await import("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Node 20 has no SQLite of its own: a package with the same interface takes its place there. */
async function load(): Promise<typeof Sqlite> {
  try {
    return await ofNode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_UNKNOWN_BUILTIN_MODULE") throw error;
    return (await import("@photostructure/sqlite")) as unknown as typeof Sqlite;
  }
}

/** A database file, or `":memory:"`: `DatabaseSync` of `node:sqlite`, as https://nodejs.org/api/sqlite.html describes it. */
export const { DatabaseSync } = await load();
/** An open database. */
export type DatabaseSync = Sqlite.DatabaseSync;
/** A prepared statement. */
export type StatementSync = Sqlite.StatementSync;

/** Codes by the message that SQLite has for them (sqlite3ErrStr); the package of Node 20 gives no code for statements. */
const BY_MESSAGE: Readonly<Record<string, number>> = {
  "database is locked": 5,
  "database table is locked": 6,
  "attempt to write a readonly database": 8,
  "disk I/O error": 10,
  "database disk image is malformed": 11,
  "database or disk is full": 13,
  "unable to open database file": 14,
  "file is not a database": 26,
};

/** The primary code of a failure (https://www.sqlite.org/rescode.html): its low byte. `undefined` for other errors. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode } = error as { errcode?: unknown };
  return typeof errcode === "number" ? errcode & 0xff : BY_MESSAGE[error.message];
}
