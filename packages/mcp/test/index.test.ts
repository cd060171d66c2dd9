import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "MCP_PROBLEMS",
      "McpProblem",
      "SESSION_VERSIONS",
      "STATELESS_VERSION",
      "defineTool",
      "isCancelled",
      "jsonSchemaOf",
      "mcpGate",
      "mcpRoutes",
      "memorySessions",
      "outlineOf",
      "withNotes",
    ]
  `);
});
