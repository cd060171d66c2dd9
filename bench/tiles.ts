import type { TileJob } from "../apps/api/src/render/job.ts";
import { BlockCache, CogCache, readGrids, type Source } from "../packages/cog/src/index.ts";
import { fileSource, nodeCodecs } from "../packages/cog/src/node.ts";
import { resolveCrs } from "../packages/raster/src/index.ts";
import { type BANDS, bandPath, visualPath } from "./data/plan.ts";
import { gridSpec, KINDS, tileAt, tileJob } from "./jobs.ts";
import { type Cost, costOf, cpuNow } from "./measure.ts";
import { RasterioPeer } from "./peers.ts";
import { type Bench, mb, ms, ratio, table } from "./table.ts";

const ZOOMS = [8, 11, 14] as const;
const signal = new AbortController().signal;

/** Files that a kind reads, as a peer is given them. */
function pathsOf(directory: string, kind: "visual" | "rgb16" | "ndvi"): string[] {
  const band = (name: (typeof BANDS)[number]) => bandPath(directory, name);
  if (kind === "visual") return [visualPath(directory, "s1")];
  return kind === "rgb16" ? [band("B04"), band("B03"), band("B02")] : [band("B08"), band("B04")];
}

/** Files in the page cache, nothing opened or decoded: each tile by an engine with empty caches. */
export async function coldTiles({ directory, peers, quick, print, engine }: Bench): Promise<void> {
  const rounds = quick ? 5 : 12;
  const batch = 3;
  const peer = peers ? new RasterioPeer() : undefined;
  const rows: string[][] = [];
  for (const kind of KINDS) {
    for (const z of ZOOMS) {
      const job = tileJob(kind, gridSpec(tileAt(z)), "png");
      const [walls, cpus, theirs]: [number[], number[], number[]] = [[], [], []];
      const theirWalls: number[] = [];
      for (let round = -1; round < rounds; round++) {
        const start = performance.now();
        const cpu = cpuNow();
        for (let i = 0; i < batch; i++) await engine().image(moved(job, round * batch + i), { signal });
        const [wall, used] = [(performance.now() - start) / batch, (cpuNow() - cpu) / batch];
        // the first round only warms up
        if (round >= 0) {
          walls.push(wall);
          cpus.push(used);
        }
        if (peer === undefined || kind === "mosaic" || kind === "mosaic-edge") continue;
        const { transform, width } = job.grid;
        const bounds = [
          transform[2],
          transform[5] + transform[4] * width,
          transform[2] + transform[0] * width,
          transform[5],
        ];
        const order = {
          op: "tile",
          kind,
          paths: pathsOf(directory, kind),
          bounds,
          size: 256,
          format: "png",
          times: batch,
        };
        const answer = await peer.run(order);
        if (round >= 0) {
          theirs.push(answer.cpu);
          theirWalls.push(answer.wall);
        }
      }
      rows.push(row(`${kind} z${z}`, costOf(walls, cpus), theirs.length > 0 ? costOf(theirWalls, theirs) : undefined));
    }
  }
  peer?.close();
  print("## Cold tiles, 256, PNG: files in the page cache, nothing opened");
  print(
    table(["tile", "ms median", "p95", "CPU ms min", "rasterio CPU min", "ratio CPU min", "ratio wall median"], rows),
  );
}

/** The tile some micrometres further on: no plan of its warp is kept. */
function moved(job: TileJob, micrometres: number): TileJob {
  const [a, b, west, d, e, north] = job.grid.transform;
  return { ...job, grid: { ...job.grid, transform: [a, b, west + micrometres * 1e-6, d, e, north] } };
}

function row(name: string, ours: Cost, theirs: Cost | undefined): string[] {
  return [
    name,
    ms(ours.wallMedian),
    ms(ours.wallP95),
    ms(ours.cpuMin),
    theirs === undefined ? "" : ms(theirs.cpuMin),
    ratio(ours.cpuMin, theirs?.cpuMin),
    ratio(ours.wallMedian, theirs?.wallMedian),
  ];
}

/** Blocks are decoded, images rendered again: neighbouring tiles in turn, in this thread. */
export async function warmTiles({ quick, print, engine }: Bench): Promise<void> {
  const rounds = quick ? 8 : 25;
  const rows: string[][] = [];
  for (const kind of KINDS) {
    for (const z of ZOOMS) {
      for (const [format, size] of [
        ["png", 256],
        ...(z === 11
          ? ([
              ["jpg", 256],
              ["webp", 256],
              ["png", 512],
            ] as const)
          : []),
      ] as const) {
        const ours = engine();
        const around =
          z === 8
            ? [[0, 0]]
            : [
                [0, 0],
                [1, 0],
                [0, 1],
                [-1, 0],
                [0, -1],
                [1, 1],
              ];
        const jobs = around.map(([right, down]) => tileJob(kind, gridSpec(tileAt(z, right, down), size), format));
        const [walls, cpus]: [number[], number[]] = [[], []];
        for (let round = -3; round < rounds; round++) {
          const start = performance.now();
          const cpu = cpuNow();
          for (const job of jobs) await ours.image(job, { signal });
          for (const job of jobs) await ours.image(job, { signal });
          if (round < 0) continue;
          walls.push((performance.now() - start) / (2 * jobs.length));
          cpus.push((cpuNow() - cpu) / (2 * jobs.length));
        }
        const cost = costOf(walls, cpus);
        rows.push([
          `${kind} z${z} ${size} ${format}`,
          ms(cost.wallMedian),
          ms(cost.wallP95),
          ms(cost.cpuMin),
          ms(cost.cpuMedian),
        ]);
      }
    }
  }
  print("## Warm tiles: blocks decoded, image rendered again");
  print(table(["tile", "ms median", "p95", "CPU ms min", "CPU ms median"], rows));
}

/** What a cold tile reads, against the compressed size of the blocks it touches: counted, not timed. */
export async function bytesPerTile({ directory, print }: Bench): Promise<void> {
  const rows: string[][] = [];
  for (const kind of ["visual", "rgb16", "ndvi"] as const) {
    for (const z of ZOOMS) {
      const reads: { offset: number; length: number }[] = [];
      const headers = new CogCache({ maxBytes: 1e8 });
      const cogs = await Promise.all(
        pathsOf(directory, kind).map((path) => headers.open(counted(fileSource(path), reads), { codecs: nodeCodecs })),
      );
      const opening = reads.length;
      const openingBytes = sum(reads.map(({ length }) => length));
      const { crs, ...grid } = gridSpec(tileAt(z));
      const cache = new BlockCache({ maxBytes: 5e8 });
      await readGrids(
        cogs.map((cog) => ({ cog })),
        { ...grid, crs: resolveCrs(crs) },
        { resampling: "bilinear", cache },
      );
      const bytes = sum(reads.slice(opening).map(({ length }) => length));
      rows.push([
        `${kind} z${z}`,
        String(opening),
        String(Math.round(openingBytes / 1024)),
        String(reads.length - opening),
        String(Math.round(bytes / 1024)),
        String(cache.use.entries),
        mb(cache.use.bytes),
      ]);
    }
  }
  print("## Requests and bytes of a cold tile");
  print(table(["tile", "to open", "KB", "for blocks", "KB", "blocks", "decoded MB"], rows));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function counted(source: Source, reads: { offset: number; length: number }[]): Source {
  return {
    key: source.key,
    get size() {
      return source.size;
    },
    get version() {
      return source.version;
    },
    read(offset, length, options) {
      reads.push({ offset, length });
      return source.read(offset, length, options);
    },
  };
}
