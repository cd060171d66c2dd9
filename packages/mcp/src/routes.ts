import { z } from "@hono/zod-openapi";
import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type JSONRPCRequest,
  type JSONRPCResponse,
  ProtocolError,
} from "@modelcontextprotocol/server";
import { fromUnits, type McpSession, type McpSessions, NO_UNITS, toUnits } from "@swath/accounts";
import { didYouMean } from "@swath/engine";
import { check, chooseMediaType, isClosed } from "@swath/web";
import { DATA } from "../access/route-access.ts";
import { JSON_TYPE } from "../documents/media-types.ts";
import { ProblemError } from "../errors/problems.ts";
import { NO_STORE } from "../http/answer/documents.ts";
import { problemDocument } from "../http/answer/problems.ts";
import type { AppContext } from "../http/request/context.ts";
import { addRoute, type Router } from "../http/request/route.ts";
import type { Services } from "../operations/services.ts";
import { exchange } from "./exchange.ts";
import {
  cancelledRequest,
  checkVersion,
  hasVersion,
  readableCall,
  readRequest,
  requireSessionId,
  SERVER_ERROR,
  STATELESS_VERSION,
} from "./messages.ts";
import { mcpGate } from "./origin.ts";
import { RunningRequests } from "./running-requests.ts";
import { buildServer, failedResult, goodResult, listTool } from "./server.ts";
import type { ToolServices } from "./tool.ts";
import { TOOLS } from "./tools/all.ts";

/** Largest message: as the body of the largest request that a tool stands for. */
const MAX_MESSAGE_BYTES = 1_048_576;
const EVENTS = "text/event-stream";
const SESSION_HEADER = "Mcp-Session-Id";

const Message = z.unknown().openapi({
  type: "object",
  description: "One JSON-RPC 2.0 request, notification or response.",
  example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
});
const Failure = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.int(), z.null()]).optional(),
    error: z.looseObject({ code: z.int(), message: z.string() }),
  })
  .openapi({ description: "A JSON-RPC 2.0 error: to requests of the version 2026-07-28." });
const Answer = z
  .looseObject({ jsonrpc: z.literal("2.0"), id: z.union([z.string(), z.int(), z.null()]) })
  .openapi({ description: "The JSON-RPC 2.0 response." });

export interface McpServices extends ToolServices, Pick<Services, "http"> {
  readonly mcpSessions: McpSessions;
}

/** Checks every request to `/mcp`, also those that are refused before a route is found. */
export function registerMcpGate(router: Router, { http }: Pick<Services, "http">): void {
  router.app.use("/mcp", mcpGate(http));
}

/** The Model Context Protocol over streamable HTTP: the operations of the service as tools of language models. */
export function registerMcp(router: Router, services: McpServices): void {
  const { mcpSessions } = services;
  const tools = TOOLS.map(listTool);
  const running = new RunningRequests();

  const serverFor = (c: AppContext, { protocol, cancelled, input }: ServerOptions) =>
    buildServer({
      tools,
      services,
      baseUrl: c.get("baseUrl"),
      callTool: (name, given) => {
        const value = input === undefined ? given : input.value;
        return callTool(c, { services, protocol, cancelled }, name, value);
      },
    });

  /** Answers a request of a version with sessions. */
  const answer = async (c: AppContext, message: unknown): Promise<Response> => {
    checkVersion(c.req.header("MCP-Protocol-Version"));
    const request = readRequest(message);
    if (request?.method === "initialize") return initialize(c, request);
    const { protocol, id: session } = await findSession(c);
    if (request === undefined) {
      const id = cancelledRequest(message);
      if (id !== undefined) running.cancel({ session, id });
      return new Response(null, { status: 202, headers: { "Cache-Control": NO_STORE } });
    }
    const call = readableCall(request);
    const response = await running.run({ session, id: request.id }, (cancelled) =>
      exchange(serverFor(c, { protocol, cancelled, input: call.input }), call.message),
    );
    return send(c, response);
  };

  const initialize = async (c: AppContext, request: JSONRPCRequest): Promise<Response> => {
    const response = await exchange(serverFor(c, { protocol: STATELESS_VERSION }), request);
    if (!("result" in response)) return send(c, response);
    const protocol = String((response.result as { protocolVersion?: unknown }).protocolVersion);
    const id = await mcpSessions.start(c.get("identity").subject, { protocol });
    return send(c, response, { [SESSION_HEADER]: id });
  };

  const findSession = async (c: AppContext): Promise<McpSession & { readonly id: string }> => {
    const id = requireSessionId(c.req.header(SESSION_HEADER));
    const found = await mcpSessions.find(id, c.get("identity").subject);
    if (found === undefined) throw expired();
    return { ...found, id };
  };

  addRoute(
    router,
    {
      method: "post",
      path: "/mcp",
      operationId: "postMcp",
      tag: "Protocols",
      summary: "Model Context Protocol",
      description:
        "JSON-RPC 2.0 over streamable HTTP. `initialize` starts a session, whose id the header Mcp-Session-Id has; it ends after 30 minutes without a request. A call of a tool costs what its REST route costs; one that fails is a result with `isError`, and costs nothing.",
      access: DATA,
      cost: "by-plan",
      body: { json: Message, maxBytes: MAX_MESSAGE_BYTES, fault: messageFault },
      problems: [403, 404],
      problemForms: { [JSON_TYPE]: Failure },
      responses: {
        200: {
          description: "The response.",
          headers: {
            [SESSION_HEADER]: { description: "Id of the session that was started.", schema: { type: "string" } },
          },
          content: { [JSON_TYPE]: { schema: Answer }, [EVENTS]: { schema: z.string() } },
        },
        202: { description: "A notification or a response was taken." },
      },
    },
    async (c, { body }) => {
      // a body that is no message at all is refused in the service's own form, but to clients that know no other than
      // JSON-RPC's
      if (c.req.header("MCP-Protocol-Version") !== STATELESS_VERSION) readRequest(body);
      const isStateless = c.req.header("MCP-Protocol-Version") === STATELESS_VERSION || hasVersion(body);
      if (!isStateless || (await isLegacyRequest(c.req.raw, body))) return answer(c, body);
      const { message, input } = readableCall(body);
      return answerStateless(c, message, () => serverFor(c, { protocol: STATELESS_VERSION, input }));
    },
  );
  addRoute(
    router,
    {
      method: "delete",
      path: "/mcp",
      operationId: "deleteMcp",
      tag: "Protocols",
      summary: "End a session of the Model Context Protocol",
      access: DATA,
      problems: [403, 404],
      problemForms: { [JSON_TYPE]: Failure },
      responses: { 204: { description: "The session has ended." } },
    },
    async (c) => {
      const id = requireSessionId(c.req.header(SESSION_HEADER));
      if (!(await mcpSessions.end(id, c.get("identity").subject))) throw expired();
      return new Response(null, { status: 204, headers: { "Cache-Control": NO_STORE } });
    },
  );
}

/** The error for a body that is no JSON; of other faults of the body the error stays. */
function messageFault(error: ProblemError): ProblemError {
  if (error.code !== "invalid-body") return error;
  const { errors = [] } = error;
  return new ProblemError("invalid-mcp-message", error.detail, { cause: error, errors });
}

function expired(): ProblemError {
  return new ProblemError("mcp-session-expired", "There is no such session: start one with initialize.");
}

/** As JSON, or as an event where the client takes nothing else. */
function send(c: AppContext, message: JSONRPCResponse, headers: Readonly<Record<string, string>> = {}): Response {
  const type = chooseMediaType(c.req.header("Accept"), [JSON_TYPE, EVENTS]) ?? JSON_TYPE;
  const json = JSON.stringify(message);
  const text = type === EVENTS ? `event: message\ndata: ${json}\n\n` : json;
  return new Response(text, {
    headers: {
      ...headers,
      "Cache-Control": NO_STORE,
      "Content-Type": type,
      "Content-Length": String(Buffer.byteLength(text)),
    },
  });
}

/** Answers a request of the version without sessions, whose rules are the SDK's. */
async function answerStateless(
  c: AppContext,
  message: unknown,
  server: () => ReturnType<typeof buildServer>,
): Promise<Response> {
  const handler = createMcpHandler(server, {
    legacy: "reject",
    // no list changes while the service runs
    maxSubscriptions: 0,
    onerror: (error) => c.get("log").debug({ err: error }, "an MCP message was refused"),
  });
  const response = await handler.fetch(c.req.raw, { parsedBody: message });
  const headers = new Headers(response.headers);
  headers.set("Cache-Control", NO_STORE);
  return new Response(response.body, { status: response.status, headers });
}

interface ServerOptions {
  readonly protocol: string;
  /** Aborted when the client cancels the request. */
  readonly cancelled?: AbortSignal;
  /** The input of a tool in place of the message's arguments. */
  readonly input?: { readonly value: unknown } | undefined;
}

interface CallContext {
  readonly services: ToolServices;
  readonly protocol: string;
  /** Aborted when the client cancels the request. */
  readonly cancelled: AbortSignal | undefined;
}

/** Calls a tool. A failed call gives back what it reserved. */
async function callTool(
  c: AppContext,
  { services, protocol, cancelled }: CallContext,
  name: string,
  input: unknown,
): Promise<CallToolResult> {
  const meter = c.get("meter");
  try {
    const tool = TOOLS.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const call = {
      baseUrl: c.get("baseUrl"),
      authentication: c.get("authentication")(),
      signal: cancelled === undefined ? c.get("signal") : AbortSignal.any([c.get("signal"), cancelled]),
      admit: (units: number) => meter.admit(toUnits(units)),
      isLikely: (units: number) => meter.isLikely(toUnits(units)),
      lower: (units: number) => meter.lower(toUnits(units)),
      whenEnded: (listener: (stands: boolean) => void) => meter.whenEnded(listener),
    };
    if (tool.members !== undefined) c.set("members", tool.members);
    services.spending?.check();
    const answer = await tool.call(services, check(tool.input, input, "body", didYouMean), call);
    return goodResult(answer, { units: fromUnits(meter.cost ?? NO_UNITS), protocol });
  } catch (error) {
    await meter.release(cancelled?.aborted === true || isClosed(c.get("signal")) ? "left" : "failed");
    if (cancelled?.aborted === true) throw new ProtocolError(SERVER_ERROR, "The client cancelled the request.");
    return failedResult(problemDocument(error, c).problem);
  }
}
