import type { OwnArchive } from "@swath/archive";
import { createNeighbourhoodSearch, createVirtualCatalog, type UpstreamWatch } from "@swath/catalog";
import {
  createAngleReader,
  createFileAccess,
  credentialFault,
  type FileAccess,
  MAX_METADATA_BYTES,
  sceneDocuments,
  type Traffic,
  TrafficCount,
} from "@swath/engine/files";
import type { ServiceRenderer } from "@swath/engine/node";
import { createSources, type SourceFor } from "@swath/engine/node/files";
import type { Logger } from "pino";
import { measuredCatalog, measuredRenderer } from "../metrics/measured.ts";
import { localUpstreamNames, type OpenedFiles } from "../open/collection-files.ts";
import type { Environment } from "../open/environment/environment.ts";
import { openCatalog } from "../open/open-catalog.ts";
import type { ImageParts } from "../operations/services.ts";
import type { State } from "./open-state.ts";

/** Things that are open already when the parts are opened. */
export interface PartsOptions {
  /** Closed with the parts. */
  readonly renderer: ServiceRenderer;
  /** The owner's folder; closed with the parts. */
  readonly archive?: OwnArchive;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

/** The parts that search and read scenes. */
export interface SceneParts extends Omit<ImageParts, "now"> {
  readonly fileAccess: FileAccess;
  /** Watches of the upstreams' answers. */
  readonly upstreams: readonly UpstreamWatch[];
  /** Folder of the synthetic archive, where that is served. */
  readonly archiveDirectory?: string;
}

/** Opens catalog and readers; all that is read is counted, paid reads for the spending stop too. */
export async function openScenes(
  environment: Environment,
  files: OpenedFiles,
  { metrics, spending }: Pick<State, "metrics" | "spending">,
  { renderer, archive, print, log }: PartsOptions,
): Promise<SceneParts> {
  const { registry } = files;
  const onAnswer = (upstream: string, outcome: "ok" | "failed"): void => metrics.upstream({ upstream, outcome });
  const opened = await openCatalog(environment, files, { print, onAnswer }, archive?.catalog);
  const countTraffic = (traffic: Traffic): void => {
    metrics.traffic(traffic);
    if (traffic.paidRequests > 0) spending.count({ requests: traffic.paidRequests, bytes: traffic.paidBytes });
  };
  renderer.onTraffic = countTraffic;
  renderer.onCredential = (credential, state) => {
    if (state === "refused") log.warn({ credential }, credentialFault(credential, "refused"));
    else log.info({ credential }, "the archive takes the credential again");
  };
  const documents = documentSources(renderer, countTraffic);
  const catalog = createVirtualCatalog({ catalog: measuredCatalog(opened.catalog, metrics), registry });
  return {
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer: measuredRenderer(renderer, metrics),
    sceneDocuments: sceneDocuments(documents),
    angles: createAngleReader(documents),
    fileAccess: createFileAccess({
      registry,
      sources: renderer.sources,
      localUpstreams: localUpstreamNames(environment),
      isRefused: (credential) => renderer.access.isRefused(credential),
      now: Date.now,
    }),
    upstreams: opened.watches,
    ...(opened.directory === undefined ? {} : { archiveDirectory: opened.directory }),
  };
}

/** Returns sources of documents of scenes, read on this thread; their requests are counted like those for pixels. */
function documentSources({ sources, access }: ServiceRenderer, countTraffic: (traffic: Traffic) => void): SourceFor {
  const count = new TrafficCount();
  return createSources(
    {
      ...sources,
      // a small document is taken whole from a server that sends no parts
      wholeBytes: MAX_METADATA_BYTES,
      onRead: (record, isPaid) => {
        count.add(record, isPaid);
        const traffic = count.take();
        if (traffic !== undefined) countTraffic(traffic);
      },
    },
    access,
  );
}
