import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AccountsSettings, type Outbox, openAccounts } from "@swath/accounts";
import { archiveLines, type OwnArchive, watchArchive } from "@swath/archive";
import { createNeighbourhoodSearch, createVirtualCatalog } from "@swath/catalog";
import {
  type AngleReader,
  createAngleReader,
  createFileAccess,
  credentialFault,
  MAX_METADATA_BYTES,
  type OnRead,
  sceneDocuments,
  type Traffic,
  TrafficCount,
} from "@swath/engine";
import { createSources, type RenderPool } from "@swath/engine/node";
import { unlessAborted } from "@swath/http";
import { jobCounts, storedJobs, watchedQueue } from "@swath/store";
import { installationSecret, linkSigner, openResults, secretFor } from "@swath/store/node";
import type { Logger } from "pino";
import packageFacts from "../../package.json" with { type: "json" };
import { openMaintenance } from "../maintenance/maintenance.ts";
import { measuredCatalog, measuredQueue, measuredRenderer } from "../metrics/measured.ts";
import { createMetrics, type MetricsRegistry } from "../metrics/metrics.ts";
import { localUpstreamNames, openFiles } from "../open/collection-files.ts";
import { reportFailingUpstreams } from "../open/doctor/start.ts";
import type { Environment } from "../open/environment.ts";
import { openCatalog } from "../open/open-catalog.ts";
import { openStore } from "../open/open-store.ts";
import { pageTokens } from "../operations/page-tokens.ts";
import type { Services } from "../operations/services.ts";
import { openSpending } from "../spending/stop.ts";

/** The service's parts, opened by the settings of its environment. */
export interface Parts {
  readonly services: Services;
  readonly metrics: MetricsRegistry;
  /** The key that was made for trying the service out. */
  readonly tryOut?: string;
  /** The place that mails go to, in words. */
  readonly mails?: string;
  /** The archives that cannot be read, and the keys that are missing for them; one line per key. */
  readonly unreadable: readonly string[];
  /** Logs a line for each upstream that does not answer, until the signal aborts; it does not fail. */
  reportUpstreams(signal: AbortSignal): Promise<void>;
  /** The files of the owner's folder that are served, and those that are not, one per line. */
  readonly archive?: readonly string[];
  /** Removes mails of the outbox that are older than a day. */
  readonly outbox?: Outbox;
  /** Stops rendering, writes pending counts, and closes the store. */
  close(): Promise<void>;
}

/** A key for trying the service out: made once, kept in the data directory. */
async function sandboxKey(dataDir: string): Promise<string> {
  const path = join(dataDir, "sandbox-key");
  const known = await readFile(path, "utf8").catch(() => undefined);
  if (known !== undefined && known.trim() !== "") return known.trim();
  const key = randomBytes(20).toString("hex");
  await mkdir(dataDir, { recursive: true });
  await writeFile(path, `${key}\n`, { mode: 0o600 });
  return key;
}

/** Reads angles on this thread, from where files may be read; its requests are counted like those for pixels. */
function angleReader({ sources, access }: RenderPool, countTraffic: (traffic: Traffic) => void): AngleReader {
  const count = new TrafficCount();
  const onRead: OnRead = (record, isPaid) => {
    count.add(record, isPaid);
    const traffic = count.take();
    if (traffic !== undefined) countTraffic(traffic);
  };
  // a small document is taken whole from a server that sends no parts
  return createAngleReader(createSources({ ...sources, wholeBytes: MAX_METADATA_BYTES, onRead }, access));
}

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

export interface PartsOptions {
  /** Closed with the parts. */
  readonly renderer: RenderPool;
  /** The owner's folder; closed with the parts. */
  readonly archive?: OwnArchive;
  readonly print: (line: string) => void;
  readonly log: Logger;
}

export async function openParts(
  environment: Environment,
  { renderer, print, log, archive }: PartsOptions,
): Promise<Parts> {
  const { dataDir, upstreamUrl, publicUrl, results, role } = environment;
  const files = openFiles(environment, archive?.collections);
  const { registry } = files;
  const store = await openStore(environment);
  const spending = await openSpending(store, environment.spending, {
    onError: (error) => log.warn({ err: error }, "paid reads could not be counted"),
    onChange: (state) => log.warn({ spending: state }, "the spending stop changed"),
  });
  const maintenance = await openMaintenance(store, {
    onError: (error) => log.warn({ err: error }, "whether the service is closed could not be read"),
    onChange: (until) => log.warn({ until }, "the maintenance changed"),
  });
  const metrics = createMetrics({
    jobs: () => jobCounts(store),
    spending: () => ({ ...spending.spent(), stopped: spending.isStopped() }),
  });
  const {
    catalog: plain,
    directory,
    watches,
  } = await openCatalog(
    environment,
    files,
    { print, onAnswer: (upstream, outcome) => metrics.upstream({ upstream, outcome }) },
    archive?.catalog,
  );
  const isOfOwner = archive !== undefined && upstreamUrl === undefined;
  const watch = archive === undefined ? undefined : watchArchive(archive, environment, log);
  const tryOut =
    environment.apiKeys.length === 0 && (directory !== undefined || isOfOwner) ? await sandboxKey(dataDir) : undefined;
  const countTraffic = (traffic: Traffic): void => {
    metrics.traffic(traffic);
    if (traffic.paidRequests > 0) spending.count({ requests: traffic.paidRequests, bytes: traffic.paidBytes });
  };
  renderer.onTraffic = countTraffic;
  renderer.onCredential = (credential, state) => {
    if (state === "refused") log.warn({ credential }, credentialFault(credential, "refused"));
    else log.info({ credential }, "the archive takes the credential again");
  };
  const fileAccess = createFileAccess({
    registry,
    sources: renderer.sources,
    localUpstreams: localUpstreamNames(environment),
    isRefused: (credential) => renderer.access.isRefused(credential),
    now: Date.now,
  });
  const onRead: OnRead = ({ bytes }, isPaid) => {
    if (isPaid) spending.count({ requests: 1, bytes });
  };
  const sourceFor = createSources({ ...renderer.sources, onRead }, renderer.access);
  const catalog = createVirtualCatalog({ catalog: measuredCatalog(plain, metrics), registry });
  const secret = await installationSecret(store, dataDir);
  const accounts = openAccounts(accountsSettings(environment, tryOut), {
    store,
    addressKey: secretFor("addresses", secret),
    onJobUnits: (what, amount) => metrics.units(what, amount),
    log,
  });
  const isHeld = (): boolean => spending.isStopped() || maintenance.isOn();
  // while spending is stopped or the service closed jobs wait
  const queue = watchedQueue(measuredQueue(storedJobs(store, { charges: accounts.charges }), metrics, isHeld));
  const services: Services = {
    ...accounts.parts,
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    spending,
    maintenance,
    metrics,
    renderer: measuredRenderer(renderer, metrics),
    ...(environment.profile === "lean" ? {} : { fileAccess, upstreams: watches }),
    sceneDocuments: sceneDocuments(sourceFor),
    angles: angleReader(renderer, countTraffic),
    jobs: queue,
    results: openResults({ dataDir, ...results }),
    resultLinks: linkSigner(secret, "/v1/results"),
    pageTokens: pageTokens(secretFor("paging tokens", secret)),
    pingStore: async ({ signal }) => {
      await unlessAborted(store.query("select 1 as one"), signal);
    },
    pingQueue: async ({ signal }) => {
      if (role !== "api") queue.checkWorker();
      await unlessAborted(jobCounts(store), signal);
    },
    now: () => new Date(),
    log,
    version: packageFacts.version,
    tileCacheBytes: environment.tileCacheBytes,
    ...(directory === undefined ? {} : { archiveDirectory: directory }),
    legacy: { hosts: environment.legacyHosts, ...(upstreamUrl === undefined ? {} : { upstreamUrl }) },
    http: {
      trustedProxies: environment.trustedProxies,
      siteOrigins: environment.siteOrigins,
      ...(publicUrl === undefined ? {} : { publicUrl }),
    },
  };
  return {
    services,
    metrics,
    ...(tryOut === undefined ? {} : { tryOut }),
    ...(accounts.mails === undefined ? {} : { mails: accounts.mails }),
    unreadable: fileAccess
      .credentials()
      .flatMap(({ collections, detail }) => (detail === undefined ? [] : `${collections.join(", ")}: ${detail}`)),
    reportUpstreams: (signal) => reportFailingUpstreams(environment, files, { log, signal }),
    ...(archive === undefined ? {} : { archive: archiveLines(archive) }),
    ...(accounts.outbox === undefined ? {} : { outbox: accounts.outbox }),
    async close() {
      maintenance.close();
      await Promise.all([renderer.close(), watch?.stop()]);
      const written = await Promise.allSettled([accounts.close(), spending.close()]);
      for (const each of written) if (each.status === "rejected") log.warn({ err: each.reason }, "counts are lost");
      archive?.close();
      await store.close();
    },
  };
}
