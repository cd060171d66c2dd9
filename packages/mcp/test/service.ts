import { OpenAPIHono, z } from "@hono/zod-openapi";
import { addRoute, PathTable, problemAnswers, requestScope, type WebEnv } from "@swath/web";
import {
  defineTool,
  type McpService,
  mcpGate,
  mcpRoutes,
  memorySessions,
  type Tool,
  type ToolRequest,
} from "../src/index.ts";

/** The tool that a test gives; its answer is a number. */
export const numberTool = (
  name: string,
  call: (call: ToolRequest) => Promise<number> | number,
): Tool<unknown, ToolRequest> =>
  defineTool({
    name,
    title: name,
    description: `Gives a number: ${name}.`,
    input: z.strictObject({ n: z.number().optional() }),
    output: z.object({ value: z.number() }),
    call: async (_, request) => {
      const value = await call(request);
      return { structured: { value }, text: String(value) };
    },
  });

/** A service with these tools; callers say in a header who they are. */
export function toolService(
  tools: readonly Tool<unknown, ToolRequest>[],
  more: Partial<McpService<Tool<unknown, ToolRequest>>> = {},
): OpenAPIHono<WebEnv> {
  const app = new OpenAPIHono<WebEnv>();
  const paths = new PathTable();
  const problems = problemAnswers((error) => error);
  app.use(requestScope({}));
  app.onError(problems.response);
  app.use("/mcp", mcpGate({ siteOrigins: ["https://site.test"] }));
  mcpRoutes<Tool<unknown, ToolRequest>>((spec, handler) => addRoute({ app, paths }, spec, handler), {
    info: { name: "test", title: "Test", version: "1" },
    instructions: "For tests.",
    tools,
    call: (tool, request) => tool.call(request.read(tool.input), request),
    problems,
    sessions: memorySessions(),
    subject: (c) => c.req.header("X-Subject") ?? "",
    ...more,
  });
  return app;
}
