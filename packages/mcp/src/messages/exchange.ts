import {
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolErrorCode,
  type Server,
  specTypeSchemas,
  type Transport,
} from "@modelcontextprotocol/server";
import { zodMessage } from "@swath/problem";

/** Requests by their methods. The SDK itself answers wrong parameters as if the server had failed. */
const REQUESTS = {
  initialize: specTypeSchemas.InitializeRequest,
  ping: specTypeSchemas.PingRequest,
  "tools/list": specTypeSchemas.ListToolsRequest,
  "tools/call": specTypeSchemas.CallToolRequest,
  "resources/list": specTypeSchemas.ListResourcesRequest,
  "resources/templates/list": specTypeSchemas.ListResourceTemplatesRequest,
  "resources/read": specTypeSchemas.ReadResourceRequest,
} as const;

/** Returns the fault in the parameters of a request; `undefined`: nothing. */
async function faultOf(request: JSONRPCRequest): Promise<string | undefined> {
  const { method } = request;
  if (!Object.hasOwn(REQUESTS, method)) return undefined;
  const { issues } = await REQUESTS[method as keyof typeof REQUESTS]["~standard"].validate(request);
  const [issue] = issues ?? [];
  if (issue === undefined) return undefined;
  const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part));
  // the issue has what the schema expects, in the SDK's own words
  const input = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    request,
  );
  const message = zodMessage({ ...issue, input } as Parameters<typeof zodMessage>[0]) ?? issue.message;
  return `${path.length === 0 ? "request" : path.map(String).join(".")}: ${message}`;
}

/**
 * Gives one request to a server of the SDK, and its response. Requests of one session may come to different nodes, so
 * the server lives for this request alone.
 */
export async function exchange(server: Server, request: JSONRPCRequest): Promise<JSONRPCResponse> {
  const fault = await faultOf(request);
  if (fault !== undefined) {
    const error = { code: ProtocolErrorCode.InvalidParams, message: fault };
    return { jsonrpc: "2.0", id: request.id, error };
  }
  let answer = (_response: JSONRPCResponse): void => {};
  const response = new Promise<JSONRPCResponse>((resolve) => {
    answer = resolve;
  });
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      if (!("method" in message) && message.id === request.id) answer(message);
    },
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  try {
    transport.onmessage?.(request);
    return await response;
  } finally {
    await server.close();
  }
}
