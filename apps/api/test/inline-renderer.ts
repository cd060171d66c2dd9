import type { Renderer, RenderSettings } from "@swath/engine/node";
import { createRenderEngine, extract, reduce, runCube } from "@swath/engine/node";

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
    reduce: (job, options) =>
      reduce(job, { count: 1, block: (part, _, itsOptions) => engine.reduceBlock(part, itsOptions) }, options),
    cube: (job, options) =>
      runCube(job, { count: 1, block: (part, _, itsOptions) => engine.cubeBlock(part, itsOptions) }, options),
    ping: async () => {},
    close: async () => {},
  };
}
