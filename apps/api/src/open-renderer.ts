import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { RenderPool } from "./render/pool.ts";

/** Where the synthetic archive is, for a service without an upstream. */
export function sandboxDirectory({ dataDir }: Pick<Environment, "dataDir">): string {
  return join(dataDir, "sandbox");
}

/**
 * Starts the render threads that the environment asks for.
 *
 * @param knownHosts hosts that the collections name.
 */
export function openRenderer(environment: Environment, knownHosts: readonly string[]): RenderPool {
  const { assetHosts, s3, upstreamUrl } = environment;
  const known = {
    otherUpstreamUrls: Object.values(environment.upstreams),
    knownHosts,
  };
  const from = upstreamUrl === undefined ? { archiveDirectory: sandboxDirectory(environment) } : { upstreamUrl };
  return new RenderPool({
    threads: Math.max(1, environment.workers),
    settings: {
      // a worker's jobs are long enough to be compiled on the way
      warmsUp: environment.warmsUp && environment.role !== "worker",
      render: { blockCacheBytes: environment.blockCacheBytes, sources: { assetHosts, s3, ...from, ...known } },
    },
  });
}
