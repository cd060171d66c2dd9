import type { ExtractionServices } from "@swath/engine/node";
import type { ImageCache } from "@swath/engine/node/images";
import type { ResultStore } from "@swath/store";
import type { JobQueue } from "@swath/store/jobs";
import type { LinkSigner } from "@swath/store/node";
import type { WebEnv } from "@swath/web";
import type { Context } from "hono";

/** The parts of a service that carry out downloads. */
export interface DownloadParts extends Omit<ExtractionServices, "results"> {
  readonly results: Pick<ResultStore, "spoolDirectory" | "allocate" | "publish" | "remove">;
}

/** The service that mounts the legacy hosts. */
export interface LegacyService<E extends WebEnv = WebEnv> extends DownloadParts {
  readonly images: ImageCache;
  readonly jobs: JobQueue;
  readonly version: string;
  readonly now: () => Date;
  /** Identifies the caller and counts the request; returns the name under which the caller's jobs are kept. */
  readonly authenticate: (c: Context<E>) => Promise<string>;
  /** Throws while the service is closed. */
  readonly checkOpen?: () => void;
  /** Throws while nothing may be read of paid archives. */
  readonly checkSpending?: () => void;
  /** Turns a failure into a `ProblemError` of `@swath/problem`; unknown errors stay as they are. */
  readonly problemOf: (error: unknown) => unknown;
  readonly resultLinks: Pick<LinkSigner, "sign">;
  /** Names of the headers that pages may send. */
  readonly acceptedHeaders: readonly string[];
}

/** The upstream and the names of the legacy hosts. */
export interface LegacySettings {
  /** Root of the upstream STAC API. */
  readonly upstreamUrl?: string;
  /** Folder of an archive that takes its place; absent too: the hosts answer 502. */
  readonly directory?: string;
  /** Host names, with their port where they have one of their own; the mounts are there without them. */
  readonly hosts?: { readonly stac?: string; readonly tiles?: string };
  /** Bounds of an upstream answer to the STAC host: its bytes, and milliseconds between two pieces of it. */
  readonly limits?: { readonly maxBytes: number; readonly silenceMs: number };
}
