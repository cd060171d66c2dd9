import { farDirectory } from "./data/archive.ts";
import { type Load, load, type TestedServer } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { type Summary, summarize } from "./measure.ts";
import { startLatencyServer } from "./points.ts";
import { startRasterioService, startSwath } from "./servers.ts";
import { sessionTiles } from "./session.ts";
import { type Bench, ms, spread, table } from "./table.ts";

const LATENCY_MS = 40;
const MEGABITS = 50;
/** Tiles asked for at once, each by a thread of its own in the other service. */
const CONNECTIONS = 16;

type Start = (directory: string, files: string) => Promise<TestedServer>;

const PROGRAMS: readonly (readonly [name: string, start: Start])[] = [
  [
    "Swath",
    async (directory, files) =>
      startSwath(directory, {
        service: await farDirectory(directory, files),
        env: { SWATH_ASSET_HOSTS: "127.0.0.1" },
      }),
  ],
  [
    `rasterio service, ${CONNECTIONS} threads`,
    (directory, files) => startRasterioService(directory, `/vsicurl/${files}`),
  ],
];

/**
 * The map session with files behind a network, from a server whose code is loaded and that has decoded nothing: 200 tiles over a line of
 * 50 Mbit/s, and how many times the wait of a request a single tile of three files takes where the line has no limit.
 */
export async function far(bench: Bench): Promise<void> {
  const { directory, peers, quick, print, progress } = bench;
  const rounds = quick ? 1 : 5;
  const programs = peers ? PROGRAMS : PROGRAMS.slice(0, 1);
  const measured = programs.map(() => ({
    sessions: [] as (Load & { readonly read: number })[],
    trips: [] as number[],
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, [name, start]] of programs.entries()) {
      progress(`${name}, round ${round + 1}`);
      measured[i]!.sessions.push(await runSession(directory, start));
      measured[i]!.trips.push(await roundTrips(directory, start));
    }
  }
  let ours: number | undefined;
  const rows = programs.map(([name], i) => {
    const { sessions, trips } = measured[i]!;
    const of = (value: (session: (typeof sessions)[number]) => number): Summary => summarize(sessions.map(value));
    const rate = of(({ wall, latencies }) => (1000 * latencies.length) / wall);
    ours ??= rate.median;
    return [
      name,
      spread(rate),
      spread(of(({ latencies }) => [...latencies].sort((a, b) => a - b)[Math.floor(latencies.length / 2)]!)),
      spread(of(({ cpu, latencies }) => cpu / latencies.length)),
      ms(of(({ read }) => read).median / 1e6),
      spread(summarize(trips)),
      name === "Swath" ? "" : (ours / rate.median).toFixed(2),
    ];
  });
  print(
    `Each request waits ${LATENCY_MS} ms, all share ${MEGABITS} Mbit/s. ${CONNECTIONS} connections, ${rounds === 1 ? "one round" : `${rounds} rounds`}, each with servers of its own: median (min–max).`,
  );
  print();
  const heads = [
    "server",
    "tiles/s",
    "median ms a tile",
    "CPU ms a tile",
    "MB read",
    "first tile of three files, round trips",
  ];
  print(table([...heads, "Swath's tiles/s ÷ its"], rows));
}

async function runSession(directory: string, start: Start): Promise<Load & { readonly read: number }> {
  const files = await startLatencyServer(directory, { milliseconds: LATENCY_MS, megabits: MEGABITS });
  const server = await start(directory, `${files.origin}/far`);
  const bytes = async (): Promise<number> => Number(await (await fetch(`${files.origin}/bytes`)).text());
  try {
    const before = await bytes();
    const paths = sessionTiles().map(({ z, x, y }) => server.path("visual", z, x, y, "png-1"));
    const session = await load(server, paths, CONNECTIONS);
    return { ...session, read: (await bytes()) - before };
  } finally {
    server.close();
    files.close();
  }
}

/** How long a tile of three files takes that nobody has opened, by the wait of a request. */
async function roundTrips(directory: string, start: Start): Promise<number> {
  const files = await startLatencyServer(directory, { milliseconds: LATENCY_MS });
  const server = await start(directory, `${files.origin}/far`);
  try {
    // of files that the measured tile is not of
    const { z, x, y } = tileAt(14);
    await load(server, [server.path("visual", z, x, y, "png-1")], 1);
    const { wall } = await load(server, [server.path("rgb16", z, x, y, "png-1")], 1);
    return wall / LATENCY_MS;
  } finally {
    server.close();
    files.close();
  }
}
