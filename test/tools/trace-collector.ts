import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as OTLP writes it in JSON, its attributes by name. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Epoch milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 0 unset, 2 error. */
  readonly status: number;
  /** Attributes of the process that it is of. */
  readonly resource: Readonly<Record<string, unknown>>;
}

interface Pair {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Written {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly Pair[];
  readonly status?: { readonly code?: number };
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] };
    readonly scopeSpans: readonly { readonly spans: readonly Written[] }[];
  }[];
}

/** Stands in for an OpenTelemetry collector: takes spans by OTLP over HTTP, and keeps those that come as JSON. */
export interface TraceCollector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Media types and sizes of the bodies that came. */
  readonly bodies: readonly { readonly type: string; readonly bytes: number }[];
  close(): Promise<void>;
}

const byName = (pairs: readonly Pair[] = []) =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
const milliseconds = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1000n) / 1000;

function spansOf({ resourceSpans }: Batch): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ startTimeUnixNano, endTimeUnixNano, parentSpanId = "", status, attributes, ...span }) => ({
        ...span,
        parentSpanId,
        start: milliseconds(startTimeUnixNano),
        end: milliseconds(endTimeUnixNano),
        attributes: byName(attributes),
        status: status?.code ?? 0,
        resource: byName(resource.attributes),
      })),
  );
}

/** @param status with which it answers; 200 takes what is sent. */
export async function startCollector({ status = 200 }: { readonly status?: number } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: { type: string; bytes: number }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const type = request.headers["content-type"] ?? "";
    bodies.push({ type, bytes: body.byteLength });
    const isTaken = request.method === "POST" && request.url === "/v1/traces" && status === 200;
    if (isTaken && type === "application/json") spans.push(...spansOf(JSON.parse(body.toString()) as Batch));
    response.writeHead(isTaken ? 200 : status === 200 ? 404 : status, { "Content-Type": type }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
