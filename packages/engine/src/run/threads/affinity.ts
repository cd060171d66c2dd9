import type { ExtractJob } from "../extract/extract-job.ts";
import { hashText } from "../hash-text.ts";
import type { ImageJob } from "../job.ts";

/** Jobs that go to a thread by what they read. */
export type PoolJob = ImageJob | ExtractJob;

/** Edge, in tiles, of the squares of a scene that one thread renders: a block of a file covers about three. */
const NEIGHBOURS = 4;

/** Jobs with the same number, which go to the same thread, read mostly the same blocks: neighbouring tiles of a scene. */
export function affinity(job: PoolJob): number {
  if (job.kind === "preview") return hashText(job.scene.id);
  if (job.kind === "parent") return job.parts.reduce((sum, part) => sum + (part?.bytes.length ?? 0), 0);
  if (job.kind === "extract") return hashText(job.scenes[0]?.read.id ?? "");
  const scene = hashText(job.scenes[0]?.id ?? "");
  const [a, , west, , e, north] = job.grid.transform;
  const [width, height] = [a * job.grid.width, e * job.grid.height];
  // the middle of a tile: its corner may be the edge of a square, on either side of which rounding would put it
  const across = Math.floor((west + width / 2) / (width * NEIGHBOURS));
  const down = Math.floor((north + height / 2) / (height * NEIGHBOURS));
  // a chessboard: squares side by side go to different threads
  return (scene + across + down) >>> 0;
}
