import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FULL, testService } from "../tools/harness.ts";
import { send } from "../tools/mcp-client.ts";

const GUIDE = readFileSync(join(import.meta.dirname, "../../../../docs/guides/mcp.md"), "utf8").replaceAll(
  "http://127.0.0.1:8080",
  "http://service.test",
);

/** The conversation of the guide: what is sent, and what is said to come back. */
const CONVERSATION = [...GUIDE.matchAll(/^```json request\n([\s\S]*?)^```\n+```json answer\n([\s\S]*?)^```$/gm)].map(
  ([, request = "", answer = ""]) => ({
    request: JSON.parse(request) as { method: string },
    answer: JSON.parse(answer),
  }),
);

/** A document in which a text that ends with "…" stands for every text that starts so. */
function expected(value: unknown): unknown {
  if (typeof value === "string" && value.endsWith("…")) {
    const start = value.slice(0, -1).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return expect.stringMatching(new RegExp(`^${start}`));
  }
  if (Array.isArray(value)) return value.map(expected);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, expected(member)]));
}

test("the conversation of the guide is what client and service say to each other, to the last digit", {
  tags: ["MC13"],
}, async () => {
  const service = await testService({}, { profile: FULL });
  let session: Record<string, string> = {};
  expect(CONVERSATION.map(({ request }) => request.method)).toEqual(["initialize", ...Array(4).fill("tools/call")]);
  for (const { request, answer } of CONVERSATION) {
    const response = await send(service, request, session);
    session = { "Mcp-Session-Id": response.headers.get("Mcp-Session-Id") ?? session["Mcp-Session-Id"] ?? "" };
    expect(await response.json()).toMatchObject(expected(answer) as object);
  }
});

test("the guide names every tool, its versions, and the scenarios of the conformance suite that are not run", async () => {
  for (const name of ["collections", "search", "render", "timeseries", "statistics"]) {
    expect(GUIDE).toContain(`| \`${name}\` |`);
  }
  const suite = readFileSync(join(import.meta.dirname, "../clients/mcp-conformance.long.test.ts"), "utf8");
  const list = suite.slice(suite.indexOf("const GENERAL"), suite.indexOf("let served"));
  const names = [...list.matchAll(/"([a-z0-9-]{4,})"/g)].map(([, name = ""]) => name);
  expect(names.length).toBe(32);
  expect(names.filter((name) => !GUIDE.includes(`\`${name}\``))).toEqual([]);
});
