import { levelFor, type RasterFile, readGrids, readWindow } from "@swath/cog";
import { bitTable, maskExclude } from "@swath/mosaic";
import type { Grid, Samples, Window } from "@swath/raster";
import { planWarp, sourceWindow, warp } from "@swath/raster/warp";
import { memoized } from "../memoized.ts";
import type { RenderResources } from "../resources.ts";
import type { MaskRead, MaskRule, ReadSceneOptions, SceneRead } from "./scene-read.ts";

/** Class codes of a mask's samples while it is read. */
const KEEP = 0;
const DROP = 1;
const GROW = 2;

/** Tables have 65,536 bytes each. */
const MAX_TABLES = 128;

/** 1 for each sample that a rule matches, for samples of 0 to 65,535. */
export const ruleTable = memoized(MAX_TABLES, (rule: MaskRule): Uint8Array => {
  if (rule.kind === "bits") {
    const fields = rule.fields.map((field) => ({ ...field, classCode: 1 }));
    return bitTable(fields, 0);
  }
  const table = new Uint8Array(65_536);
  for (const value of rule.values) table[value] = 1;
  return table;
});

/** A mask that grows around some of its samples. */
interface Dilation {
  readonly drop: Uint8Array;
  readonly around: Uint8Array;
  readonly meters: number;
}

/**
 * 1 where a pixel of the grid is kept, 0 where the mask drops it or has no sample. The mask is evaluated on its own
 * pixels, dilation included, and brought to the grid by nearest neighbour.
 *
 * @param area the whole grid that `grid` is a part of: the overview is chosen for it
 * @throws what reading a file throws
 */
export async function readMask(
  { open, blocks }: Pick<RenderResources, "open" | "blocks">,
  mask: MaskRead,
  grid: Grid,
  { overviews }: Pick<SceneRead, "overviews">,
  { signal, area = grid, partialBlocks }: ReadSceneOptions,
): Promise<Uint8Array> {
  const file = await open(mask, signal);
  const drop = ruleTable(mask.drop);
  const level = levelFor(file, area, overviews);
  const { dilate } = mask;
  if (dilate !== undefined && dilate.meters > 0) {
    const options = { signal, cache: blocks, bands: [mask.band ?? 0], nodata: null, partialBlocks };
    return dilated(file, level, grid, { drop, around: ruleTable(dilate.around), meters: dilate.meters }, options);
  }
  const [raster] = await readGrids([{ file, bands: [mask.band ?? 0], nodata: null, level }], grid, {
    resampling: "nearest",
    cache: blocks,
    signal,
    partialBlocks,
  });
  const keep = new Uint8Array(grid.width * grid.height);
  const samples = raster?.bands[0];
  if (raster === undefined || samples === undefined) return keep;
  for (let i = 0; i < keep.length; i++) keep[i] = raster.valid[i] === 1 && drop[samples[i]!] === 0 ? 1 : 0;
  return keep;
}

async function dilated(
  file: RasterFile,
  level: number,
  grid: Grid,
  { drop, around, meters }: Dilation,
  options: NonNullable<Parameters<typeof readWindow>[3]>,
): Promise<Uint8Array> {
  const source = file.levels[level]!.grid;
  const count = grid.width * grid.height;
  const plan = planWarp(source, grid);
  const touched = sourceWindow(plan, "nearest");
  if (touched === undefined) return new Uint8Array(count);
  // square pixels in metres: masks are on projected grids
  const pixels = meters / Math.abs(source.transform[0]);
  const window = withMargin(touched, Math.ceil(pixels) + 1, source);
  const raster = await readWindow(file, level, window, options);
  const codes = classCodes(raster.bands[0]!, drop, around);
  const keep = maskExclude(codes, window.width, window.height, new Set([DROP]), { pixels, classes: new Set([GROW]) });
  for (let i = 0; i < keep.length; i++) if (drop[raster.bands[0]![i]!] === 1) keep[i] = 0;
  const onGrid = warp(plan, { grid: raster.grid, bands: [keep], valid: raster.valid }, window, "nearest");
  const result = new Uint8Array(count);
  for (let i = 0; i < count; i++) result[i] = onGrid.valid[i] === 1 && onGrid.bands[0]![i] === 1 ? 1 : 0;
  return result;
}

function classCodes(samples: Samples, drop: Uint8Array, around: Uint8Array): Uint8Array {
  const codes = new Uint8Array(samples.length);
  for (let i = 0; i < codes.length; i++) {
    const sample = samples[i]!;
    codes[i] = around[sample] === 1 ? GROW : drop[sample] === 1 ? DROP : KEEP;
  }
  return codes;
}

/** A window with pixels around it, as far as the level has them. */
function withMargin({ x, y, width, height }: Window, margin: number, level: Grid): Window {
  const left = Math.max(0, x - margin);
  const top = Math.max(0, y - margin);
  return {
    x: left,
    y: top,
    width: Math.min(level.width, x + width + margin) - left,
    height: Math.min(level.height, y + height + margin) - top,
  };
}
