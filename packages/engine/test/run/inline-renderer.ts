import { compute } from "../../src/run/compute.ts";
import { createRenderEngine } from "../../src/run/engine.ts";
import { extract } from "../../src/run/extract.ts";
import type { Renderer } from "../../src/run/job.ts";
import type { RenderSettings } from "../../src/run/resources.ts";

/** A renderer in the caller's own thread. */
export function inlineRenderer(settings: RenderSettings): Renderer {
  const engine = createRenderEngine(settings);
  return {
    render: (job, options) => engine.image(job, options),
    extract: (job, options) =>
      extract(
        job,
        {
          count: 1,
          cacheBytes: settings.blockCacheBytes,
          block: (part, _, itsOptions) => engine.extractBlock(part, itsOptions),
        },
        options,
      ),
    compute: (job, options) =>
      compute(job, { count: 1, block: (part, _, itsOptions) => engine.computeBlock(part, itsOptions) }, options),
    ping: async () => {},
    close: async () => {},
  };
}
