import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { OwnArchive } from "@swath/archive";
import type { ServiceRenderer } from "@swath/engine/node";
import type { Tracing } from "@swath/otlp";
import { startJobRunner } from "@swath/store/jobs";
import { createHttpServer, createProbeServer, type ListenAddress, listenAt } from "@swath/web/server";
import type { Logger } from "pino";
import { createMetricsServer } from "../metrics/metrics-server.ts";
import type { Environment } from "../open/environment/environment.ts";
import { listenAddresses } from "../open/listen-address.ts";
import { createReadiness } from "../operations/readiness.ts";
import type { Services } from "../operations/services.ts";
import { DOCUMENTS_FOLDER, EXPLORER_FOLDER, isBuilt } from "../routes/site/served-folders.ts";
import { createApp } from "./app.ts";
import { startHousekeeping } from "./housekeeping.ts";
import { runnerParts } from "./job-kinds.ts";
import { openParts, type Parts } from "./parts.ts";
import { PROFILES } from "./profiles/profiles.ts";

export interface ServerOptions {
  /** The owner's folder; closed with the server. */
  readonly archive?: OwnArchive;
  /** Closed with the server. */
  readonly renderer: ServiceRenderer;
  readonly log: Logger;
  /** Stopped with the server; absent: no traces are sent. */
  readonly tracing?: Tracing;
  /** Prints a line on the terminal. */
  readonly print: (line: string) => void;
}

export interface RunningServer {
  /** Address at which requests are answered; absent for a worker. */
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

/** Answers requests at an address until it is closed; then open requests have `drainMs` to finish. */
async function serve(server: Server, address: ListenAddress, drainMs = 0): Promise<Listening> {
  await listenAt(server, address);
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function httpServer(services: Services, { profile, host: hostname, publicUrl }: Environment): Server {
  const app = createApp(services, PROFILES[profile](services));
  return createHttpServer(app, { hostname, ...(publicUrl === undefined ? {} : { publicUrl }) });
}

interface Listeners {
  readonly requests?: Listening;
  readonly metrics?: Listening;
  readonly probes?: Listening;
}

async function openListeners(environment: Environment, { services, metrics }: Parts): Promise<Listeners> {
  const at = listenAddresses(environment);
  return {
    ...(at.metrics === undefined || metrics === undefined
      ? {}
      : { metrics: await serve(createMetricsServer(metrics), at.metrics) }),
    ...(at.requests === undefined
      ? {}
      : { requests: await serve(httpServer(services, environment), at.requests, DRAIN_MS) }),
    ...(at.probes === undefined
      ? {}
      : {
          probes: await serve(
            createProbeServer(
              createReadiness(services),
              environment.publicUrl ?? urlOf(at.probes.host, at.probes.port),
            ),
            at.probes,
          ),
        }),
  };
}

/** Builds the service from its environment and starts the parts of its role. */
export async function createServer(
  environment: Environment,
  { renderer, print, log, archive, tracing }: ServerOptions,
): Promise<RunningServer> {
  const { role } = environment;
  const parts = await openParts(environment, { renderer, print, log, ...(archive === undefined ? {} : { archive }) });
  try {
    const { requests, metrics, probes } = await openListeners(environment, parts);
    const runner =
      role === "api" ? undefined : startJobRunner(runnerParts(parts.services), { slots: environment.jobs.perProcess });
    const makers = role === "api" ? undefined : parts.services.partMakers?.work(parts.services.renderer);
    const { outbox, sharedImages } = parts;
    const stopHousekeeping = startHousekeeping({
      ...parts.services,
      ...(outbox === undefined ? {} : { outbox }),
      ...(sharedImages === undefined ? {} : { sweepImages: sharedImages.sweep }),
    });
    const address = requests === undefined ? undefined : urlOf(environment.host, requests.port);
    const url = address === undefined ? undefined : (environment.publicUrl ?? address);
    print(address === undefined ? "Swath carries out background jobs" : `Swath listens on ${address}`);
    if (url !== undefined) announce(print, url, parts.tryOut ?? {}, archive !== undefined);
    for (const line of parts.archive ?? []) print(`  archive        ${line}`);
    if (url !== undefined && parts.mails !== undefined) print(`  sign-up mails  ${parts.mails}`);
    for (const line of parts.unreadable) print(`  no files of    ${line}`);
    const stopping = new AbortController();
    // upstreams are asked beside the first requests: the start does not wait for them
    if (role !== "worker" && environment.profile === "full") void parts.reportUpstreams(stopping.signal);
    if (metrics !== undefined) print(`  metrics        ${urlOf(environment.metrics?.host, metrics.port)}/metrics`);
    if (tracing !== undefined) print(`  traces         to ${tracing.address}`);
    if (probes !== undefined) print(`  readiness      ${urlOf(environment.probes?.host, probes.port)}/ready`);
    return {
      ...(url === undefined ? {} : { url }),
      async close() {
        stopping.abort();
        stopHousekeeping();
        // who asks now whether this node is ready is not answered any more
        await Promise.all([probes?.close(), requests?.close(), runner?.stop(), makers?.stop()]);
        await parts.close();
        await Promise.all([metrics?.close(), tracing?.stop()]);
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function urlOf(host = "127.0.0.1", port: number): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `http://${name === "0.0.0.0" ? "127.0.0.1" : name}:${port}`;
}

/** Prints the addresses that people open first, in lines that a terminal does not break. */
function announce(
  print: ServerOptions["print"],
  url: string,
  { key, tile }: Partial<NonNullable<Parts["tryOut"]>>,
  isOwn: boolean,
): void {
  const ifBuilt = (folder: string): string => (isBuilt(folder) ? "" : " (not built yet)");
  // the fragment stays in the browser: the page keeps the key for its tab and takes it out of the address bar
  print(`  explorer       ${url}/explore${key === undefined ? "" : `#key=${key}`}${ifBuilt(EXPLORER_FOLDER)}`);
  if (!isOwn) print(`  first steps    ${url}/docs/tutorial`);
  print(`  documentation  ${url}/docs${ifBuilt(DOCUMENTS_FOLDER)}`);
  print(`  landing page   ${url}/v1`);
  if (key !== undefined) print(`  key            ${key}`);
  if (tile !== undefined) print(`  a tile         ${url}${tile}`);
}
