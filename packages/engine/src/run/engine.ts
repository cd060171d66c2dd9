import { type ComputeBlockJob, type ComputedBlock, computeBlock } from "./compute-block.ts";
import { type ExtractBlockJob, type ExtractBlockOutcome, extractBlock } from "./extract-block.ts";
import { renderImage } from "./image.ts";
import type { ImageJob, RenderedImage, RenderOptions } from "./job.ts";
import { createReadScene } from "./read-scene.ts";
import { createResources, type RenderSettings } from "./resources.ts";
import type { SourceFor } from "./sources.ts";

/** Work for one thread. */
export type ThreadJob = ImageJob | ExtractBlockJob | ComputeBlockJob;

/** Carries out jobs in the thread it is made in. */
export interface RenderEngine {
  image(job: ImageJob, options: RenderOptions): Promise<RenderedImage>;
  extractBlock(job: ExtractBlockJob, options: RenderOptions): Promise<ExtractBlockOutcome>;
  computeBlock(job: ComputeBlockJob, options: RenderOptions): Promise<ComputedBlock>;
}

export function createRenderEngine(settings: RenderSettings, sourceFor?: SourceFor): RenderEngine {
  const resources = createResources(settings, sourceFor);
  const readScene = createReadScene(resources);
  return {
    image: (job, options) => renderImage(job, readScene, resources, options),
    extractBlock: (job, options) => extractBlock(job, readScene, resources, options),
    computeBlock: (job, options) => computeBlock(job, readScene, resources, options),
  };
}
