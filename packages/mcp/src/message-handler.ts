import { isLegacyRequest, type JSONRPCRequest, type Server } from "@modelcontextprotocol/server";
import type { WebContext, WebEnv } from "@swath/web";
import type { Context } from "hono";
import { callTool } from "./call.ts";
import { answerStateless, send } from "./messages/answers.ts";
import { exchange } from "./messages/exchange.ts";
import {
  cancelledRequest,
  checkVersion,
  hasVersion,
  readableCall,
  readRequest,
  requireSessionId,
} from "./messages/messages.ts";
import { NO_STORE, SESSION_HEADER, STATELESS_VERSION } from "./messages/protocol.ts";
import { McpProblem } from "./problems.ts";
import { RunningRequests } from "./running-requests.ts";
import { buildServer, type ListedTool, listTool } from "./server.ts";
import type { McpService } from "./service.ts";
import type { Session } from "./sessions.ts";
import type { ToolDescription } from "./tools/tool.ts";

/** Answers messages, and ends sessions. */
export interface MessageHandler<E extends WebEnv> {
  /** @throws {McpProblem} for what is no message, and without a session where the version has them. */
  readonly post: (c: Context<E>, body: unknown) => Promise<Response>;
  /** @throws {McpProblem} where there is no such session. */
  readonly end: (c: Context<E>) => Promise<Response>;
}

interface ServerOptions {
  readonly protocol: string;
  /** Aborted when the client cancels the request. */
  readonly cancelled?: AbortSignal;
  /** The input of a tool in place of the message's arguments. */
  readonly input?: { readonly value: unknown } | undefined;
}

const web = <E extends WebEnv>(c: Context<E>): WebContext => c as unknown as WebContext;

/** The handler of all messages to a service. */
export function messageHandler<T extends ToolDescription, E extends WebEnv>(
  service: McpService<T, E>,
): MessageHandler<E> {
  const { info, instructions, sessions, subject = () => "", resources = () => [] } = service;
  let listed: readonly ListedTool[] | undefined;
  /** Described at the first message: schemas take longer than all else at the start of a service. */
  const tools = (): readonly ListedTool[] => {
    listed ??= service.tools.map((tool) => listTool(tool, service.components));
    return listed;
  };
  const running = new RunningRequests();

  const serverFor = (c: Context<E>, { protocol, cancelled, input }: ServerOptions): Server =>
    buildServer({
      info,
      instructions,
      tools: tools(),
      resources: resources(web(c).get("baseUrl")),
      callTool: (name, given) =>
        callTool(service, c, { name, input: input === undefined ? given : input.value, protocol, cancelled }),
    });

  /** Answers a request of a version with sessions. */
  const answer = async (c: Context<E>, message: unknown): Promise<Response> => {
    checkVersion(c.req.header("MCP-Protocol-Version"));
    const request = readRequest(message);
    if (request?.method === "initialize") return initialize(c, request);
    const { protocol, id: session } = await findSession(c);
    if (request === undefined) {
      const id = cancelledRequest(message);
      if (id !== undefined) running.cancel({ session, id });
      return new Response(null, { status: 202, headers: NO_STORE });
    }
    const call = readableCall(request);
    const response = await running.run({ session, id: request.id }, (cancelled) =>
      exchange(serverFor(c, { protocol, cancelled, input: call.input }), call.message),
    );
    return send(web(c), response);
  };

  const initialize = async (c: Context<E>, request: JSONRPCRequest): Promise<Response> => {
    const response = await exchange(serverFor(c, { protocol: STATELESS_VERSION }), request);
    if (!("result" in response)) return send(web(c), response);
    const protocol = String((response.result as { protocolVersion?: unknown }).protocolVersion);
    const id = await sessions.start(subject(c), { protocol });
    return send(web(c), response, { [SESSION_HEADER]: id });
  };

  const findSession = async (c: Context<E>): Promise<Session & { readonly id: string }> => {
    const id = requireSessionId(c.req.header(SESSION_HEADER));
    const found = await sessions.find(id, subject(c));
    if (found === undefined) throw expired();
    return { ...found, id };
  };

  return {
    async post(c, body) {
      const isNamed = c.req.header("MCP-Protocol-Version") === STATELESS_VERSION;
      // a body that is no message at all is refused in the service's own form, but to clients that know no other than
      // JSON-RPC's
      if (!isNamed) readRequest(body);
      if (!(isNamed || hasVersion(body)) || (await isLegacyRequest(c.req.raw, body))) return answer(c, body);
      const { message, input } = readableCall(body);
      return answerStateless(web(c), message, () => serverFor(c, { protocol: STATELESS_VERSION, input }));
    },
    async end(c) {
      const id = requireSessionId(c.req.header(SESSION_HEADER));
      if (!(await sessions.end(id, subject(c)))) throw expired();
      return new Response(null, { status: 204, headers: NO_STORE });
    },
  };
}

function expired(): McpProblem {
  return new McpProblem("mcp-session-expired", "There is no such session: start one with initialize.");
}
