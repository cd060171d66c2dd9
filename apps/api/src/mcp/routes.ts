import { type AccountsParts, fromUnits, toUnits } from "@swath/accounts";
import { DATA } from "@swath/accounts/hono";
import { didYouMean } from "@swath/engine/search";
import { isCancelled, mcpGate, mcpRoutes, type ToolAnswer, type ToolRequest } from "@swath/mcp";
import { isClosed } from "@swath/web";
import { problemDocument } from "../http/answer/problems.ts";
import type { AppContext, AppEnv } from "../http/request/context.ts";
import { addRoute, type Router } from "../http/request/route.ts";
import type { SiteParts } from "../operations/services.ts";
import { TOOL_COMPONENTS } from "./components.ts";
import { mcpResources } from "./resources.ts";
import type { ServiceTool, ToolServices } from "./tool.ts";
import { TOOLS } from "./tools/all.ts";

const INSTRUCTIONS = `Satellite imagery: search scenes, look at them, and measure them. Start with the tool collections, then search; render shows a place, timeseries gives its curve, statistics its numbers by month. Coordinates are longitude, latitude in degrees; times are UTC. Each call costs units, which the result has in _meta.units. Show the attribution with what you make of the data. Where a result has isError, its text says what to change.`;
const DESCRIPTION =
  "JSON-RPC 2.0 over streamable HTTP. `initialize` starts a session, whose id the header Mcp-Session-Id has; it ends after 30 minutes without a request. A call of a tool costs what its REST route costs; one that fails is a result with `isError`, and costs nothing.";

export type McpServices = ToolServices & Required<Pick<AccountsParts, "mcpSessions">>;

/** Checks every request to `/mcp`, also those that are refused before a route is found. */
export function registerMcpGate(router: Router, { http }: Pick<SiteParts, "http">): void {
  router.app.use("/mcp", mcpGate(http));
}

/** The Model Context Protocol over streamable HTTP: the operations of the service as tools of language models. */
export function registerMcp(router: Router, services: McpServices): void {
  mcpRoutes<ServiceTool, AppEnv>(
    (spec, handler) => {
      const isCall = spec.method === "post";
      const own = isCall ? { description: DESCRIPTION, cost: "by-plan" as const } : {};
      addRoute(router, { ...spec, ...own, access: DATA }, handler);
    },
    {
      info: { name: "swath", title: "Swath", version: services.version },
      instructions: INSTRUCTIONS,
      tools: TOOLS,
      components: TOOL_COMPONENTS,
      resources: (baseUrl) => mcpResources(services, baseUrl),
      sessions: services.mcpSessions,
      subject: (c) => c.get("identity").subject,
      problems: { document: problemDocument },
      failureMeta: { units: 0 },
      suggest: didYouMean,
      call: (tool, request) => callTool(services, tool, request),
    },
  );
}

/** Calls a tool, and says what it costs. A failed call gives back what it reserved. */
async function callTool(
  services: ToolServices,
  tool: ServiceTool,
  { c, signal, read }: ToolRequest<AppEnv>,
): Promise<ToolAnswer> {
  const meter = c.get("meter");
  try {
    if (tool.members !== undefined) c.set("members", tool.members);
    services.spending?.check();
    const answer = await tool.call(read(tool.input), { ...callOf(c), services, signal });
    return { ...answer, meta: { units: fromUnits(meter.cost ?? toUnits(0)) } };
  } catch (error) {
    await meter.release(isCancelled(signal) || isClosed(signal) ? "left" : "failed");
    throw error;
  }
}

function callOf(c: AppContext) {
  const meter = c.get("meter");
  return {
    baseUrl: c.get("baseUrl"),
    authentication: c.get("authentication")(),
    admit: (units: number) => meter.admit(toUnits(units)),
    isLikely: (units: number) => meter.isLikely(toUnits(units)),
    lower: (units: number) => meter.lower(toUnits(units)),
    whenEnded: (listener: (stands: boolean) => void) => meter.whenEnded(listener),
  };
}
