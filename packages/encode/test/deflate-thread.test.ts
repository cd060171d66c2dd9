import { inflateSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createGeoTiffWriter, deflateRuns, type GeoTiffWriterOptions, memorySink } from "../src/index.ts";
import { createDeflateThread, type DeflateThread } from "../src/node.ts";
import { terrain } from "./rasters.ts";

let thread: DeflateThread;
afterEach(() => thread.close());

test("a thread deflates as the calling thread does, from shared memory and from any other", async () => {
  thread = createDeflateThread();
  const blocks = [0, 1, 5, 70_000].map((length) => {
    const block = thread.allocate(length);
    for (let i = 0; i < length; i++) block[i] = (i * i) >> 9;
    return block;
  });
  const streams = await Promise.all(blocks.map((block) => thread.deflate(block, 1)));
  for (const [i, block] of blocks.entries()) {
    expect(Buffer.compare(inflateSync(streams[i]!), Buffer.from(block))).toBe(0);
    expect(Buffer.compare(await thread.deflate(Uint8Array.from(block), 1), streams[i]!)).toBe(0);
  }
});

test.each([
  { type: "uint16", predictor: 2 },
  { type: "float32", predictor: 3 },
  { type: "float32", predictor: 1 },
] as const)("a file of $type is the same with predictor $predictor, wherever its blocks are encoded", async (each) => {
  thread = createDeflateThread();
  const raster = terrain(each.type, 300, 260, 3);
  const shape = { grid: raster.grid, sampleType: each.type, bandCount: 3 };
  const write = async (options: GeoTiffWriterOptions): Promise<Uint8Array> => {
    const sink = memorySink();
    const writer = await createGeoTiffWriter(shape, sink, {
      blockSize: 64,
      predictor: each.predictor,
      nodata: 0,
      ...options,
    });
    await writer.write(raster);
    await writer.finish();
    return sink.bytes();
  };
  const here = await write({ deflate: deflateRuns });
  expect(Buffer.compare(await write(thread), here)).toBe(0);
  expect(Buffer.compare(await write({ deflate: thread.deflate }), here)).toBe(0);
});

test("what waits when the thread ends rejects, and the next block starts another", async () => {
  thread = createDeflateThread();
  await thread.deflate(new Uint8Array(10), 1);
  const waiting = thread.deflate(new Uint8Array(30_000_000), 1);
  await Promise.all([thread.close(), expect(waiting).rejects.toThrow("has ended")]);
  expect(inflateSync(await thread.deflate(new Uint8Array(10), 1)).length).toBe(10);
});
