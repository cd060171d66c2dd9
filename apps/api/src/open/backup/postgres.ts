import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { migrate, PARTS_SCHEMA, type Queries, STORE_TABLES } from "@swath/store";
import { openSqliteStore, type StoreSettings } from "@swath/store/node";
import { openPostgresStore } from "@swath/store/node/postgres";
import { OWN_TABLES } from "../open-store.ts";
import { BackupError, readBackup, writeBackup } from "./backup-file.ts";
import { readFacts, type StateFacts } from "./facts.ts";
import { DRAFT, REPLACED, removeDrafts } from "./finish-restore.ts";
import type { Restored, RestoreOptions } from "./sqlite-restore.ts";

const execute = promisify(execFile);
const MAX_OUTPUT = 1e9;

/** The address without its password, which goes by the environment, where other processes do not see it. */
function connection(databaseUrl: string): { readonly address: string; readonly env: NodeJS.ProcessEnv } {
  const url = new URL(databaseUrl);
  const password = url.searchParams.get("password") ?? decodeURIComponent(url.password);
  url.password = "";
  url.searchParams.delete("password");
  return { address: url.href, env: { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) } };
}

async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await execute(program, [...args], { env, maxBuffer: MAX_OUTPUT })).stdout;
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === "ENOENT") {
      const what = "install PostgreSQL's client programs (postgresql-client), of the server's version or newer";
      throw new BackupError(`${program} is not there: ${what}.`, { cause: error });
    }
    const lines = (stderr ?? "").split("\n");
    const line = lines.find((text) => /error|fatal/i.test(text)) ?? lines[0];
    throw new BackupError(`${program} failed: ${line}`, { cause: error });
  }
}

/** Copies a database into a file of a folder, as of one moment. */
export async function copyPostgres(databaseUrl: string, folder: string): Promise<string> {
  const { address, env } = connection(databaseUrl);
  const copy = join(folder, "state.dump");
  // the backup is compressed as a whole, with a checksum
  const form = ["--format=custom", "--compress=0", "--no-owner", "--no-privileges"];
  // parts of jobs are made again: the files that they have left are not in a backup
  const tables = ["part", "part_claim", "part_set"].map((table) => `--exclude-table-data=${table}`);
  const without = [`--exclude-schema=${PARTS_SCHEMA}`, ...tables];
  await run("pg_dump", [...form, ...without, `--file=${copy}`, `--dbname=${address}`], env);
  return copy;
}

/**
 * Puts a backup in the place of the tables of a database, in one transaction. Nodes that run are seen by their connections.
 *
 * @throws {BackupError} for a file that is no whole backup, and where a node runs.
 * @throws {StoreError} `newer-schema`.
 */
export async function restorePostgres(
  file: string,
  { dataDir, databaseUrl }: Required<StoreSettings>,
  { accept, now }: RestoreOptions,
): Promise<Restored> {
  const folder = await mkdtemp(join(dataDir, DRAFT));
  try {
    const { address, env } = connection(databaseUrl);
    const dump = join(folder, "state.dump");
    await readBackup(file, dump);
    const backup = await examine(file, dump, env);
    let replaced: string | undefined;
    const state = await existing(databaseUrl);
    if (state !== undefined) {
      if (!accept({ backup, state })) return undefined;
      replaced = join(dataDir, `${REPLACED}${new Date(now).toISOString().replaceAll(":", "-")}.backup`);
      await writeBackup(replaced, (part) => copyPostgres(databaseUrl, part));
    }
    const script = join(folder, "restore.sql");
    const own = join(folder, "own.sql");
    await writeFile(own, dropText(), { mode: 0o600 });
    const form = ["--clean", "--if-exists", "--no-owner", "--no-privileges"];
    await run("pg_restore", [...form, `--file=${script}`, dump], env);
    const whole = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"];
    await run("psql", [...whole, `--file=${own}`, `--file=${script}`, `--dbname=${address}`], env);
    return replaced === undefined ? { backup } : { backup, replaced };
  } finally {
    await removeDrafts(dataDir);
  }
}

/** Drops what releases have made, also where the backup's release had not: its migration makes it again. */
function dropText(): string {
  const parts = [STORE_TABLES, ...OWN_TABLES];
  const texts = parts
    .flatMap(({ migrations }) => migrations.map(({ text, postgres = "" }) => text + postgres))
    .join("");
  const names = (kind: string) => [...texts.matchAll(new RegExp(`create ${kind} (\\w+)`, "g"))].map(([, name]) => name);
  const tables = [...names("table"), "migration", "part_migration"].map(
    (name) => `drop table if exists ${name} cascade;`,
  );
  return [
    "set client_min_messages = warning;",
    ...tables,
    ...names("function").map((name) => `drop function if exists ${name};`),
    "",
  ].join("\n");
}

/** Rows of one table of a dump. */
async function rowsOf(dump: string, table: string, env: NodeJS.ProcessEnv): Promise<readonly (readonly string[])[]> {
  const text = await run("pg_restore", ["--data-only", `--table=${table}`, "--file=-", dump], env);
  const [, rows = ""] = /^COPY [^\n]* FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(text) ?? [];
  return rows
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => row.split("\t"));
}

/** Refuses a dump that is none of ours, or a newer release's; says what is in it. */
async function examine(file: string, dump: string, env: NodeJS.ProcessEnv): Promise<StateFacts> {
  const list = await run("pg_restore", ["--list", dump], env).catch((error: BackupError) => {
    if (error.message.includes("is not there")) throw error;
    throw new BackupError(`${file} is no backup of a database. Nothing was changed.`, { cause: error });
  });
  if (!/ TABLE \S+ migration /.test(list)) {
    throw new BackupError(`${file} has no tables of this service. Nothing was changed.`);
  }
  const tables = [STORE_TABLES, ...OWN_TABLES];
  const store = openSqliteStore(":memory:");
  try {
    await migrate(store, tables);
    for (const [part = "", version = ""] of await rowsOf(dump, "part_migration", env)) {
      const text = "insert into part_migration(part, version, applied) values ($1, $2, 0) on conflict do nothing";
      await store.query(text, [part, Number(version)]);
    }
    await migrate(store, tables);
  } finally {
    await store.close();
  }
  return dumpFacts(dump, env);
}

async function dumpFacts(dump: string, env: NodeJS.ProcessEnv): Promise<StateFacts> {
  const counts = { accounts: 0, keys: 0, changed: 0 };
  for (const table of ["account", "account_key", "api_key", "job", "setting"]) {
    const text = await run("pg_restore", ["--data-only", `--table=${table}`, "--file=-", dump], env);
    const names = /^COPY [^(\n]*\(([^)]*)\)/m.exec(text)?.[1]?.split(", ") ?? [];
    const column = names.findIndex((name) => name === (table === "job" || table === "setting" ? "updated" : "created"));
    const deleted = names.indexOf("deleted");
    for (const row of await rowsOf(dump, table, env)) {
      counts.changed = Math.max(counts.changed, Number(row[column] ?? 0));
      if (table === "account" && row[deleted] === "\\N") counts.accounts += 1;
      if (table.endsWith("_key")) counts.keys += 1;
    }
  }
  return counts;
}

async function postgresTables(db: Queries): Promise<ReadonlySet<string>> {
  const rows = await db.query("select tablename as name from pg_tables where schemaname = current_schema()");
  return new Set(rows.map(({ name }) => String(name)));
}

/** The state of the database; `undefined` where there is none. */
async function existing(databaseUrl: string): Promise<StateFacts | undefined> {
  const store = openPostgresStore(databaseUrl, { setting: "DATABASE_URL", connections: 1 });
  try {
    await refuseOthers(store);
    const tables = await postgresTables(store);
    return tables.has("migration") ? await readFacts(store, tables) : undefined;
  } finally {
    await store.close();
  }
}

/** The server forgets a connection some moments after it was closed. */
async function refuseOthers(db: Queries): Promise<void> {
  for (let left = 10; left > 0; left--) {
    const others = await db.query(`select 1 from pg_stat_activity
      where datname = current_database() and application_name = 'swath' and pid <> pg_backend_pid()`);
    if (others.length === 0) return;
    await pause(200);
  }
  throw new BackupError("A node or a command runs on the database: stop all of them first. Nothing was changed.");
}
