import { comparison, type Measured } from "./comparison.ts";
import { type Encoding, load, type TestedServer } from "./http.ts";
import { type Kind, tileAt } from "./jobs.ts";
import type { Run } from "./measure.ts";
import { startMapServer, startRasterioService, startSwath } from "./servers.ts";
import type { Bench } from "./table.ts";

const WARM_ROUNDS = 2;
/** Connections that ask at once: one client waits for its tile, two keep both cores busy. */
const LOADS = [
  { clients: 1, name: "one client" },
  { clients: 2, name: "two clients" },
] as const;
/** No image of the scene is as small as an empty one. */
const EMPTY_BYTES = 1500;
/** Requests of one round. The slow server is asked less, in as many rounds: CPU is counted in steps of 10 ms. */
const REQUESTS = { Swath: 60, MapServer: 60, "rasterio service": 12 } as const;

type Task = readonly [kind: Kind, z: number, format: "png" | "jpg"];
const QUICK_TASKS: readonly Task[] = [
  ["rgb16", 11, "png"],
  ["ndvi", 14, "png"],
  ["visual", 11, "jpg"],
  ["visual", 14, "png"],
  ["mosaic", 11, "png"],
];
const TASKS: readonly Task[] = [
  ...(["rgb16", "ndvi", "visual"] as const).flatMap((kind) => [11, 14].map((z): Task => [kind, z, "png"])),
  ["visual", 11, "jpg"],
  ["visual", 14, "jpg"],
  ["mosaic", 11, "png"],
  ["mosaic", 14, "png"],
  ["mosaic-edge", 11, "png"],
  ["mosaic-edge", 14, "jpg"],
];

/** One server and one way in which it encodes: a row of the table. */
interface Contender {
  readonly server: TestedServer;
  readonly encoding: Encoding;
  readonly program: string;
  readonly requests: number;
  readonly runs: Run[];
}

/** Tiles over HTTP whose blocks are decoded, where the server keeps any: six tiles again and again, programs in turns. */
export async function httpTiles({ directory, peers, quick, print, progress }: Bench): Promise<void> {
  const servers = [await startSwath(directory)];
  if (peers) servers.push(await startMapServer(directory), await startRasterioService(directory));
  const rounds = quick ? 2 : 5;
  const measured: Measured[] = [];
  const tasks = (quick ? QUICK_TASKS : TASKS).flatMap(([kind, z, format]) =>
    LOADS.map((load) => ({ kind, z, format, ...load })).filter(({ clients }) => clients > 1 || z === 14),
  );
  for (const { kind, z, format, clients, name } of tasks) {
    const task = `${kind} z${z} ${format}, ${name}`;
    progress(task);
    const contenders = servers.flatMap((server) => contendersOf(server, kind, format));
    for (let round = -WARM_ROUNDS; round < rounds; round++) {
      for (const { server, encoding, requests, runs } of contenders) {
        const paths = Array.from({ length: requests }, (_, i) => {
          const { x, y } = tileAt(z, (i % 3) - 1, (Math.floor(i / 3) % 2) - 1);
          return server.path(kind, z, x, y, encoding);
        });
        const { wall, cpu, bytes, leastBytes } = await load(server, paths, clients);
        if (round < 0) continue;
        // MapServer's first answers are empty where the file is a VRT
        if (leastBytes < EMPTY_BYTES) throw new Error(`${server.name} answers with empty tiles for ${paths[0]}.`);
        runs.push({ wall: wall / requests, cpu: cpu / requests, bytes: bytes / requests });
      }
    }
    measured.push(...contenders.map(({ program, runs }) => ({ task, program, runs })));
  }
  for (const server of servers) server.close();
  print(
    `${rounds} rounds after ${WARM_ROUNDS} that only warm up, of every server. ms is the time of a round by its requests: what one client waits for a tile, and with two clients how fast tiles are made, half of what each waits.`,
  );
  print();
  print(comparison(measured, "kB"));
}

function contendersOf(server: TestedServer, kind: Kind, format: "png" | "jpg"): readonly Contender[] {
  if (server.name === "MapServer" && kind === "ndvi") return []; // it has no band math
  const requests = REQUESTS[server.name as keyof typeof REQUESTS];
  const make = (encoding: Encoding, program: string): Contender => ({ server, encoding, program, requests, runs: [] });
  if (server.name === "Swath") return [make(format, server.name)];
  if (format === "jpg") return [make("jpg", `${server.name}, quality 85`)];
  return [make("png-1", `${server.name}, zlib 1`), make("png", `${server.name}, zlib 6`)];
}
