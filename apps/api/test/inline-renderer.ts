import type { Renderer, RenderSettings } from "@swath/engine/node";
import { compute, createRenderEngine, extract } from "@swath/engine/node";

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
