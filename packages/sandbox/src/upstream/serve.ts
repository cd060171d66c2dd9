import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createUpstreamHandler, type UpstreamOptions } from "./upstream.ts";

/** The address that an upstream listens on. */
export interface ServeOptions extends Omit<UpstreamOptions, "baseUrl"> {
  /** Default 0: any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Seen before the archive: a response given here is sent instead (for faults in tests). */
  readonly intercept?: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** Requests of a served upstream so far. */
export interface RequestCounts {
  /** Searches by GET and POST, and items listings. */
  search: number;
  /** GET and HEAD of files: below `/assets/`, and in buckets. */
  asset: number;
  /** Everything else. */
  other: number;
  /** Bytes of asset bodies sent. */
  bytes: number;
}

/** An upstream that listens. */
export interface ServedUpstream {
  /** Root of the API: `http://127.0.0.1:port/v1`. */
  readonly url: string;
  readonly requests: RequestCounts;
  /** Sets all counts to 0. */
  resetRequests(): void;
  /** Stops listening and breaks open connections. */
  close(): Promise<void>;
}

/**
 * Serves an archive over HTTP as an upstream STAC API, and as the S3 endpoint of the buckets that its items name: clients
 * read these where `AWS_ENDPOINT_URL_S3` is the origin of `url`.
 */
export async function serveUpstream(directory: string, options: ServeOptions = {}): Promise<ServedUpstream> {
  const { port = 0, host = "127.0.0.1", intercept, ...rest } = options;
  const requests: RequestCounts = { search: 0, asset: 0, other: 0, bytes: 0 };
  const server = createServer();
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  const { port: bound } = server.address() as AddressInfo;
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${bound}`;
  const handler = createUpstreamHandler(directory, { baseUrl: `${origin}/v1`, ...rest });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await toRequest(origin, incoming);
    const path = new URL(request.url).pathname;
    const isFile = path.startsWith("/v1/assets/") || !path.startsWith("/v1");
    const kind = isFile ? "asset" : /\/(search|items)$/.test(path) ? "search" : "other";
    requests[kind]++;
    const response = (await intercept?.(request)) ?? (await handler(request));
    const body = new Uint8Array(await response.arrayBuffer());
    if (kind === "asset") requests.bytes += body.length;
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(body);
  };
  server.on("request", (incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(500, { "Content-Type": "application/json" });
      outgoing.end(JSON.stringify({ code: "InternalServerError", description: String(error) }));
    });
  });
  return {
    url: `${origin}/v1`,
    requests,
    resetRequests: () => Object.assign(requests, { search: 0, asset: 0, other: 0, bytes: 0 }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function toRequest(origin: string, incoming: IncomingMessage): Promise<Request> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  const method = incoming.method ?? "GET";
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const body = method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks);
  return new Request(new URL(incoming.url ?? "/", origin), { method, headers, body });
}
