import { type CallToolResult, ProtocolError } from "@modelcontextprotocol/server";
import { check, type WebContext, type WebEnv } from "@swath/web";
import type { Context } from "hono";
import { SERVER_ERROR } from "./messages/protocol.ts";
import type { McpService } from "./service.ts";
import { failedResult, goodResult } from "./tools/results.ts";
import type { ToolDescription } from "./tools/tool.ts";

/** The call of a tool that a message asks for. */
export interface AskedCall {
  readonly name: string;
  readonly input: unknown;
  /** Version of the protocol. */
  readonly protocol: string;
  /** Aborted when the client cancels the request. */
  readonly cancelled: AbortSignal | undefined;
}

/**
 * Calls a tool of a service.
 *
 * @throws {ProtocolError} where the client has cancelled the request. Any other failure is a result.
 */
export async function callTool<T extends ToolDescription, E extends WebEnv>(
  { tools, call, problems, suggest, failureMeta }: McpService<T, E>,
  c: Context<E>,
  { name, input, protocol, cancelled }: AskedCall,
): Promise<CallToolResult> {
  const own = (c as unknown as WebContext).get("signal");
  try {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const answer = await call(tool, {
      c,
      signal: cancelled === undefined ? own : AbortSignal.any([own, cancelled]),
      read: (schema) => check(schema, input, "body", suggest),
    });
    return goodResult(answer, protocol);
  } catch (error) {
    if (cancelled?.aborted === true) throw new ProtocolError(SERVER_ERROR, "The client cancelled the request.");
    return failedResult(problems.document(error, c).problem, failureMeta);
  }
}
