import type { Raster, SampleType } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memorySpool } from "../../src/geotiff/file/spool.ts";
import {
  type BlockMaker,
  type BlockRows,
  type BlockWriterOptions,
  type GeoTiffPart,
  type GeoTiffPartSource,
  type GeoTiffShape,
  joinGeoTiffParts,
  makeBlock,
  memorySink,
  planGeoTiffParts,
  type Sink,
  writeGeoTiffByBlocks,
  writeGeoTiffPart,
} from "../../src/index.ts";
import { terrain } from "../rasters.ts";
import { madeOf } from "../tasks.ts";
import { turns } from "../turns.ts";

/** A part in memory; counts how often each of its bytes is read. */
interface MadePart extends GeoTiffPartSource {
  readonly bytes: Uint8Array;
  readonly reads: Uint8Array;
}

function sourceOf(part: GeoTiffPart, bytes: Uint8Array): MadePart {
  const reads = new Uint8Array(bytes.length);
  return {
    part: JSON.parse(JSON.stringify(part)) as GeoTiffPart,
    bytes,
    reads,
    async read(position, into) {
      await turns(position % 3);
      expect(position + into.length).toBeLessThanOrEqual(bytes.length);
      into.set(bytes.subarray(position, position + into.length));
      for (let i = position; i < position + into.length; i++) reads[i]! += 1;
    },
  };
}

function shapeOf(raster: Raster, sampleType: SampleType): GeoTiffShape {
  return { grid: raster.grid, sampleType, bandCount: raster.bands.length };
}

/** A sink in memory that takes bytes in any order. */
function randomSink(): ReturnType<typeof memorySink> {
  let held = new Uint8Array(0);
  return {
    ...memorySink(),
    start: async (size) => {
      held = new Uint8Array(size);
    },
    writeAt: async (bytes, position) => held.set(bytes, position),
    bytes: () => held,
  };
}

async function makePart(
  raster: Raster,
  sampleType: SampleType,
  rows: BlockRows,
  options: BlockWriterOptions,
  sink = memorySink(),
): Promise<MadePart> {
  const part = await writeGeoTiffPart(shapeOf(raster, sampleType), rows, sink, options, async (task) => {
    await turns(task.x % 2);
    return madeOf(raster, task);
  });
  expect(part.size).toBe(sink.bytes().length);
  return sourceOf(part, sink.bytes());
}

const joiner: BlockMaker = async (task) => {
  expect(task.level).toBeGreaterThan(0);
  return makeBlock(task, undefined);
};

/** Rows of blocks cut at these shares of them. */
function cut(blocksDown: number, shares: readonly number[]): BlockRows[] {
  const edges = [...new Set([0, ...shares.map((share) => Math.floor(share * blocksDown)), blocksDown])];
  edges.sort((a, b) => a - b);
  return edges.slice(1).map((to, i) => ({ from: edges[i]!, to }));
}

test("parts made in any order and joined are the file that is written at once, byte for byte", async () => {
  const edge = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.constantFrom(1, 16, 64, 65, 127, 128, 129, 130, 256, 257, 258, 260),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        width: edge,
        height: edge,
        type: fc.constantFrom<SampleType>("uint8", "int16", "uint16", "float32", "float64"),
        gaps: fc.constantFrom<BlockWriterOptions>({ nodata: 7 }, { mask: true }, {}),
        bands: fc.integer({ min: 1, max: 4 }),
        blockSize: fc.constantFrom(16, 32),
        overviewResampling: fc.constantFrom("nearest" as const, "average" as const, "mode" as const),
        shares: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 5 }),
        seed: fc.nat(),
        workers: fc.integer({ min: 1, max: 3 }),
        tasksPerWorker: fc.integer({ min: 1, max: 3 }),
      }),
      async ({ width, height, type, gaps, bands, shares, seed, ...layout }) => {
        const raster = terrain(type, width, height, bands);
        const options = { ...layout, ...gaps };
        const whole = memorySink();
        const shape = shapeOf(raster, type);
        const summary = await writeGeoTiffByBlocks(shape, whole, options, async (task) => madeOf(raster, task));

        const blocksDown = Math.ceil(height / Math.min(options.blockSize, Math.ceil(height / 16) * 16));
        const parts = await Promise.all(
          cut(blocksDown, shares).map((rows, n) =>
            makePart(raster, type, rows, options, (n + seed) % 2 === 0 ? memorySink() : randomSink()),
          ),
        );
        parts.sort((a, b) => ((a.part.rows.from * 31 + seed) % 7) - ((b.part.rows.from * 31 + seed) % 7));
        const joined = memorySink();
        const copying: Sink = {
          ...joined,
          async copy(part, position, length) {
            const bytes = new Uint8Array(length);
            await parts[part]!.read(position, bytes);
            await joined.write(bytes);
          },
        };
        const sink = seed % 3 === 0 ? copying : joined;
        expect(await joinGeoTiffParts(shape, sink, options, parts, joiner)).toEqual(summary);
        expect(Buffer.compare(joined.bytes(), whole.bytes())).toBe(0);
        for (const { reads } of parts) expect(reads.every((count) => count === 1)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test("a part has the same bytes each time it is made, whatever the memory held before", async () => {
  const options = { blockSize: 32, overviewResampling: "average", workers: 2 } as const;
  const made = async (seed: number) => {
    await makePart(terrain("uint16", 257, 259, 2, seed), "uint16", { from: 0, to: 9 }, options);
    return makePart(terrain("uint16", 257, 259, 2), "uint16", { from: 3, to: 6 }, options);
  };
  const [first, second] = [await made(2), await made(3)];
  expect(first.part).toEqual(second.part);
  expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
});

test("a part leaves only the pixels that coarser blocks need of it", async () => {
  const raster = terrain("uint16", 512, 512, 4);
  const { part } = await makePart(raster, "uint16", { from: 4, to: 8 }, { blockSize: 32 });
  // 4 rows of blocks, 2 and 1 of overviews; of the next 16 rows, each sample two bytes and one for each pixel that says whether it is valid
  expect(part.blockSizes).toHaveLength(4 * 16 + 2 * 8 + 4);
  const framed = part.blockSizes.reduce((sum, size) => sum + 8 + size, 0);
  expect(part.size - framed).toBe(16 * 64 * (4 * 2 + 1));
  const all = await makePart(raster, "uint16", { from: 0, to: 16 }, { blockSize: 32 });
  expect(all.part.size).toBe(all.part.blockSizes.reduce((sum, size) => sum + 8 + size, 0));
});

test("a file is cut into parts of powers of two of rows of blocks that have enough samples", () => {
  const { grid } = terrain("uint8", 64, 64, 1);
  const plan = (width: number, height: number, values: number) =>
    planGeoTiffParts({ grid: { ...grid, width, height }, sampleType: "uint8", bandCount: 3 }, { blockSize: 32 }, values)
      .map(({ from, to }) => `${from}-${to}`)
      .join(" ");
  expect(plan(100, 64, 1)).toBe("0-2");
  expect(plan(100, 32 * 10, 1)).toBe("0-2 2-4 4-6 6-8 8-10");
  // three rows of blocks have enough: four are a power of two; what is less than a part goes to the last one
  expect(plan(100, 32 * 11, 100 * 96 * 3)).toBe("0-4 4-11");
  expect(plan(100, 32 * 12, 100 * 96 * 3)).toBe("0-4 4-8 8-12");
  expect(plan(100, 32 * 12, 1e9)).toBe("0-12");
  expect(plan(100, 20, 1)).toBe("0-1");
});

test("parts are read in pieces of 8 MiB, two ahead of the one that is written", async () => {
  const { grid } = terrain("uint8", 16, 16, 1);
  const shape = { grid: { ...grid, width: 4096, height: 4096 }, sampleType: "uint8", bandCount: 1 } as const;
  const sink = memorySink();
  const part = await writeGeoTiffPart(shape, { from: 0, to: 8 }, sink, {}, async ({ level, output }) =>
    level === 0 ? output.byteLength : 1000,
  );
  const bytes = sink.bytes();
  let [running, most] = [0, 0];
  const lengths: number[] = [];
  const read: GeoTiffPartSource["read"] = async (position, into) => {
    most = Math.max(most, ++running);
    lengths.push(into.length);
    into.set(bytes.subarray(position, position + into.length));
    await turns(1);
    running--;
  };
  const joined = memorySink();
  const slow = async (piece: Uint8Array) => {
    running++;
    most = Math.max(most, running);
    await turns(5);
    await joined.write(piece);
    running--;
  };
  await joinGeoTiffParts(shape, { ...joined, write: slow }, {}, [{ part, read }], joiner);
  expect(Math.max(...lengths)).toBe(8 << 20);
  expect(lengths.length).toBeLessThan(part.size / (8 << 20) + 2);
  expect(most).toBe(3);
  expect(Buffer.compare(joined.bytes().subarray(-part.size), bytes)).toBe(0);
});

test("few blocks of overviews are held at once while parts are joined, however many parts there are", async () => {
  for (const [width, height, rows] of [
    [1024, 1024, 2],
    [1023, 1021, 5],
  ] as const) {
    const raster = terrain("uint16", width, height, 1);
    const shape = shapeOf(raster, "uint16");
    const options = { blockSize: 16, workers: 2, tasksPerWorker: 2 } as const;
    const plan = Array.from({ length: Math.ceil(64 / rows) }, (_, n) => n / Math.ceil(64 / rows));
    const parts = await Promise.all(cut(64, plan).map((each) => makePart(raster, "uint16", each, options)));
    const memory = new Set<ArrayBufferLike>();
    let made = 0;
    await joinGeoTiffParts(shape, memorySink(), options, parts, async (task) => {
      for (const { memory: held } of [task.pixels!, ...task.coarser]) memory.add(held);
      made++;
      return makeBlock(task, undefined);
    });
    // 16 x 16 blocks and coarser ones where sides are even; more where they are odd
    expect(made).toBeGreaterThanOrEqual(256 + 64 + 16 + 4 + 1);
    expect(memory.size).toBeLessThan(30);
  }
});

test("progress is that of the blocks and of the copy for a part, of the copy where parts are joined", async () => {
  const raster = terrain("uint16", 200, 200, 1);
  const steps: number[] = [];
  const options = { blockSize: 32, onProgress: (done: number) => void steps.push(done) };
  const parts = [];
  for (const rows of cut(7, [0.5])) {
    steps.length = 0;
    parts.push(await makePart(raster, "uint16", rows, options));
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(1);
    expect(steps.length).toBeGreaterThan(20);
  }
  steps.length = 0;
  await joinGeoTiffParts(shapeOf(raster, "uint16"), memorySink(), options, parts, joiner);
  expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBe(1);
});

/** A sink and spools that note how they end. */
function watched(options: BlockWriterOptions) {
  const events: string[] = [];
  const sink = {
    ...memorySink(),
    end: async () => void events.push("end"),
    abort: async () => void events.push("abort"),
  };
  let spools = 0;
  const spool = async () => {
    spools++;
    return { ...memorySpool(), close: async () => void spools-- };
  };
  return { events, sink, options: { ...options, spool }, openSpools: () => spools };
}

test("a failing read or maker and an abort end the file, and nothing is kept", async () => {
  const raster = terrain("uint16", 257, 255, 1);
  const shape = shapeOf(raster, "uint16");
  const options = { blockSize: 32, workers: 2, tasksPerWorker: 2 };
  const parts = await Promise.all(cut(8, [0.3, 0.6]).map((rows) => makePart(raster, "uint16", rows, options)));
  let reads = 0;
  /** Joins the parts; calls `fail` at one of the reads. */
  const join = async (failAt: number, fail: () => void, signal?: AbortSignal) => {
    const { events, sink, openSpools, options: all } = watched({ ...options, ...(signal && { signal }) });
    let reading = 0;
    reads = 0;
    const failing = parts.map(({ part, read }) => ({
      part,
      read: async (position: number, into: Uint8Array) => {
        reading++;
        try {
          const fails = ++reads === failAt;
          await turns(1);
          if (fails) fail();
          await turns(3);
          await read(position, into);
        } finally {
          reading--;
        }
      },
    }));
    await joinGeoTiffParts(shape, sink, all, failing, joiner).finally(() => {
      expect(events).toEqual([failAt === 0 ? "end" : "abort"]);
      expect(openSpools()).toBe(0);
      expect(reading).toBe(0);
    });
  };
  const tooBad = (): never => {
    throw new Error("too bad");
  };
  await join(0, tooBad);
  for (let failAt = reads; failAt > 0; failAt--) {
    await expect(join(failAt, tooBad)).rejects.toThrow("too bad");
    const controller = new AbortController();
    const abort = () => controller.abort(new Error("too bad"));
    await expect(join(failAt, abort, controller.signal)).rejects.toThrow("too bad");
  }

  const { events, sink, openSpools, options: all } = watched(options);
  await expect(joinGeoTiffParts(shape, sink, all, parts, async () => tooBad())).rejects.toThrow("too bad");
  await expect(writeGeoTiffPart(shape, { from: 2, to: 5 }, sink, all, async () => tooBad())).rejects.toThrow("too bad");
  const controller = new AbortController();
  const aborting: BlockMaker = async (task) => {
    if (task.y === 128) controller.abort(new Error("too bad"));
    return madeOf(raster, task);
  };
  const abortable = { ...all, signal: controller.signal };
  await expect(writeGeoTiffPart(shape, { from: 2, to: 5 }, sink, abortable, aborting)).rejects.toThrow("too bad");
  expect(events).toEqual(["abort", "abort", "abort"]);
  expect(openSpools()).toBe(0);
});

test("parts that lack rows, share some or are of another file are refused before anything is written", async () => {
  const raster = terrain("uint16", 100, 200, 1);
  const shape = shapeOf(raster, "uint16");
  const options = { blockSize: 32, nodata: 0 };
  const [first, second, third] = (await Promise.all(
    cut(7, [0.3, 0.6]).map((rows) => makePart(raster, "uint16", rows, options)),
  )) as [MadePart, MadePart, MadePart];
  const { sink, events, openSpools, options: all } = watched(options);
  const joining = (parts: readonly GeoTiffPartSource[], change: BlockWriterOptions = {}) =>
    joinGeoTiffParts(shape, sink, { ...all, ...change }, parts, joiner);
  const lacking = (from: number, to: number) => ({
    code: "incomplete",
    message: `No part has the rows of blocks from ${from} to ${to}.`,
  });
  await expect(joining([])).rejects.toMatchObject(lacking(0, 7));
  await expect(joining([third, second])).rejects.toMatchObject(lacking(0, 2));
  await expect(joining([third, first])).rejects.toMatchObject(lacking(2, 4));
  await expect(joining([first, second])).rejects.toMatchObject(lacking(4, 7));
  await expect(joining([first, second, third, second])).rejects.toMatchObject({
    code: "invalid-option",
    message: "Row 2 of blocks is in two parts.",
  });
  await expect(joining([first, second, third], { nodata: 1 })).rejects.toMatchObject({
    code: "invalid-option",
    message: expect.stringMatching(
      /^Expected the part of rows 0 to 2 to be of .*nodata 1, nearest, got .*nodata 0, nearest\.$/,
    ),
  });
  const elsewhere = { ...shape, grid: { ...shape.grid, transform: [10, 0, 0, 0, -10, 0] as const } };
  const fromElsewhere = joinGeoTiffParts(elsewhere, sink, all, [first, second, third], joiner);
  await expect(fromElsewhere).rejects.toMatchObject({ code: "invalid-option" });
  const short = { ...third, part: { ...third.part, blockSizes: third.part.blockSizes.slice(1) } };
  await expect(joining([first, second, short])).rejects.toMatchObject({ code: "invalid-option" });
  for (const rows of [
    { from: 2, to: 2 },
    { from: -1, to: 2 },
    { from: 5, to: 8 },
    { from: 0, to: 1.5 },
  ]) {
    await expect(writeGeoTiffPart(shape, rows, sink, all, joiner)).rejects.toMatchObject({ code: "invalid-option" });
  }
  expect(events).toEqual([]);
  expect(openSpools()).toBe(0);
});

test("a sink that copies gets all blocks of parts so, and a copy that fails ends the file", async () => {
  const raster = terrain("uint16", 300, 300, 1);
  const [shape, options] = [shapeOf(raster, "uint16"), { blockSize: 32 }];
  const rows = cut(10, [0.4]);
  const parts = await Promise.all(rows.map((each) => makePart(raster, "uint16", each, options)));
  const joined = memorySink();
  let [written, copied] = [0, 0];
  const sink: Sink = {
    ...joined,
    async write(bytes) {
      written += bytes.length;
    },
    async copy(_, __, length) {
      copied += length;
    },
  };
  const { size } = await joinGeoTiffParts(shape, sink, options, parts, joiner);
  const blocks = parts.reduce((sum, { part }) => sum + part.blockSizes.reduce((of, each) => of + 8 + each, 0), 0);
  expect([copied, written]).toEqual([blocks, size - blocks]);
  let isAborted = false;
  const failing: Sink = {
    ...sink,
    copy: () => Promise.reject(new Error("no copy")),
    async abort() {
      isAborted = true;
    },
  };
  await expect(joinGeoTiffParts(shape, failing, options, parts, joiner)).rejects.toThrow("no copy");
  expect(isAborted).toBe(true);
});
