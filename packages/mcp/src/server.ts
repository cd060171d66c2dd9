import {
  type CallToolResult,
  type ContentBlock,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from "@modelcontextprotocol/server";
import { Problem } from "@swath/problem";
import { JSON_TYPE } from "../documents/media-types.ts";
import { presetList } from "../documents/preset.ts";
import { jsonSchemaOf, outlineOf, withNotes } from "./json-schema.ts";
import { SESSION_VERSIONS } from "./messages.ts";
import type { Tool, ToolAnswer, ToolServices } from "./tool.ts";

const INSTRUCTIONS = `Satellite imagery: search scenes, look at them, and measure them. Start with the tool collections, then search; render shows a place, timeseries gives its curve, statistics its numbers by month. Coordinates are longitude, latitude in degrees; times are UTC. Each call costs units, which the result has in _meta.units. Show the attribution with what you make of the data. Where a result has isError, its text says what to change.`;

type ListedTool = ListToolsResult["tools"][number];

/**
 * Describes a tool for a list. Its output is the answer or, where the call fails, the problem document: clients check both
 * against the schema, which names their members alone. A list is sent to a model with every conversation.
 */
export function listTool({ name, title, description, notes, input, output }: Tool): ListedTool {
  const { $defs: _ = {}, ...problem } = jsonSchemaOf(Problem);
  const { $defs: __ = {}, ...answer } = jsonSchemaOf(output);
  return {
    name,
    title,
    description,
    inputSchema: withNotes(jsonSchemaOf(input), notes) as ListedTool["inputSchema"],
    outputSchema: {
      type: "object",
      anyOf: [outlineOf(answer), outlineOf(problem)],
    } as ListedTool["outputSchema"] & object,
    annotations: { title, readOnlyHint: true, openWorldHint: false },
  };
}

/** The parts with which a server answers one message. */
export interface ServerParts {
  readonly tools: readonly ListedTool[];
  readonly services: ToolServices;
  readonly baseUrl: string;
  /** Calls a tool; failures are results, too. */
  readonly callTool: (name: string, input: unknown) => Promise<CallToolResult>;
}

/** Lists and resources are the same for all callers and change with a release: kept as long as the documents of the REST routes. */
const CACHED = { ttlMs: 600_000, cacheScope: "public" } as const;

/** A server of the SDK, for one message. */
export function buildServer({ tools, services, baseUrl, callTool }: ServerParts): Server {
  const { registry, version, links } = services;
  const resources: Readonly<Record<string, () => string>> = {
    [`${baseUrl}/v1/presets`]: () => JSON.stringify(presetList(registry.presets, { registry, baseUrl, more: links })),
    [`${baseUrl}/v1/schema`]: () => registry.schemaDocument(),
  };
  const server = new Server(
    { name: "swath", title: "Swath", version },
    {
      capabilities: { tools: {}, resources: {} },
      instructions: INSTRUCTIONS,
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
  server.setRequestHandler("resources/list", () => ({
    resources: [
      {
        uri: `${baseUrl}/v1/presets`,
        name: "presets",
        title: "Presets",
        description: "What the tool render draws: ids, what their colours mean, and of which collections.",
        mimeType: JSON_TYPE,
      },
      {
        uri: `${baseUrl}/v1/schema`,
        name: "schema",
        title: "Bands, indices, masks, units",
        description: "Names of bands by collection, ids of indices, classes of masks, levels of harmonization.",
        mimeType: JSON_TYPE,
      },
    ],
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const read = Object.hasOwn(resources, uri) ? resources[uri] : undefined;
    if (read === undefined) {
      throw new ProtocolError(ProtocolErrorCode.ResourceNotFound, "There is no resource of this address.", { uri });
    }
    return { contents: [{ uri, mimeType: JSON_TYPE, text: read() }] };
  });
  return server;
}

/** For what clients are asked in the middle of a request: this server asks nothing. */
const NO_VALIDATOR = {
  getValidator: () => () => {
    throw new Error("This server asks its clients nothing.");
  },
};

/** The version that knows no links among the contents of a result. */
const WITHOUT_LINKS = "2025-03-26";

/** The result of a call that ended well. */
export function goodResult(
  { structured, text, content = [] }: ToolAnswer,
  { units, protocol }: { readonly units: number; readonly protocol: string },
): CallToolResult {
  const blocks = content.map((block): ContentBlock => {
    if (block.type !== "resource_link" || protocol !== WITHOUT_LINKS) return block;
    return { type: "text", text: `${block.title ?? block.name}: ${block.uri}` };
  });
  return { content: [{ type: "text", text }, ...blocks], structuredContent: { ...structured }, _meta: { units } };
}

/** The result of a call that failed: a model reads what is wrong, and calls again. */
export function failedResult(problem: Problem): CallToolResult {
  const { title, detail, retryAfter } = problem;
  const wait = retryAfter === undefined ? "" : ` Try again in ${retryAfter} seconds.`;
  return {
    content: [{ type: "text", text: `${title}: ${detail ?? ""}${wait}` }],
    structuredContent: { ...problem },
    isError: true,
    _meta: { units: 0 },
  };
}
