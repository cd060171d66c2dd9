import { type CubeBlock, type CubeBlockJob, cubeBlock } from "./cube-block.ts";
import { type ExtractBlockJob, type ExtractBlockOutcome, extractBlock } from "./extract-block.ts";
import { renderImage } from "./image.ts";
import type { ImageJob, RenderedImage, RenderOptions } from "./job.ts";
import { createReadScene } from "./read-scene.ts";
import { type ReduceBlockJob, type ReducedBlock, reduceBlock } from "./reduce-block.ts";
import { createResources, type RenderSettings } from "./resources.ts";
import type { SourceFor } from "./sources.ts";

/** Work for one thread. */
export type ThreadJob = ImageJob | ExtractBlockJob | ReduceBlockJob | CubeBlockJob;

/** Carries out jobs in the thread it is made in. */
export interface RenderEngine {
  image(job: ImageJob, options: RenderOptions): Promise<RenderedImage>;
  extractBlock(job: ExtractBlockJob, options: RenderOptions): Promise<ExtractBlockOutcome>;
  reduceBlock(job: ReduceBlockJob, options: RenderOptions): Promise<ReducedBlock>;
  cubeBlock(job: CubeBlockJob, options: RenderOptions): Promise<CubeBlock>;
}

export function createRenderEngine(settings: RenderSettings, sourceFor?: SourceFor): RenderEngine {
  const resources = createResources(settings, sourceFor);
  const readScene = createReadScene(resources);
  return {
    image: (job, options) => renderImage(job, readScene, resources, options),
    extractBlock: (job, options) => extractBlock(job, readScene, resources, options),
    reduceBlock: (job, options) => reduceBlock(job, readScene, resources, options),
    cubeBlock: (job, options) => cubeBlock(job, readScene, resources, options),
  };
}
