import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockCache, CogError, openCog, readWindow } from "../../src/index.ts";
import { RecordingSource } from "../fixtures.ts";
import { noise, TILES_START, tiledTiff } from "../tiled-tiff.ts";

/** Edge of the one block of a file: 512 KB when decoded. */
const SIDE = 512;

/** Samples of noise in some rows, zeros in the others. */
function samples(isNoisy: (row: number) => boolean): Uint16Array {
  return noise(SIDE * SIDE).map((value, i) => (isNoisy(Math.floor(i / SIDE)) ? value : 0));
}

/** A file of one deflated tile. */
function tiffOf(values: Uint16Array): { readonly bytes: Uint8Array; readonly blockBytes: number } {
  const block = deflateSync(new Uint8Array(values.buffer));
  return { bytes: tiledTiff([block], { side: SIDE, compression: 8 }).bytes, blockBytes: block.length };
}

const EVEN = samples(() => true);
const even = tiffOf(EVEN);
const at = (x: number, y: number) => ({ x, y, width: 1, height: 1 });
const sampleOf = ({ bands }: { readonly bands: readonly ArrayLike<number>[] }): number => Number(bands[0]?.[0]);

test("of a block whose first rows are needed little more than their bytes is read, and once", async () => {
  const source = new RecordingSource(even.bytes);
  const cog = await openCog(source);
  const cache = new BlockCache({ maxBytes: 1e7 });
  const options = { cache, partialBlocks: true };
  expect(sampleOf(await readWindow(cog, 0, at(9, 100), options))).toBe(EVEN[100 * SIDE + 9]);
  expect(source.reads).toHaveLength(2);
  const [, { offset, length } = { offset: 0, length: 0 }] = source.reads;
  expect(offset).toBe(TILES_START);
  expect(length).toBeGreaterThan((even.blockBytes * 101) / SIDE);
  expect(length).toBeLessThan(even.blockBytes / 3);
  expect(sampleOf(await readWindow(cog, 0, at(400, 50), options))).toBe(EVEN[50 * SIDE + 400]);
  expect(source.reads).toHaveLength(2);
});

test("a row below those is read with the whole block, after which none is read again", async () => {
  const source = new RecordingSource(even.bytes);
  const cog = await openCog(source);
  const cache = new BlockCache({ maxBytes: 1e7 });
  const options = { cache, partialBlocks: true };
  for (const y of [20, 200, 100, 511, 300]) {
    expect(sampleOf(await readWindow(cog, 0, at(y, y), options))).toBe(EVEN[y * SIDE + y]);
  }
  expect(source.reads.slice(1).map(({ length }) => length === even.blockBytes)).toEqual([false, true]);
});

test("where the first rows take more bytes than their share, one more read brings the rest", async () => {
  const values = samples((row) => row < 60);
  const { bytes, blockBytes } = tiffOf(values);
  const source = new RecordingSource(bytes);
  const cog = await openCog(source);
  const read = await readWindow(cog, 0, at(3, 50), { partialBlocks: true });
  expect(sampleOf(read)).toBe(values[50 * SIDE + 3]);
  expect(source.reads).toHaveLength(3);
  const [, first = { offset: 0, length: 0 }, second = { offset: 0, length: 0 }] = source.reads;
  expect(second).toEqual({ offset: first.offset + first.length, length: blockBytes - first.length });
});

test("whole blocks are read where they are not asked for in part, and near their last row", async () => {
  for (const [y, partialBlocks] of [
    [100, undefined],
    [100, false],
    [450, true],
  ] as const) {
    const source = new RecordingSource(even.bytes);
    await readWindow(await openCog(source), 0, at(0, y), { partialBlocks });
    expect(source.reads.slice(1)).toEqual([{ offset: TILES_START, length: even.blockBytes }]);
  }
});

test("pixels are those of whole blocks, whatever rows hold the bytes", async () => {
  const windows = fc.record({ x: fc.nat(SIDE - 1), y: fc.nat(SIDE - 1), from: fc.nat(SIDE - 1), to: fc.nat(SIDE - 1) });
  await fc.assert(
    fc.asyncProperty(windows, async ({ x, y, from, to }) => {
      const values = samples((row) => row >= Math.min(from, to) && row <= Math.max(from, to));
      const source = new RecordingSource(tiffOf(values).bytes);
      const read = await readWindow(await openCog(source), 0, at(x, y), { partialBlocks: true });
      expect(sampleOf(read)).toBe(values[y * SIDE + x]);
      expect(source.reads.length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 40 },
  );
});

test("a block that is damaged in its first part, or cut, is corrupt as ever", async () => {
  const damaged = even.bytes.slice();
  damaged.fill(0xff, TILES_START + 2, TILES_START + 400);
  const cut = even.bytes.slice(0, TILES_START + 5000);
  for (const bytes of [damaged, cut]) {
    const cog = await openCog(new RecordingSource(bytes));
    const error = await readWindow(cog, 0, at(9, 100), { partialBlocks: true }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(CogError);
    expect((error as CogError).code).toBe("corrupt");
  }
});
