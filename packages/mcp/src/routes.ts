import { z } from "@hono/zod-openapi";
import { JSON_TYPE, type RequestProblem, type RouteHandler, type RouteSpec, type WebEnv } from "@swath/web";
import type { MessageHandler } from "./message-handler.ts";
import { EVENTS, SESSION_HEADER } from "./messages/protocol.ts";
import { McpProblem } from "./problems.ts";
import type { McpService } from "./service.ts";
import type { ToolDescription } from "./tools/tool.ts";

/** Largest message, bytes. */
const MAX_MESSAGE_BYTES = 1_048_576;

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

/** A schema of no parameters. */
type Nothing = z.ZodType<Record<string, never>>;

/** Registers a route, as `addRoute` of `@swath/web` does; a service adds its own members of specifications here. */
export type AddRoute<E extends WebEnv = WebEnv> = <B>(
  spec: RouteSpec<Nothing, Nothing, B>,
  handler: RouteHandler<E, Record<string, never>, Record<string, never>, B>,
) => void;

/**
 * Adds the Model Context Protocol over streamable HTTP: `POST /mcp` takes messages, `DELETE /mcp` ends sessions. Before these routes,
 * and before it is known who asks, `mcpGate` has to run at `/mcp`.
 */
export function mcpRoutes<T extends ToolDescription, E extends WebEnv = WebEnv>(
  add: AddRoute<E>,
  service: McpService<T, E>,
): void {
  let loading: Promise<MessageHandler<E>> | undefined;
  /** Loaded at the first message: its code, the SDK's, takes longer than all other routes at the start of a service. */
  const handler = (): Promise<MessageHandler<E>> => {
    loading ??= import("./message-handler.ts").then(({ messageHandler }) => messageHandler(service));
    return loading;
  };
  add<unknown>(
    {
      method: "post",
      path: "/mcp",
      operationId: "postMcp",
      tag: "Protocols",
      summary: "Model Context Protocol",
      description:
        "JSON-RPC 2.0 over streamable HTTP. `initialize` starts a session, whose id the header Mcp-Session-Id has. A call of a tool that fails is a result with `isError`.",
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
    async (c, { body }) => (await handler()).post(c, body),
  );
  add<undefined>(
    {
      method: "delete",
      path: "/mcp",
      operationId: "deleteMcp",
      tag: "Protocols",
      summary: "End a session of the Model Context Protocol",
      problems: [403, 404],
      problemForms: { [JSON_TYPE]: Failure },
      responses: { 204: { description: "The session has ended." } },
    },
    async (c) => (await handler()).end(c),
  );
}

/** The error for a body that is no JSON; of other faults of the body the error stays. */
function messageFault(error: RequestProblem): RequestProblem | McpProblem {
  if (error.code !== "invalid-body") return error;
  const { errors = [] } = error;
  return new McpProblem("invalid-mcp-message", error.detail, { cause: error, errors });
}
