import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { defineTool, isCancelled, type ToolRequest } from "../src/index.ts";
import { initializeMessage, openSession, send } from "./client.ts";
import { numberTool, toolService } from "./service.ts";

const one = toolService([numberTool("one", () => 1)]);

describe("sessions", () => {
  test("are of the caller who started them: another's are unknown, and cannot be ended", {
    tags: ["MC2"],
  }, async () => {
    const { id } = await openSession(one, { headers: { "X-Subject": "ada" } });
    const end = (subject: string) =>
      one.request("/mcp", { method: "DELETE", headers: { "X-Subject": subject, "Mcp-Session-Id": id } });
    const ping = (subject: string) =>
      send(one, { jsonrpc: "2.0", id: 1, method: "ping" }, { "X-Subject": subject, "Mcp-Session-Id": id });
    expect([(await ping("bob")).status, (await end("bob")).status]).toEqual([404, 404]);
    expect([(await ping("ada")).status, (await end("ada")).status, (await ping("ada")).status]).toEqual([
      200, 204, 404,
    ]);
  });

  test("are found by every node that has the same store", { tags: ["MC2"] }, async () => {
    const kept = new Map<string, string>();
    const sessions = {
      start: async (subject: string, { protocol }: { readonly protocol: string }) => {
        kept.set(`${subject} x`, protocol);
        return "x";
      },
      find: async (id: string, subject: string) => {
        const protocol = kept.get(`${subject} ${id}`);
        return protocol === undefined ? undefined : { protocol };
      },
      end: async (id: string, subject: string) => kept.delete(`${subject} ${id}`),
    };
    const [first, second] = [1, 2].map((n) => toolService([numberTool("n", () => n)], { sessions }));
    await openSession(first!, { version: "2025-06-18" });
    expect([...kept]).toEqual([[" x", "2025-06-18"]]);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "n" } };
    const answer = await send(second!, call, { "Mcp-Session-Id": "x" });
    expect(await answer.json()).toMatchObject({ result: { structuredContent: { value: 2 } } });
  });
});

describe("a call", () => {
  test("that its client cancels ends, and is told so; other requests of the session go on", async () => {
    const ended: boolean[] = [];
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const service = toolService([
      numberTool("wait", ({ signal }) => {
        begin();
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            ended.push(isCancelled(signal));
            reject(signal.reason);
          });
        });
      }),
      numberTool("two", () => 2),
    ]);
    const session = await openSession(service);
    const waiting = session.request("tools/call", { name: "wait" }, 7);
    await begun;
    for (const requestId of ["7", 8]) await session.notify("notifications/cancelled", { requestId });
    expect(await session.call("two", {})).toMatchObject({ structuredContent: { value: 2 } });
    expect(ended).toEqual([]);
    expect((await session.notify("notifications/cancelled", { requestId: 7 })).status).toBe(202);
    expect(await waiting).toMatchObject({ id: 7, error: { message: "The client cancelled the request." } });
    expect(ended).toEqual([true]);
  });

  test.each([
    [
      "a problem",
      () => new ProblemError("busy", { status: 503, title: "Busy" }, "Come again.", { retryAfter: 9 }),
      "Busy: Come again. Try again in 9 seconds.",
    ],
    [
      "a problem of a second",
      () => new ProblemError("busy", { status: 503, title: "Busy" }, "Come again.", { retryAfter: 1 }),
      "Busy: Come again. Try again in 1 second.",
    ],
    ["an unknown error, whose message is nobody's", () => new Error("secret"), /^(?!.*secret)/],
  ])("that throws %s is a result with isError and the service's own members", async (_, error, text) => {
    const service = toolService([numberTool("fail", () => Promise.reject(error()))], { failureMeta: { cost: 0 } });
    const result = await (await openSession(service)).call("fail", {});
    const [content] = result.content as [{ readonly text: string }];
    expect(content.text).toMatch(text);
    expect(result).toMatchObject({ isError: true, _meta: { cost: 0 } });
  });

  test("gives links as text to clients of 2025-03-26, and members of the answer's meta", async () => {
    const linked = defineTool<unknown, ToolRequest>({
      name: "linked",
      title: "Linked",
      description: "Gives a link.",
      input: z.strictObject({}),
      output: z.object({}),
      call: () => ({
        structured: {},
        text: "there",
        content: [{ type: "resource_link", uri: "https://a.test/", name: "a", title: "A" }],
        meta: { cost: 2 },
      }),
    });
    const service = toolService([linked]);
    const linkTo = async (version: string) => (await openSession(service, { version })).call("linked", {});
    expect(await linkTo("2025-03-26")).toMatchObject({ content: [{}, { type: "text", text: "A: https://a.test/" }] });
    expect(await linkTo("2025-06-18")).toMatchObject({ content: [{}, { type: "resource_link" }], _meta: { cost: 2 } });
  });
});

test("whatever a client sends, it is answered without a failure of the service", { tags: ["MC14"] }, async () => {
  const { id } = await openSession(one);
  const method = fc.oneof(fc.constantFrom("tools/call", "tools/list", "resources/read", "initialize"), fc.string());
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { jsonrpc: fc.constant("2.0"), id: fc.jsonValue(), method, params: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    fc.record({
      jsonrpc: fc.constant("2.0"),
      id: fc.nat(),
      method: fc.constant("tools/call"),
      params: fc.record({ name: fc.constant("one"), arguments: fc.jsonValue() }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(message, fc.constantFrom(undefined, "2026-07-28", "2025-11-25"), async (body, version) => {
      const response = await send(one, body, {
        "Mcp-Session-Id": id,
        ...(version === undefined ? {} : { "MCP-Protocol-Version": version }),
      });
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).not.toMatch(/-32603|"status":5/);
    }),
    { numRuns: 200 },
  );
});

test("resources are listed and read by their addresses alone", async () => {
  const text = JSON.stringify({ a: 1 });
  const listed = {
    uri: "http://localhost/a",
    name: "a",
    title: "A",
    description: "An A.",
    mimeType: "application/json",
  };
  const session = await openSession(
    toolService([], { resources: (baseUrl) => [{ ...listed, uri: `${baseUrl}/a`, read: () => text }] }),
  );
  expect(await session.request("resources/list")).toMatchObject({ result: { resources: [listed] } });
  expect(await session.request("resources/read", { uri: listed.uri })).toMatchObject({
    result: { contents: [{ text }] },
  });
  expect(await session.request("resources/read", { uri: "__proto__" })).toMatchObject({ error: { code: -32602 } });
});

test("a tool's hints are the tool's own: without them a client takes it for one that may destroy", async () => {
  const hinted = { ...numberTool("look", () => 1), annotations: { readOnlyHint: true } };
  const { result } = await (await openSession(toolService([hinted, numberTool("drop", () => 2)]))).request(
    "tools/list",
  );
  expect(result).toMatchObject({
    tools: [{ annotations: { title: "look", readOnlyHint: true } }, { annotations: { title: "drop" } }],
  });
});

describe("the gate", () => {
  test("refuses pages of other sites, in JSON-RPC where the client knows no other form", {
    tags: ["MC7"],
  }, async () => {
    const from = (origin: string, more = {}) => send(one, initializeMessage(), { Origin: origin, ...more });
    expect((await from("https://site.test")).status).toBe(200);
    const refused = await from("https://evil.test");
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "origin-not-allowed" }]);
    const stateless = await from("https://evil.test", { "MCP-Protocol-Version": "2026-07-28" });
    expect(await stateless.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "origin-not-allowed" } } });
  });

  test("says in challenges of the scheme Bearer where a client learns of tokens", { tags: ["MC7"] }, async () => {
    const challenge = 'Basic, Bearer realm="a"';
    const service = toolService([], {
      subject: () => {
        throw new ProblemError("no-token", { status: 401, title: "No token" }, "Send one.", {
          headers: { "WWW-Authenticate": challenge },
        });
      },
    });
    const answer = await send(service, initializeMessage());
    expect([answer.status, answer.headers.get("WWW-Authenticate")]).toEqual([
      401,
      'Basic, Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource/mcp", realm="a"',
    ]);
  });
});
