import { createHash } from "node:crypto";
import pg from "pg";
import { type Queries, type Store, StoreError, type StoreRow, type StoreValue } from "../store.ts";

const CONNECT_MS = 5000;
const STATEMENT_MS = 10_000;
const INT8 = 20;

/** SQLSTATE classes of a server that is unreachable, full, stopping or wants a retry. */
const AWAY = /^(08|53|57P|40)/;

/** `bigint` as a number: all of ours are counts and epoch milliseconds. */
const types = {
  getTypeParser: (id: number, format?: "text" | "binary") =>
    id === INT8 && format !== "binary" ? Number : pg.types.getTypeParser(id, format as "text"),
} as pg.CustomTypesConfig;

/** Classes of a server that does not let us in: a wrong password, an unknown database. */
const REFUSED = /^(28|3D)/;

/** Turns an error of pg while it talked to the server, as a StoreError where it is not the statement's fault. */
function translate(error: unknown, place: string): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (error instanceof pg.DatabaseError && REFUSED.test(code ?? "")) {
    return new StoreError("unavailable", `${place} refuses the service: ${error.message}.`, {
      cause: error,
    });
  }
  if (error instanceof pg.DatabaseError && !AWAY.test(code ?? "")) return error;
  const why = code === undefined ? "" : ` (${code})`;
  return new StoreError("unavailable", `${place} does not answer${why}.`, { cause: error });
}

async function withStoreError<T>(answer: Promise<T>, place: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw translate(error, place);
  }
}

/** The database server as messages name it, without who logs in. */
function hostOf(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : "";
  return host === "" ? "the database" : `the database at ${host}`;
}

/** A 63-bit number for PostgreSQL's advisory locks. */
function lockNumber(name: string): string {
  return (createHash("sha256").update(`swath ${name}`).digest().readBigInt64BE() >> 1n).toString();
}

function queriesOf(client: pg.Pool | pg.PoolClient, place: string): Queries {
  return {
    async query(text: string, parameters: readonly StoreValue[] = []) {
      const answer = await withStoreError(client.query<StoreRow>(text, [...parameters]), place);
      // several statements without parameters have an answer each
      return Array.isArray(answer) ? answer.flatMap(({ rows }: pg.QueryResult<StoreRow>) => rows) : answer.rows;
    },
    async exec(text: string) {
      await withStoreError(client.query(text), place);
    },
  };
}

/** Options of a store on PostgreSQL. */
export interface PostgresOptions {
  /** Name of the setting that holds the address, with which messages begin. */
  readonly setting?: string;
  /** Most connections at once. */
  readonly connections?: number;
}

/**
 * The store of many nodes: a PostgreSQL database, reached over at most `connections` connections. Statements are not
 * prepared by name, so that a pooler may be put in front.
 */
export function openPostgresStore(url: string, { setting, connections = 8 }: PostgresOptions = {}): Store {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 2000,
    application_name: "swath",
    keepAlive: true,
    types,
  });
  // an idle connection that breaks is replaced at the next query, which fails if the server is unavailable
  pool.on("error", () => {});
  const place = setting === undefined ? hostOf(url) : `${setting}: ${hostOf(url)}`;
  return {
    engine: "postgres",
    ...queriesOf(pool, place),
    async transaction(name, work) {
      const client = await withStoreError(pool.connect(), place);
      const db = queriesOf(client, place);
      let broken = false;
      // the pool listens to idle connections alone: one that breaks between two statements would end the process
      const onBreak = (): void => {
        broken = true;
      };
      client.on("error", onBreak);
      try {
        await db.exec("begin");
        await db.query("select pg_advisory_xact_lock($1)", [lockNumber(name)]);
        const result = await work(db);
        await db.exec("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch(() => {
          broken = true;
        });
        throw error;
      } finally {
        client.off("error", onBreak);
        client.release(broken);
      }
    },
    scrub: async () => {},
    close: () => pool.end(),
  };
}
