import { type BlockTask, makeBlock } from "@swath/encode";
import { composeMosaic, rasterizePolygon, type Scene, SceneUnreadableError } from "@swath/mosaic";
import {
  allocateSamples,
  evaluateExpression,
  type Grid,
  type Raster,
  resolveCrs,
  type Samples,
  windowGrid,
} from "@swath/raster";
import { readFault } from "../errors.ts";
import { parseOnce } from "../expressions.ts";
import type { RenderResources } from "../resources.ts";
import { type ReadScene, toScene } from "../scene/read-scene.ts";
import { type Clip, gridFromSpec } from "../scene/scene-read.ts";
import type { ExtractJob, UnreadableScene } from "./extract-job.ts";

/** One block of a GeoTIFF: plain data except for memory that threads share. */
export interface ExtractBlockJob {
  readonly kind: "extract-block";
  readonly extract: ExtractJob;
  readonly task: BlockTask;
}

/** A compressed block in the memory of its task. */
export interface ExtractedBlock {
  readonly kind: "block";
  /** Its length in bytes. */
  readonly length: number;
  /** Ids of the scenes that gave pixels. */
  readonly used: readonly string[];
  /** Pixels with data, band by band; there when it was asked for, for blocks of the full resolution. */
  readonly counts?: readonly number[];
}

export type ExtractBlockOutcome = ExtractedBlock | UnreadableScene;

/** Id of the scene on top of all others that covers what is outside the polygon. */
const OUTSIDE = "";

/** Makes a block: reads its pixels, where they do not come with the task, and compresses them. @throws what reading throws */
export async function extractBlock(
  { extract, task }: ExtractBlockJob,
  readScene: ReadScene,
  { pool }: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<ExtractBlockOutcome> {
  if (task.pixels !== undefined) return { kind: "block", length: makeBlock(task, undefined), used: [] };
  const whole = gridFromSpec(extract.grid);
  const { x, y, width, height } = task;
  const scenes = extract.scenes.map(({ read }) => toScene(read, readScene, { area: whole }));
  const { clip } = extract;
  try {
    const { raster, used } = await composeMosaic(
      clip === undefined ? scenes : [outsideOf(clip, extract), ...scenes],
      windowGrid(whole, { x, y, width, height }),
      { signal, onUnreadable: "fail" },
    );
    const written = raster === undefined ? undefined : computed(extract, raster);
    if (extract.mask === true && clip !== undefined && written !== undefined) leaveOut(written, clip);
    const length = makeBlock(task, filled(extract, written, width * height));
    const counts = extract.countsValid !== true ? {} : { counts: countData(extract, written) };
    if (raster !== undefined) pool.release([...raster.bands, raster.valid]);
    return { kind: "block", length, used: used.filter((id) => id !== OUTSIDE), ...counts };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SceneUnreadableError)) throw error;
    return { kind: "unreadable", scene: error.sceneId, ...readFault(error) };
  }
}

/** A scene of nodata that is valid outside the polygon. */
function outsideOf({ polygon, crs }: Clip, job: ExtractJob): Scene {
  return {
    id: OUTSIDE,
    read: async (grid: Grid): Promise<Raster> => {
      const valid = rasterizePolygon(polygon, grid, resolveCrs(crs));
      for (let i = 0; i < valid.length; i++) valid[i]! ^= 1;
      return { grid, bands: bandsWithoutData(job, valid.length), valid };
    },
  };
}

/** Marks what is outside of the polygon as no data, for a file that has no number for it. */
function leaveOut({ grid, valid }: Raster, { polygon, crs }: Clip): void {
  const inside = rasterizePolygon(polygon, grid, resolveCrs(crs));
  for (let i = 0; i < valid.length; i++) valid[i]! &= inside[i]!;
}

/** The bands of the file: those that were read, or what its expressions make of them, NaN where they have no number. */
function computed({ math }: ExtractJob, raster: Raster): Raster {
  if (math === undefined) return raster;
  const valid = new Uint8Array(raster.valid.length);
  const bands = math.expressions.map((text) => {
    const result = evaluateExpression(parseOnce(text, math.names), raster.bands, raster.valid);
    for (let i = 0; i < valid.length; i++) if (result.valid[i] === 1) valid[i] = 1;
    return result.values;
  });
  return { grid: raster.grid, bands, valid };
}

/** Bands of the numbers that stand where no scene holds data, as many as are read. */
function bandsWithoutData({ bands, math, nodata = 0, fills, ...job }: ExtractJob, count: number): Samples[] {
  const sampleType = math === undefined ? job.sampleType : "float64";
  const known = new Map<number, Samples>();
  return (math?.names ?? bands).map((_, band) => {
    const fill = fills?.[band] ?? nodata;
    const samples = known.get(fill) ?? allocateSamples(sampleType, count).fill(fill);
    known.set(fill, samples);
    return samples;
  });
}

/** The rows to write: where bands have numbers of their own for "no data", these stand there, and nothing is a gap. */
function filled(
  job: ExtractJob,
  raster: Raster | undefined,
  count: number,
): Pick<Raster, "bands" | "valid"> | undefined {
  if (job.fills === undefined || raster?.valid.includes(0) === false) return raster;
  const bands = bandsWithoutData(job, count);
  const valid = new Uint8Array(count).fill(1);
  if (raster === undefined) return { bands, valid };
  const written = raster.bands.map((band, b) => {
    const out = bands[b]!.slice();
    for (let i = 0; i < count; i++) if (raster.valid[i] === 1) out[i] = band[i]!;
    return out;
  });
  return { bands: written, valid };
}

/** The number of values that are not nodata, band by band. */
function countData({ bands, nodata }: ExtractJob, raster: Raster | undefined): number[] {
  if (raster === undefined) return bands.map(() => 0);
  const { valid } = raster;
  return raster.bands.map((band) => {
    let count = 0;
    for (let i = 0; i < band.length; i++) {
      const value = band[i]!;
      // without branches it takes half the time
      count += valid[i]! & Number(value !== nodata) & Number(!Number.isNaN(value));
    }
    return count;
  });
}
