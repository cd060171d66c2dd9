// npm run bench -- --sections grid: tiles of a mosaic of a grid of files that covers the world, at each zoom and under load.
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { resolveCrs, transformBounds } from "../packages/raster/src/index.ts";
import { random } from "./data/item-folder.ts";
import { GRID_COLLECTION, GRID_FILES, gridDay, gridFolder, makeGrid } from "./data/world-grid.ts";
import { type Load, load, p95Of, peakOf, type TestedServer, untilReady } from "./http.ts";
import { summarize } from "./measure.ts";
import { launchRasterio, startService } from "./servers.ts";
import { type Bench, kb, mb, ms, table } from "./table.ts";
import { mercatorBounds } from "./tile-peers.ts";

/** Addresses of each zoom from 0 among 98, as the public `titiler-benchmark` has them. */
const WEIGHTS = [2, 2, 6, 12, 16, 27, 38];
const ADDRESSES = 10_000;
const CONNECTIONS = 50;
/** Milliseconds after which no more addresses are asked for. */
const MOST_MS = 60_000;
/** No tile of the grid is as small as an empty one. */
const EMPTY_BYTES = 1500;

/** Tiles of a zoom in a round: those that are drawn again and again, and those whose files are opened for them. */
const [WARM_TILES, COLD_TILES] = [8, 4];
const WARM_UP = 2;
const [ROUNDS, QUICK_ROUNDS] = [5, 2];

interface Tile {
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

/** Bounds of the files in Web Mercator. */
const GRID_BOUNDS = GRID_FILES.map(({ layout: { crs, bounds } }) =>
  transformBounds(bounds, resolveCrs(crs), resolveCrs("EPSG:3857")),
);

/** A server with tiles of the grid. */
interface GridServer extends Pick<TestedServer, "port" | "headers" | "pids" | "close"> {
  readonly program: string;
  /** @param copy the copy of the grid that is drawn; without it all that there is. */
  readonly path: (tile: Tile, copy?: number) => string;
}

/** Tiles anywhere on the map. */
function tilesOf(z: number, count: number, next: () => number): Tile[] {
  const coordinate = (): number => Math.floor(next() * 2 ** z);
  return Array.from({ length: count }, () => ({ z, x: coordinate(), y: coordinate() }));
}

/** Tiles of all zooms in random order. */
function addresses(count: number): Tile[] {
  const next = random(3857);
  const sum = WEIGHTS.reduce((a, b) => a + b);
  const tiles = WEIGHTS.flatMap((weight, z) => tilesOf(z, Math.round((count * weight) / sum), next));
  return tiles
    .map((tile) => ({ tile, order: next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ tile }) => tile);
}

/** This service over a folder with copies of the grid. */
async function startSwath(folder: string, dataDirectory: string): Promise<GridServer> {
  const { port, pid, close } = await startService(dataDirectory, { SWATH_ARCHIVE: folder, SWATH_WARM_UP: "off" });
  const headers = { "X-API-Key": "bench" };
  const path = ({ z, x, y }: Tile, copy?: number): string => {
    const day = copy === undefined ? "" : `&datetime=${gridDay(copy)}`;
    return `/v1/tiles/true-color/WebMercatorQuad/${z}/${x}/${y}.png?collection=${GRID_COLLECTION}${day}`;
  };
  return { program: "Swath", port, headers, pids: [pid], path, close };
}

/** The service on rasterio over the files of the grid, which it opens for each tile. */
async function startRasterio(content: string): Promise<GridServer> {
  const grid = GRID_FILES.map(({ name }, i) => ({ path: join(content, `${name}.tif`), bounds: GRID_BOUNDS[i]! }));
  const { port, pids, close } = await launchRasterio({ grid });
  const path = ({ z, x, y }: Tile): string => `/grid/${z}/${x}/${y}.png?1`;
  await untilReady({ name: "The rasterio service", port, headers: {} }, path({ z: 6, x: 0, y: 0 }));
  return { program: "rasterio service, zlib 1", port, headers: {}, pids: pids(), path, close };
}

/** Costs of the tiles of a zoom. */
interface Costs {
  readonly latencies: number[];
  cpu: number;
}

const noCosts = (): Costs => ({ latencies: [], cpu: 0 });

async function measureInto(costs: Costs | undefined, server: GridServer, paths: readonly string[]): Promise<void> {
  const { latencies, cpu, leastBytes } = await load(server, paths, 1);
  if (leastBytes < EMPTY_BYTES) throw new Error(`${server.program} answers with empty tiles for ${paths[0]}.`);
  if (costs === undefined) return;
  costs.latencies.push(...latencies);
  costs.cpu += cpu;
}

const cellsOf = (costs: Costs | undefined): readonly string[] =>
  costs === undefined
    ? []
    : [
        `${ms(summarize(costs.latencies).median)} (${ms(p95Of(costs))})`,
        (costs.cpu / costs.latencies.length).toFixed(1),
      ];

/** Files of the grid that a tile meets. */
function filesAt(tile: Tile): number {
  const bounds = mercatorBounds(tile);
  const meets = (file: readonly number[]): boolean =>
    file[0]! < bounds[2]! && file[2]! > bounds[0]! && file[1]! < bounds[3]! && file[3]! > bounds[1]!;
  return GRID_BOUNDS.filter(meets).length;
}

/** Tiles one after the other: of files that are opened for them, and of blocks that are decoded. */
async function zooms(servers: Servers, { quick, print, progress }: Bench): Promise<void> {
  const { cold, warm, peer } = servers;
  const rounds = quick ? QUICK_ROUNDS : ROUNDS;
  const next = random(11);
  const rows = WEIGHTS.map((_, z) => ({
    tiles: tilesOf(z, WARM_TILES, next),
    cold: noCosts(),
    warm: noCosts(),
    peer: noCosts(),
  }));
  let copy = 0;
  for (let round = -WARM_UP; round < rounds; round++) {
    progress(round < 0 ? "warms up" : `round ${round + 1} of ${rounds}`);
    const isMeasured = round >= 0;
    for (const [z, row] of rows.entries()) {
      const coldPaths = tilesOf(z, COLD_TILES, next).map((tile) => cold.path(tile, copy++));
      await measureInto(isMeasured ? row.cold : undefined, cold, coldPaths);
      await measureInto(
        isMeasured ? row.warm : undefined,
        warm,
        row.tiles.map((tile) => warm.path(tile)),
      );
      if (peer === undefined) continue;
      await measureInto(
        isMeasured ? row.peer : undefined,
        peer,
        row.tiles.map((tile) => peer.path(tile)),
      );
    }
  }
  const heads = ["zoom", "files a tile", "cold, ms: median (p95)", "CPU ms", "warm, ms: median (p95)", "CPU ms"];
  const peerHeads = peer === undefined ? [] : [`${peer.program}, ms: median (p95)`, "CPU ms"];
  const lines = rows.map((row, z) => {
    const counts = row.tiles.map(filesAt);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    return [
      String(z),
      least === most ? String(least) : `${least}–${most}`,
      ...cellsOf(row.cold),
      ...cellsOf(row.warm),
      ...cellsOf(peer === undefined ? undefined : row.peer),
    ];
  });
  print(table([...heads, ...peerHeads], lines));
  print();
  print(
    `${rounds} rounds after ${WARM_UP} that only warm up, of ${COLD_TILES} cold and ${WARM_TILES} warm tiles of each zoom, by one client; the service on rasterio draws the warm ones.`,
  );
}

/** Tiles of all zooms by many clients, of servers that have just started. */
async function underLoad({ warm: swath, peer }: Servers, { quick, print, progress }: Bench): Promise<void> {
  const tiles = addresses(quick ? ADDRESSES / 10 : ADDRESSES);
  const rows: string[][] = [];
  const run = async (title: string, server: GridServer): Promise<void> => {
    progress(title);
    const paths = tiles.map((tile) => server.path(tile));
    const cost = await load(server, paths, CONNECTIONS, MOST_MS);
    rows.push(loadCells(title, cost, peakOf(server.pids)));
  };
  await run("Swath, files not open", swath);
  await run("Swath, again", swath);
  if (peer !== undefined) await run(peer.program, peer);
  const heads = ["server", "tiles", "tiles/s", "ms: median (p95)", "CPU ms a tile", "kB a tile", "peak MB"];
  print(table(heads, rows));
  print();
  print(
    `${tiles.length.toLocaleString("en")} addresses in random order over ${CONNECTIONS} connections, or as many as ${MOST_MS / 1000} s allow.`,
  );
}

function loadCells(title: string, { wall, cpu, latencies, bytes }: Load, peak: number): string[] {
  const count = latencies.length;
  return [
    title,
    count.toLocaleString("en"),
    ms((1000 * count) / wall),
    `${ms(summarize(latencies).median)} (${ms(p95Of({ latencies }))})`,
    (cpu / count).toFixed(1),
    kb(bytes / count),
    mb(peak),
  ];
}

interface Servers {
  /** A server of many copies of the grid, none of whose files is open. */
  readonly cold: GridServer;
  readonly warm: GridServer;
  readonly peer: GridServer | undefined;
}

/** Tiles of a grid of fifteen files of the world: a mosaic of one collection. */
export async function worldGrid(bench: Bench): Promise<void> {
  const { directory, peers, quick, print, progress } = bench;
  const content = await makeGrid(directory, progress);
  const scratch = await mkdtemp(join(directory, "world-"));
  const [one, many] = [join(scratch, "one"), join(scratch, "many")];
  const servers: GridServer[] = [];
  const started = async (server: Promise<GridServer>): Promise<GridServer> => {
    servers.push(await server);
    return server;
  };
  try {
    await gridFolder(content, one, 1);
    await gridFolder(content, many, WEIGHTS.length * COLD_TILES * (WARM_UP + (quick ? QUICK_ROUNDS : ROUNDS)));
    const warm = await started(startSwath(one, join(scratch, "one-data")));
    const peer = peers ? await started(startRasterio(content)) : undefined;
    const cold = await started(startSwath(many, join(scratch, "many-data")));
    const all = { cold, warm, peer };
    await underLoad(all, bench);
    print();
    await zooms(all, bench);
  } finally {
    for (const { close } of servers) close();
    await rm(scratch, { recursive: true, force: true });
  }
}
