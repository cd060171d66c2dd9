// npm run bench -- --sections parts: what a job's large file costs in parts, by one node and by several.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { hasPostgres, startPostgres } from "../test/tools/postgres-server.ts";
import { dataDirectory } from "./charges.ts";
import { archiveTimes, serviceDirectory } from "./data/archive.ts";
import { extractionBody, fileOfJob } from "./extract-http.ts";
import { childrenOf, cpuOf } from "./http.ts";
import { summarize } from "./measure.ts";
import { startService } from "./servers.ts";
import { type Bench, ms, spread, table } from "./table.ts";

/** Nodes that make a file in parts. */
const NODES = [1, 2, 4];

interface Makers {
  readonly name: string;
  readonly nodes: readonly { readonly port: number; readonly pid: number; close(): void }[];
  readonly walls: number[];
  /** Milliseconds of CPU of the nodes, and of the database. */
  readonly cpu: number[];
  readonly database: number[];
}

const headers = { "X-API-Key": "bench" };

/** The same file by one node as a whole, and in parts by more and more nodes of one thread each, in turns. */
export async function fileParts(bench: Bench): Promise<void> {
  const { directory, quick, print, progress } = bench;
  if (!hasPostgres) {
    print("PostgreSQL was not installed.");
    return;
  }
  const [side, values, rounds] = quick ? [3000, 6_000_000, 2] : [10_980, 40_000_000, 5];
  const { scenes } = await archiveTimes(directory);
  const body = extractionBody(scenes[0]!, side, "uint16");
  const postgres = await startPostgres({ isDurable: true });
  const database = (): number[] => [postgres.pid, ...childrenOf(postgres.pid)];
  const folders: string[] = [];
  const all: Makers[] = [];
  const start = async (name: string, count: number, isCut: boolean): Promise<void> => {
    progress(`starts ${name}`);
    const results = await mkdtemp(join(tmpdir(), "swath-parts-"));
    const own: string[] = [];
    for (let i = 0; i < count; i++) own.push(await dataDirectory(serviceDirectory(directory)));
    folders.push(results, ...own);
    const env = {
      DATABASE_URL: await postgres.freshDatabase(),
      SWATH_RESULTS_URL: pathToFileURL(results).href,
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
      ...(isCut ? { SWATH_JOB_PART_VALUES: String(values) } : {}),
    };
    const nodes = await Promise.all(own.map((folder) => startService(folder, env)));
    all.push({ name, nodes, walls: [], cpu: [], database: [] });
  };
  try {
    await start("1 node, the whole", 1, false);
    for (const count of NODES) await start(count === 1 ? "1 node, in parts" : `${count} nodes, in parts`, count, true);
    for (let i = -1; i < rounds; i++) {
      progress(i < 0 ? "warms up" : `round ${i + 1} of ${rounds}`);
      for (const makers of i % 2 === 0 ? all : all.toReversed()) {
        const pids = makers.nodes.map(({ pid }) => pid);
        const [cpu, ofDatabase, begun] = [cpuOf(pids), cpuOf(database()), performance.now()];
        await fileOfJob({ port: makers.nodes[0]!.port, headers }, body);
        if (i < 0) continue;
        makers.walls.push(performance.now() - begun);
        makers.cpu.push(cpuOf(pids) - cpu);
        makers.database.push(cpuOf(database()) - ofDatabase);
      }
    }
    const of = (numbers: readonly number[]): string => spread(summarize(numbers), ms);
    const rows = all.map(({ name, walls, cpu, database }) => [name, of(walls), of(cpu), of(database)]);
    print(table(["", "ms a file", "CPU ms of the nodes", "CPU ms of PostgreSQL"], rows));
    print();
    const size = `${side.toLocaleString("en")} × ${side.toLocaleString("en")} × 4 uint16`;
    print(
      `${size}, parts of ${(values / 1e6).toFixed(0)} million values or more, one render thread a node; ${rounds} rounds after one that only warms up, in turns.`,
    );
  } finally {
    for (const { nodes } of all) for (const { close } of nodes) close();
    await postgres.stop();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}
