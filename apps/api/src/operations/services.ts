import type { AccountsParts } from "@swath/accounts";
import type { Catalog, NeighbourhoodSearch, UpstreamWatch } from "@swath/catalog";
import type { AngleReader, FileAccess, SceneDocuments } from "@swath/engine";
import type { Renderer } from "@swath/engine/node";
import type { CollectionRegistry } from "@swath/schema";
import type { JobQueue, ResultStore } from "@swath/store";
import type { LinkSigner } from "@swath/store/node";
import type { Logger } from "pino";
import type { Maintenance } from "../maintenance/maintenance.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { SpendingStop } from "../spending/stop.ts";
import type { PageTokens } from "./page-tokens.ts";

/** The parts of the service besides its accounts. Tests put their own parts here: a clock, an archive, a renderer. */
export interface Services extends AccountsParts {
  /** The collections that are live here. */
  readonly registry: CollectionRegistry;
  readonly catalog: Catalog;
  /** Watches of the upstreams' answers; absent: health says nothing of them. */
  readonly upstreams?: readonly Pick<UpstreamWatch, "state">[];
  /** Scenes for map tiles, searched once for a neighbourhood of tiles. */
  readonly tileScenes: NeighbourhoodSearch;
  readonly renderer: Renderer;
  /** The collections that can be read with the service's keys; absent: documents say nothing of it. */
  readonly fileAccess?: FileAccess;
  /** Documents of scenes that hold factors; absent: no collection here has such. */
  readonly sceneDocuments?: SceneDocuments;
  /** Angles of scenes, read where a level of harmonization needs them. */
  readonly angles: AngleReader;
  /** Background jobs, and the result files of jobs and large requests. */
  readonly jobs: JobQueue;
  readonly results: ResultStore;
  readonly resultLinks: LinkSigner;
  /** Signs paging tokens. */
  readonly pageTokens: PageTokens;
  /** Counts paid reads, and ends them when the month has cost enough. */
  readonly spending?: SpendingStop;
  /** Whether the owner has closed the service for a while. */
  readonly maintenance?: Maintenance;
  /** Records what the service does, for monitoring. */
  readonly metrics?: Metrics;
  /** Throws while the store of state does not answer. */
  readonly pingStore?: (options: { readonly signal: AbortSignal }) => Promise<void>;
  /** Throws while the queue of jobs does not answer, or this process's worker does not ask it. */
  readonly pingQueue?: (options: { readonly signal: AbortSignal }) => Promise<void>;
  readonly now: () => Date;
  readonly log: Logger;
  readonly version: string;
  readonly tileCacheBytes: number;
  /** Folder whose files are published under `/archive/`; absent with an upstream catalog. */
  readonly archiveDirectory?: string;
  /** The legacy hosts' upstream and names; absent: the embedded archive, at the mounts only. */
  readonly legacy?: {
    /** Root of the upstream STAC API; absent: the embedded archive. */
    readonly upstreamUrl?: string;
    /** Host names, with their port where they have one of their own. */
    readonly hosts?: { readonly stac?: string; readonly tiles?: string };
    /** Bounds of an upstream answer to the STAC host: its bytes, and milliseconds between two pieces of it. */
    readonly limits?: { readonly maxBytes: number; readonly silenceMs: number };
  };
  readonly http: {
    readonly publicUrl?: string;
    readonly deadlineMs?: number;
    readonly trustedProxies?: number;
    /** Origins of the website; absent or none: the service's own. */
    readonly siteOrigins?: readonly string[];
  };
}
