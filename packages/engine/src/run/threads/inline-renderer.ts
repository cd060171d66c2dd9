import { compute } from "../compute/compute.ts";
import { extract } from "../extract/extract.ts";
import type { SourceFor } from "../files/sources.ts";
import type { Renderer } from "../job.ts";
import type { RenderSettings } from "../resources.ts";
import { createRenderEngine } from "./engine.ts";

/**
 * A renderer in the caller's own thread, for programs that do one thing after the other.
 *
 * @param sourceFor reads files, in place of what the settings say.
 */
export function inlineRenderer(settings: RenderSettings, sourceFor?: SourceFor): Renderer {
  const engine = createRenderEngine(settings, sourceFor);
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
