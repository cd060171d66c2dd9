import { Worker } from "node:worker_threads";
import type { Samples } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { attachSharedBlocks, detachSharedBlocks } from "../../src/cache/shared-blocks.ts";
import { shareBlocks } from "../../src/cache/shared-table.ts";
import type { BlockCache } from "../../src/index.ts";
import { memorySource, openCog, readWindow } from "../../src/index.ts";
import { local, RecordingSource, unruly } from "../fixtures.ts";

const NAME = "deflate-uint16.tif";
const LZW = "lzw-uint16.tif";

const cogs = await Promise.all(
  [NAME, LZW].map((name) => openCog(unruly(memorySource(local(name), name)), { prefetch: 512 })),
);

const windows = fc.array(
  fc
    .record({ file: fc.nat(1), thread: fc.nat(2), x: fc.nat(), y: fc.nat(), width: fc.nat(), height: fc.nat() })
    .map(({ file, thread, x, y, width, height }) => {
      const level = cogs[file]!.levels[0]!;
      const [left, top] = [x % level.width, y % level.height];
      return {
        file,
        thread,
        window: {
          x: left,
          y: top,
          width: 1 + (width % (level.width - left)),
          height: 1 + (height % (level.height - top)),
        },
      };
    }),
  { minLength: 1, maxLength: 12 },
);

/** Loads a block of samples of one value under a name. */
function load(cache: BlockCache, key: string, value: number, length = 65_536): Promise<Samples> {
  return cache.load(
    key,
    async (_, held) => held ?? { samples: cache.allocateFor(key, length).fill(value), rows: 1 },
    ({ samples }) => samples.slice(),
  );
}

const isHeld = (cache: BlockCache, key: string): boolean => cache.read(key, () => true) === true;

test("windows read by several threads are correct, however few blocks fit", async () => {
  const room = fc.constantFrom(0, 30_000, 120_000, 300_000, 10e6);
  await fc.assert(
    fc.asyncProperty(windows, room, async (list, maxBytes) => {
      const shared = shareBlocks({ maxBytes, threads: 3, arenaBytes: 16_384 * 9 });
      const caches = [0, 1, 2].map((thread) => attachSharedBlocks(shared, thread));
      const together = await Promise.all(
        list.map(({ file, thread, window }) => readWindow(cogs[file]!, 0, window, { cache: caches[thread] })),
      );
      for (const [i, { file, window }] of list.entries()) {
        const alone = await readWindow(cogs[file]!, 0, window);
        expect(together[i]!.bands).toEqual(alone.bands);
      }
      expect(caches[0]!.use.bytes).toBeLessThanOrEqual(maxBytes);
      // no entry is held any more
      caches[0]!.clear();
      expect(caches[1]!.use).toMatchObject({ entries: 0, bytes: 0 });
    }),
    { numRuns: 100 },
  );
});

test("what a thread has decoded or reads is read by no other, from the first row or further ones", async () => {
  const sources = [0, 1].map(() => new RecordingSource(local(NAME), NAME));
  const [first, second] = await Promise.all(sources.map((source) => openCog(source, { prefetch: 512 })));
  const { width, height } = first!.levels[0]!;
  const shared = shareBlocks({ maxBytes: 10e6, threads: 2 });
  const [one, other] = [attachSharedBlocks(shared, 0), attachSharedBlocks(shared, 200)];
  const top = { x: 0, y: 0, width, height: 3 };
  const whole = { x: 0, y: 0, width, height };
  // tables of blocks are each thread's own
  await Promise.all([first, second].map((cog) => readWindow(cog!, 0, whole)));
  for (const { reads } of sources) reads.length = 0;
  await Promise.all([
    readWindow(first!, 0, top, { cache: one }),
    readWindow(second!, 0, top, { cache: other }),
    readWindow(first!, 0, whole, { cache: one }),
  ]);
  const again = await readWindow(second!, 0, whole, { cache: other });
  expect(again.bands).toEqual((await readWindow(first!, 0, whole, { cache: one })).bands);
  expect(sources[0]!.reads.length).toBeGreaterThan(0);
  expect(sources[1]!.reads).toEqual([]);
});

test("a block whose loading thread fails or aborts is loaded by a waiting thread", async () => {
  const shared = shareBlocks({ maxBytes: 10e6, threads: 2 });
  const [one, other] = [attachSharedBlocks(shared, 0), attachSharedBlocks(shared, 1)];
  let fail = (_: Error): void => {};
  const failing = one.load(
    "a",
    () => new Promise<never>((_, reject) => (fail = reject)),
    () => {},
  );
  expect(other.isLoading("a")).toBe(true);
  const waiting = load(other, "a", 7);
  const controller = new AbortController();
  const leaving = other.load(
    "b",
    async () => ({ samples: new Uint8Array(4), rows: 1 }),
    () => {},
    { signal: controller.signal },
  );
  await leaving;
  fail(new Error("no network"));
  await expect(failing).rejects.toThrow("no network");
  expect((await waiting)[0]).toBe(7);
  expect((await load(one, "a", 8))[0]).toBe(7);
});

test("a read that waits for another thread's block can be aborted", async () => {
  const shared = shareBlocks({ maxBytes: 10e6, threads: 2 });
  const [one, other] = [attachSharedBlocks(shared, 0), attachSharedBlocks(shared, 1)];
  let end = (): void => {};
  const slow = one.load(
    "a",
    async () => {
      await new Promise<void>((resolve) => (end = resolve));
      return { samples: one.allocateFor("a", 10).fill(1), rows: 1 };
    },
    () => {},
  );
  const controller = new AbortController();
  const leaving = other.load(
    "a",
    async () => ({ samples: new Uint8Array(10), rows: 1 }),
    () => {},
    { signal: controller.signal },
  );
  controller.abort(new Error("gone"));
  await expect(leaving).rejects.toThrow("gone");
  end();
  await slow;
  expect((await load(other, "a", 2))[0]).toBe(1);
});

test("blocks of an extraction take half of the cache at most", async () => {
  // pages of blocks: 48, four for each block
  const shared = shareBlocks({ maxBytes: 64 * 16_384, threads: 2 });
  const [one, other] = [attachSharedBlocks(shared, 0), attachSharedBlocks(shared, 1)];
  for (let i = 0; i < 6; i++) await load(one, `tile ${i}`, i);
  for (let i = 0; i < 100; i++) {
    const key = `area ${i}`;
    const cache = i % 2 === 0 ? one : other;
    await cache.load(
      key,
      async () => ({ samples: cache.allocateFor(key, 65_536), rows: 1 }),
      () => {},
      { sequential: true },
    );
    // the one that is used again and again stays
    expect(isHeld(other, "area 0")).toBe(true);
  }
  const held = (name: string, count: number): number =>
    Array.from({ length: count }, (_, i) => isHeld(one, `${name} ${i}`)).filter(Boolean).length;
  expect(held("tile", 6)).toBe(6);
  expect(held("area", 100)).toBe(6);
  for (let i = 6; i < 30; i++) await load(other, `tile ${i}`, i);
  expect(held("tile", 30)).toBe(12);
  expect(held("area", 100)).toBe(0);
});

test("what is too large, or has too long a name, is read and not kept", async () => {
  const shared = shareBlocks({ maxBytes: 200_000, threads: 1 });
  const cache = attachSharedBlocks(shared, 0);
  expect((await load(cache, "large", 3, 1_000_000)).length).toBe(1_000_000);
  expect((await load(cache, "n".repeat(2_001), 4))[0]).toBe(4);
  expect((await load(cache, "n".repeat(2_000), 5))[0]).toBe(5);
  expect(cache.use.entries).toBe(1);
  expect(isHeld(cache, "n".repeat(2_000))).toBe(true);
  expect(() => attachSharedBlocks(shared, 256)).toThrow(RangeError);
});

test("the blocks of a thread that ended at any moment can be used by the others", async () => {
  const shared = shareBlocks({ maxBytes: 64 * 16_384, threads: 2 });
  const [one, other] = [attachSharedBlocks(shared, 0), attachSharedBlocks(shared, 1)];
  for (let i = 0; i < 5; i++) await load(other, `${i}`, i);
  void one.load(
    "a",
    () => {
      one.allocateFor("a", 65_536);
      return new Promise<never>(() => {});
    },
    () => {},
  );
  const waiting = load(other, "a", 9);
  // as if it had the lock, and had changed sums and chains only partly
  const words = new Int32Array(shared.words);
  words[0] = 1;
  words.fill(0, words.length - 20);
  new Uint8Array(shared.pages).fill(1);
  // and another that has ended had its turn to be taken out later
  const left = detachSharedBlocks(shared, 2);
  await detachSharedBlocks(shared, 0);
  await left;
  expect((await waiting)[0]).toBe(9);
  for (let i = 0; i < 5; i++) expect((await load(other, `${i}`, 100))[0]).toBe(i);
  expect(other.use).toMatchObject({ entries: 6, bytes: 6 * 65_536 });
  other.clear();
  expect(attachSharedBlocks(shared, 0).use).toMatchObject({ entries: 0, bytes: 0 });
});

test("threads that read at the same time, and are ended at any time, read what is in the file", async () => {
  // a part of the blocks fits
  const shared = shareBlocks({ maxBytes: 220_000, threads: 3 });
  const problems: Error[] = [];
  let rounds = 0;
  const start = (number: number, seed: number): Worker => {
    const worker = new Worker(new URL("./shared-blocks-thread.ts", import.meta.url), {
      workerData: { shared, number, seed },
    });
    worker.on("error", (error) => problems.push(error));
    worker.on("message", () => rounds++);
    return worker;
  };
  const workers = [0, 1, 2].map((number) => start(number, number + 1));
  for (let i = 0; i < 8; i++) {
    const before = rounds;
    // the time is for threads that hang
    const patience = { interval: 2, timeout: 100_000 };
    await expect.poll(() => rounds >= before + 60 || problems.length > 0, patience).toBe(true);
    const number = i % 3;
    await workers[number]!.terminate();
    await detachSharedBlocks(shared, number);
    workers[number] = start(number, 10 + i);
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
  await Promise.all([0, 1, 2].map((number) => detachSharedBlocks(shared, number)));
  expect(problems).toEqual([]);
  const cache = attachSharedBlocks(shared, 0);
  expect(cache.use.bytes).toBeLessThanOrEqual(220_000);
  cache.clear();
  expect(cache.use).toMatchObject({ entries: 0, bytes: 0 });
});
