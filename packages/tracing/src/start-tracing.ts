/** Traces that are sent until they are stopped. */
export interface Tracing {
  /** Where they are sent to. */
  readonly address: string;
  /** Sends what is left, for at most so many milliseconds (1500). */
  stop(timeoutMs?: number): Promise<void>;
}

/** The service as its traces name it, and whoever is told of faults. */
export interface TracingOptions {
  /** Name of the service where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say none. */
  readonly name: string;
  readonly version: string;
  /** Told when traces could not be sent, at most once in a minute. */
  readonly onFault?: (message: string) => void;
}

/** A variable of OpenTelemetry that cannot be used; the message names it. */
export class TracingError extends Error {
  override readonly name = "TracingError";
}

type Variables = Readonly<Record<string, string | undefined>>;

const STOP_MS = 1500;
const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const SAMPLERS = ["always_on", "always_off", "traceidratio"] as const;

/** Address, protocol and sampler of traces, as the variables say them. */
export interface Sending {
  readonly address: string;
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly sampler: { readonly root: (typeof SAMPLERS)[number]; readonly ratio: number; readonly isByParent: boolean };
}

const isOneOf = <T extends string>(names: readonly T[], text: string): text is T =>
  (names as readonly string[]).includes(text);

function samplerOf({
  OTEL_TRACES_SAMPLER: name = "parentbased_always_on",
  OTEL_TRACES_SAMPLER_ARG: text,
}: Variables): Sending["sampler"] {
  const root = name.replace(/^parentbased_/, "");
  if (!isOneOf(SAMPLERS, root)) {
    const expected = SAMPLERS.flatMap((each) => [each, `parentbased_${each}`]).join(", ");
    throw new TracingError(`OTEL_TRACES_SAMPLER="${name}": Expected one of ${expected}`);
  }
  const ratio = text === undefined ? 1 : Number(text);
  if (!(ratio >= 0 && ratio <= 1)) throw new TracingError(`OTEL_TRACES_SAMPLER_ARG="${text}": Expected 0 to 1`);
  return { root, ratio, isByParent: root !== name };
}

/**
 * Reads the variables of OpenTelemetry (Environment Variable Specification): undefined where they ask for no traces.
 *
 * @throws {TracingError}
 */
export function readSending(variables: Variables): Sending | undefined {
  // an empty variable counts as absent, as the specification has it
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  const exporter = set.OTEL_TRACES_EXPORTER;
  const base = set.OTEL_EXPORTER_OTLP_ENDPOINT;
  const endpoint = set.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (set.OTEL_SDK_DISABLED?.toLowerCase() === "true" || exporter === "none") return undefined;
  if (endpoint === undefined && exporter === undefined) return undefined;
  if (exporter !== undefined && exporter !== "otlp") {
    throw new TracingError(`OTEL_TRACES_EXPORTER="${exporter}": Expected otlp or none`);
  }
  const address = endpoint ?? "http://localhost:4318/v1/traces";
  if (!/^https?:$/.test(URL.canParse(address) ? new URL(address).protocol : "")) {
    throw new TracingError("OTEL_EXPORTER_OTLP_ENDPOINT: Expected http://... or https://...");
  }
  const protocol = set.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? set.OTEL_EXPORTER_OTLP_PROTOCOL ?? PROTOCOLS[0];
  if (!isOneOf(PROTOCOLS, protocol)) {
    throw new TracingError(`OTEL_EXPORTER_OTLP_PROTOCOL="${protocol}": Expected ${PROTOCOLS.join(" or ")}`);
  }
  return { address, protocol, sampler: samplerOf(set) };
}

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
