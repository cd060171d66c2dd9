import { type Authenticator, createAccess, keyAuthenticator } from "@swath/accounts/hono";
import { describe, expect, test } from "vitest";
import { ProblemError } from "../../src/errors/problems.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { FULL, KEY, testService } from "../tools/harness.ts";
import { ACCEPT, initializeMessage, send, startSession } from "../tools/mcp-client.ts";

const service = await testService({}, { profile: FULL });
const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list" };

describe("versions", () => {
  test.each([
    ["2025-11-25", "2025-11-25"],
    ["2025-06-18", "2025-06-18"],
    ["2025-03-26", "2025-03-26"],
    ["2024-11-05", "2025-11-25"],
    ["1.0", "2025-11-25"],
  ])("a client that asks for %s gets %s", { tags: ["MC1"] }, async (asked, given) => {
    const session = await startSession(service, { version: asked });
    expect(session.result).toMatchObject({
      protocolVersion: given,
      serverInfo: { name: "swath" },
      capabilities: { tools: {}, resources: {} },
    });
    const { response } = await session.request("ping", {}, { "MCP-Protocol-Version": given });
    expect(response.status).toBe(200);
  });

  test("a version that is not served is refused; one that says nothing is taken", { tags: ["MC1"] }, async () => {
    const session = await startSession(service);
    expect((await session.request("ping")).response.status).toBe(200);
    const { response } = await session.request("ping", {}, { "MCP-Protocol-Version": "2024-11-05" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid-mcp-message" });
  });

  test("a version that nobody knows is refused as requests with sessions are, where the message itself names none", async () => {
    const session = await startSession(service);
    const { response } = await session.request("ping", {}, { "MCP-Protocol-Version": "2099-01-01" });
    expect([response.status, await response.json()]).toMatchObject([400, { code: "invalid-mcp-message" }]);
  });

  test("the version without sessions needs none; its errors are JSON-RPC errors, those of the service's own too", {
    tags: ["MC1"],
  }, async () => {
    const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search" };
    const message = (version: string): object => ({
      jsonrpc: "2.0",
      id: 5,
      method: "tools/call",
      params: {
        name: "search",
        arguments: { limit: 1 },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    });
    const good = await send(service, message("2026-07-28"), headers);
    expect(good.status).toBe(200);
    expect(await good.json()).toMatchObject({
      id: 5,
      result: { resultType: "complete", structuredContent: { type: "FeatureCollection" }, _meta: { units: 0.01 } },
    });
    const list = { ...(message("2026-07-28") as { params: object }), method: "tools/list" };
    const { _meta } = (list as { params: { _meta?: object } }).params;
    const listed = await send(service, { ...list, params: { _meta } }, { ...headers, "Mcp-Method": "tools/list" });
    expect(await listed.json()).toMatchObject({ result: { ttlMs: 600_000, cacheScope: "public" } });
    const later = { ...headers, "MCP-Protocol-Version": "2027-01-01" };
    const unknown = await send(service, message("2027-01-01"), later);
    expect(unknown.status).toBe(400);
    expect(await unknown.json()).toMatchObject({ error: { code: -32022, data: { requested: "2027-01-01" } } });
    const mismatch = await send(service, message("2026-07-28"), { ...headers, "Mcp-Name": "render" });
    expect(mismatch.status).toBe(400);
    expect(await mismatch.json()).toMatchObject({ error: { code: -32020 } });
    const stranger = await send(service, message("2026-07-28"), { ...headers, "X-API-Key": "wrong" });
    expect(stranger.status).toBe(401);
    expect(stranger.headers.get("Content-Type")).toBe("application/json");
    expect(await stranger.json()).toMatchObject({ jsonrpc: "2.0", error: { data: { code: "invalid-key" } } });
    const listen = { ...(message("2026-07-28") as { params: object }), method: "subscriptions/listen" };
    const streamed = await send(service, listen, { ...headers, "Mcp-Method": "subscriptions/listen" });
    expect(await streamed.json()).toHaveProperty("error");
  });
});

describe("messages", () => {
  test.each([
    { what: "no JSON", body: "{" },
    { what: "nothing", body: "" },
    { what: "a batch", body: [LIST] },
    { what: "an empty batch", body: [] },
    { what: "a text", body: '"tools/list"' },
    { what: "null", body: "null" },
    { what: "another version of JSON-RPC", body: { ...LIST, jsonrpc: "1.0" } },
    { what: "no method", body: { jsonrpc: "2.0", id: 1 } },
    { what: "an id of null", body: { ...LIST, id: null } },
    { what: "an id with a fraction", body: { ...LIST, id: 1.5 } },
    { what: "parameters that are a list", body: { ...LIST, params: [] } },
    { what: "a wrong byte", body: Buffer.from([0x7b, 0xff]).toString("latin1") },
  ])("$what: 400 invalid-mcp-message", { tags: ["MC4"] }, async ({ body }) => {
    const { id } = await startSession(service);
    const response = await send(service, body, { "Mcp-Session-Id": id });
    expect(response.status).toBe(400);
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({ code: "invalid-mcp-message", instance: "/mcp" });
  });

  test("without a session 400, in one that is unknown 404", { tags: ["MC4"] }, async () => {
    const missing = await send(service, LIST);
    expect([missing.status, await missing.json()]).toMatchObject([400, { code: "invalid-mcp-message" }]);
    const unknown = await send(service, LIST, { "Mcp-Session-Id": "a" });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { code: "mcp-session-expired" }]);
    const notified = await send(service, { jsonrpc: "2.0", method: "notifications/initialized" });
    expect(notified.status).toBe(400);
  });

  test("a body that is no JSON by its type is 415, one over a megabyte 413", async () => {
    const { id } = await startSession(service);
    const form = await send(service, LIST, { "Mcp-Session-Id": id, "Content-Type": "text/plain" });
    expect([form.status, await form.json()]).toMatchObject([415, { code: "unsupported-media-type" }]);
    const long = await send(service, { ...LIST, params: { a: "a".repeat(1_048_576) } }, { "Mcp-Session-Id": id });
    expect([long.status, await long.json()]).toMatchObject([413, { code: "body-too-large" }]);
  });

  test("notifications and responses are taken without an answer", { tags: ["MC5"] }, async () => {
    const { id } = await startSession(service);
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "no" } },
    ]) {
      const response = await send(service, message, { "Mcp-Session-Id": id });
      expect([response.status, await response.text()]).toEqual([202, ""]);
    }
  });

  test.each([
    ["no/such/method", {}, -32601],
    ["prompts/list", {}, -32601],
    ["tools/call", { name: "no-such-tool" }, -32602],
    ["tools/call", { name: "__proto__" }, -32602],
    ["tools/call", {}, -32602],
    ["resources/read", { uri: "http://elsewhere.test/" }, -32602],
    ["resources/read", {}, -32602],
  ])("%s %o is the JSON-RPC error %d", { tags: ["MC5"] }, async (method, params, code) => {
    const session = await startSession(service);
    const { response, error } = await session.request(method, params);
    expect(response.status).toBe(200);
    expect(error?.code).toBe(code);
  });

  test.each([[[]], [null], ["bbox"], [7], [true]])("arguments %j are the tool's to refuse", async (input) => {
    const session = await startSession(service);
    const { result } = await session.call("search", input as unknown as object);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "invalid-body" }, _meta: { units: 0 } });
    expect(result.content[0]?.text).toContain("Expected an object, got");
  });

  test("errors of the protocol say what is expected and what came, in the words of the service", async () => {
    const session = await startSession(service);
    const named = await session.request("tools/call", { name: 7 });
    expect(named.error?.message).toBe("params.name: Expected a string, got 7.");
    const read = await session.request("resources/read", {});
    expect(read.error?.message).toBe("params.uri: Missing: expected a string.");
  });

  test.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
    ["operators", '{"op":"not","args":[', "]}"],
  ])("%s in each other 40,000 times are refused as anything else is", { tags: ["MC4"] }, async (_, open, close) => {
    const deep = `${open.repeat(40_000)}1${close.repeat(40_000)}`;
    const { id } = await startSession(service);
    for (const params of [
      `{"name":"search","arguments":{"filter":${deep}}}`,
      `{"name":"timeseries","arguments":{"datetime":"2024-01-01/..","index":"ndvi","geometry":${deep}}}`,
      `{"name":"statistics","arguments":{"input":${deep}}}`,
    ]) {
      const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
      const response = await send(service, message, { "Mcp-Session-Id": id });
      expect(await response.json()).toMatchObject({ result: { isError: true, structuredContent: { status: 400 } } });
    }
    for (const message of [
      deep,
      `{"jsonrpc":"2.0","id":${deep},"method":"tools/list"}`,
      `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"progressToken":${deep}}}}`,
    ]) {
      const response = await send(service, message, { "Mcp-Session-Id": id });
      expect([200, 400]).toContain(response.status);
      expect(await response.text()).not.toContain("-32603");
    }
  });

  test("an initialize request without its members is an error, and starts no session", async () => {
    const response = await send(service, { ...LIST, method: "initialize", params: {} });
    expect(response.headers.get("Mcp-Session-Id")).toBeNull();
    expect(await response.json()).toMatchObject({ id: 1, error: { code: -32602 } });
  });
});

describe("answers", () => {
  test.each([
    [ACCEPT, "application/json"],
    ["application/json", "application/json"],
    ["*/*", "application/json"],
    ["text/html", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["text/event-stream, application/json;q=0.1", "text/event-stream"],
  ])("to Accept %s are %s", { tags: ["MC6"] }, async (accept, type) => {
    const session = await startSession(service);
    const { response } = await session.request("ping", {}, { Accept: accept });
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    const text = await response.text();
    expect(text).toBe(
      type === "application/json"
        ? '{"result":{},"jsonrpc":"2.0","id":1}'
        : 'event: message\ndata: {"result":{},"jsonrpc":"2.0","id":1}\n\n',
    );
  });

  test("there is no stream of the server's own: GET is 405", { tags: ["MC5"] }, async () => {
    const response = await service.get("/mcp", { Accept: "text/event-stream" });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("POST, DELETE, OPTIONS");
  });

  test("a page of the website may ask: a preflight names the methods, the answer shows the session's header", async () => {
    const own = await testService({ http: { siteOrigins: ["https://site.test"] } }, { profile: FULL });
    const preflight = (origin: string): Promise<Response> =>
      own.request("/mcp", {
        method: "OPTIONS",
        headers: { Origin: origin, "Access-Control-Request-Method": "POST" },
      });
    const good = await preflight("https://site.test");
    expect(good.status).toBe(204);
    expect(good.headers.get("Access-Control-Allow-Origin")).toBe("https://site.test");
    expect(good.headers.get("Access-Control-Allow-Methods")).toBe("POST, DELETE, OPTIONS");
    expect(good.headers.get("Access-Control-Allow-Headers")).toContain("Mcp-Session-Id");
    const started = await send(own, initializeMessage(), { Origin: "https://site.test" });
    expect(started.headers.get("Access-Control-Expose-Headers")).toContain("Mcp-Session-Id");
    const refused = await preflight("https://evil.test");
    expect([refused.status, refused.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
  });

  test("lean v1 has no such route", async () => {
    const lean = await testService();
    expect((await send(lean, initializeMessage())).status).toBe(404);
  });
});

describe("origins", () => {
  test("a page of another site is refused, whatever it sends", { tags: ["MC7"] }, async () => {
    const own = await testService({ http: { siteOrigins: ["https://map.test"] } }, { profile: FULL });
    expect((await send(own, initializeMessage(), { Origin: "https://map.test" })).status).toBe(200);
    const slash = await own.request("/mcp/", { method: "POST", headers: { Origin: "https://evil.test" }, body: "{}" });
    expect(slash.status).toBe(403);
    for (const origin of ["https://evil.test", "null"]) {
      const response = await send(own, initializeMessage(), { Origin: origin, "X-API-Key": "wrong" });
      expect([response.status, await response.json()]).toMatchObject([403, { code: "origin-not-allowed" }]);
    }
  });
});

test("without a good credential 401, which names where tokens come from where the service takes any", {
  tags: ["MC7"],
}, async () => {
  const plain = await send(service, initializeMessage(), { "X-API-Key": "wrong" });
  expect(plain.status).toBe(401);
  expect(plain.headers.get("WWW-Authenticate")).toBe('ApiKey header="X-API-Key"');

  const bearer: Authenticator = {
    kinds: ["bearer"],
    scheme: { name: "bearer", definition: { type: "http", scheme: "bearer", description: "A token." } },
    read: (credentials) => /^Bearer (.+)$/.exec(credentials.header("Authorization") ?? "")?.[1],
    identify: async (token) => {
      if (token === "suspended") throw new ProblemError("key-suspended", "The account is suspended.");
      return undefined;
    },
    invalidDetail: "The token is unknown.",
    challenge: ({ reason }) =>
      reason === "invalid" ? 'Bearer realm="swath", error="invalid_token"' : 'Bearer realm="swath"',
  };
  const tokens = await testService(
    {},
    {
      check: false,
      profile: {
        ...FULL,
        create: (services) => ({
          ...fullProfile(services),
          access: createAccess({
            authenticators: [keyAuthenticator(services.keys), bearer],
            missingDetail: "This route needs a key or a token.",
          }),
        }),
      },
    },
  );
  const metadata = 'resource_metadata="http://service.test/.well-known/oauth-protected-resource/mcp"';
  const missing = await tokens.request("/mcp", { method: "POST", body: "{}" });
  expect(missing.headers.get("WWW-Authenticate")).toBe(`Bearer ${metadata}, realm="swath", ApiKey header="X-API-Key"`);
  const wrong = await tokens.request("/mcp", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: ACCEPT, Authorization: "Bearer x" },
    body: JSON.stringify(initializeMessage()),
  });
  expect([wrong.status, wrong.headers.get("WWW-Authenticate")]).toEqual([
    401,
    `Bearer ${metadata}, realm="swath", error="invalid_token", ApiKey header="X-API-Key"`,
  ]);
  const other = await tokens.request("/v1/statistics", { method: "POST", body: "{}" });
  expect(other.headers.get("WWW-Authenticate")).not.toContain("resource_metadata");
  expect((await send(tokens, initializeMessage(), { "X-API-Key": KEY })).status).toBe(200);
});
