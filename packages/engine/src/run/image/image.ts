import { CogError } from "@swath/cog";
import { composeMosaic, type Mosaic, type Scene, SceneUnreadableError } from "@swath/mosaic";
import { countValid, type Grid, gridBounds, gridFromBounds, isComplete, windowGrid } from "@swath/raster";
import type { PreviewJob, RenderedImage, SceneImageJob } from "../job.ts";
import type { RenderResources } from "../resources.ts";
import { ofScene, type ReadScene, toScene } from "../scene/read-scene.ts";
import { type GridSpec, gridFromSpec } from "../scene/scene-read.ts";
import { encoder } from "./encoder.ts";
import { composeOnSource } from "./source-mosaic.ts";
import { marginOf, shownRaster, stretched, styleImage } from "./style-image.ts";

/** The grid of an image whose one scene cannot be read. */
const ONE_PIXEL: GridSpec = { crs: "EPSG:3857", transform: [1, 0, 0, 0, -1, 0], width: 1, height: 1 };

/** Reads the scenes of an image, styles them and encodes the result. @throws what reading throws */
export async function renderImage(
  job: SceneImageJob,
  readScene: ReadScene,
  resources: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<RenderedImage> {
  const scenes = job.kind === "tile" ? job.scenes : [job.scene];
  const grid = job.kind === "tile" ? gridFromSpec(job.grid) : await previewGrid(job, resources, signal);
  if (grid instanceof SceneUnreadableError) return emptyImage(job, gridFromSpec(ONE_PIXEL), [grid]);
  const { pool } = resources;
  let read = 0;
  const counted = (scene: Scene): Scene => ({
    ...scene,
    read: async (target, options) => {
      const raster = await scene.read(target, options);
      read += 1;
      return raster;
    },
  });
  const compose = (target: Grid): Promise<Mosaic> =>
    composeMosaic(
      scenes.map((scene) => counted(toScene(scene, readScene))),
      target,
      { signal, release: ({ bands, valid }) => pool.release([...bands, valid]) },
    );
  const margin = marginOf(job.style);
  const target = widened(grid, margin);
  const onSource = margin > 0 ? composeOnSource(scenes, target, compose, resources, signal) : undefined;
  const mosaic = (await onSource) ?? (await compose(target));
  const skipped = mosaic.skipped.map(({ id }) => id);
  if (mosaic.raster === undefined) {
    const faults = mosaic.skipped.map(({ error }) => error);
    return emptyImage(job, grid, faults as SceneUnreadableError[], read);
  }
  const raster = shownRaster(mosaic.raster, job.style);
  const style = stretched(raster, job.style);
  const image = styleImage(raster, style, resources);
  signal.throwIfAborted();
  const format = job.format !== "auto" ? job.format : isComplete(raster) ? "jpg" : "png";
  const bytes = (await encoder.encode(image, format)) as Uint8Array<ArrayBuffer>;
  const countsValid = job.kind === "tile" && job.countsValid === true;
  const rendered: RenderedImage = {
    bytes,
    format,
    ...(job.kind === "preview" ? { pixels: grid.width * grid.height } : {}),
    ...(countsValid ? { validFraction: countValid(raster) / raster.valid.length } : {}),
    ...(job.style.percentiles === undefined || style.rescale === undefined ? {} : { ranges: style.rescale }),
    used: mosaic.used,
    skipped,
    truncated: mosaic.truncated || (job.kind === "tile" && job.more && !isComplete(raster)),
  };
  pool.release([...mosaic.raster.bands, mosaic.raster.valid, image.data]);
  return rendered;
}

/** A grid with `margin` pixels more on each side. */
function widened(grid: Grid, margin: number): Grid {
  if (margin === 0) return grid;
  return windowGrid(grid, {
    x: -margin,
    y: -margin,
    width: grid.width + 2 * margin,
    height: grid.height + 2 * margin,
  });
}

/** Wholly transparent, white as JPEG. `faults` are those of the scenes that could not be read, `read` counts the others. */
async function emptyImage(
  job: SceneImageJob,
  grid: Grid,
  faults: readonly SceneUnreadableError[],
  read = 0,
): Promise<RenderedImage> {
  const { width, height } = grid;
  const image = { width, height, channels: 4 as const, data: new Uint8Array(width * height * 4) };
  const format = job.format === "auto" ? "png" : job.format;
  const bytes = (await encoder.encode(image, format)) as Uint8Array<ArrayBuffer>;
  const skipped = faults.map(({ sceneId }) => sceneId);
  const isMissing = ({ cause }: Error): boolean => cause instanceof CogError && cause.code === "not-found";
  const unread = faults.every(isMissing) ? "missing" : "unreadable";
  return { bytes, format, used: [], skipped, ...(faults.length > 0 && read === 0 ? { unread } : {}), truncated: false };
}

/** The scene's own grid, at most `maxSize` pixels on the long edge, or why its first file cannot be read. */
async function previewGrid(
  { scene, maxSize }: PreviewJob,
  { open }: RenderResources,
  signal: AbortSignal,
): Promise<Grid | SceneUnreadableError> {
  const [file] = scene.files;
  if (file === undefined) return new SceneUnreadableError(scene.id, "It has no file.");
  try {
    const { grid } = await ofScene(scene.id, () => open(file, signal));
    const scale = Math.min(1, maxSize / Math.max(grid.width, grid.height));
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
    return gridFromBounds(grid.crs, gridBounds(grid), size(grid.width), size(grid.height));
  } catch (error) {
    if (error instanceof SceneUnreadableError) return error;
    throw error;
  }
}
