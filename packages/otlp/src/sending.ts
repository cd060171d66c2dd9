/** A variable of OpenTelemetry that cannot be used; the message names it. */
export class TracingError extends Error {
  override readonly name = "TracingError";
}

/** Variables of an environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

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
