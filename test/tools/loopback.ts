import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** A server of this machine, which keeps what it was asked. */
export interface Loopback {
  readonly host: string;
  readonly url: string;
  readonly seen: { readonly url: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

/** Starts a server on loopback; `count` is the number of requests so far, this one included. */
export async function serveLoopback(
  answer: (request: IncomingMessage, count: number) => Answer | Promise<Answer>,
): Promise<Loopback> {
  const seen: Loopback["seen"] = [];
  const server = createServer(async (request, response) => {
    seen.push({ url: request.url ?? "", authorization: request.headers.authorization });
    const { status, headers = {}, body = "" } = await answer(request, seen.length);
    response.writeHead(status, headers);
    response.end(body);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    seen,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
