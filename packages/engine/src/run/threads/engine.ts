import { type ComputeBlockJob, type ComputedBlock, computeBlock } from "../compute/compute-block.ts";
import { type ExtractBlockJob, type ExtractBlockOutcome, extractBlock } from "../extract/extract-block.ts";
import type { SourceFor } from "../files/sources.ts";
import { renderImage } from "../image/image.ts";
import { renderParent } from "../image/parent-image.ts";
import type { ImageJob, RenderedImage, RenderOptions } from "../job.ts";
import { createResources, type RenderSettings } from "../resources.ts";
import { createReadScene } from "../scene/read-scene.ts";

/** Work for one thread. */
export type ThreadJob = ImageJob | ExtractBlockJob | ComputeBlockJob;

/** Carries out jobs in the thread it is made in. */
export interface RenderEngine {
  image(job: ImageJob, options: RenderOptions): Promise<RenderedImage>;
  extractBlock(job: ExtractBlockJob, options: RenderOptions): Promise<ExtractBlockOutcome>;
  computeBlock(job: ComputeBlockJob, options: RenderOptions): Promise<ComputedBlock>;
}

/** Makes an engine that carries out jobs in the thread that calls it. */
export function createRenderEngine(settings: RenderSettings, sourceFor?: SourceFor): RenderEngine {
  const resources = createResources(settings, sourceFor);
  const readScene = createReadScene(resources);
  return {
    image: (job, options) =>
      job.kind === "parent" ? renderParent(job) : renderImage(job, readScene, resources, options),
    extractBlock: (job, options) => extractBlock(job, readScene, resources, options),
    computeBlock: (job, options) => computeBlock(job, readScene, resources, options),
  };
}
