import { DiagLogLevel, diag } from "@opentelemetry/api";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import type { Sending } from "./sending.ts";

/** The service as its traces name it, and whoever is told of faults. */
export interface TracingOptions {
  /** Name of the service where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say none. */
  readonly name: string;
  readonly version: string;
  /** Told when traces could not be sent, at most once in a minute. */
  readonly onFault?: (message: string) => void;
}

async function exporterOf({ address, protocol }: Sending): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await (protocol === "http/json"
    ? import("@opentelemetry/exporter-trace-otlp-http")
    : import("@opentelemetry/exporter-trace-otlp-proto"));
  return new OTLPTraceExporter({ url: address });
}

function samplerOf({ sampler: { root: name, ratio, isByParent } }: Sending): Sampler {
  const root =
    name === "traceidratio"
      ? new TraceIdRatioBasedSampler(ratio)
      : name === "always_on"
        ? new AlwaysOnSampler()
        : new AlwaysOffSampler();
  return isByParent ? new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: root }) : root;
}

/** Makes spans of this process, which are sent in batches. */
export async function open(
  sending: Sending,
  { name, version, onFault }: Required<TracingOptions>,
): Promise<{ shutdown(): Promise<void> }> {
  const quiet = (): void => {};
  diag.setLogger({ error: onFault, warn: onFault, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({
    "service.name": name,
    "service.version": version,
    "service.instance.id": crypto.randomUUID(),
  });
  const provider = new NodeTracerProvider({
    // what the environment says stands above what the service says of itself
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sending),
    spanProcessors: [new BatchSpanProcessor(await exporterOf(sending))],
  });
  provider.register();
  return provider;
}
