import type { Raster } from "@swath/raster";
import { type BlockTask, makeBlock, type Rows } from "../src/index.ts";

/** The pixels of a task of the full size. */
function rowsOf({ bands, valid, grid }: Raster, { x, y, width, height }: BlockTask): Rows {
  const cut = <T extends Rows["bands"][number]>(samples: T): T => {
    const out = samples.slice(0, width * height) as T;
    for (let row = 0; row < height; row++) {
      const start = (y + row) * grid.width + x;
      out.set(samples.subarray(start, start + width), row * width);
    }
    return out;
  };
  return { bands: bands.map(cut), valid: cut(valid) };
}

/** Makes the block of a task from a raster, as a thread that has its pixels does. */
export function madeOf(raster: Raster, task: BlockTask): number {
  return makeBlock(task, task.level > 0 ? undefined : rowsOf(raster, task));
}
