import type { ListenAddress } from "@swath/web/server";
import type { Environment } from "./environment/environment.ts";

/** The addresses at which a process listens, by their purpose. */
export interface ListenAddresses {
  /** Requests of clients; absent for a worker. */
  readonly requests?: ListenAddress;
  readonly metrics?: ListenAddress;
  readonly probes?: ListenAddress;
}

/** Everything that a process of this environment listens at. */
export function listenAddresses({ role, host, port, metrics, probes }: Environment): ListenAddresses {
  const requests = { host, port, hostVariable: "HOST", portVariable: "PORT" };
  return {
    ...(role === "worker" ? {} : { requests }),
    ...(metrics === undefined
      ? {}
      : { metrics: { ...metrics, hostVariable: "SWATH_METRICS_HOST", portVariable: "SWATH_METRICS_PORT" } }),
    ...(probes === undefined
      ? {}
      : { probes: { ...probes, hostVariable: "SWATH_HEALTH_HOST", portVariable: "SWATH_HEALTH_PORT" } }),
  };
}
