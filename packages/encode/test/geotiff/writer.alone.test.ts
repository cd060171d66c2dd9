import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Raster } from "@swath/raster";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { layOut } from "../../src/geotiff/file/layout.ts";
import { memorySpool } from "../../src/geotiff/file/spool.ts";
import {
  createGeoTiffWriter,
  encodeGeoTiff,
  type GeoTiffWriterOptions,
  memorySink,
  type Rows,
} from "../../src/index.ts";
import { fileSink, fileSpool, nodeDeflate } from "../../src/node.ts";
import { terrain, utmGrid } from "../rasters.ts";
import { turns } from "../turns.ts";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-writer-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

function rowsOf(raster: Raster, from: number, to: number): Rows {
  const { width } = raster.grid;
  return {
    bands: raster.bands.map((band) => band.slice(from * width, to * width)),
    valid: raster.valid.slice(from * width, to * width),
  };
}

test("strips of any height give the bytes of the whole raster at once", async () => {
  const raster = terrain("uint16", 150, 210, 2);
  const options = { blockSize: 32, nodata: 0, overviewResampling: "average" } as const;
  const whole = await encodeGeoTiff(raster, options);
  const heights = fc.array(fc.integer({ min: 0, max: 80 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(heights, fc.integer({ min: 1, max: 6 }), async (strips, concurrency) => {
      const sink = memorySink();
      const shape = { grid: raster.grid, sampleType: "uint16", bandCount: 2 } as const;
      const writer = await createGeoTiffWriter(shape, sink, { ...options, concurrency });
      let row = 0;
      for (const height of [...strips, 210]) {
        const end = Math.min(210, row + height);
        const rows = rowsOf(raster, row, end);
        await writer.write(rows);
        for (const array of [...rows.bands, rows.valid]) array.fill(1); // the caller may reuse its arrays
        row = end;
      }
      await writer.finish();
      expect(Buffer.compare(sink.bytes(), whole)).toBe(0);
    }),
    { numRuns: 25 },
  );
});

test("blocks that are compressed out of order are written in order", async () => {
  const raster = terrain("uint8", 200, 200, 1);
  let running = 0;
  let most = 0;
  const sink = memorySink();
  const writer = await createGeoTiffWriter({ grid: raster.grid, sampleType: "uint8", bandCount: 1 }, sink, {
    blockSize: 32,
    concurrency: 3,
    deflate: async (bytes, level) => {
      running++;
      most = Math.max(most, running);
      const copy = bytes.slice();
      await turns((copy[5] ?? 0) % 4);
      expect(bytes).toEqual(copy); // a buffer is not reused while it is being compressed
      running--;
      return nodeDeflate(copy, level);
    },
  });
  await writer.write(raster);
  await writer.finish();
  const direct = await encodeGeoTiff(raster, { blockSize: 32, deflate: nodeDeflate });
  expect(Buffer.compare(sink.bytes(), direct)).toBe(0);
  expect(most).toBe(3);
});

test("a file and its spools hold the same bytes as memory, and no other file remains", async () => {
  const raster = terrain("float32", 300, 260, 2);
  const path = join(directory, "out.tif");
  const options = { blockSize: 64, nodata: Number.NaN, deflate: nodeDeflate, spool: fileSpool(directory) };
  const shape = { grid: raster.grid, sampleType: "float32", bandCount: 2 } as const;
  const writer = await createGeoTiffWriter(shape, await fileSink(path), options);
  await writer.write(raster);
  const { size, bigTiff } = await writer.finish();
  expect(bigTiff).toBe(false);
  expect(Buffer.compare(await readFile(path), await encodeGeoTiff(raster, options))).toBe(0);
  expect(size).toBe((await readFile(path)).length);
  expect(await readdir(directory)).toEqual(["out.tif"]);
  await rm(path);
});

test("what is copied of a spool is freed, so that the disk never holds the blocks twice", async () => {
  const raster = terrain("uint16", 1024, 1024, 4);
  const path = join(directory, "freed.tif");
  const spools: { held: number }[] = [];
  let [written, most, shrunk] = [0, 0, 0];
  const spool = async () => {
    const file = await fileSpool(directory)();
    const its = { held: 0 };
    spools.push(its);
    return {
      ...file,
      async append(parts: readonly Uint8Array[]) {
        await file.append(parts);
        for (const part of parts) its.held += part.length;
      },
      async shrink(size: number) {
        await file.shrink?.(size);
        expect(size).toBeLessThan(its.held);
        its.held = size;
        shrunk += 1;
      },
    };
  };
  const sink = await fileSink(path);
  const counted = {
    ...sink,
    async writeAt(bytes: Uint8Array, position: number) {
      await sink.writeAt?.(bytes, position);
      written += bytes.length;
      most = Math.max(most, written + spools.reduce((sum, { held }) => sum + held, 0));
    },
  };
  // not compressed: 8 MB and 2.7 MB of overviews
  const options = { blockSize: 128, compression: "none", predictor: 1, nodata: 0 } as const;
  const shape = { grid: raster.grid, sampleType: "uint16", bandCount: 4 } as const;
  const writer = await createGeoTiffWriter(shape, counted, { ...options, spool });
  await writer.write(raster);
  const { size } = await writer.finish();
  expect(Buffer.compare(await readFile(path), await encodeGeoTiff(raster, options))).toBe(0);
  expect(shrunk).toBe(spools.length);
  // the largest spool, which is not yet freed, and what four copiers hold
  expect(most).toBeLessThan(size + 8.5e6);
  await rm(path);
});

test("a sink that fails while it is filled leaves no file, whatever else is in progress", async () => {
  const raster = terrain("uint16", 512, 512, 4);
  const sink = await fileSink(join(directory, "failed.tif"));
  let running = 0;
  const failing = {
    ...sink,
    async writeAt(bytes: Uint8Array, position: number) {
      running++;
      await sink.writeAt?.(bytes, position);
      await turns(position % 7);
      running--;
      if (position > 1e6) throw new Error("no space left");
    },
    async abort() {
      expect(running).toBe(0);
      await sink.abort();
    },
  };
  const shape = { grid: raster.grid, sampleType: "uint16", bandCount: 4 } as const;
  const options = { blockSize: 128, compression: "none", spool: fileSpool(directory) } as const;
  const writer = await createGeoTiffWriter(shape, failing, options);
  await writer.write(raster);
  await expect(writer.finish()).rejects.toThrow("no space left");
  expect(await readdir(directory)).toEqual([]);
});

test("parts of a spool are read at any position", async () => {
  for (const spool of [memorySpool(), await fileSpool(directory)()]) {
    await spool.append([Uint8Array.of(0, 1, 2), Uint8Array.of(3), new Uint8Array(0)]);
    await spool.append([Uint8Array.of(4, 5, 6, 7)]);
    for (let from = 0; from < 8; from++) {
      for (let to = from; to <= 8; to++) {
        const into = new Uint8Array(to - from);
        await spool.read(from, into);
        expect([...into]).toEqual([0, 1, 2, 3, 4, 5, 6, 7].slice(from, to));
      }
    }
    await spool.close();
  }
});

test("memory does not grow with the height of the image", async () => {
  const peak = async (height: number): Promise<number> => {
    const width = 1000;
    const options = { blockSize: 64, deflate: nodeDeflate, spool: fileSpool(directory) };
    const shape = { grid: utmGrid(width, height), sampleType: "uint16", bandCount: 2 } as const;
    const writer = await createGeoTiffWriter(shape, await fileSink(join(directory, "tall.tif")), options);
    const strip = terrain("uint16", width, 64, 2);
    for (let row = 0; row < height; row += 64) await writer.write(strip);
    return (await writer.finish()).peakBytes;
  };
  const [low, high] = [await peak(640), await peak(6400)];
  expect(high).toBeLessThan(1.5 * low); // how many blocks wait at once depends on the scheduler
  const strip = 1000 * 64 * (2 * 2 + 1);
  const block = 64 * 64 * 2 * 2;
  expect(high).toBeLessThan(2 * strip + 4 * 2 * block + (1 << 19)); // zlib's own output chunks are counted too
  await rm(join(directory, "tall.tif"));
});

test("progress goes up to 1", async () => {
  const raster = terrain("uint8", 200, 200, 1);
  const seen: number[] = [];
  const shape = { grid: raster.grid, sampleType: "uint8", bandCount: 1 } as const;
  const writer = await createGeoTiffWriter(shape, memorySink(), {
    blockSize: 32,
    onProgress: (done) => seen.push(done),
  });
  await writer.write(raster);
  await writer.finish();
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBeCloseTo(1, 9);
  expect(seen.length).toBeGreaterThan(49);
});

async function tracked(options: GeoTiffWriterOptions, sampleType: "uint8" = "uint8") {
  const events: string[] = [];
  const raster = terrain("uint8", 200, 200, 1);
  const sink = memorySink();
  const writer = await createGeoTiffWriter(
    { grid: raster.grid, sampleType, bandCount: 1 },
    { ...sink, end: async () => void events.push("end"), abort: async () => void events.push("abort") },
    {
      blockSize: 32,
      ...options,
      spool: async () => ({ ...memorySpool(), close: async () => void events.push("close") }),
    },
  );
  return { writer, raster, events };
}

test("an abort stops the work, frees the spools and gives up the sink", async () => {
  const controller = new AbortController();
  const { writer, raster, events } = await tracked({ signal: controller.signal });
  await writer.write(rowsOf(raster, 0, 40));
  controller.abort(new Error("the client left"));
  await expect(writer.write(rowsOf(raster, 40, 200))).rejects.toThrow("the client left");
  await expect(writer.finish()).rejects.toThrow("the client left");
  expect(events).toEqual(["close", "close", "close", "close", "abort"]);
});

test("a failure of the codec reaches the caller, and later calls repeat it", async () => {
  let calls = 0;
  const { writer, raster, events } = await tracked({
    deflate: async (bytes) => {
      if (++calls === 7) throw new Error("out of memory");
      return bytes.slice();
    },
  });
  await expect(writer.write(raster)).rejects.toThrow("out of memory");
  await expect(writer.finish()).rejects.toThrow("out of memory");
  expect(events.at(-1)).toBe("abort");
});

test("too few, too many and misshapen rows are refused", async () => {
  const { writer, raster } = await tracked({});
  await writer.write(rowsOf(raster, 0, 100));
  await expect(writer.finish()).rejects.toMatchObject({ code: "incomplete" });
  await expect(writer.write(raster)).rejects.toMatchObject({ code: "incomplete" });
  const odd = { bands: [new Uint8Array(201)], valid: new Uint8Array(201) };
  await expect(writer.write(odd)).rejects.toMatchObject({ code: "invalid-raster" });
  await writer.write(rowsOf(raster, 100, 200));
  await writer.finish();
  await expect(writer.write(rowsOf(raster, 0, 1))).rejects.toMatchObject({ code: "incomplete" });
});

test("a file that passes 4 GiB becomes BigTIFF, one just below it does not", () => {
  const level = (dataSize: number) => ({ fields: [], blockOffsets: [4], blockSizes: [dataSize - 8], dataSize });
  const head = layOut([level(1000)], "auto").head.length;
  expect(layOut([level(2 ** 32 - 1 - head)], "auto")).toMatchObject({ big: false, size: 2 ** 32 - 1 });
  const big = layOut([level(2 ** 32 - head)], "auto");
  expect(big.big).toBe(true);
  expect(new DataView(big.head.buffer).getUint16(2, true)).toBe(43);
  const many = layOut([level(6e9), level(2e9)], "auto");
  expect(many.dataOffsets).toEqual([many.head.length + 2e9, many.head.length]);
});
