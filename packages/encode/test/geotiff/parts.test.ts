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

async function makePart(
  raster: Raster,
  sampleType: SampleType,
  rows: BlockRows,
  options: BlockWriterOptions,
): Promise<MadePart> {
  const sink = memorySink();
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
        const parts = await Promise.all(cut(blocksDown, shares).map((rows) => makePart(raster, type, rows, options)));
        parts.sort((a, b) => ((a.part.rows.from * 31 + seed) % 7) - ((b.part.rows.from * 31 + seed) % 7));
        const joined = memorySink();
        expect(await joinGeoTiffParts(shape, joined, options, parts, joiner)).toEqual(summary);
        expect(Buffer.compare(joined.bytes(), whole.bytes())).toBe(0);
        for (const { reads } of parts) expect(reads.every((count) => count === 1)).toBe(true);
      },
    ),
    { numRuns: 100 },
  );
});
