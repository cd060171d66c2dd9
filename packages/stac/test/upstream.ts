import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export type Handler = (seen: Seen, response: ServerResponse, count: number) => void;

export interface Upstream {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Connections that are open now. */
  open(): number;
  close(): Promise<void>;
}

/** A server on loopback that hands every request to `handle`, with its number from 1 on. */
export async function upstream(handle: Handler): Promise<Upstream> {
  const seen: Seen[] = [];
  let open = 0;
  const server: Server = createServer((request, response) => {
    void read(request).then((text) => {
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      const entry = { method: request.method ?? "", path: request.url ?? "", headers: request.headers, body };
      seen.push(entry);
      handle(entry, response, seen.length);
    });
  });
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    open: () => open,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/geo+json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}
