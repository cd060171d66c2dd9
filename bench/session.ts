import { cpuOf, type Encoding, type Load, load, p95Of, peakOf, type TestedServer } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { type Summary, summarize } from "./measure.ts";
import { startMapServer, startRasterioService, startSwath } from "./servers.ts";
import { type Bench, kb, mb, ms, spread, table } from "./table.ts";

const CONNECTIONS = 8;
/** After this idle time Swath has warmed up. */
const IDLE_MS = 7000;

/** Tiles of the map that one user looks at: views of 5 × 4 tiles, ever closer, then panned. 200 in all, each once. */
export function sessionTiles(): readonly { z: number; x: number; y: number }[] {
  const tiles = new Map<string, { z: number; x: number; y: number }>();
  const view = (z: number, right: number, down: number): void => {
    for (let j = 0; j < 4; j++) {
      for (let i = 0; i < 5; i++) {
        const tile = tileAt(z, right + i - 2, down + j - 2);
        tiles.set(`${tile.z}/${tile.x}/${tile.y}`, tile);
      }
    }
  };
  for (const z of [10, 11, 12, 13, 14]) view(z, 0, 0);
  for (let step = 1; tiles.size < 200; step++) view(14, 5 * step, step);
  return [...tiles.values()].slice(0, 200);
}

interface Contender {
  readonly title: string;
  readonly start: (directory: string) => Promise<TestedServer>;
  readonly encoding: Encoding;
  readonly idle: number;
}

/** One session with one server that was started for it. */
interface Session {
  readonly start: { readonly wall: number; readonly cpu: number };
  readonly idleCpu: number;
  readonly first: Load;
  readonly second: Load;
  readonly peak: number;
}

function contendersOf(format: "png" | "jpg", { peers, quick }: Bench): readonly Contender[] {
  const swath: readonly Contender[] = [
    { title: `Swath, ${format}`, start: (folder) => startSwath(folder), encoding: format, idle: 0 },
    {
      title: `Swath after ${IDLE_MS / 1000} idle s, ${format}`,
      start: (folder) => startSwath(folder),
      encoding: format,
      idle: IDLE_MS,
    },
  ];
  if (!peers) return swath;
  const encodings: readonly (readonly [Encoding, string])[] =
    format === "jpg"
      ? [["jpg", "jpg quality 85"]]
      : [["png-1", "png zlib 1"], ...(quick ? [] : ([["png", "png zlib 6"]] as const))];
  const others = encodings.flatMap(([encoding, text]): readonly Contender[] => [
    { title: `MapServer, ${text}`, start: startMapServer, encoding, idle: 0 },
    { title: `rasterio service, ${text}`, start: (folder) => startRasterioService(folder), encoding, idle: 0 },
  ]);
  return [...swath, ...others.sort((a, b) => a.title.localeCompare(b.title))];
}

/** 200 tiles of true colour from a server that has just started, and the same tiles again. */
export async function session(bench: Bench): Promise<void> {
  const { directory, quick, print, progress } = bench;
  const rounds = quick ? 1 : 5;
  const [speed, starting]: [string[][], string[][]] = [[], []];
  const notes: string[] = [];
  for (const format of ["png", "jpg"] as const) {
    const contenders = contendersOf(format, bench);
    const sessions: Session[][] = contenders.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, contender] of contenders.entries()) {
        progress(`${contender.title}, round ${round + 1}`);
        sessions[i]!.push(await runSession(directory, contender));
      }
    }
    const ours = summarize(sessions[0]!.map(({ first }) => rateOf(first))).median;
    for (const [i, { title }] of contenders.entries()) {
      if (!title.startsWith("Swath")) notes.push(...whereBetter(title, sessions[i]!, sessions[0]!));
    }
    for (const [i, { title, idle }] of contenders.entries()) {
      const [first, second] = [sessions[i]!.map(({ first }) => first), sessions[i]!.map(({ second }) => second)];
      const rate = summarize(first.map(rateOf));
      const isOurs = title.startsWith("Swath");
      speed.push([
        title,
        spread(rate),
        spread(summarize(first.map(cpuOfTile))),
        spread(summarize(first.map(p95Of))),
        spread(summarize(second.map(rateOf))),
        kb(summarize(first.map(({ bytes, latencies }) => bytes / latencies.length)).median),
        mb(summarize(sessions[i]!.map(({ peak }) => peak)).max),
        isOurs ? "" : (ours / rate.median).toFixed(2),
      ]);
      const of = (value: (session: Session) => number): Summary => summarize(sessions[i]!.map(value));
      starting.push([
        title,
        spread(of(({ start }) => start.wall)),
        spread(of(({ start }) => start.cpu)),
        idle === 0 ? "" : spread(of(({ idleCpu }) => idleCpu)),
        spread(of(cpuFromLaunch)),
      ]);
    }
  }
  print(
    `${CONNECTIONS} connections, ${rounds === 1 ? "one round" : `${rounds} rounds`}, each with servers of its own. Tiles a second and ms: median (min–max).`,
  );
  print();
  const heads = ["server", "tiles/s", "CPU ms a tile", "p95 ms", "tiles/s, second pass", "kB a tile", "peak MB"];
  print(table([...heads, "Swath's tiles/s ÷ its"], speed));
  print();
  print("What starting and warming up cost:");
  print();
  const startHeads = ["server", "ms from launch to first tile", "CPU ms until then", "CPU ms of warming up while idle"];
  print(table([...startHeads, "CPU ms from launch to the end of the first pass, a tile"], starting));
  if (notes.length > 0)
    print(["", "Where another server is better than Swath without idle time:", "", ...notes].join("\n"));
}

async function runSession(directory: string, { start, encoding, idle }: Contender): Promise<Session> {
  const server = await start(directory);
  try {
    const before = cpuOf(server.pids);
    if (idle > 0) await new Promise((resolve) => setTimeout(resolve, idle));
    const idleCpu = cpuOf(server.pids) - before;
    const paths = sessionTiles().map(({ z, x, y }) => server.path("visual", z, x, y, encoding));
    const first = await load(server, paths, CONNECTIONS);
    const second = await load(server, paths, CONNECTIONS);
    return { start: server.start, idleCpu, first, second, peak: peakOf(server.pids) };
  } finally {
    server.close();
  }
}

/** Sentences about what a server does with less than ours, by the medians. */
function whereBetter(title: string, theirs: readonly Session[], ours: readonly Session[]): readonly string[] {
  const measures: readonly (readonly [text: string, unit: string, value: (session: Session) => number])[] = [
    ["time for the first pass", "ms", ({ first }) => first.wall],
    ["time for the second pass", "ms", ({ second }) => second.wall],
    ["time from launch to the first tile", "ms", ({ start }) => start.wall],
    ["CPU until then", "ms", ({ start }) => start.cpu],
    ["CPU of the first pass", "ms a tile", ({ first }) => cpuOfTile(first)],
    ["CPU from launch to the end of the first pass", "ms a tile", cpuFromLaunch],
    ["memory", "MB", ({ peak }) => peak / 1_048_576],
    ["bytes", "kB a tile", ({ first }) => first.bytes / first.latencies.length / 1024],
  ];
  const better = measures.flatMap(([text, unit, value]) => {
    const [their, our] = [theirs, ours].map((sessions) => summarize(sessions.map(value)).median) as [number, number];
    return their < our ? [`${text} (${ms(their)} ${unit} instead of ${ms(our)})`] : [];
  });
  return better.length === 0 ? [] : [`- ${title}: ${better.join(", ")}.`];
}

const cpuFromLaunch = ({ start, idleCpu, first }: Session): number =>
  (start.cpu + idleCpu + first.cpu) / first.latencies.length;
const rateOf = ({ wall, latencies }: Load): number => (1000 * latencies.length) / wall;
const cpuOfTile = ({ cpu, latencies }: Load): number => cpu / latencies.length;
