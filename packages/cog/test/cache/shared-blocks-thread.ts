// A thread of shared-blocks.test.ts: reads windows at random until it is ended, and says when one is wrong.
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { attachSharedBlocks } from "../../src/cache/shared-blocks.ts";
import type { SharedBlocks } from "../../src/cache/shared-table.ts";
import { memorySource, openCog, readWindow } from "../../src/index.ts";

const { shared, number, seed } = workerData as { shared: SharedBlocks; number: number; seed: number };
const NAMES = ["deflate-uint16.tif", "lzw-uint16.tif"];
const files = NAMES.map((name) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url)));
const cogs = await Promise.all(
  files.map((bytes, i) => openCog(memorySource(new Uint8Array(bytes), NAMES[i]!), { prefetch: 512 })),
);
const truths = await Promise.all(
  cogs.map((cog) => readWindow(cog, 0, { x: 0, y: 0, width: cog.levels[0]!.width, height: cog.levels[0]!.height })),
);
const cache = attachSharedBlocks(shared, number);
let state = seed;
const random = (below: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return (state >>> 8) % below;
};

for (let round = 0; ; round++) {
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      const i = random(cogs.length);
      const { width, height } = cogs[i]!.levels[0]!;
      const [x, y] = [random(width), random(height)];
      const window = { x, y, width: 1 + random(width - x), height: 1 + random(height - y) };
      const { bands } = await readWindow(cogs[i]!, 0, window, { cache });
      for (let row = 0; row < window.height; row++) {
        const from = (y + row) * width + x;
        const truth = truths[i]!.bands[0]!.subarray(from, from + window.width);
        const read = bands[0]!.subarray(row * window.width, (row + 1) * window.width);
        if (read.some((value, at) => value !== truth[at])) throw new Error(`Row ${y + row} of ${NAMES[i]} is wrong.`);
      }
    }),
  );
  parentPort?.postMessage(round);
  await new Promise((resolve) => setImmediate(resolve));
}
