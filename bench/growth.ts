// npm run bench -- --sections growth: what a tile costs with more nodes, more accounts and more scenes behind it.
import { rm } from "node:fs/promises";
import { Agent } from "node:http";
import { hasPostgres, startPostgres } from "../test/tools/postgres-server.ts";
import { dataDirectory, makeKeys, PREFIX } from "./charges.ts";
import { archiveTimes, manyScenes, serviceDirectory } from "./data/archive.ts";
import { childrenOf, cpuOf, requestImage } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { summarize } from "./measure.ts";
import { startService } from "./servers.ts";
import { type Bench, ms, spread, table } from "./table.ts";

/** Connections to each node. */
const CONNECTIONS = 8;
const NODES = [1, 2, 4];
const ACCOUNTS = [100, 10_000, 1_000_000];
const SCENES = [1, 6, 50];

interface Node {
  readonly port: number;
  readonly pid: number;
  /** Keys of accounts in its database. */
  readonly keys: readonly string[];
  close(): void;
}

/** Nodes that answer the same requests, each with its share of them. */
interface Fleet {
  readonly name: string;
  readonly nodes: readonly Node[];
  readonly paths: readonly string[];
  /** Processes of the database. */
  readonly database: () => number[];
  asked: number;
}

interface Round {
  readonly perSecond: number;
  /** Milliseconds of CPU a tile. */
  readonly nodes: number;
  readonly database: number;
  readonly median: number;
}

/** Asks for tiles that take turns, with keys of accounts that do: no finished image is kept, and no two wait for the same one. */
async function round(fleet: Fleet, requestsOfNode: number): Promise<Round> {
  const { nodes, paths, database } = fleet;
  const requests = requestsOfNode * nodes.length;
  const pids = nodes.map(({ pid }) => pid);
  const [before, databaseBefore] = [cpuOf(pids), cpuOf(database())];
  const latencies: number[] = [];
  let left = requests;
  const work = async ({ port, keys }: Node): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    while (left > 0) {
      left -= 1;
      const asked = fleet.asked++;
      const headers = { "X-API-Key": keys[asked % keys.length] ?? "" };
      const begun = performance.now();
      await requestImage({ port, headers }, paths[asked % paths.length]!, agent);
      latencies.push(performance.now() - begun);
    }
    agent.destroy();
  };
  const start = performance.now();
  await Promise.all(nodes.flatMap((node) => Array.from({ length: CONNECTIONS }, () => work(node))));
  const wall = performance.now() - start;
  return {
    perSecond: (1000 * requests) / wall,
    nodes: (cpuOf(pids) - before) / requests,
    database: (cpuOf(database()) - databaseBefore) / requests,
    median: summarize(latencies).median,
  };
}

/** Fleets take turns, so that all see the same machine. */
async function compare(fleets: readonly Fleet[], { quick, progress }: Bench): Promise<string> {
  const [requests, rounds, warmUp] = quick ? [80, 2, 2] : [200, 7, 4];
  const measured = fleets.map((): Round[] => []);
  for (let i = -warmUp; i < rounds; i++) {
    progress(i < 0 ? "warms up" : `round ${i + 1} of ${rounds}`);
    for (const [f, fleet] of [...fleets.entries()].sort((a, b) => (i % 2 === 0 ? a[0] - b[0] : b[0] - a[0]))) {
      const one = await round(fleet, requests);
      if (i >= 0) measured[f]!.push(one);
    }
  }
  const of = (f: number, value: (each: Round) => number, format = two): string =>
    spread(summarize(measured[f]!.map(value)), format);
  const rows = fleets.map(({ name }, f) => [
    name,
    of(f, ({ perSecond }) => perSecond, ms),
    of(f, ({ median }) => median, ms),
    of(f, ({ nodes }) => nodes),
    fleets[f]!.database().length === 0 ? "" : of(f, ({ database }) => database),
  ]);
  const heads = ["", "tiles/s", "median ms a tile", "CPU ms a tile", "CPU ms of PostgreSQL a tile"];
  return `${table(heads, rows)}\n\n${rounds} rounds of ${requests} tiles a node after ${warmUp} that only warm up, in turns, over ${CONNECTIONS} connections to each node.`;
}

const two = (value: number): string => value.toFixed(2);

/** A tile of one scene, charged to an account each time, from more nodes, among more accounts, and from among more scenes. */
export async function growth(bench: Bench): Promise<void> {
  const { directory, quick, print, progress } = bench;
  if (!hasPostgres) {
    print("PostgreSQL was not installed.");
    return;
  }
  const { scenes } = await archiveTimes(directory);
  const tiles = Array.from({ length: 2 * CONNECTIONS + 1 }, (_, i) => tileAt(14, (i % 4) - 2, Math.floor(i / 4) - 2));
  const pathsOf = (interval: string): string[] =>
    tiles.map(
      ({ z, x, y }) =>
        `/v1/tiles/true-color/WebMercatorQuad/${z}/${x}/${y}.jpg?datetime=${encodeURIComponent(interval)}`,
    );
  const postgres = await startPostgres({ isDurable: true });
  const database = (): number[] => [postgres.pid, ...childrenOf(postgres.pid)];
  const folders: string[] = [];
  const running: Fleet[] = [];
  const start = async (
    name: string,
    {
      nodes = 1,
      databases = 1,
      others = 0,
      service = serviceDirectory(directory),
      interval = scenes[0]!,
      sqlite = false,
    } = {},
  ): Promise<Fleet> => {
    progress(`starts ${name}`);
    const own: string[] = [];
    for (let i = 0; i < nodes; i++) own.push(await dataDirectory(service));
    folders.push(...own);
    const env = { SWATH_KEY_PREFIX: PREFIX, SWATH_WARM_UP: "off" };
    const states: { url: Record<string, string>; keys: string[] }[] = [];
    for (let i = 0; i < databases; i++) {
      const databaseUrl = sqlite ? undefined : await postgres.freshDatabase();
      const settings = databaseUrl === undefined ? {} : { databaseUrl };
      const keys = await makeKeys({ dataDir: own[i]!, ...settings }, others);
      states.push({ url: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }, keys });
    }
    const started = await Promise.all(
      own.map(async (folder, i): Promise<Node> => {
        const { url, keys } = states[i % databases]!;
        return { ...(await startService(folder, { ...env, ...url })), keys };
      }),
    );
    const fleet = {
      name,
      nodes: started,
      paths: pathsOf(interval),
      database: sqlite ? () => [] : database,
      asked: 0,
    };
    running.push(fleet);
    return fleet;
  };
  const stop = (): void => {
    for (const { nodes } of running.splice(0)) for (const { close } of nodes) close();
  };
  try {
    const nodes: Fleet[] = [];
    for (const count of NODES) nodes.push(await start(count === 1 ? "1 node" : `${count} nodes`, { nodes: count }));
    const most = NODES.at(-1)!;
    nodes.push(await start(`${most} nodes, each with a database of its own`, { nodes: most, databases: most }));
    print(await compare(nodes, bench));
    stop();
    const accounts: Fleet[] = [];
    for (const sqlite of [true, false]) {
      for (const count of quick ? ACCOUNTS.slice(0, 2) : ACCOUNTS) {
        const name = `${count.toLocaleString("en")} accounts, ${sqlite ? "SQLite" : "PostgreSQL"}`;
        accounts.push(await start(name, { others: count, sqlite }));
      }
    }
    print();
    print(await compare(accounts, bench));
    stop();
    const many: Fleet[] = [];
    for (const count of SCENES) {
      const { service, interval } = await manyScenes(directory, count);
      folders.push(service);
      const name = count === 1 ? "1 scene covers the tile" : `${count} scenes cover the tile, the newest is drawn`;
      many.push(await start(name, { service, interval, sqlite: true }));
    }
    print();
    print(await compare(many, bench));
  } finally {
    stop();
    await postgres.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}
