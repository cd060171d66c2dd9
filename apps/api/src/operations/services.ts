import type { AccountsParts } from "@swath/accounts";
import type { Maintenance, SpendingStop } from "@swath/accounts/owner";
import type { Catalog, NeighbourhoodSearch, UpstreamWatch } from "@swath/catalog";
import type { PageTokens } from "@swath/catalog/node";
import type { FileAccess } from "@swath/engine/files";
import type { ExtractionServices, Renderer } from "@swath/engine/node";
import type { LowZooms, SharedImages } from "@swath/engine/node/images";
import type { CollectionRegistry } from "@swath/schema";
import type { ResultStore } from "@swath/store";
import type { JobQueue } from "@swath/store/jobs";
import type { LinkSigner } from "@swath/store/node";
import type { Logger } from "pino";
import type { Metrics } from "../metrics/metrics.ts";
import type { BaseMap } from "../open/environment/base-map.ts";
import type { PartMakers } from "../open/open-part-makers.ts";

type Ping = (options: { readonly signal: AbortSignal }) => Promise<void>;

/** Parts of searches of scenes and collections. */
export interface SearchParts {
  /** The collections that are live here. */
  readonly registry: CollectionRegistry;
  readonly catalog: Catalog;
  /** Signs paging tokens. */
  readonly pageTokens: PageTokens;
}

/** Parts of images: those by which the engine reads scenes. */
export interface ImageParts extends Omit<ExtractionServices, "results" | "fileParts"> {
  /** Scenes for map tiles, searched once for a neighbourhood of tiles. */
  readonly tileScenes: NeighbourhoodSearch;
  /** Tiles of the zooms below those of presets; absent: there are none. */
  readonly lowZooms?: LowZooms;
}

/** Parts of files that are served by links. */
export interface ResultParts {
  /** The result files of jobs and large requests. */
  readonly results: ResultStore;
  readonly resultLinks: LinkSigner;
  readonly now: () => Date;
}

/** Parts of extractions, at once and in the background. */
export interface ExtractionParts extends Omit<ExtractionServices, "results" | "fileParts">, ResultParts {}

/** Parts of background jobs. */
export interface JobParts extends ExtractionParts {
  readonly jobs: JobQueue;
  /** Make large files of jobs in parts, on all nodes; absent: one node makes the whole. */
  readonly partMakers?: PartMakers;
}

/** Parts of pages that say whether the service works. */
export interface HealthParts {
  readonly catalog: Pick<Catalog, "ping">;
  readonly renderer: Pick<Renderer, "ping">;
  /** Watches of the upstreams' answers; absent: health says nothing of them. */
  readonly upstreams?: readonly Pick<UpstreamWatch, "state">[];
  /** The collections that can be read with the service's keys; absent: documents say nothing of it. */
  readonly fileAccess?: FileAccess;
  /** Throws while the store of state does not answer. */
  readonly pingStore?: Ping;
  /** Throws while the queue of jobs does not answer, or this process's worker does not ask it. */
  readonly pingQueue?: Ping;
  /** Throws while no output file can be written on this machine. */
  readonly pingResults?: Ping;
  readonly now: () => Date;
  readonly version: string;
}

/** Parts of routes that people's browsers call, beside the accounts themselves. */
export interface SiteParts {
  /** Records what the service does, for monitoring. */
  readonly metrics?: Metrics;
  readonly now: () => Date;
  readonly http: {
    readonly publicUrl?: string;
    readonly deadlineMs?: number;
    readonly trustedProxies?: number;
    /** Origins of the website; absent or none: the service's own. */
    readonly siteOrigins?: readonly string[];
  };
}

/** The owner's settings of the map page. */
export interface PageParts {
  /** The base map below the imagery; absent: the page's own. */
  readonly baseMap?: BaseMap;
}

/** Parts of every request, whatever it asks for. */
export interface AppParts extends Omit<SiteParts, "now"> {
  readonly log: Logger;
}

/** Parts of the legacy hosts besides those of images, searches and jobs. */
export interface LegacyParts {
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
}

/** Gates before all routes: a month that has cost enough, and an owner who has closed the service for a while. */
export interface GateParts {
  /** Counts paid reads, and ends them when the month has cost enough. */
  readonly spending?: SpendingStop;
  /** Whether the owner has closed the service for a while. */
  readonly maintenance?: Maintenance;
}

/**
 * The composed service, which satisfies each room's parts: rooms take their own, so that a test gives no others. Tests of
 * the whole put their own parts here: a clock, an archive, a renderer.
 */
export interface Services
  extends AccountsParts,
    PageParts,
    SearchParts,
    ImageParts,
    JobParts,
    HealthParts,
    AppParts,
    LegacyParts,
    GateParts {
  readonly catalog: Catalog;
  readonly renderer: Renderer;
  /** Bytes of finished images that are kept. */
  readonly tileCacheBytes: number;
  /** Finished images of all nodes; absent: each has its own alone. */
  readonly sharedImages?: SharedImages;
}
