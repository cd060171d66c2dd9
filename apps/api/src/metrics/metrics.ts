import { fromUnits, type Units } from "@swath/accounts";
import type { AccountEvent } from "@swath/accounts/hono";
import type { Traffic } from "@swath/engine/files";
import type { SharedOutcome } from "@swath/engine/node/images";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of the service: every label has few values, none of them a key, an id or an address. */
export interface Metrics {
  request(facts: { method: string; route: string; status: number; seconds: number }): void;
  render(facts: {
    kind: "tile" | "preview" | "parent" | "extract" | "compute";
    outcome: "ok" | "failed";
    seconds: number;
  }): void;
  cachedImage(found: boolean): void;
  /** A look-up among the images that nodes share, or a write. */
  sharedImage(outcome: SharedOutcome): void;
  catalog(facts: { operation: string; outcome: "ok" | "failed"; seconds: number }): void;
  /** An answer of an upstream, or none. */
  upstream(facts: { readonly upstream: string; readonly outcome: "ok" | "failed" }): void;
  /** An upstream that a page of a search was made without. */
  missing(upstream: string): void;
  traffic(traffic: Traffic): void;
  job(outcome: "done" | "failed"): void;
  account(event: AccountEvent): void;
  /** Counts the outcomes of units, in steps of 1/10,000. */
  units(what: "reserved" | "charged" | "released" | "expired" | "refunded", units: number): void;
  /** A request that was refused for who sent it or how many; `code` of its problem. */
  refused(code: string): void;
}

/** `sign-up`: an account was made; `sign-in`: a session began; `link`: a link was mailed. */

/** Values that are read when Prometheus scrapes. */
export interface Gauges {
  /** Jobs by status: `queued` and `running`. */
  readonly jobs?: () => Promise<Readonly<Record<string, number>>>;
  readonly spending?: () => Spending;
}

export interface Spending {
  readonly requests: number;
  readonly bytes: number;
  readonly stopped: boolean;
}

export interface MetricsRegistry extends Metrics {
  /** All numbers in the text format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(gauges: Gauges = {}): MetricsRegistry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[]): Counter<T> =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  const histogram = <T extends string>(name: string, help: string, labelNames: readonly T[]): Histogram<T> =>
    new Histogram({ name, help, labelNames: [...labelNames], buckets: REQUEST_SECONDS, registers });

  const requests = counter("swath_http_requests_total", "Requests with a response", ["method", "route", "status"]);
  const durations = histogram("swath_http_request_seconds", "Time to the head of a response", ["route"]);
  const renders = histogram(
    "swath_render_seconds",
    "Time to render an image, write a GeoTIFF, reduce scenes to numbers or compute a cube",
    ["kind", "outcome"],
  );
  const images = counter("swath_image_cache_total", "Look-ups in the cache of encoded images", ["result"]);
  const shared = counter("swath_shared_images_total", "Look-ups and writes of images that nodes share", ["outcome"]);
  const catalog = histogram("swath_catalog_seconds", "Time of calls to the catalog", ["operation", "outcome"]);
  const upstreams = counter("swath_upstream_answers_total", "Answers and failures of upstreams", [
    "upstream",
    "outcome",
  ]);
  const partial = counter("swath_pages_without_upstream_total", "Pages of searches that an upstream is missing from", [
    "upstream",
  ]);
  const reads = counter("swath_asset_requests_total", "Requests for bytes of files", ["payer"]);
  const failures = counter("swath_asset_failures_total", "Requests for bytes of files that failed", []);
  const bytes = counter("swath_asset_bytes_total", "Bytes of files read", ["payer"]);
  const jobs = counter("swath_jobs_finished_total", "Background jobs that ended on this node", ["outcome"]);
  const units = counter("swath_units_total", "Processing units, by what becomes of them on this node", ["what"]);

  const accounts = counter("swath_account_events_total", "What happened with accounts and their credentials", [
    "event",
  ]);
  const refusals = counter("swath_refused_total", "Requests refused for who sent them or how many", ["code"]);

  const { jobs: waiting, spending } = gauges;
  if (waiting !== undefined) {
    new Gauge({
      name: "swath_jobs",
      help: "Background jobs of the whole service",
      labelNames: ["status"],
      registers,
      async collect() {
        const counts = await waiting().catch(() => ({}));
        this.reset();
        for (const [status, count] of Object.entries(counts)) this.set({ status }, count);
      },
    });
  }
  if (spending !== undefined) {
    const gauge = (name: string, help: string, read: (of: Spending) => number): Gauge =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read(spending()));
        },
      });
    gauge("swath_spending_requests", "Paid requests of this month, all nodes", ({ requests: count }) => count);
    gauge("swath_spending_bytes", "Paid bytes of this month, all nodes", ({ bytes: count }) => count);
    gauge("swath_spending_stopped", "1 while the spending stop is on", ({ stopped }) => Number(stopped));
  }

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request({ method, route, status, seconds }) {
      requests.inc({ method, route, status: String(status) });
      durations.observe({ route }, seconds);
    },
    render: ({ kind, outcome, seconds }) => renders.observe({ kind, outcome }, seconds),
    cachedImage: (found) => images.inc({ result: found ? "hit" : "miss" }),
    sharedImage: (outcome) => shared.inc({ outcome }),
    catalog: ({ operation, outcome, seconds }) => catalog.observe({ operation, outcome }, seconds),
    upstream: ({ upstream, outcome }) => upstreams.inc({ upstream, outcome }),
    missing: (upstream) => partial.inc({ upstream }),
    traffic(traffic) {
      const { paidRequests, paidBytes } = traffic;
      failures.inc(traffic.failures);
      reads.inc({ payer: "requester" }, paidRequests);
      reads.inc({ payer: "owner" }, traffic.requests - paidRequests);
      bytes.inc({ payer: "requester" }, paidBytes);
      bytes.inc({ payer: "owner" }, traffic.bytes - paidBytes);
    },
    job: (outcome) => jobs.inc({ outcome }),
    account: (event) => accounts.inc({ event }),
    units: (what, amount) => units.inc({ what }, fromUnits(amount as Units)),
    refused: (code) => refusals.inc({ code }),
  };
}
