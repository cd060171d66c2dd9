/**
 * Windows of the layouts of `test/gdal/layouts.py` beside GDAL in one thread, medians of random windows in ms of the processor, with requests and bytes:
 *
 *     node --conditions=@swath/source packages/jp2/bench/windows.ts
 *
 * Cold: the file is open, nothing is decoded. Warm: the same window again. In part: few pixels, of which nothing is kept.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BlockCache, memorySource, type ReadOptions, readWindow, type Source } from "@swath/cog";
import { openJp2 } from "../src/index.ts";
import { randomTasks, readWithGdal, type Task, writeLayouts } from "../test/gdal/windows.ts";

const WINDOWS = 30;
const folder = mkdtempSync(join(tmpdir(), "swath-jp2-bench-"));

/** A source over memory that counts. */
function counted(bytes: Uint8Array, key: string) {
  const count = { requests: 0, bytes: 0 };
  const memory = memorySource(bytes, key);
  const source: Source = {
    ...memory,
    async read(offset, length, options) {
      const read = await memory.read(offset, length, options);
      count.requests += 1;
      count.bytes += read.length;
      return read;
    },
  };
  return { source, count };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(bytes: Uint8Array, tasks: readonly Task[], options: (cache: BlockCache) => ReadOptions) {
  const cold: number[] = [];
  const warm: number[] = [];
  const total = { requests: 0, bytes: 0 };
  for (const { level, ...window } of tasks) {
    const { source, count } = counted(bytes, "bench");
    const jp2 = await openJp2(source);
    const before = { ...count };
    const how = options(new BlockCache({ maxBytes: 256e6 }));
    for (const times of [cold, warm]) {
      const started = process.cpuUsage();
      await readWindow(jp2, level, window, how);
      const { user, system } = process.cpuUsage(started);
      times.push((user + system) / 1000);
      if (times === warm) continue;
      total.requests += count.requests - before.requests;
      total.bytes += count.bytes - before.bytes;
    }
  }
  return {
    cold: median(cold),
    warm: median(warm),
    requests: total.requests / tasks.length,
    bytes: total.bytes / tasks.length,
  };
}

try {
  for (const name of writeLayouts(folder)) {
    const path = join(folder, name);
    const bytes = new Uint8Array(readFileSync(path));
    const jp2 = await openJp2(memorySource(bytes, path));
    for (const level of [0, 2]) {
      const some = randomTasks(path, jp2, jp2.levels.length, 4 * WINDOWS, 7 + level)
        .map((task) => ({ ...task, level, fresh: true }))
        .map(({ x, y, ...task }) => ({
          ...task,
          x: x % Math.max(1, jp2.levels[level]!.width - 256),
          y: y % Math.max(1, jp2.levels[level]!.height - 256),
        }))
        .map((task) => ({ ...task, width: 256, height: 256 }))
        .slice(0, WINDOWS);
      await measure(bytes, some.slice(0, 5), (cache) => ({ cache }));
      const ours = await measure(bytes, some, (cache) => ({ cache }));
      const pixels = some.map((task) => ({ ...task, width: 3, height: 3 }));
      const part = await measure(bytes, pixels, () => ({ partialBlocks: true }));
      const { times } = readWithGdal(some, new Map([[path, jp2]]));
      const gdal = { cold: median(times.map(([first]) => first)), warm: median(times.map(([, second]) => second)) };
      console.log(
        [
          `${name} level ${level}`.padEnd(32),
          `cold ${ours.cold.toFixed(1)} (GDAL ${gdal.cold.toFixed(1)})`.padEnd(30),
          `warm ${ours.warm.toFixed(2)} (GDAL ${gdal.warm.toFixed(2)})`.padEnd(28),
          `${ours.requests.toFixed(1)} requests, ${(ours.bytes / 1024).toFixed(0)} KB`.padEnd(26),
          `3 x 3 in part ${part.cold.toFixed(1)}, ${part.requests.toFixed(1)} requests, ${(part.bytes / 1024).toFixed(0)} KB`,
        ].join("  "),
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
