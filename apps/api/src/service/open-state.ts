import { openMaintenance, openSpending, type StoredMaintenance, type StoredSpending } from "@swath/accounts/owner";
import type { Store } from "@swath/store";
import { jobCounts } from "@swath/store/jobs";
import { installationSecret } from "@swath/store/node";
import type { Logger } from "pino";
import type { Metrics, MetricsRegistry } from "../metrics/metrics.ts";
import { NO_METRICS } from "../metrics/no-metrics.ts";
import type { Environment } from "../open/environment/environment.ts";
import { openStore } from "../open/open-store.ts";

/** The state that outlives the process, and what is measured of it. */
export interface State {
  readonly store: Store;
  /** A secret of the installation, which others are made of. */
  readonly secret: Buffer;
  readonly spending: StoredSpending;
  readonly maintenance: StoredMaintenance;
  readonly metrics: Metrics;
  /** The same metrics as they are scraped; absent where they are not. */
  readonly scraped?: MetricsRegistry;
}

/** Opens the store, the two gates whose state is there, and the metrics. */
export async function openState(environment: Environment, log: Logger): Promise<State> {
  const store = await openStore(environment);
  const spending = await openSpending(store, environment.spending, {
    onError: (error) => log.warn({ err: error }, "paid reads could not be counted"),
    onChange: (state) => log.warn({ spending: state }, "the spending stop changed"),
  });
  const maintenance = await openMaintenance(store, {
    onError: (error) => log.warn({ err: error }, "whether the service is closed could not be read"),
    onChange: (until) => log.warn({ until }, "the maintenance changed"),
  });
  const state = { store, spending, maintenance, secret: await installationSecret(store, environment.dataDir) };
  if (environment.metrics === undefined) return { ...state, metrics: NO_METRICS };
  const { createMetrics } = await import("../metrics/metrics.ts");
  const metrics = createMetrics({
    jobs: () => jobCounts(store),
    spending: () => ({ ...spending.spent(), stopped: spending.isStopped() }),
  });
  return { ...state, metrics, scraped: metrics };
}
