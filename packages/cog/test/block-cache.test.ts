import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockCache, memorySource, openCog, readWindow, type Source } from "../src/index.ts";
import { local } from "./fixtures.ts";

/** A source whose answers come in no order. */
function unruly(source: Source): Source {
  return {
    key: source.key,
    async read(offset, length, options) {
      await wait(Math.random() * 3);
      return source.read(offset, length, options);
    },
  };
}

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

test("windows read at the same time are right, however few blocks the cache has room for", async () => {
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

test("memory of a block goes to the next ones, but not before those who have just got it have used it", async () => {
  // room for three
  const cache = new BlockCache({ maxBytes: 262_144 });
  const load = (value: number) =>
    cache.load(`${value}`, async () => ({ samples: cache.allocate(65_536).fill(value), rows: 1 }));
  const blocks = [await load(1), await load(2), await load(3), await load(4), await load(5)];
  // the first two have left the cache; their bytes stay for this turn of the event loop
  expect([1, 2, 3].map((value) => cache.get(`${value}`)?.rows)).toEqual([undefined, undefined, 1]);
  expect(blocks.map(({ samples }) => samples[0])).toEqual([1, 2, 3, 4, 5]);
  await wait(5);
  const next = await load(6);
  expect(blocks.slice(0, 2).map(({ samples }) => samples.buffer)).toContain(next.samples.buffer);
  expect(blocks.slice(2).map(({ samples }) => samples[0])).toEqual([3, 4, 5]);
});

test("a block that goes on in its own memory keeps it", async () => {
  const cache = new BlockCache({ maxBytes: 140_000 });
  const samples = cache.allocate(65_536).fill(1);
  await cache.load("a", async () => ({ samples, rows: 1 }));
  await cache.load("a", async () => ({ samples, rows: 2 }));
  await wait(5);
  expect(cache.allocate(65_536).buffer).not.toBe(samples.buffer);
  expect(cache.get("a")?.rows).toBe(2);
});
