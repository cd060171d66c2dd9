import type { ImageFormat } from "../packages/engine/src/run/job.ts";
import { comparison, type Measured } from "./comparison.ts";
import { gridSpec, KINDS, type Kind, tileAt, tileJob } from "./jobs.ts";
import { measure, type Run } from "./measure.ts";
import { PythonPeer } from "./peers.ts";
import type { Bench } from "./table.ts";
import { encodingsOf, filesOf, mercatorBounds } from "./tile-peers.ts";

const WARM_ROUNDS = 3;
const AROUND = [
  [0, 0],
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
  [1, 1],
] as const;
const signal = new AbortController().signal;

/** Files are open and blocks decoded, the image is rendered again: six neighbouring tiles in turn, in one thread. */
export async function warmTiles({ directory, peers, quick, print, progress, engine }: Bench): Promise<void> {
  const rounds = quick ? 5 : 9;
  const peer = peers ? new PythonPeer("rasterio_render.py") : undefined;
  const measured: Measured[] = [];
  for (const kind of KINDS) {
    for (const [z, size, format] of tasksOf()) {
      const task = titleOf(kind, z, size, format);
      progress(task);
      const tiles = AROUND.map(([right, down]) => (z === 8 ? tileAt(z) : tileAt(z, right, down))); // at z8 the scene is one tile
      const own = engine();
      const jobs = tiles.map((tile) => tileJob(kind, gridSpec(tile, size), format));
      const compared = peer !== undefined && z === 11 && size === 256 && format !== "webp";
      const encodings = compared ? encodingsOf(format, quick) : [];
      const order = { op: "tile", kind, paths: filesOf(directory, kind), size, format, keep: true };
      const ours: Run[] = [];
      const theirs: Run[][] = encodings.map(() => []);
      for (let round = -WARM_ROUNDS; round < rounds; round++) {
        const run = await measure(async () => {
          let bytes = 0;
          for (const job of jobs) bytes += (await own.image(job, { signal })).bytes.length;
          return bytes;
        });
        if (round >= 0) ours.push(share(run, jobs.length));
        for (const [i, { zlevel }] of encodings.entries()) {
          const answer = await peer!.run({ ...order, tiles: tiles.map(mercatorBounds), zlevel });
          if (round >= 0) theirs[i]!.push(share(answer, jobs.length));
        }
      }
      measured.push({ task, program: "Swath", runs: ours });
      for (const [i, { title }] of encodings.entries()) {
        measured.push({ task, program: `rasterio, files kept open, ${title}`, runs: theirs[i]! });
      }
    }
  }
  peer?.close();
  print(`${rounds} rounds after ${WARM_ROUNDS} that only warm up, of every program.`);
  print();
  print(comparison(measured, "kB"));
}

function tasksOf(): readonly (readonly [z: number, size: 256 | 512, format: ImageFormat])[] {
  return [
    [8, 256, "png"],
    [11, 256, "png"],
    [11, 256, "jpg"],
    [11, 256, "webp"],
    [11, 512, "png"],
    [14, 256, "png"],
  ];
}

const titleOf = (kind: Kind, z: number, size: number, format: ImageFormat): string =>
  `${kind} z${z} ${format}${size === 256 ? "" : `, ${size} pixels`}`;

const share = ({ wall, cpu, bytes }: Run, count: number): Run => ({
  wall: wall / count,
  cpu: cpu / count,
  bytes: bytes / count,
});
