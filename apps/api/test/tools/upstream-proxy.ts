import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";

/** A good answer of the upstream. */
export interface GoodAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Path of the request. */
  readonly path: string;
}

/** The fault that a broken server makes of a good answer. */
export type Fault = (answer: GoodAnswer, response: ServerResponse) => void;

/** An upstream whose answers are passed on by a server of its own, so that sockets can be broken in ways that a handler of answers cannot. */
export interface UpstreamProxy {
  /** Address of the API. */
  readonly url: string;
  /** Undefined: answers are sent as they are. */
  fault: Fault | undefined;
  /** Good answers that are being fetched. */
  readonly busy: number;
  close(): Promise<void>;
}

export const sendAnswer: Fault = ({ status, headers, body }, response) =>
  void response.writeHead(status, { ...headers }).end(body);

export const isFile = (path: string): boolean => path.includes("/assets/");

/** Serves the archive in a folder. */
export async function proxyUpstream(directory: string): Promise<UpstreamProxy> {
  const upstream: ServedUpstream = await serveUpstream(directory);
  const { origin } = new URL(upstream.url);
  let busy = 0;
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    busy += 1;
    const answer = await answerOf(origin, proxy.url, request).finally(() => {
      busy -= 1;
    });
    if (proxy.fault !== undefined) proxy.fault(answer, response);
    else sendAnswer(answer, response);
  };
  const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy: UpstreamProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    fault: undefined,
    get busy() {
      return busy;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await upstream.close();
    },
  };
  return proxy;
}

/** Asks the upstream; addresses in its documents become those of the proxy. */
async function answerOf(origin: string, url: string, request: IncomingMessage): Promise<GoodAnswer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const path = request.url ?? "/";
  const sent: Record<string, string> = {};
  for (const name of ["content-type", "range", "accept"]) {
    if (request.headers[name] !== undefined) sent[name] = String(request.headers[name]);
  }
  const answer = await fetch(`${origin}${path}`, {
    method: request.method ?? "GET",
    headers: sent,
    body: request.method === "POST" ? Buffer.concat(chunks) : null,
  });
  let body = Buffer.from(await answer.arrayBuffer());
  if (!isFile(path)) body = Buffer.from(body.toString().replaceAll(origin, new URL(url).origin));
  const headers: Record<string, string> = { "Content-Length": String(body.byteLength) };
  for (const name of ["content-type", "content-range", "etag", "last-modified"]) {
    const value = answer.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  return { status: answer.status, headers, body, path };
}
