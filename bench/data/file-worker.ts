import { parentPort, workerData } from "node:worker_threads";
import { createGeoTiffWriter } from "../../packages/encode/src/index.ts";
import { fileSink, fileSpool, nodeDeflate } from "../../packages/encode/src/node.ts";
import { gridFromBounds, resolveCrs } from "../../packages/raster/src/index.ts";
import type { FileLayout, FilePlan } from "./plan.ts";

const FIELD = 2048;

/** Normal noise by summing four uniform numbers of a xorshift generator; the same field for every file. */
function noiseField(): Float32Array {
  const field = new Float32Array(FIELD * FIELD);
  let state = 0x9e3779b9;
  for (let i = 0; i < field.length; i++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += (state >>> 0) / 2 ** 32;
    }
    field[i] = (sum - 2) * Math.sqrt(3);
  }
  return field;
}

/** Hills of a few sizes, −1 to 1, as tables by column and by row. */
function waves(length: number, shift: number, phase: number): Float32Array {
  return Float32Array.from(
    { length },
    (_, i) =>
      0.5 * Math.sin((i + shift) / 900 + phase) +
      0.3 * Math.sin((i + shift) / 210 + 2 * phase) +
      0.2 * Math.sin((i + shift) / 37),
  );
}

/** Fields of a landscape: one value per parcel of 32 × 32 pixels. */
const parcel = (column: number, row: number, shift: number): number =>
  (Math.imul((column >> 5) * 73_856_093 + (row >> 5) * 19_349_663 + shift, 0x85ebca6b) >>> 24) / 256;

async function make(plan: FilePlan, layout: FileLayout, path: string): Promise<void> {
  const { width, height, blockSize } = layout;
  const visual = plan.kind === "visual";
  const bandCount = visual ? 3 : 1;
  const sink = await fileSink(path);
  const writer = await createGeoTiffWriter(
    {
      grid: gridFromBounds(resolveCrs(layout.crs), layout.bounds, width, height),
      sampleType: visual ? "uint8" : "uint16",
      bandCount,
    },
    sink,
    {
      blockSize,
      overviewBlockSize: visual ? blockSize : 512,
      overviews: [2, 4, 8, 16],
      overviewResampling: "average",
      nodata: 0,
      predictor: 2,
      level: 1,
      deflate: nodeDeflate,
      spool: fileSpool(),
    },
  );
  const noise = noiseField();
  const across = waves(width, plan.shift, 0.3);
  const down = waves(height, plan.shift * 3, 1.1);
  const [base, hills, fields, grain] = visual ? [90, 40, 50, 4] : [2600, 900, 1200, 55];
  const valid = new Uint8Array(width * blockSize);
  const bands = Array.from({ length: bandCount }, () =>
    visual ? new Uint8Array(width * blockSize) : new Uint16Array(width * blockSize),
  );
  for (let top = 0; top < height; top += blockSize) {
    const rows = Math.min(blockSize, height - top);
    for (let row = 0; row < rows; row++) {
      const y = top + row;
      const end = plan.filled === 1 ? width : Math.round(width * plan.filled + (height / 2 - y) * 0.2);
      valid.fill(1, row * width, row * width + end);
      valid.fill(0, row * width + end, (row + 1) * width);
      for (let band = 0; band < bandCount; band++) {
        const out = bands[band]!;
        const line = ((y * 7 + plan.shift + band * 577) & (FIELD - 1)) * FIELD;
        const offset = plan.shift * 5 + band * 391 + (y >> 8) * 613;
        let at = row * width;
        for (let x = 0; x < end; x++, at++) {
          const ground = base + hills * across[x]! * down[y]! + fields * parcel(x, y, plan.shift);
          out[at] = Math.max(1, ground + grain * noise[line + ((x + offset) & (FIELD - 1))]!);
        }
        out.fill(0, row * width + end, (row + 1) * width);
      }
    }
    await writer.write({
      bands: bands.map((band) => band.subarray(0, rows * width)),
      valid: valid.subarray(0, rows * width),
    });
  }
  await writer.finish();
}

const { plan, layout, path } = workerData as { plan: FilePlan; layout: FileLayout; path: string };
await make(plan, layout, path);
parentPort?.postMessage("done");
