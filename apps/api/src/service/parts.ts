import { join } from "node:path";
import { type Accounts, type AccountsSettings, openAccounts } from "@swath/accounts";
import { archiveLines, watchArchive } from "@swath/archive";
import { pageTokens } from "@swath/catalog/node";
import { unlessAborted } from "@swath/http";
import { jobCounts, storedJobs, watchedQueue } from "@swath/store/jobs";
import { linkSigner, openResults, secretFor } from "@swath/store/node";
import packageFacts from "../../package.json" with { type: "json" };
import { measuredQueue } from "../metrics/measured.ts";
import type { MetricsRegistry } from "../metrics/metrics.ts";
import { openFiles } from "../open/collection-files.ts";
import type { Environment } from "../open/environment/environment.ts";
import { upstreamsOf } from "../open/open-catalog.ts";
import { openLowZooms } from "../open/open-low-zooms.ts";
import { openPartMakers } from "../open/open-part-makers.ts";
import { openSharedImages, type SharedImageCache } from "../open/open-shared-images.ts";
import type { Services } from "../operations/services.ts";
import { openScenes, type PartsOptions } from "./open-scenes.ts";
import { openState, type State } from "./open-state.ts";
import { tryOutKey, tryOutTile } from "./try-out.ts";

/** The service's parts, opened by the settings of its environment. */
export interface Parts {
  readonly services: Services;
  /** The metrics as they are scraped; absent where they are not. */
  readonly metrics?: MetricsRegistry;
  /** A key that was made for trying the service out, and the path of a tile that needs none. */
  readonly tryOut?: { readonly key: string; readonly tile?: string };
  /** The place that mails go to, in words. */
  readonly mails?: string;
  /** The archives that cannot be read, and the keys that are missing for them; one line per key. */
  readonly unreadable: readonly string[];
  /** Logs a line for each upstream that does not answer, until the signal aborts; it does not fail. */
  reportUpstreams(signal: AbortSignal): Promise<void>;
  /** The files of the owner's folder that are served, and those that are not, one per line. */
  readonly archive?: readonly string[];
  /** The images that nodes share; absent: none are. */
  readonly sharedImages?: SharedImageCache;
  /** Removes mails of the outbox that are older than a day. */
  readonly outbox?: Accounts["outbox"];
  /** Writes pending counts. */
  flush(): Promise<void>;
  /** Stops rendering, writes pending counts, and closes the store. */
  close(): Promise<void>;
}

/** Most unfinished jobs of accounts: of 100 places 20 are kept for keys of the service's owner. */
const JOBS_OF_ACCOUNTS = 80;

/** Returns the settings of accounts and limits from the environment. */
function accountsSettings(
  { accounts, apiKeys, limits, guestUnitsDay, takesAnonymous, keyPrefix, dataDir }: Environment,
  tryOut: string | undefined,
): AccountsSettings {
  return {
    apiKeys: [...apiKeys, ...(tryOut === undefined ? [] : [tryOut])],
    limits,
    guestUnitsDay,
    takesAnonymous,
    keyPrefix,
    ...(accounts === undefined
      ? {}
      : {
          mail: {
            from: accounts.mailFrom,
            folder: join(dataDir, "outbox"),
            ...(accounts.smtp === undefined ? {} : { smtp: accounts.smtp }),
          },
        }),
  };
}

/** Opens all parts of the service. */
export async function openParts(environment: Environment, options: PartsOptions): Promise<Parts> {
  const { renderer, log, archive } = options;
  const { dataDir, upstreamUrl } = environment;
  const files = openFiles(environment, archive?.collections);
  const state = await openState(environment, log);
  const { store, secret, metrics, scraped, spending, maintenance } = state;
  const { fileAccess, upstreams, ...scenes } = await openScenes(environment, files, state, options);
  const watch = archive === undefined ? undefined : watchArchive(archive, environment, log);
  const isSandbox = upstreamUrl === undefined && (scenes.archiveDirectory !== undefined || archive !== undefined);
  const tryOut = environment.apiKeys.length === 0 && isSandbox ? await tryOutKey(dataDir) : undefined;
  const accounts = openAccounts(accountsSettings(environment, tryOut), {
    store,
    addressKey: secretFor("addresses", secret),
    onJobUnits: (what, amount) => metrics.units(what, amount),
    log,
  });
  const tile =
    tryOut === undefined || archive !== undefined || environment.profile === "lean" || environment.role === "worker"
      ? undefined
      : await tryOutTile(dataDir, accounts.parts.maps);
  const sharedImages = openSharedImages(environment, state);
  // while spending is stopped or the service closed jobs wait, and no tile of a low zoom is made
  const isHeld = (): boolean => spending.isStopped() || maintenance.isOn();
  const lowZooms = openLowZooms(environment, scenes, sharedImages, { isHeld, log });
  const jobs = jobParts(environment, state, accounts, isHeld);
  const partMakers =
    environment.role === "api" ? undefined : await openPartMakers(environment, { store, results: jobs.results, log });
  const services: Services = {
    ...accounts.parts,
    ...scenes,
    ...(lowZooms === undefined ? {} : { lowZooms }),
    ...(environment.profile === "lean" ? {} : { fileAccess, upstreams }),
    ...jobs,
    ...(partMakers === undefined ? {} : { partMakers }),
    ...siteParts(environment),
    ...(sharedImages === undefined ? {} : { sharedImages: sharedImages.images }),
    spending,
    maintenance,
    metrics,
    pageTokens: pageTokens(secretFor("paging tokens", secret)),
    now: () => new Date(),
    log,
  };
  const written = async (work: readonly Promise<void>[], fault: string): Promise<void> => {
    for (const each of await Promise.allSettled(work)) {
      if (each.status === "rejected") log.warn({ err: each.reason }, fault);
    }
  };
  return {
    services,
    ...(scraped === undefined ? {} : { metrics: scraped }),
    ...(tryOut === undefined ? {} : { tryOut: { key: tryOut, ...(tile === undefined ? {} : { tile }) } }),
    ...(accounts.mails === undefined ? {} : { mails: accounts.mails }),
    unreadable: fileAccess
      .credentials()
      .flatMap(({ collections, detail }) => (detail === undefined ? [] : `${collections.join(", ")}: ${detail}`)),
    async reportUpstreams(signal) {
      if (upstreamsOf(environment).length === 0) return;
      const { reportFailingUpstreams } = await import("../open/doctor/start.ts");
      await reportFailingUpstreams(environment, files, { log, signal });
    },
    ...(archive === undefined ? {} : { archive: archiveLines(archive) }),
    ...(sharedImages === undefined ? {} : { sharedImages }),
    ...(accounts.outbox === undefined ? {} : { outbox: accounts.outbox }),
    flush: () => written([accounts.flush(), spending.flush()], "counts could not be written"),
    async close() {
      maintenance.close();
      await lowZooms?.close();
      await Promise.all([renderer.close(), watch?.stop(), sharedImages?.images.close(), sharedImages?.patient.close()]);
      await written([accounts.close(), spending.close()], "counts are lost");
      archive?.close();
      await partMakers?.close();
      await store.close();
    },
  };
}

/** Returns the queue, its files, and the questions to state and queue that readiness asks. */
function jobParts(
  { role, dataDir, results, jobs: { slots } }: Environment,
  { store, secret, metrics }: State,
  { charges }: Pick<Accounts, "charges">,
  isHeld: () => boolean,
): Pick<Services, "jobs" | "results" | "resultLinks" | "pingStore" | "pingQueue" | "pingResults"> {
  const jobs = watchedQueue(
    measuredQueue(storedJobs(store, { charges, slots, maxOfAccounts: JOBS_OF_ACCOUNTS }), metrics, isHeld),
  );
  const files = openResults({ dataDir, ...results });
  return {
    jobs,
    results: files,
    resultLinks: linkSigner(secret, "/v1/results"),
    pingStore: async ({ signal }) => {
      await unlessAborted(store.query("select 1 as one"), signal);
    },
    pingQueue: async ({ signal }) => {
      if (role !== "api") jobs.checkWorker();
      await unlessAborted(jobCounts(store), signal);
    },
    pingResults: ({ signal }) => unlessAborted(files.check(), signal),
  };
}

/** Returns what the environment says of addresses, hosts and caches. */
function siteParts({
  upstreamUrl,
  publicUrl,
  tileCacheBytes,
  legacyHosts,
  trustedProxies,
  siteOrigins,
  baseMap,
}: Environment): Pick<Services, "version" | "tileCacheBytes" | "legacy" | "http" | "baseMap"> {
  return {
    ...(baseMap === undefined ? {} : { baseMap }),
    version: packageFacts.version,
    tileCacheBytes,
    legacy: { hosts: legacyHosts, ...(upstreamUrl === undefined ? {} : { upstreamUrl }) },
    http: { trustedProxies, siteOrigins, ...(publicUrl === undefined ? {} : { publicUrl }) },
  };
}
