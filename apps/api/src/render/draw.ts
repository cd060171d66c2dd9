import { BlockCache, type Cog, CogCache, CogError, joinBlocks, readGrids, type SharedBlocks } from "@swath/cog";
import { nodeCodecs } from "@swath/cog/node";
import { composeMosaic, type Scene, SceneUnreadableError } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import {
  colormap,
  countValid,
  type Expression,
  evaluateExpression,
  type Grid,
  gridBounds,
  gridFromBounds,
  type Image,
  isComplete,
  parseExpression,
  type Raster,
  resolveCrs,
  SamplePool,
  type Samples,
  type Style,
  styleRaster,
} from "@swath/raster";
import { type AreaBlock, type AreaTools, type BlockJob, makeAreaBlock } from "../process/area-block.ts";
import { encoder } from "./encoder.ts";
import type { AssetRead, GridSpec, Picture, RenderJob, SceneRead, StyleSpec } from "./job.ts";
import { createSources, type SourceFor, type SourceSettings } from "./sources.ts";

export interface DrawOptions {
  readonly sources: SourceSettings;
  /** Bytes of decoded blocks kept. */
  readonly blockCacheBytes: number;
  /** Those that threads keep together, and the number of this one. Default: blocks of its own. */
  readonly shared?: { readonly blocks: SharedBlocks; readonly thread: number };
}

/** Draws jobs in the thread it is made in. */
export interface Drawer {
  draw(job: RenderJob, options: { readonly signal: AbortSignal }): Promise<Picture>;
  /** A block of an area. */
  block(job: BlockJob, options: { readonly signal: AbortSignal }): Promise<AreaBlock>;
}

const FLOAT32_RANGE = [-3.4028234663852886e38, 3.4028234663852886e38] as const;
/** Bytes of memory kept for the next pictures and blocks. */
const POOL_BYTES = 16 * 1_048_576;
/** Bytes of file headers kept; one holds a few kilobytes. */
const HEADER_CACHE_BYTES = 64 * 1_048_576;

interface Tools {
  readonly sourceFor: SourceFor;
  readonly headers: CogCache;
  readonly blocks: BlockCache;
  /** Memory of pictures and blocks on their way. */
  readonly pool: SamplePool;
}

export function createDrawer(options: DrawOptions, sourceFor = createSources(options.sources)): Drawer {
  const { shared } = options;
  const tools: Tools = {
    sourceFor,
    headers: new CogCache({ maxBytes: HEADER_CACHE_BYTES }),
    blocks:
      shared === undefined
        ? new BlockCache({ maxBytes: options.blockCacheBytes })
        : joinBlocks(shared.blocks, shared.thread),
    pool: new SamplePool(POOL_BYTES),
  };
  const areaTools: AreaTools = {
    open: (href, signal) => tools.headers.open(tools.sourceFor(href), { codecs: nodeCodecs, signal }),
    blocks: tools.blocks,
    pool: tools.pool,
  };
  return {
    block: (job, options) => makeAreaBlock(job, areaTools, options),
    async draw(job, { signal }) {
      const scenes = job.kind === "tile" ? job.scenes : [job.scene];
      const grid = job.kind === "tile" ? gridOf(job.grid) : await previewGrid(tools, job.scene, job.maxSize, signal);
      if (grid === undefined)
        return drawNothing(job, gridOf({ crs: "EPSG:3857", transform: [1, 0, 0, 0, -1, 0], width: 1, height: 1 }), [
          job.kind === "tile" ? "" : job.scene.id,
        ]);
      const mosaic = await composeMosaic(
        scenes.map((scene) => sceneOf(tools, scene, job.style)),
        grid,
        { signal },
      );
      const skipped = mosaic.skipped.map(({ id }) => id);
      if (mosaic.raster === undefined) return drawNothing(job, grid, skipped);
      const image = styled(mosaic.raster, job.style, tools.pool);
      signal.throwIfAborted();
      const format = job.format === "auto" ? (hasHoles(mosaic.raster) ? "png" : "jpg") : job.format;
      const bytes = (await encoder.encode(image, format)) as Uint8Array<ArrayBuffer>;
      const picture: Picture = {
        bytes,
        format,
        ...(job.kind === "tile" && job.measure === true
          ? { validFraction: countValid(mosaic.raster) / mosaic.raster.valid.length }
          : {}),
        used: mosaic.used,
        skipped,
        truncated: mosaic.truncated || (job.kind === "tile" && job.more && hasHoles(mosaic.raster)),
      };
      tools.pool.giveBack([...mosaic.raster.bands, mosaic.raster.valid, image.data]);
      return picture;
    },
  };
}

function hasHoles(raster: Raster): boolean {
  return !isComplete(raster);
}

function gridOf(spec: GridSpec): Grid {
  return { crs: resolveCrs(spec.crs), transform: spec.transform, width: spec.width, height: spec.height };
}

/** Wholly transparent, white as JPEG. */
async function drawNothing(job: RenderJob, grid: Grid, skipped: readonly string[]): Promise<Picture> {
  const { width, height } = grid;
  const image = { width, height, channels: 4 as const, data: new Uint8Array(width * height * 4) };
  const format = job.format === "auto" ? "png" : job.format;
  const bytes = (await encoder.encode(image, format)) as Uint8Array<ArrayBuffer>;
  return { bytes, format, used: [], skipped, truncated: false };
}

async function open(tools: Tools, asset: AssetRead, sceneId: string, signal: AbortSignal | undefined): Promise<Cog> {
  return lasting(sceneId, () => tools.headers.open(tools.sourceFor(asset.href), { codecs: nodeCodecs, signal }));
}

/** Runs a read; a fault that repeating cannot mend becomes the scene's. */
async function lasting<T>(sceneId: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CogError && error.lasting)
      throw new SceneUnreadableError(sceneId, error.message, { cause: error });
    throw error;
  }
}

function sceneOf(tools: Tools, scene: SceneRead, style: StyleSpec): Scene {
  return {
    id: scene.id,
    ...(scene.footprint.length === 0 ? {} : { footprint: scene.footprint }),
    async read(grid, { signal }) {
      const reads = await Promise.all(
        scene.assets.map(async (asset) => {
          const { bands, nodata } = asset;
          const cog = await open(tools, asset, scene.id, signal);
          const beyond = bands?.find((band) => band >= cog.bandCount);
          if (beyond !== undefined) {
            const detail = `Expected a band from 1 to ${cog.bandCount}, got ${beyond + 1}.`;
            throw new ProblemError("invalid-parameter", detail);
          }
          return { cog, bands, nodata };
        }),
      );
      const rasters = await lasting(scene.id, () =>
        readGrids(reads, grid, {
          resampling: style.resampling,
          level: "display",
          cache: tools.blocks,
          pool: tools.pool,
          signal,
        }),
      );
      return joinBands(grid, rasters, scene.assets);
    },
  };
}

/** Bands of all files in order; a pixel is valid where every file has data. */
function joinBands(
  grid: Grid,
  rasters: readonly (Raster | undefined)[],
  assets: readonly AssetRead[],
): Raster | undefined {
  const found = rasters.filter((raster) => raster !== undefined);
  const [first] = found;
  if (first === undefined || found.length !== rasters.length) return undefined;
  const valid = found.length === 1 ? first.valid : commonValid(found);
  const bands = found.flatMap((raster, i) =>
    raster.bands.map((band) => shifted(band, raster.valid, assets[i]?.shift ?? 0)),
  );
  return { grid, bands, valid };
}

function commonValid(rasters: readonly Raster[]): Uint8Array {
  // files without holes share their flags
  const [first, ...others] = [...new Set(rasters.map(({ valid }) => valid))] as [Uint8Array, ...Uint8Array[]];
  if (others.length === 0) return first;
  const valid = first.slice();
  for (const other of others)
    for (let i = 0; i < valid.length; i++) valid[i] = (valid[i] as number) & (other[i] as number);
  return valid;
}

/** Stored values with `shift` added where there is data; 16-bit values stop at their largest. */
function shifted(band: Samples, valid: Uint8Array, shift: number): Samples {
  if (shift === 0) return band;
  const moved = band.slice();
  const largest = band instanceof Uint16Array ? 65_535 : Number.POSITIVE_INFINITY;
  for (let i = 0; i < moved.length; i++) if (valid[i] === 1) moved[i] = Math.min((moved[i] as number) + shift, largest);
  return moved;
}

/** The scene's own grid at most `maxSize` pixels long; undefined when the file cannot be read. */
async function previewGrid(
  tools: Tools,
  scene: SceneRead,
  maxSize: number,
  signal: AbortSignal,
): Promise<Grid | undefined> {
  const [asset] = scene.assets;
  if (asset === undefined) return undefined;
  try {
    const { grid } = await open(tools, asset, scene.id, signal);
    const scale = Math.min(1, maxSize / Math.max(grid.width, grid.height));
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    return gridFromBounds(grid.crs, gridBounds(grid), size(grid.width), size(grid.height));
  } catch (error) {
    if (error instanceof SceneUnreadableError) return undefined;
    throw error;
  }
}

const expressions = new Map<string, Expression>();

/** Parsed expressions are kept: the few recipes there are come again with every tile. */
function expressionOf(text: string, variables: readonly string[]): Expression {
  const key = `${variables.join(",")}|${text}`;
  let expression = expressions.get(key);
  if (expression === undefined) {
    expression = parseExpression(text, variables);
    if (expressions.size >= 256) expressions.clear();
    expressions.set(key, expression);
  }
  return expression;
}

/** A raster in the colours of a style; expressions make one band each. */
function styled(raster: Raster, spec: StyleSpec, pool: SamplePool): Image {
  const texts = spec.expression?.split(";").filter((text) => text.trim() !== "") ?? [];
  const drawn = texts.length > 1 ? banded(raster, texts, spec) : raster;
  const [text] = texts;
  const count = text === undefined ? raster.bands.length : texts.length;
  const ranges = spec.rescale ?? (texts.length > 0 ? [FLOAT32_RANGE] : drawn.bands.slice(0, 1).flatMap(wholeRange));
  const style: Style = {
    ...(texts.length === 1 && text !== undefined ? { expression: expressionOf(text, variablesOf(raster, spec)) } : {}),
    ...(ranges.length === 0 ? {} : { rescale: ranges.length === count ? ranges : ranges.slice(0, 1) }),
    ...(spec.colormap === undefined ? {} : { colormap: colormap(spec.colormap) }),
  };
  return styleRaster(drawn, style, { pool });
}

const variablesOf = (raster: Raster, { variables }: StyleSpec): readonly string[] =>
  variables ?? raster.bands.map((_, i) => `b${i + 1}`);

/** One band for each expression; a pixel is valid where all of them are. */
function banded(raster: Raster, texts: readonly string[], spec: StyleSpec): Raster {
  const results = texts.map((text) =>
    evaluateExpression(expressionOf(text, variablesOf(raster, spec)), raster.bands, raster.valid),
  );
  const rasters = results.map(({ values, valid }) => ({ grid: raster.grid, bands: [values], valid }));
  return { grid: raster.grid, bands: results.map(({ values }) => values), valid: commonValid(rasters) };
}

/** Lowest and highest value of the type, for samples that are not colours already. */
function wholeRange(band: Samples): (readonly [number, number])[] {
  if (band instanceof Uint8Array) return [];
  if (band instanceof Float32Array) return [FLOAT32_RANGE];
  if (band instanceof Float64Array) return [[-Number.MAX_VALUE / 2, Number.MAX_VALUE / 2]];
  const bits = band.BYTES_PER_ELEMENT * 8;
  const isSigned = band instanceof Int8Array || band instanceof Int16Array || band instanceof Int32Array;
  return [isSigned ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1]];
}
