import { join } from "node:path";
import { paceStates } from "@swath/engine/files";
import { OwnThread, RenderPool, type ServiceRenderer } from "@swath/engine/node";
import type { FolderFiles, SourceSettings } from "@swath/engine/node/files";
import type { CollectionRegistry } from "@swath/schema";
import type { Environment } from "./environment/environment.ts";

/** Returns the folder of the synthetic archive, for a service without an upstream. */
export function sandboxDirectory({ dataDir }: Pick<Environment, "dataDir">): string {
  return join(dataDir, "sandbox");
}

/**
 * From where files may be read, and how.
 *
 * @param registry hosts that the collections name, and what is known of them.
 */
export function sourceSettings(
  environment: Environment,
  { assetHosts: knownHosts, storage }: FileFacts,
  folder?: FolderFiles,
): SourceSettings {
  const { assetHosts, s3, upstreamUrl, upstreams, earthdataToken, archive } = environment;
  const isSandbox = upstreamUrl === undefined && archive === undefined;
  return {
    assetHosts,
    s3,
    storage,
    knownHosts,
    paces: paceStates(storage, Math.max(1, environment.workers) + OWN_READERS),
    verifyPlainHttp: environment.verifyPlainHttp,
    otherUpstreamUrls: Object.values(upstreams),
    credentials: earthdataToken === undefined ? {} : { earthdata: { token: earthdataToken } },
    ...(isSandbox ? { archiveDirectory: sandboxDirectory(environment) } : {}),
    ...(upstreamUrl === undefined ? {} : { upstreamUrl }),
    ...(folder === undefined ? {} : { folder }),
  };
}

/** Readers of documents on the main thread: they have their share of the requests at once too. */
const OWN_READERS = 2;

/** Facts of the collections about their files. */
type FileFacts = Pick<CollectionRegistry, "assetHosts" | "storage">;

/**
 * Starts the render threads that the environment asks for; without any the calling thread renders.
 *
 * @param registry hosts that the collections name, and what is known of them.
 * @param folder the owner's folder, where there is one.
 */
export function openRenderer(environment: Environment, registry: FileFacts, folder?: FolderFiles): ServiceRenderer {
  const render = {
    blockCacheBytes: environment.blockCacheBytes,
    sources: sourceSettings(environment, registry, folder),
  };
  if (environment.workers === 0) return new OwnThread(render);
  return new RenderPool({
    threads: environment.workers,
    settings: {
      // a worker's jobs are long enough to be compiled on the way
      warmsUp: environment.warmsUp && environment.role !== "worker",
      render,
    },
  });
}
