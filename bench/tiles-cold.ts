import type { TileJob } from "../packages/engine/src/run/job.ts";
import { comparison, type Measured } from "./comparison.ts";
import { gridSpec, KINDS, tileAt, tileJob } from "./jobs.ts";
import { measure, type Run } from "./measure.ts";
import { PythonPeer } from "./peers.ts";
import type { Bench } from "./table.ts";
import { encodingsOf, filesOf, mercatorBounds } from "./tile-peers.ts";

const ZOOMS = [8, 11, 14] as const;
/** Tiles of one round; a run is their mean. */
const BATCH = 3;
const signal = new AbortController().signal;

/** Nothing is open or decoded, the code has run before: each tile by an engine with empty caches, in one thread. */
export async function coldTiles({ directory, peers, quick, print, progress, engine }: Bench): Promise<void> {
  const rounds = quick ? 3 : 9;
  const peer = peers ? new PythonPeer("rasterio_render.py") : undefined;
  const encodings = encodingsOf("png", quick);
  const measured: Measured[] = [];
  for (const kind of KINDS) {
    for (const z of ZOOMS) {
      const task = `${kind} z${z}`;
      progress(task);
      const tile = tileAt(z);
      const job = tileJob(kind, gridSpec(tile), "png");
      const ours: Run[] = [];
      const theirs: Run[][] = encodings.map(() => []);
      const order = { op: "tile", kind, paths: filesOf(directory, kind), size: 256, keep: false };
      const tiles = Array.from({ length: BATCH }, () => mercatorBounds(tile));
      // the first round of everyone only warms up
      for (let round = -1; round < rounds; round++) {
        const run = await measure(async () => {
          let bytes = 0;
          for (let i = 0; i < BATCH; i++) {
            bytes += (await engine().image(moved(job, round * BATCH + i), { signal })).bytes.length;
          }
          return bytes;
        });
        if (round >= 0) ours.push(meanOf(run));
        if (peer === undefined) continue;
        for (const [i, { zlevel }] of encodings.entries()) {
          const answer = await peer.run({ ...order, tiles, format: "png", zlevel });
          if (round >= 0) theirs[i]!.push(meanOf(answer));
        }
      }
      measured.push({ task, program: "Swath", runs: ours });
      for (const [i, { title }] of encodings.entries()) {
        measured.push({ task, program: `rasterio, ${title}`, runs: theirs[i]! });
      }
    }
  }
  peer?.close();
  print(`${rounds} rounds after one that only warms up; each is the mean of ${BATCH} tiles.`);
  print();
  print(comparison(measured, "kB"));
}

const meanOf = ({ wall, cpu, bytes }: Run): Run => ({ wall: wall / BATCH, cpu: cpu / BATCH, bytes: bytes / BATCH });

/** The tile some micrometres further on: no plan of its warp is kept. */
function moved(job: TileJob, micrometres: number): TileJob {
  const [a, b, west, d, e, north] = job.grid.transform;
  return { ...job, grid: { ...job.grid, transform: [a, b, west + micrometres * 1e-6, d, e, north] } };
}
