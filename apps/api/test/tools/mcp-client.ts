import { KEY, type TestService } from "./harness.ts";

/** Part of an answer, as a test expects it: what it is not makes the test fail. */
export type Json = Readonly<Record<string, unknown>>;

/** Result of a tool, as far as tests look at it. */
export interface ToolResult {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
    readonly uri?: string;
  }[];
  readonly structuredContent: Json;
  readonly isError?: boolean;
  readonly _meta: { readonly units: number };
}

interface Rpc<R> {
  readonly response: Response;
  readonly id?: unknown;
  readonly result: R;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** The header that clients of the streamable transport send with each message. */
export const ACCEPT = "application/json, text/event-stream";

type Headers = Readonly<Record<string, string>>;
type Requests = Pick<TestService, "request">;

/** Sends one message as clients do. */
export function send(service: Requests, message: unknown, headers: Headers = {}): Promise<Response> {
  return service.request("/mcp", {
    method: "POST",
    headers: { "X-API-Key": KEY, "Content-Type": "application/json", Accept: ACCEPT, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

/** An initialize request. */
export function initializeMessage(version = "2025-11-25"): object {
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return { jsonrpc: "2.0", id: 0, method: "initialize", params };
}

/** A session, driven by hand so that a test sees each answer as it is. */
export interface Session {
  readonly id: string;
  readonly result: Json;
  request(method: string, params?: object, headers?: Headers): Promise<Rpc<Json>>;
  call(name: string, input: object, headers?: Headers): Promise<Rpc<ToolResult>>;
}

export async function startSession(
  service: Requests,
  { version, headers = {} }: { readonly version?: string; readonly headers?: Headers } = {},
): Promise<Session> {
  const started = await send(service, initializeMessage(version), headers);
  if (started.status !== 200) throw new Error(`initialize: ${started.status} ${await started.text()}`);
  const id = started.headers.get("Mcp-Session-Id") ?? "";
  const { result } = (await started.json()) as Rpc<Json>;
  let last = 0;
  const request = async <R>(method: string, params: object = {}, more: Headers = {}): Promise<Rpc<R>> => {
    last += 1;
    const message = { jsonrpc: "2.0", id: last, method, params };
    const response = await send(service, message, { ...headers, "Mcp-Session-Id": id, ...more });
    const text = await response.clone().text();
    return { ...(text.startsWith("{") ? JSON.parse(text) : {}), response };
  };
  return { id, result, request, call: (name, input, more) => request("tools/call", { name, arguments: input }, more) };
}
