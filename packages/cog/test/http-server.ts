import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Served {
  readonly url: string;
  readonly requests: {
    readonly range: string | undefined;
    readonly headers: IncomingMessage["headers"];
    readonly path: string;
  }[];
  close(): Promise<void>;
}

/** A server on loopback that answers as `handler` says and records what it was asked. */
export async function serve(
  handler: (request: IncomingMessage, response: ServerResponse, count: number) => void,
): Promise<Served> {
  const requests: Served["requests"] = [];
  const server: Server = createServer((request, response) => {
    requests.push({ range: request.headers.range, headers: request.headers, path: request.url ?? "" });
    handler(request, response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers a range request from `bytes`, as a good server does. */
export function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): void {
  const match = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  if (match === null) {
    response.writeHead(200, { "content-length": bytes.length, ...headers }).end(bytes);
    return;
  }
  const start = Number(match[1]);
  if (start >= bytes.length) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end();
    return;
  }
  const end = Math.min(Number(match[2]), bytes.length - 1);
  const part = bytes.subarray(start, end + 1);
  response
    .writeHead(206, {
      "content-range": `bytes ${start}-${end}/${bytes.length}`,
      "content-length": part.length,
      ...headers,
    })
    .end(part);
}
