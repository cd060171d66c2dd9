import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSession } from "./client.ts";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

let app: OpenAPIHono;
beforeAll(async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(script, code.replace('"@swath/mcp"', '"../src/index.ts"'));
  ({ app } = (await import(script.href)) as { app: OpenAPIHono });
});

test("the README's tool is found and called", async () => {
  const session = await openSession(app);
  expect(await session.request("tools/list")).toMatchObject({
    result: { tools: [{ name: "distance", inputSchema: { required: ["from", "to"], additionalProperties: false } }] },
  });
  expect(await session.call("distance", { from: [0, 0], to: [3, 4] })).toEqual({
    content: [{ type: "text", text: "5 m" }],
    structuredContent: { metres: 5 },
  });
});

test("the README's wrong call says which argument is wrong, what was expected and what came", async () => {
  const result = await (await openSession(app)).call("distance", { from: [0], to: [3, 4] });
  expect(result).toMatchObject({ isError: true, structuredContent: { code: "invalid-body", status: 400 } });
  expect(result.content).toEqual([
    { type: "text", text: expect.stringMatching(/^Invalid request body: \/from: Expected .*got 1/) },
  ]);
});
