import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { createApp } from "./app.ts";
import type { OwnArchive } from "./archive/own-archive.ts";
import type { Environment } from "./environment.ts";
import { createHttpServer } from "./http/http-server.ts";
import { jobKinds } from "./job-kinds.ts";
import { startHousekeeping } from "./jobs/housekeeping.ts";
import { startJobRunner } from "./jobs/runner.ts";
import { serveMetrics } from "./metrics/metrics-server.ts";
import { openParts } from "./parts.ts";
import { PROFILES } from "./profiles/profiles.ts";
import type { RenderPool } from "./render/pool.ts";
import type { Services } from "./services.ts";

export interface ServerOptions {
  /** The owner's folder; closed with the server. */
  readonly archive?: OwnArchive;
  /** Closed with the server. */
  readonly renderer: RenderPool;
  /** Prints a line on the terminal. */
  readonly print: (line: string) => void;
}

export interface RunningServer {
  /** Where requests are answered; absent for a worker. */
  readonly url?: string;
  /** Accepts no more work, finishes requests and returns jobs to the queue within a few seconds, and closes all resources. */
  close(): Promise<void>;
}

/** Time that open requests have to finish when the service stops. */
const DRAIN_MS = 7000;

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Answers requests until it is closed; then open requests have a while to finish. */
async function listen(services: Services, environment: Environment): Promise<Listening> {
  const app = createApp(services, PROFILES[environment.profile](services));
  const { host: hostname, port, publicUrl } = environment;
  const server = createHttpServer(app, {
    hostname,
    ...(publicUrl === undefined ? {} : { publicUrl }),
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, hostname, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Builds the service from its environment and starts the parts of its role. */
export async function createServer(
  environment: Environment,
  { renderer, print, archive }: ServerOptions,
): Promise<RunningServer> {
  const log = pino({ level: environment.logLevel });
  const { role } = environment;
  const parts = await openParts(environment, { renderer, print, log, ...(archive === undefined ? {} : { archive }) });
  try {
    const metrics =
      environment.metrics === undefined ? undefined : await serveMetrics(parts.metrics, environment.metrics);
    const listening = role === "worker" ? undefined : await listen(parts.services, environment);
    const runner = role === "api" ? undefined : startJobRunner({ ...parts.services, kinds: jobKinds(parts.services) });
    const { outbox } = parts;
    const stopHousekeeping = startHousekeeping({ ...parts.services, ...(outbox === undefined ? {} : { outbox }) });
    const url = listening === undefined ? undefined : addressOf(environment, listening.port);
    if (url === undefined) print("Swath carries out background jobs");
    else announce(print, url, parts.tryOut, archive !== undefined);
    for (const line of parts.archive ?? []) print(`  archive        ${line}`);
    if (url !== undefined && parts.mails !== undefined) print(`  mails          ${parts.mails}`);
    for (const line of parts.unreadable) print(`  no files of    ${line}`);
    if (metrics !== undefined) print(`  metrics        ${metrics.url}`);
    return {
      ...(url === undefined ? {} : { url }),
      async close() {
        stopHousekeeping();
        await Promise.all([listening?.close(), runner?.stop()]);
        await parts.close();
        await metrics?.close();
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function addressOf({ host, publicUrl }: Environment, port: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return publicUrl ?? `http://${name === "0.0.0.0" ? "127.0.0.1" : name}:${port}`;
}

function announce(print: ServerOptions["print"], url: string, key: string | undefined, isOwn: boolean): void {
  print(`Swath listens on ${url}`);
  // what follows # stays in the browser: the page keeps the key for its tab and takes it out of the address bar
  print(`  explorer       ${url}/explore${key === undefined ? "" : `#key=${key}`}`);
  print(`  landing page   ${url}/v1`);
  print(`  documentation  ${url}/docs`);
  if (key === undefined) return;
  print(`  key            ${key}`);
  const tile = (preset: string, query: string): string =>
    `'${url}/v1/tiles/${preset}/WebMercatorQuad/9/275/182.png${query}'`;
  print("Try:");
  print(`  curl -H 'X-API-Key: ${key}' '${url}/v1/search?limit=2&fields=properties.datetime'`);
  if (isOwn) return;
  print(`  curl -H 'X-API-Key: ${key}' -o true-color.png ${tile("true-color", "")}`);
  print(`  curl -H 'X-API-Key: ${key}' -o ndvi.png ${tile("ndvi", "?collection=landsat-ot-l2")}`);
}
