import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Store } from "@swath/store";
import type { StoreSettings } from "@swath/store/node";
import { childEnvironment } from "../../../../test/tools/child-environment.ts";
import { postgresPrograms } from "../../../../test/tools/postgres-server.ts";
import { checkDataDirectory } from "../../src/open/data-directory.ts";
import { openStore } from "../../src/open/open-store.ts";

const BIN = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
export const SECRETS = ["results-secret", "archive-secret", "sandbox-key", "sandbox-map"];

/** A command of the owner, ended, as its own process. */
export interface Ended {
  /** `null` where it was killed. */
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command in a process of its own. */
export async function runProcess(
  args: readonly string[],
  { dataDir, databaseUrl }: StoreSettings,
  options: readonly string[] = [],
): Promise<Ended> {
  const inherited = childEnvironment();
  const env = {
    ...inherited,
    PATH: [postgresPrograms ?? "", inherited.PATH].join(delimiter),
    SWATH_DATA_DIR: dataDir,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const child = spawn(process.execPath, ["--conditions=@swath/source", ...options, BIN, ...args], { env });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, text: chunks.join("") };
}

/** Fills a state: an account with keys, a map, units and a job; `mark` is in all of them. */
export async function fill(store: Store, mark: string): Promise<void> {
  const now = Date.UTC(2026, 5, 16, 12);
  await store.transaction("fill", async (db) => {
    await db.query("insert into account(id, email, tier, created) values ($1, $2, 'free', $3)", [
      mark,
      `${mark}@example.org`,
      now,
    ]);
    await db.query(
      `insert into account_key(id, account_id, hash, prefix, name, scopes, created)
        values ($1, $1, $1, 'p', 'Käse; ''quoted''\n\\.', 'read', $2)`,
      [mark, now],
    );
    await db.query(
      `insert into map_token(id, account_id, hash, prefix, units_day, created, expires)
        values ($1, $1, $1, 'p', 5, $2, $2)`,
      [mark, now],
    );
    await db.query("insert into unit_payer values ($1, '2026-06', 123456, 1, 2, 3)", [mark]);
    await db.query("insert into unit_count values ($1, '2026-06-16', 'tiles', 'key', 123456, 7)", [mark]);
    await db.query(
      `insert into job(id, owner, request, status, created, updated, progress, lease, attempts)
        values ($1, $1, '{}', 'accepted', $2, $2, 0.1, 0, 1)`,
      [mark, now],
    );
  });
}

export async function writeSecrets(dataDir: string, mark: string): Promise<void> {
  for (const name of SECRETS) await writeFile(join(dataDir, name), `${mark} ${name}\n`, { mode: 0o600 });
}

const TABLES = `account account_key access_token address_count api_key bucket job key_secret mail map_token mcp_session
  migration part_migration setting sign_in_link slot spending unit_count unit_payer unit_reservation usage_batch
  usage_count`.split(/\s+/);

/** All rows of a state, opened as the service opens it. */
export async function stateOf(settings: StoreSettings): Promise<Record<string, readonly string[]>> {
  await checkDataDirectory(settings.dataDir);
  const store = await openStore(settings);
  try {
    const rows: Record<string, readonly string[]> = {};
    for (const table of TABLES) {
      rows[table] = (await store.query(`select * from ${table}`)).map((row) => JSON.stringify(row)).sort();
    }
    return rows;
  } finally {
    await store.close();
  }
}
