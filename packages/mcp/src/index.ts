export { mcpGate } from "./origin.ts";
export { MCP_PROBLEMS } from "./problems.ts";
export { type AddRoute, mcpRoutes } from "./routes.ts";
export { isCancelled } from "./running-requests.ts";
export type { McpService, Resource, ToolRequest } from "./service.ts";
export { type MemorySessionOptions, memorySessions, type Session, type Sessions } from "./sessions.ts";
export type { JsonSchema } from "./tools/json-schema.ts";
export { defineTool, type Tool, type ToolAnswer, type ToolDescription } from "./tools/tool.ts";
