import type { Samples } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockCache, memorySource, openCog, readWindow, type Source } from "../../src/index.ts";
import { local, turns, unruly } from "../fixtures.ts";

const NAME = "deflate-uint16.tif";
// little is read with the header: blocks come by reads of their own
const cog = await openCog(unruly(memorySource(local(NAME), NAME)), { prefetch: 512 });
const { width, height, blockWidth, blockHeight } = cog.levels[0]!;

const windows = fc.array(
  fc
    .record({ x: fc.nat(width - 1), y: fc.nat(height - 1), width: fc.nat(width), height: fc.nat(height) })
    .map((window) => ({
      x: window.x,
      y: window.y,
      width: Math.max(1, Math.min(window.width, width - window.x)),
      height: Math.max(1, Math.min(window.height, height - window.y)),
    })),
  { minLength: 1, maxLength: 12 },
);

test("concurrently read windows are correct, however few blocks fit in the cache", async () => {
  expect(Math.ceil(width / blockWidth) * Math.ceil(height / blockHeight)).toBeGreaterThan(3);
  const room = fc.constantFrom(0, 66_000, 140_000, 10e6);
  await fc.assert(
    fc.asyncProperty(windows, room, async (list, maxBytes) => {
      const cache = new BlockCache({ maxBytes });
      const together = await Promise.all(list.map((window) => readWindow(cog, 0, window, { cache })));
      for (const [i, window] of list.entries()) {
        const alone = await readWindow(cog, 0, window);
        expect(together[i]!.bands).toEqual(alone.bands);
      }
      expect(cache.use.bytes).toBeLessThanOrEqual(maxBytes);
    }),
    { numRuns: 60 },
  );
});

test("memory of an evicted block is used again, but not while it is being read", async () => {
  // seven fit, and the memory of two more
  const cache = new BlockCache({ maxBytes: 700_000 });
  const load = (value: number, read: () => Promise<void> | void = () => {}): Promise<Samples> =>
    cache.load(
      `${value}`,
      async () => ({ samples: cache.allocate(65_536).fill(value), rows: 1 }),
      async ({ samples }) => {
        await read();
        return samples;
      },
    );
  let leave = (): void => {};
  const reading = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const slow = load(1, () => reading);
  const second = await load(2);
  const later: Samples[] = [];
  for (const value of [3, 4, 5, 6, 7, 8, 9]) later.push(await load(value));
  // the first two are evicted; only the second one's memory is used by another
  expect(cache.use.entries).toBe(7);
  expect((await load(10)).buffer).toBe(second.buffer);
  leave();
  const first = await slow;
  expect(first[0]).toBe(1);
  expect((await load(11)).buffer).toBe(first.buffer);
  expect(later.slice(2).map((samples) => samples[0])).toEqual([5, 6, 7, 8, 9]);
});

test("a block that goes on in its own memory keeps it", async () => {
  const cache = new BlockCache({ maxBytes: 140_000 });
  const samples = cache.allocate(65_536).fill(1);
  const rest = cache.allocate(100);
  await cache.load(
    "a",
    async () => ({ samples, rows: 1, rest }),
    () => {},
  );
  await cache.load(
    "a",
    async () => ({ samples, rows: 2 }),
    () => {},
  );
  const taken = [cache.allocate(65_536), cache.allocate(65_536), cache.allocate(65_536)].map(({ buffer }) => buffer);
  expect(taken).not.toContain(samples.buffer);
  expect(cache.read("a", ({ rows }) => rows)).toBe(2);
});

test("an abandoned load cannot write to memory of other blocks", async () => {
  const cache = new BlockCache({ maxBytes: 140_000 });
  const samples = cache.allocate(65_536).fill(1);
  await cache.load(
    "a",
    async () => ({ samples, rows: 1 }),
    () => {},
  );
  const controller = new AbortController();
  let end = (): void => {};
  const growing = cache.load(
    "a",
    async () => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return { samples, rows: 2 };
    },
    () => {},
    { signal: controller.signal },
  );
  // it is evicted while it grows, and its reader aborts too
  await cache.load(
    "b",
    async () => ({ samples: cache.allocate(65_536), rows: 1 }),
    () => {},
  );
  controller.abort(new Error("gone"));
  await expect(growing).rejects.toThrow("gone");
  expect(cache.allocate(65_536).buffer).not.toBe(samples.buffer);
  end();
  await turns(3);
  expect(cache.allocate(65_536).buffer).not.toBe(samples.buffer);
});

test("the memory of a read serves others as soon as its blocks are decoded, and is theirs alone", async () => {
  const file = memorySource(local(NAME), NAME);
  const reads: ArrayBufferLike[] = [];
  const source: Source = {
    key: NAME,
    async read(offset, length, options) {
      const from = await file.read(offset, length);
      const bytes = options?.allocate?.(from.length) ?? new Uint8Array(from.length);
      if (options?.allocate !== undefined) reads.push(bytes.buffer);
      await turns(1);
      bytes.set(from);
      return bytes;
    },
  };
  const open = await openCog(source, { prefetch: 512 });
  const cache = new BlockCache({ maxBytes: 10e6 });
  const halves = [0, Math.floor(height / 2)].map((y) => ({ x: 0, y, width, height: Math.floor(height / 2) }));
  for (const window of halves) {
    const { bands } = await readWindow(open, 0, window, { cache });
    expect(bands).toEqual((await readWindow(cog, 0, window)).bands);
  }
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(reads).size).toBeLessThan(reads.length);
});

test("blocks of an extraction take half of the cache at most", async () => {
  const cache = new BlockCache({ maxBytes: 1_100_000 });
  const load = (key: string, sequential: boolean): Promise<void> =>
    cache.load(
      key,
      async () => ({ samples: cache.allocate(65_536), rows: 1 }),
      () => {},
      { sequential },
    );
  for (let i = 0; i < 6; i++) await load(`tile ${i}`, false);
  for (let i = 0; i < 100; i++) {
    await load(`area ${i}`, true);
    // the one that is used again and again stays
    expect(cache.read("area 0", () => true)).toBe(true);
  }
  const held = (name: string, count: number): number =>
    Array.from({ length: count }, (_, i) => cache.read(`${name} ${i}`, () => 1) ?? 0).reduce((a, b) => a + b, 0);
  expect(held("tile", 6)).toBe(6);
  expect(held("area", 100)).toBe(6);
  expect(cache.read("area 99", () => true)).toBe(true);
  for (let i = 6; i < 30; i++) await load(`tile ${i}`, false);
  expect(held("tile", 30)).toBe(12);
  expect(held("area", 100)).toBe(0);
});
