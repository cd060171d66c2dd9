// npm run bench -- --sections charges: what a charge adds to a rendered tile, for one client who asks for one after the other.
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../apps/api/src/open/open-store.ts";
import { storedAccountKeys } from "../packages/accounts/src/keys/account-keys.ts";
import { AccountRows } from "../packages/accounts/src/people/account-rows.ts";
import { storedAccounts } from "../packages/accounts/src/people/stored-accounts.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../test/tools/postgres-server.ts";
import { archiveTimes, serviceDirectory } from "./data/archive.ts";
import { cpuOf, requestImage } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { summarize } from "./measure.ts";
import { startService } from "./servers.ts";
import { type Bench, spread, table } from "./table.ts";

/** Accounts that take turns, so that none of them meets its limit of requests per minute. */
const ACCOUNTS = 60;
export const PREFIX = "bench";

/** A way to ask for the same tile. */
interface Caller {
  readonly name: string;
  readonly port: number;
  readonly pids: readonly number[];
  readonly keys: readonly string[];
  readonly latencies: number[];
  /** Milliseconds of CPU per tile, for each round. */
  readonly cpu: number[];
  asked: number;
}

/** A data directory of its own over the archive of another. */
export async function dataDirectory(service: string): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "swath-charges-"));
  await symlink(join(service, "sandbox"), join(made, "sandbox"));
  return made;
}

/**
 * Keys of new accounts, whose owners have followed their links.
 *
 * @param others accounts beside them, each with a key and units that it has spent.
 */
export async function makeKeys(
  settings: { readonly dataDir: string; readonly databaseUrl?: string },
  others = 0,
): Promise<string[]> {
  const store = await openStore(settings);
  try {
    if (others > 0) for (const statement of addAccounts(others)) await store.exec(statement);
    const rows = new AccountRows({ now: Date.now, addressKey: Buffer.from("") });
    const [accounts, keys] = [storedAccounts(store, rows), storedAccountKeys(store, PREFIX)];
    const made: string[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      const { id } = await accounts.create(`person-${i}@example.org`, "pro");
      await store.query("update account set verified = $2 where id = $1", [id, Date.now()]);
      const key = { name: "bench", scopes: ["data"], expires: undefined, max: 1 } as const;
      made.push((await keys.create(id, key)).secret);
    }
    return made;
  } finally {
    await store.close();
  }
}

/** Statements that add accounts without a look at any of them. */
function addAccounts(count: number): readonly string[] {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const now = Date.now();
  const period = new Date(now).toISOString().slice(0, 7);
  return [
    `insert into account(id, email, tier, created, verified)
      ${numbers} select 'other-' || i, 'other-' || i || '@example.org', 'pro', ${now}, ${now} from n`,
    `insert into account_key(id, account_id, hash, prefix, name, scopes, created)
      ${numbers} select 'key-' || i, 'other-' || i, 'hash-' || i, 'other', 'key', 'data', ${now} from n`,
    `insert into unit_payer(payer, period, spent, minute, minute_units, minute_requests)
      ${numbers} select 'other-' || i, '${period}', 1000, 0, 0, 0 from n`,
    `insert into unit_count(payer, day, route, key_id, units, requests)
      ${numbers} select 'other-' || i, '${period}-01', 'tile', 'key-' || i, 1000, 1 from n`,
  ];
}

async function round(caller: Caller, path: string, requests: number, isMeasured: boolean): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const before = cpuOf(caller.pids);
  for (let i = 0; i < requests; i++) {
    const key = caller.keys[caller.asked++ % caller.keys.length] ?? "";
    const start = performance.now();
    await requestImage({ port: caller.port, headers: { "X-API-Key": key } }, path, agent);
    if (isMeasured) caller.latencies.push(performance.now() - start);
  }
  agent.destroy();
  if (isMeasured) caller.cpu.push((cpuOf(caller.pids) - before) / requests);
}

/** Servers of both profiles and both stores take turns, so that all see the same machine. No finished image is kept. */
export async function charges({ directory, quick, print, progress }: Bench): Promise<void> {
  const [requests, rounds, warmUp] = quick ? [60, 4, 3] : [150, 12, 6];
  const { scenes } = await archiveTimes(directory);
  const { z, x, y } = tileAt(14, 0, 0);
  const path = `/v1/tiles/true-color/WebMercatorQuad/${z}/${x}/${y}.jpg?datetime=${encodeURIComponent(scenes[0] ?? "")}`;
  const folders: string[] = [];
  const closing: (() => void)[] = [];
  let postgres: PostgresServer | undefined;
  const start = async (name: string, env: Record<string, string>, accounts: boolean): Promise<Caller> => {
    progress(`starts ${name}`);
    const dataDir = await dataDirectory(serviceDirectory(directory));
    folders.push(dataDir);
    const databaseUrl = env.DATABASE_URL;
    const keys = accounts
      ? await makeKeys({ dataDir, ...(databaseUrl === undefined ? {} : { databaseUrl }) })
      : ["bench"];
    const { port, pid, close } = await startService(dataDir, { SWATH_KEY_PREFIX: PREFIX, ...env });
    closing.push(close);
    return { name, port, pids: [pid], keys, latencies: [], cpu: [], asked: 0 };
  };
  try {
    const callers = [
      await start("lean, owner's key", { SWATH_PROFILE: "lean" }, false),
      await start("full, owner's key", {}, false),
      await start("full, keys of accounts, SQLite", {}, true),
    ];
    if (hasPostgres) {
      postgres = await startPostgres({ isDurable: true });
      const DATABASE_URL = await postgres.freshDatabase();
      const full = await start("full, keys of accounts, PostgreSQL", { DATABASE_URL }, true);
      const LEAN_URL = await postgres.freshDatabase();
      const lean = { DATABASE_URL: LEAN_URL, SWATH_PROFILE: "lean" };
      callers.push(
        await start("lean, owner's key, PostgreSQL", lean, false),
        { ...full, name: "full, owner's key, PostgreSQL", keys: ["bench"], latencies: [], cpu: [] },
        full,
      );
    }
    for (let i = -warmUp; i < rounds; i++) {
      progress(i < 0 ? "warms up" : `round ${i + 1} of ${rounds}`);
      for (const caller of i % 2 === 0 ? callers : [...callers].reverse()) await round(caller, path, requests, i >= 0);
    }
    // of the same store
    const leanOf = ({ name }: Caller): Caller =>
      callers.find((each) => each.name === `lean, owner's key${name.endsWith("PostgreSQL") ? ", PostgreSQL" : ""}`)!;
    const p50 = ({ latencies }: Caller): number => summarize(latencies).median;
    const cpu = (caller: Caller): number => summarize(caller.cpu).median;
    const more = (value: number, than: number): string => `${value >= than ? "+" : ""}${(value - than).toFixed(2)}`;
    const two = (value: number): string => value.toFixed(2);
    print(
      table(
        ["", "median, ms", "more than lean, ms", "CPU a tile, ms", "more than lean, ms"],
        callers.map((caller) => [
          caller.name,
          two(p50(caller)),
          more(p50(caller), p50(leanOf(caller))),
          spread(summarize(caller.cpu), two),
          more(cpu(caller), cpu(leanOf(caller))),
        ]),
      ),
    );
    print();
    print(`${rounds} rounds of ${requests} tiles after ${warmUp} that only warm up; all servers take turns.`);
    if (postgres !== undefined) print(await reference(postgres));
  } finally {
    for (const close of closing) close();
    await postgres?.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

/** Measures a round trip to the same PostgreSQL server and a commit of one row, one after the other. */
async function reference(postgres: PostgresServer): Promise<string> {
  const store = await openStore({ dataDir: tmpdir(), databaseUrl: await postgres.freshDatabase() });
  try {
    const time = async (text: string): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 300; i++) {
        const start = performance.now();
        await store.query(text);
        if (i >= 100) times.push(performance.now() - start);
      }
      return summarize(times).median;
    };
    const trip = await time("select 1");
    const commit = await time(
      "insert into setting(name, value, updated) values ('bench', '', 0) on conflict(name) do update set updated = setting.updated + 1",
    );
    return `A round trip to PostgreSQL takes ${trip.toFixed(2)} ms, one that commits a row ${commit.toFixed(2)} ms.`;
  } finally {
    await store.close();
  }
}
