import type { Raster } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memorySpool } from "../../src/geotiff/file/spool.ts";
import {
  type BlockMaker,
  type BlockWriterOptions,
  deflateRuns,
  encodeGeoTiff,
  makeBlock,
  memorySink,
  writeGeoTiffByBlocks,
} from "../../src/index.ts";
import { terrain } from "../rasters.ts";
import { madeOf } from "../tasks.ts";
import { turns } from "../turns.ts";

/** A promise, and what resolves it. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function write(raster: Raster, options: BlockWriterOptions, make: BlockMaker): Promise<Uint8Array> {
  const sink = memorySink();
  const sampleType = raster.bands[0] instanceof Float32Array ? "float32" : "uint16";
  const shape = { grid: raster.grid, sampleType, bandCount: raster.bands.length } as const;
  const { size } = await writeGeoTiffByBlocks(shape, sink, options, make);
  expect(size).toBe(sink.bytes().length);
  return sink.bytes();
}

test("blocks made in any order give the bytes of the whole raster at once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        width: fc.integer({ min: 1, max: 200 }),
        height: fc.integer({ min: 1, max: 200 }),
        type: fc.constantFrom("uint16" as const, "float32" as const),
        gaps: fc.constantFrom({ nodata: 0 }, { mask: true }),
        bands: fc.integer({ min: 1, max: 3 }),
        blockSize: fc.constantFrom(16, 32, 48),
        overviewResampling: fc.constantFrom("nearest" as const, "average" as const, "mode" as const),
        workers: fc.integer({ min: 1, max: 4 }),
        tasksPerWorker: fc.integer({ min: 1, max: 3 }),
        columnGroup: fc.constantFrom(4, 8, 100),
        pauses: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 7 }),
      }),
      async ({
        width,
        height,
        type,
        gaps,
        bands,
        blockSize,
        overviewResampling,
        workers,
        tasksPerWorker,
        columnGroup,
        pauses,
      }) => {
        const raster = terrain(type, width, height, bands);
        const predictor = type === "float32" ? 3 : 2;
        const options = { blockSize, predictor, ...gaps, overviewResampling } as const;
        let calls = 0;
        const bytes = await write(raster, { ...options, workers, tasksPerWorker, columnGroup }, async (task) => {
          await turns(pauses[calls++ % pauses.length]!);
          return madeOf(raster, task);
        });
        const whole = await encodeGeoTiff(raster, { ...options, deflate: deflateRuns });
        expect(Buffer.compare(bytes, whole)).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
});

test("blocks without data hold nodata, and so do their overviews", async () => {
  const raster = terrain("uint16", 150, 130, 2);
  for (let i = 0; i < raster.valid.length; i++) raster.valid[i] = i % 150 < 64 ? 1 : 0;
  for (const band of raster.bands) for (let i = 0; i < band.length; i++) if (raster.valid[i] === 0) band[i] = 7;
  const options = { blockSize: 32, predictor: 2, nodata: 7 } as const;
  const bytes = await write(raster, options, async (task) =>
    task.level === 0 && task.x >= 64 ? makeBlock(task, undefined) : madeOf(raster, task),
  );
  expect(Buffer.compare(bytes, await encodeGeoTiff(raster, { ...options, deflate: deflateRuns }))).toBe(0);
});

test("each worker gets columns of its own, and helps out when they are done", async () => {
  const raster = terrain("uint16", 256, 128, 1);
  const columns: Set<number>[] = [new Set(), new Set()];
  const counts = [0, 0];
  const options = { blockSize: 32, workers: 2, tasksPerWorker: 2 };
  await write(raster, options, async (task, worker) => {
    await turns(2);
    if (task.level === 0) columns[worker]!.add(task.x / 32);
    counts[worker]! += 1;
    return madeOf(raster, task);
  });
  expect([...columns[0]!].filter((column) => column < 4)).toHaveLength(4);
  expect([...columns[1]!].filter((column) => column >= 4)).toHaveLength(4);

  // the second worker does nothing until the first has helped out
  const { promise: hasHelped, resolve: help } = deferred();
  await write(raster, options, async (task, worker) => {
    if (worker === 1) await hasHelped;
    else if (task.level === 0 && task.x >= 128) help();
    return madeOf(raster, task);
  });
});

test("work in progress is bounded: tasks a worker, blocks that wait for a slow spool, and pixels of overviews", async () => {
  const raster = terrain("uint16", 640, 640, 1);
  const running = [0, 0];
  let [made, written, most] = [0, 0, 0];
  const memory = new Set<ArrayBufferLike>();
  const spool = async () => {
    const kept = memorySpool();
    const append: typeof kept.append = async (parts) => {
      await turns(3);
      await kept.append(parts);
      written++;
    };
    return { ...kept, append };
  };
  await write(raster, { blockSize: 32, workers: 2, tasksPerWorker: 3, columnGroup: 4, spool }, async (task, worker) => {
    expect(++running[worker]!).toBeLessThanOrEqual(3);
    memory.add(task.output);
    for (const part of [...task.coarser, ...task.coarserSeams]) memory.add(part.memory);
    await turns(1);
    running[worker]! -= 1;
    most = Math.max(most, ++made - written);
    return madeOf(raster, task);
  });
  // 20 x 20 blocks and their overviews
  expect(made).toBe(400 + 100 + 25 + 9 + 4 + 1);
  expect(most).toBeLessThanOrEqual(8 + 6);
  // only few of 539 output buffers and 139 sets of pixels exist at once: those in progress, and for each worker a row
  // of four columns on each level
  expect(memory.size).toBeLessThan(60);
});

test("a worker alone, with one task at a time, makes a block while at most one other is written", async () => {
  const raster = terrain("uint16", 320, 320, 1);
  let [made, written, most] = [0, 0, 0];
  const spool = async () => {
    const kept = memorySpool();
    const append: typeof kept.append = async (parts) => {
      await turns(3);
      await kept.append(parts);
      written++;
    };
    return { ...kept, append };
  };
  await write(raster, { blockSize: 32, spool }, async (task) => {
    most = Math.max(most, ++made - written);
    return madeOf(raster, task);
  });
  expect(made).toBe(100 + 25 + 9 + 4 + 1);
  expect(most).toBeLessThanOrEqual(2);
});

test("column groups are made one down and the next one up again", async () => {
  const raster = terrain("uint16", 128, 96, 1);
  const positions: string[] = [];
  await write(raster, { blockSize: 16, columnGroup: 4 }, async (task) => {
    if (task.level === 0) positions.push(`${task.x / 16},${task.y / 16}`);
    return madeOf(raster, task);
  });
  const row = (from: number, y: number) => [0, 1, 2, 3].map((step) => `${from + step},${y}`);
  const down = [0, 1, 2, 3, 4, 5].flatMap((y) => (y % 2 === 0 ? row(0, y) : row(0, y).reverse()));
  const up = [5, 4, 3, 2, 1, 0].flatMap((y) => (y % 2 === 1 ? row(4, y) : row(4, y).reverse()));
  expect(positions).toEqual([...down, ...up]);
});

test("a file is copied in pieces of half a megabyte, however large its blocks are", async () => {
  const side = 1024;
  const raster = terrain("float32", side, side, 1);
  const noise = Float32Array.from({ length: side * side }, (_, i) => Math.sin(i * i) * 1e6);
  const sizes: number[] = [];
  const sink = memorySink();
  const counted = {
    ...sink,
    write: async (bytes: Uint8Array) => {
      sizes.push(bytes.length);
      await sink.write(bytes);
    },
  };
  const shape = { grid: raster.grid, sampleType: "float32", bandCount: 1 } as const;
  const options = { blockSize: side, predictor: 3 } as const;
  await writeGeoTiffByBlocks(shape, counted, options, async (task) => madeOf({ ...raster, bands: [noise] }, task));
  expect(Math.max(...sizes)).toBe(1 << 19);
  const whole = await encodeGeoTiff({ ...raster, bands: [noise] }, { ...options, deflate: deflateRuns });
  expect(Buffer.compare(sink.bytes(), whole)).toBe(0);
});

test("a maker's failure, a spool's and an abort end the file, once all that runs has ended", async () => {
  const raster = terrain("uint16", 200, 200, 1);
  const shape = { grid: raster.grid, sampleType: "uint16", bandCount: 1 } as const;
  const run = async (options: BlockWriterOptions, make: BlockMaker): Promise<string[]> => {
    const events: string[] = [];
    const sink = {
      ...memorySink(),
      end: async () => void events.push("end"),
      abort: async () => void events.push("abort"),
    };
    const spool = options.spool ?? (async () => ({ ...memorySpool(), close: async () => void events.push("close") }));
    let running = 0;
    const writing = writeGeoTiffByBlocks(
      shape,
      sink,
      { blockSize: 32, workers: 2, tasksPerWorker: 2, ...options, spool },
      async (...args) => {
        running++;
        try {
          return await make(...args);
        } finally {
          running--;
        }
      },
    );
    await expect(writing).rejects.toThrow("too bad");
    expect(running).toBe(0);
    expect(events).not.toContain("end");
    expect(events.at(-1)).toBe("abort");
    return events;
  };
  let calls = 0;
  const signals: AbortSignal[] = [];
  expect(
    await run({}, async (task, _worker, signal) => {
      signals.push(signal);
      if (++calls === 9) throw new Error("too bad");
      await turns(1);
      return madeOf(raster, task);
    }),
  ).toEqual(["close", "close", "close", "close", "abort"]);
  expect(signals.every((signal) => signal.aborted)).toBe(true);

  await run(
    { spool: async () => ({ ...memorySpool(), append: () => Promise.reject(new Error("too bad")) }) },
    async (task) => madeOf(raster, task),
  );

  const controller = new AbortController();
  await run({ signal: controller.signal }, async (task) => {
    if (task.y >= 96) controller.abort(new Error("too bad"));
    await turns(1);
    return madeOf(raster, task);
  });
  await expect(
    writeGeoTiffByBlocks(shape, memorySink(), { signal: controller.signal }, async (task) => madeOf(raster, task)),
  ).rejects.toThrow("too bad");
});
