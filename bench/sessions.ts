import { cpuOf, load, peakOf, type TestedServer } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { startMapServer, startRasterioService, startSwath } from "./servers.ts";
import { type Bench, mb, ms, ratio, table } from "./table.ts";

const CONNECTIONS = 8;

/** Tiles that a person looks at: views of 5 × 4 tiles, ever closer, then panned. 200 in all, each once. */
export function sessionTiles(): { z: number; x: number; y: number }[] {
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

async function startAll(directory: string, peers: boolean): Promise<TestedServer[]> {
  const servers = [await startSwath(directory)];
  if (peers) servers.push(await startMapServer(directory), await startRasterioService(directory));
  return servers;
}

/** Tiles whose blocks are decoded, over HTTP: CPU of the server's processes, least of some rounds taken in turns. */
export async function serviceTiles({ directory, peers, quick, print }: Bench): Promise<void> {
  const servers = await startAll(directory, peers);
  const rows: string[][] = [];
  const rounds = quick ? 4 : 8;
  const count = 60;
  for (const [kind, z, format] of [
    ["rgb16", 11, "png"],
    ["rgb16", 14, "png"],
    ["ndvi", 11, "png"],
    ["ndvi", 14, "png"],
    ["visual", 11, "jpg"],
    ["visual", 14, "jpg"],
    ["visual", 11, "png"],
    ["visual", 14, "png"],
  ] as const) {
    const least = new Map<string, number>();
    for (let round = -2; round < rounds; round++) {
      for (const server of servers) {
        if (server.name === "mapserver" && kind === "ndvi") continue; // it has no band math
        const slow = server.name === "rasterio service";
        if (slow && round !== 0) continue; // it is far from any bound
        const asked = slow ? 12 : count;
        const paths = Array.from({ length: asked }, (_, i) => {
          const { x, y } = tileAt(z, (i % 3) - 1, (Math.floor(i / 3) % 2) - 1);
          return server.path(kind, z, x, y, format);
        });
        const { cpu } = await load(server, paths, 2);
        if (round >= 0) least.set(server.name, Math.min(least.get(server.name) ?? Infinity, cpu / asked));
      }
    }
    const [ours, map, rasterio] = ["swath", "mapserver", "rasterio service"].map((name) => least.get(name));
    rows.push([
      `${kind} z${z} ${format}`,
      ms(ours ?? Number.NaN),
      map === undefined ? "" : ms(map),
      ratio(ours ?? Number.NaN, map),
      rasterio === undefined ? "" : ms(rasterio),
      ratio(ours ?? Number.NaN, rasterio),
    ]);
  }
  for (const server of servers) server.close();
  print("## Warm tiles over HTTP: CPU ms a tile of all the server's processes, least of the rounds");
  print(table(["tile", "swath", "mapserver", "ratio", "rasterio service", "ratio"], rows));
}

/** Time that a server is left alone in some rounds, before its first visitor: ours has warmed up then. */
const LEFT_ALONE_MS = 7000;

/** 200 tiles of a map session on a server that has just started, and on one that has started seven seconds ago. */
export async function session({ directory, peers, quick, print }: Bench): Promise<void> {
  const tiles = sessionTiles();
  const rows: string[][] = [];
  for (const format of ["png", "jpg"] as const) {
    const best = new Map<string, { rate: number; cpu: number; p95: number; peak: number }>();
    for (let round = 0; round < (quick ? 1 : 3); round++) {
      const starts = [startSwath, startSwath, ...(peers ? [startMapServer, startRasterioService] : [])];
      for (const [i, start] of starts.entries()) {
        const rest = i === 1 ? LEFT_ALONE_MS : 0;
        const server = await start(directory);
        await new Promise((resolve) => setTimeout(resolve, rest));
        const before = cpuOf(server.pids);
        const paths = tiles.map(({ z, x, y }) => server.path("visual", z, x, y, format));
        const { wall, latencies } = await load(server, paths, CONNECTIONS);
        const sorted = [...latencies].sort((a, b) => a - b);
        const result = {
          rate: (1000 * tiles.length) / wall,
          cpu: (cpuOf(server.pids) - before) / tiles.length,
          p95: sorted[Math.floor(0.95 * sorted.length)] ?? Number.NaN,
          peak: peakOf(server.pids),
        };
        const title = rest > 0 ? `${server.name}, left alone` : server.name;
        if (result.rate > (best.get(title)?.rate ?? 0)) best.set(title, result);
        server.close();
      }
    }
    const ours = ["swath", "swath, left alone"].map((name) => best.get(name)?.rate ?? Number.NaN);
    for (const [name, { rate, cpu, p95, peak }] of best) {
      const times = name.startsWith("swath") ? ["", ""] : ours.map((our) => (our / rate).toFixed(2));
      rows.push([`${name}, ${format}`, rate.toFixed(1), ms(cpu), ms(p95), mb(peak), ...times]);
    }
  }
  print(`## Map session: ${tiles.length} tiles of true colour, ${CONNECTIONS} connections, fresh server`);
  const heads = ["server", "tiles/s", "CPU ms a tile", "p95 ms", "peak MB", "swath is faster by", "left alone"];
  print(table(heads, rows));
}
