import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener, RequestError } from "@hono/node-server";
import { PROBLEM_MEDIA_TYPE, toProblem } from "@swath/problem";
import { RequestProblem } from "../problems.ts";

/** Longest request line with its headers, bytes: a polygon of some hundred vertices fits into a GET. */
const MAX_HEADER_BYTES = 65_536;

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

function refusal(error: unknown, baseUrl: string): Refusal {
  const requestId = randomUUID();
  const problem = toProblem(error, { baseUrl, requestId });
  const text = JSON.stringify(problem);
  return {
    status: problem.status,
    text,
    headers: {
      "Content-Type": PROBLEM_MEDIA_TYPE,
      "Content-Length": String(Buffer.byteLength(text)),
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "X-Request-Id",
      "X-Request-Id": requestId,
    },
  };
}

/** Answers bytes that are no HTTP request. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, baseUrl: string): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const detail =
    error.code === "HPE_HEADER_OVERFLOW"
      ? `The address and headers of a request may have ${MAX_HEADER_BYTES} bytes; send long parameters in the body of a POST.`
      : "This is no HTTP request that can be read.";
  const { status, headers, text } = refusal(new RequestProblem("invalid-parameter", detail), baseUrl);
  const head = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} Bad Request`, ...head, "", text].join("\r\n"));
}

/** A fetch handler, which is told the connection of each request: limits by address count by its other end. */
export interface SocketApp {
  fetch(request: Request, connection: { readonly incoming: IncomingMessage }): Response | Promise<Response>;
}

/**
 * An HTTP server around a fetch handler. What never reaches the handler (bytes that are no HTTP, a head that is too
 * long, an address or host that is none) is answered with a problem document too: Node's own answers have neither a
 * body nor CORS headers.
 *
 * @param publicUrl address below which the pages on problems are; by default the server itself.
 */
export function createHttpServer(
  app: SocketApp,
  { hostname, publicUrl }: { readonly hostname: string; readonly publicUrl?: string },
): Server {
  // the port is remembered: a server that is closing has no address any more, but may still have to refuse
  let port = 0;
  const baseUrl = (): string => publicUrl ?? `http://${hostname}:${port}`;
  const errorHandler = (error: unknown): Response => {
    const known =
      error instanceof RequestError
        ? new RequestProblem("invalid-parameter", "This request has no address that can be read.")
        : error;
    const { status, headers, text } = refusal(known, baseUrl());
    return new Response(text, { status, headers });
  };
  const listener = getRequestListener(
    (request, { incoming }) => app.fetch(request, { incoming: incoming as IncomingMessage }),
    { hostname, errorHandler },
  );
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false }, (incoming, outgoing) => {
    if (incoming.headers.host !== undefined || incoming.httpVersion === "1.0") return listener(incoming, outgoing);
    // HTTP/1.1 asks for a host (RFC 9112 section 3.2)
    const { status, headers, text } = refusal(
      new RequestProblem("invalid-parameter", "This request has no Host header."),
      baseUrl(),
    );
    outgoing.writeHead(status, headers).end(text);
  });
  server.on("listening", () => {
    port = (server.address() as AddressInfo | null)?.port ?? port;
  });
  server.on("clientError", (error, socket) => refuseBytes(error, socket as Socket, baseUrl()));
  return server;
}
