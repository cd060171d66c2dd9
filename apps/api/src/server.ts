import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { type Catalog, createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { makeSandbox } from "@swath/sandbox/node";
import { pino } from "pino";
import packageFacts from "../package.json" with { type: "json" };
import { createApp } from "./app.ts";
import type { Environment } from "./environment.ts";
import { anyKeyRing, fixedKeyRing } from "./keys/key-ring.ts";
import { storedKeyRing } from "./keys/stored-key-ring.ts";
import { storedLimits } from "./limits/request-limits.ts";
import { startHousekeeping } from "./process/housekeeping.ts";
import { startJobRunner } from "./process/job-runner.ts";
import { RenderPool } from "./render/pool.ts";
import { linkSigner } from "./results/links.ts";
import { resultSecret } from "./results/secret.ts";
import { openResultStore } from "./results/store.ts";
import type { Services } from "./services.ts";
import { openStore } from "./state/open-store.ts";
import { storedJobs } from "./state/stored-jobs.ts";

export interface ServerOptions {
  /** Writes a line for the person who started the service. */
  readonly print: (line: string) => void;
}

export interface RunningServer {
  readonly url: string;
  /** Stops taking requests, finishes those under way within a few seconds, and lets go of everything. */
  close(): Promise<void>;
}

/** Time that requests under way have to end when the service stops. */
const DRAIN_MS = 8000;

interface Archive {
  readonly catalog: Catalog;
  readonly directory?: string;
}

/** The upstream catalog, or where none is named the synthetic archive, made on first start. */
async function openCatalog(environment: Environment, print: ServerOptions["print"]): Promise<Archive> {
  if (environment.upstreamUrl !== undefined)
    return { catalog: createUpstreamCatalog({ url: environment.upstreamUrl }) };
  const directory = join(environment.dataDir, "sandbox");
  let told = false;
  await makeSandbox(directory, {
    onProgress: () => {
      if (!told) print("Making a synthetic archive (first start only, about 20 s) ...");
      told = true;
    },
  });
  return { catalog: await openArchive(directory), directory };
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

/** Puts the service together from its environment and listens. */
export async function createServer(environment: Environment, { print }: ServerOptions): Promise<RunningServer> {
  const log = pino({ level: environment.logLevel });
  const store = await openStore(environment);
  const limits = storedLimits(store, environment.limits, {
    onError: (error) => log.warn({ err: error }, "request counts could not be written"),
  });
  const { catalog, directory } = await openCatalog(environment, print);
  const tryOut =
    environment.apiKeys.length === 0 && directory !== undefined ? await sandboxKey(environment.dataDir) : undefined;
  const renderer = new RenderPool({
    threads: Math.max(1, environment.workers),
    settings: {
      draw: {
        blockCacheBytes: Math.floor(environment.blockCacheBytes / Math.max(1, environment.workers)),
        sources: {
          assetHosts: environment.assetHosts,
          s3: environment.s3,
          ...(directory === undefined ? {} : { archiveDirectory: directory }),
          ...(environment.upstreamUrl === undefined ? {} : { upstreamUrl: environment.upstreamUrl }),
        },
      },
    },
  });
  const services: Services = {
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    keys: anyKeyRing([
      fixedKeyRing([...environment.apiKeys, ...(tryOut === undefined ? [] : [tryOut])]),
      storedKeyRing(store),
    ]),
    limits,
    renderer,
    jobs: storedJobs(store),
    results: openResultStore(environment.dataDir),
    resultLinks: linkSigner(await resultSecret(environment.dataDir)),
    now: () => new Date(),
    log,
    version: packageFacts.version,
    tileCacheBytes: environment.tileCacheBytes,
    ...(directory === undefined ? {} : { archiveDirectory: directory }),
    legacy: {
      hosts: environment.legacyHosts,
      ...(environment.upstreamUrl === undefined ? {} : { upstreamUrl: environment.upstreamUrl }),
    },
    http: environment.publicUrl === undefined ? {} : { publicUrl: environment.publicUrl },
  };
  const app = createApp(services);
  const runner = startJobRunner(services);
  const stopHousekeeping = startHousekeeping(services);
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const listening = serve({ fetch: app.fetch, hostname: environment.host, port: environment.port }, () =>
      resolve(listening),
    );
    listening.once("error", reject);
  });
  const { port } = server.address() as AddressInfo;
  const host = environment.host.includes(":") ? `[${environment.host}]` : environment.host;
  const url = environment.publicUrl ?? `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`;
  announce(print, url, tryOut);
  return {
    url,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if ("closeIdleConnections" in server) server.closeIdleConnections();
      const timer = setTimeout(() => {
        if ("closeAllConnections" in server) server.closeAllConnections();
      }, DRAIN_MS);
      stopHousekeeping();
      await Promise.all([closed, runner.stop()]);
      clearTimeout(timer);
      await renderer.close();
      await limits.close();
      await store.close();
    },
  };
}

function announce(print: ServerOptions["print"], url: string, key: string | undefined): void {
  print(`Swath listens on ${url}`);
  print(`  landing page   ${url}/v1`);
  print(`  documentation  ${url}/docs`);
  if (key === undefined) return;
  print(`  key            ${key}`);
  const tile = (preset: string, query: string): string =>
    `'${url}/v1/tiles/${preset}/WebMercatorQuad/9/275/182.png${query}'`;
  print("Try:");
  print(`  curl -H 'X-API-Key: ${key}' '${url}/v1/search?limit=2'`);
  print(`  curl -H 'X-API-Key: ${key}' -o true-color.png ${tile("true-color", "")}`);
  print(`  curl -H 'X-API-Key: ${key}' -o ndvi.png ${tile("ndvi", "?collection=landsat-ot-l2")}`);
}
