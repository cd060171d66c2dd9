import type { Catalog, NeighbourhoodSearch, UpstreamWatch } from "@swath/catalog";
import type { CollectionRegistry } from "@swath/schema";
import type { Logger } from "pino";
import type { KeyLookup } from "@swath/accounts/node";
import type { McpSessions } from "@swath/accounts/node";
import type { FileAccess } from "./file-access.ts";
import type { JobQueue } from "@swath/store";
import type { Maintenance } from "./maintenance/maintenance.ts";
import type { AddressLimits } from "@swath/accounts/node";
import type { LimitSettings } from "@swath/accounts";
import type { RequestLimits } from "@swath/accounts/node";
import type { UnitAccounts } from "@swath/accounts/node";
import type { Metrics } from "./metrics/metrics.ts";
import type { AccountServices } from "@swath/accounts/node";
import type { PageTokens } from "./page-tokens.ts";
import type { Renderer } from "./render/job.ts";
import type { LinkSigner } from "./results/links.ts";
import type { ResultStore } from "./results/store.ts";
import type { AngleReader } from "./scene-metadata/angle-reader.ts";
import type { SceneDocuments } from "./scene-metadata/scene-documents.ts";
import type { SpendingStop } from "./spending/stop.ts";

/** What the service is made of. Tests put their own parts here: a clock, an archive, a renderer. */
export interface Services {
  /** The collections that are live here. */
  readonly registry: CollectionRegistry;
  readonly catalog: Catalog;
  /** How the upstreams have answered lately; absent: health says nothing of them. */
  readonly upstreams?: readonly Pick<UpstreamWatch, "state">[];
  /** Scenes for map tiles, searched once for a neighbourhood of tiles. */
  readonly tileScenes: NeighbourhoodSearch;
  readonly keys: KeyLookup;
  /** Rates and quotas of requests with a key. */
  readonly limits: RequestLimits;
  /** What those limits are; absent: those of the specification. */
  readonly limitSettings?: LimitSettings;
  /** Units that all guests together spend in a day; absent: the default. */
  readonly guestUnitsDay?: number;
  /** Units of accounts, guests and the service's owner; absent: no profile counts units. */
  readonly units?: UnitAccounts;
  /** The first characters of a self-service key, by which its owner knows it; undefined for an unknown id. */
  readonly keyPrefixOf?: (keyId: string) => Promise<string | undefined>;
  readonly renderer: Renderer;
  /** What can be read of the archives with the service's credentials; absent: documents say nothing of it. */
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
  /** Accounts of persons, and guests; absent: keys of the owner alone. */
  readonly accounts?: AccountServices;
  /** Counts of callers without a credential; absent: the full profile takes none. */
  readonly addressLimits?: AddressLimits;
  /** Sessions of the Model Context Protocol; absent: the full profile does not serve it. */
  readonly mcpSessions?: McpSessions;
}
