import { createMcpHandler, type JSONRPCResponse, type Server } from "@modelcontextprotocol/server";
import { JSON_TYPE, type WebContext } from "@swath/web";
import { chooseMediaType } from "@swath/web/answers";
import { EVENTS, NO_STORE } from "./protocol.ts";

/** Sends a response as JSON, or as an event where the client takes nothing else. */
export function send(
  c: WebContext,
  message: JSONRPCResponse,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = chooseMediaType(c.req.header("Accept"), [JSON_TYPE, EVENTS]) ?? JSON_TYPE;
  const json = JSON.stringify(message);
  const text = type === EVENTS ? `event: message\ndata: ${json}\n\n` : json;
  return new Response(text, {
    headers: {
      ...headers,
      ...NO_STORE,
      "Content-Type": type,
      "Content-Length": String(Buffer.byteLength(text)),
    },
  });
}

/** Answers a request of the version without sessions, whose rules are the SDK's. */
export async function answerStateless(c: WebContext, message: unknown, server: () => Server): Promise<Response> {
  const handler = createMcpHandler(server, {
    legacy: "reject",
    // no list changes while the service runs
    maxSubscriptions: 0,
    onerror: (error) => c.get("log").debug({ err: error }, "an MCP message was refused"),
  });
  const response = await handler.fetch(c.req.raw, { parsedBody: message });
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", NO_STORE["Cache-Control"]);
  return new Response(response.body, { status: response.status, headers });
}
