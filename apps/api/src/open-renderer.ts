import { join } from "node:path";
import type { Environment } from "./environment.ts";
import type { CredentialSettings } from "./render/asset-credentials.ts";
import { RenderPool } from "./render/pool.ts";
import type { SourceSettings } from "./render/sources.ts";

/** Where the synthetic archive is, for a service without an upstream. */
export function sandboxDirectory({ dataDir }: Pick<Environment, "dataDir">): string {
  return join(dataDir, "sandbox");
}

/** The credentials for files of upstreams that ask for them. */
function credentialsOf({ earthdataToken, upstreams }: Environment): CredentialSettings {
  const { pc } = upstreams;
  return {
    ...(earthdataToken === undefined ? {} : { earthdata: { token: earthdataToken } }),
    // the token service is beside the STAC API: /api/sas/v1/token, /api/stac/v1
    ...(pc === undefined ? {} : { planetaryComputer: { tokenUrl: new URL("/api/sas/v1/token", pc).href } }),
  };
}

/**
 * From where files may be read, and how.
 *
 * @param knownHosts hosts that the collections name.
 */
export function sourceSettings(environment: Environment, knownHosts: readonly string[]): SourceSettings {
  const { assetHosts, s3, upstreamUrl } = environment;
  const known = {
    otherUpstreamUrls: Object.values(environment.upstreams),
    knownHosts,
    credentials: credentialsOf(environment),
  };
  const from = upstreamUrl === undefined ? { archiveDirectory: sandboxDirectory(environment) } : { upstreamUrl };
  return { assetHosts, s3, ...from, ...known };
}

/**
 * Starts the render threads that the environment asks for.
 *
 * @param knownHosts hosts that the collections name.
 */
export function openRenderer(environment: Environment, knownHosts: readonly string[]): RenderPool {
  return new RenderPool({
    threads: Math.max(1, environment.workers),
    settings: {
      // a worker's jobs are long enough to be compiled on the way
      warmsUp: environment.warmsUp && environment.role !== "worker",
      render: { blockCacheBytes: environment.blockCacheBytes, sources: sourceSettings(environment, knownHosts) },
    },
  });
}
