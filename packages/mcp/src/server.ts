import {
  type CallToolResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { Problem } from "@swath/problem";
import { SESSION_VERSIONS } from "./messages/protocol.ts";
import type { McpService, Resource } from "./service.ts";
import { type JsonSchema, jsonSchemaOf, outlineOf, withNotes } from "./tools/json-schema.ts";
import type { ToolDescription } from "./tools/tool.ts";

/** A tool as lists describe it. */
export type ListedTool = ListToolsResult["tools"][number];

/**
 * Describes a tool for a list. Its output is the answer or, where the call fails, the problem document: clients check both
 * against the schema, which names their members alone. A list is sent to a model with every conversation.
 */
export function listTool(
  { name, title, description, notes = {}, annotations, input, output }: ToolDescription,
  components?: Readonly<Record<string, JsonSchema>>,
): ListedTool {
  const { $defs: _ = {}, ...problem } = jsonSchemaOf(Problem, components);
  const { $defs: __ = {}, ...answer } = jsonSchemaOf(output, components);
  return {
    name,
    title,
    description,
    inputSchema: withNotes(jsonSchemaOf(input, components), notes) as ListedTool["inputSchema"],
    outputSchema: {
      type: "object",
      anyOf: [outlineOf(answer), outlineOf(problem)],
    } as ListedTool["outputSchema"] & object,
    annotations: { title, ...annotations },
  };
}

/** The parts with which a server answers one message. */
export interface ServerParts extends Pick<McpService, "info" | "instructions"> {
  readonly tools: readonly ListedTool[];
  readonly resources: readonly Resource[];
  /** Calls a tool; failures are results, too. */
  readonly callTool: (name: string, input: unknown) => Promise<CallToolResult>;
}

/** Lists and resources are the same for all callers and change with a release of the service. */
const CACHED = { ttlMs: 600_000, cacheScope: "public" } as const;

/** A server of the SDK, for one message. */
export function buildServer({ info, instructions, tools, resources, callTool }: ServerParts): Server {
  const server = new Server(
    { ...info },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      supportedProtocolVersions: SESSION_VERSIONS,
      cacheHints: {
        "tools/list": CACHED,
        "resources/list": CACHED,
        "resources/read": CACHED,
        "server/discover": CACHED,
      },
      jsonSchemaValidator: NO_VALIDATOR,
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
  server.setRequestHandler("tools/call", ({ params }) => {
    if (!tools.some(({ name }) => name === params.name)) {
      const known = tools.map(({ name }) => name).join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of this name; there are ${known}.`);
    }
    return callTool(params.name, params.arguments ?? {});
  });
  server.setRequestHandler("resources/list", () => ({ resources: resources.map(({ read: _, ...listed }) => listed) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = resources.find((each) => each.uri === uri);
    if (found === undefined) {
      throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, "There is no resource of this address.", { uri });
    }
    return { contents: [{ uri, mimeType: found.mimeType, text: await found.read() }] };
  });
  return server;
}

/** For what clients are asked in the middle of a request: this server asks nothing. */
const NO_VALIDATOR = {
  getValidator: () => () => {
    throw new Error("This server asks its clients nothing.");
  },
};
