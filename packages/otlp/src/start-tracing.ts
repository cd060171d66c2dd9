import type { TracingOptions } from "./open-telemetry.ts";
import { readSending, type Variables } from "./sending.ts";

/** Traces that are sent until they are stopped. */
export interface Tracing {
  /** Where they are sent to. */
  readonly address: string;
  /** Sends what is left, for at most so many milliseconds (1500). */
  stop(timeoutMs?: number): Promise<void>;
}

const STOP_MS = 1500;

/** Tells of a fault at most once in a minute. */
function seldom(tell: (message: string) => void): (message: string) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (message) => {
    if (performance.now() - last < 60_000) return;
    last = performance.now();
    tell(message);
  };
}

/**
 * Starts traces as the variables of OpenTelemetry say, by OTLP over HTTP; undefined where they say nothing, and then none of
 * its code is loaded. How much is queued, sent at once and kept of a span, headers, certificates and the attributes of the
 * resource are read from the environment of the process by OpenTelemetry itself.
 *
 * The flag of a client never decides whether its request is sampled: `parentbased_...` follows spans of this process, and
 * elsewhere the root sampler, which decides by the id of the trace and so alike on all nodes.
 *
 * @throws {TracingError}
 */
export async function startTracing(variables: Variables, options: TracingOptions): Promise<Tracing | undefined> {
  const sending = readSending(variables);
  if (sending === undefined) return undefined;
  const { open } = await import("./open-telemetry.ts");
  const provider = await open(sending, { ...options, onFault: seldom(options.onFault ?? (() => {})) });
  return {
    address: new URL(sending.address).origin,
    async stop(timeoutMs = STOP_MS) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeoutMs);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]);
      clearTimeout(timer);
    },
  };
}
