import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  BlockCache,
  type Cog,
  FileCache,
  httpSource,
  openCog,
  readWindow,
  type Source,
} from "../packages/cog/src/index.ts";
import { fileSource, nodeCodecs } from "../packages/cog/src/node.ts";
import { comparison, type Measured } from "./comparison.ts";
import { LINKED_FILES, linkedName, linkedPath, SIDE } from "./data/plan.ts";
import { measure, NODE_FLAGS, type Run } from "./measure.ts";
import { CACHE_MB, PythonPeer } from "./peers.ts";
import type { Bench } from "./table.ts";
import { trustedCertificate } from "./tls.ts";

/** Edge of the files' blocks. */
const BLOCK = 1024;
export const LATENCY_MS = 30;
/** Threads of the other program: its CPU count times five is what rio-tiler takes; sixty has all files in flight at once, as ours. */
const THREADS = { local: [1, 10], remote: [10, 60] } as const;

/** One pixel of each of 60 files, in the middle of a block that nobody has decoded: another block in every round. */
export async function points({ directory, peers, quick, print, progress }: Bench): Promise<void> {
  const rounds = quick ? 3 : 7;
  const local = Array.from({ length: LINKED_FILES }, (_, i) => linkedPath(directory, i));
  const server = await startLatencyServer(directory);
  // each round has addresses of its own: no connection pool or cache knows them
  const remote = (round: number, who: string): string[] =>
    Array.from({ length: LINKED_FILES }, (_, i) => `${server.origin}/${who}-${round}/${linkedName(i)}.tif`);
  const measured: Measured[] = [];
  for (const { task, where, keep, pathsOf, isSame } of [
    { task: "60 local files, not open", where: "local", keep: false, isSame: false, pathsOf: () => local },
    { task: "60 local files, open", where: "local", keep: true, isSame: false, pathsOf: () => local },
    { task: "60 local files, open, same pixels again", where: "local", keep: true, isSame: true, pathsOf: () => local },
    {
      task: `60 files behind ${LATENCY_MS} ms, not open`,
      where: "remote",
      keep: false,
      isSame: false,
      pathsOf: remote,
    },
    {
      task: `60 files behind ${LATENCY_MS} ms, open`,
      where: "remote",
      keep: true,
      isSame: false,
      pathsOf: (_: number, who: string) => remote(0, who),
    },
  ] as const) {
    progress(task);
    const own = new FileCache<Cog>({ maxBytes: 1e8 });
    // as many bytes as GDAL may keep
    const blocks = new BlockCache({ maxBytes: CACHE_MB << 20 });
    const ours: Run[] = [];
    const programs = peers
      ? THREADS[where].map((threads) => ({ threads, peer: new PythonPeer("rasterio_render.py"), runs: [] as Run[] }))
      : [];
    // the first round of everyone opens files and loads code
    for (let round = -1; round < rounds; round++) {
      const [column, row] = pixelOf(isSame ? 0 : round + 1);
      let values: readonly number[] = [];
      const run = await measure(async () => {
        const headers = keep ? own : new FileCache<Cog>({ maxBytes: 1e8 });
        values = await Promise.all(
          pathsOf(round, "swath").map((path) =>
            readPixel(headers, isSame ? blocks : undefined, sourceOf(path), column, row),
          ),
        );
        return 0;
      });
      if (round >= 0) ours.push(run);
      for (const { threads, peer, runs } of programs) {
        const paths = pathsOf(round, `rasterio-${threads}`).map((path) =>
          path.startsWith("http") ? `/vsicurl/${path}` : path,
        );
        const answer = await peer.run({ op: "points", paths, column, row, keep, threads });
        if (JSON.stringify(answer.result) !== JSON.stringify(values)) throw new Error("rasterio reads other pixels.");
        if (round >= 0) runs.push(answer);
      }
    }
    measured.push({ task, program: "Swath, one thread", runs: ours });
    for (const { threads, peer, runs } of programs) {
      peer.close();
      measured.push({
        task,
        program: threads === 1 ? "rasterio, files in turn" : `rasterio, ${threads} threads`,
        runs,
      });
    }
  }
  server.close();
  print(`${rounds} rounds after one that opens files and loads code, of every program.`);
  print();
  print(comparison(measured, "none"));
}

/** The middle of another block of the file in each round, away from its edges. */
function pixelOf(round: number): readonly [column: number, row: number] {
  const across = Math.floor(SIDE / BLOCK) - 1;
  const middle = (i: number): number => BLOCK * (1 + (i % across)) + BLOCK / 2;
  return [middle(round), middle(Math.floor(round / across) + 5 * round)];
}

async function readPixel(
  headers: FileCache<Cog>,
  cache: BlockCache | undefined,
  source: Source,
  x: number,
  y: number,
): Promise<number> {
  const cog = await openCog(source, { cache: headers, codecs: nodeCodecs });
  return (await readWindow(cog, 0, { x, y, width: 1, height: 1 }, { cache, partialBlocks: true })).bands[0]![0]!;
}

const sourceOf = (path: string): Source => (path.startsWith("http") ? httpSource(path) : fileSource(path));

/**
 * Serves the files of a folder by TLS from a process of its own, each answer after some milliseconds, all over one line of some
 * megabits a second.
 */
export async function startLatencyServer(
  directory: string,
  { milliseconds = LATENCY_MS, megabits }: { milliseconds?: number; megabits?: number } = {},
): Promise<{ readonly origin: string; close(): void }> {
  const script = join(import.meta.dirname, "latency-server.ts");
  const { certificate, key } = await trustedCertificate(directory);
  const options = [
    directory,
    String(milliseconds),
    certificate,
    key,
    ...(megabits === undefined ? [] : [String(megabits)]),
  ];
  const child = spawn(process.execPath, [...NODE_FLAGS, script, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const end = (): void => {
    process.off("exit", end);
    child.kill();
  };
  process.on("exit", end);
  const [text] = (await once(child.stdout, "data")) as [Buffer];
  return { origin: `https://127.0.0.1:${Number(text.toString())}`, close: end };
}
