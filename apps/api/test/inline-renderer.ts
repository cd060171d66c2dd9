import { type BlockMakers, extract } from "../src/process/extract.ts";
import { createDrawer, type DrawOptions } from "../src/render/draw.ts";
import type { Renderer } from "../src/render/job.ts";

/** A renderer in the caller's own thread. */
export function inlineRenderer(options: DrawOptions): Renderer {
  const drawer = createDrawer(options);
  const makers: BlockMakers = {
    count: 1,
    cacheBytes: options.blockCacheBytes,
    block: (order, _, its) => drawer.block(order, its),
  };
  return {
    render: (job, { signal }) => drawer.draw(job, { signal }),
    extract: (job, options) => extract(job, makers, options),
    ping: async () => {},
    close: async () => {},
  };
}
