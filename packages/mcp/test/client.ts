/** A service that takes requests, as a Hono app does. */
export interface Requests {
  request(path: string, init: RequestInit): Response | Promise<Response>;
}
type Headers = Readonly<Record<string, string>>;
/** A JSON object of an answer. */
export type Json = Readonly<Record<string, unknown>>;

/** Sends one message as clients do. */
export async function send(service: Requests, message: unknown, headers: Headers = {}): Promise<Response> {
  return service.request("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
  });
}

/** An initialize request. */
export const initializeMessage = (version = "2025-11-25"): object => ({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "test", version: "1" } },
});

/** A session, driven by hand so that a test sees each answer as it is. */
export interface OpenSession {
  readonly id: string;
  /** The response of JSON-RPC. */
  request(method: string, params?: object, id?: number): Promise<Json>;
  /** The result of a call. */
  call(name: string, input: object): Promise<Json>;
  notify(method: string, params: object): Promise<Response>;
}

export async function openSession(
  service: Requests,
  { version, headers = {} }: { readonly version?: string; readonly headers?: Headers } = {},
): Promise<OpenSession> {
  const started = await send(service, initializeMessage(version), headers);
  const id = started.headers.get("Mcp-Session-Id") ?? "";
  if (id === "") throw new Error(`initialize: ${started.status} ${await started.text()}`);
  const own = { ...headers, "Mcp-Session-Id": id };
  const request: OpenSession["request"] = async (method, params = {}, number = 1) =>
    (await send(service, { jsonrpc: "2.0", id: number, method, params }, own)).json();
  return {
    id,
    request,
    call: async (name, input) => (await request("tools/call", { name, arguments: input })).result as Json,
    notify: (method, params) => send(service, { jsonrpc: "2.0", method, params }, own),
  };
}
