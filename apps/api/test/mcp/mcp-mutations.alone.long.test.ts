import { PROBLEM_MEDIA_TYPE } from "@swath/problem";
import { expect, test } from "vitest";
import { accountsOn } from "../accounts/accounts-on.ts";
import { FULL, memoryStore, NOW, testService } from "../tools/harness.ts";
import { initializeMessage, send, startSession } from "../tools/mcp-client.ts";
import { generator, replaceSomewhere, slowTime, TEXTS, VALUES } from "../tools/mutating.ts";

const MESSAGES = 5000;
const ITEM = "S2B_T33TUL_20240704T100211_L2A";
const POINT = { type: "Point", coordinates: [13.21, 45.46] };
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const call = (name: string, input: object): object => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

/** Good messages of every kind; what is sent is one of these with one to three faults. */
const SEEDS: readonly object[] = [
  initializeMessage(),
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "ping" },
  { jsonrpc: "2.0", id: "a", method: "tools/list", params: {} },
  { jsonrpc: "2.0", id: 3, method: "resources/read", params: { uri: "http://service.test/v1/presets" } },
  { jsonrpc: "2.0", id: 4, result: { content: [] } },
  { jsonrpc: "2.0", id: 5, method: "tools/list", params: { _meta: META } },
  { jsonrpc: "2.0", id: 6, method: "server/discover", params: { _meta: META } },
  {
    jsonrpc: "2.0",
    id: 7,
    method: "subscriptions/listen",
    params: { _meta: META, notifications: { toolsListChanged: true } },
  },
  call("collections", { collection: "S2L2A", q: "landsat", bbox: [13, 45, 14, 46] }),
  call("search", {
    collections: ["sentinel-2-l2a"],
    bbox: [13, 46, 14, 47],
    datetime: "2024-07-01/2024-07-31",
    limit: 3,
    query: { "eo:cloud_cover": { lte: 50 } },
    filter: { op: "<=", args: [{ property: "eo:cloud_cover" }, 5] },
    fields: { include: ["id"], exclude: ["assets"] },
  }),
  call("render", { preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31", size: 64 }),
  call("render", { preset: "true-color", collection: "sentinel-2-l2a", item: ITEM, size: 64 }),
  call("timeseries", { geometry: POINT, datetime: "2024-07-01/2024-07-31", index: "ndvi", cloudMask: { exclude: [] } }),
  call("statistics", {
    input: { bounds: { bbox: [13.2, 45.45, 13.22, 45.47] }, data: [{ type: "sentinel-2-l2a" }] },
    aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, width: 8, height: 8 },
    index: "ndvi",
  }),
];

const HEADERS: readonly [string, readonly string[]][] = [
  ["Mcp-Session-Id", ["", "a", "%00", "a".repeat(5000)]],
  ["MCP-Protocol-Version", ["", "2026-07-28", "2025-03-26", "9999-99-99", "a".repeat(500)]],
  ["Mcp-Method", ["tools/call", "ping", "", "é"]],
  ["Mcp-Name", ["search", "render", "=?base64?AA==?="]],
  ["Accept", ["", "text/event-stream", "*/*", "nonsense", "application/json;q=x"]],
  ["Content-Type", ["", "text/plain", "application/json; charset=latin1"]],
  ["Content-Encoding", ["gzip", "br", "identity"]],
  ["Origin", ["null", "http://evil.test", "nonsense"]],
  ["X-API-Key", ["", "nonsense"]],
];

/** So many has one subject. */
const SESSIONS = 100;
const isDocument = (value: unknown): boolean => typeof value === "object" && value !== null;

test(`${MESSAGES} mutated messages: no 5xx, every error readable, none slow, no session left over`, {
  tags: ["MC14"],
  timeout: 1_800_000,
}, async () => {
  const store = await memoryStore();
  const { mcpSessions } = accountsOn(store, { now: () => NOW.getTime() });
  const service = await testService({ mcpSessions }, { check: false, profile: FULL });
  const random = generator(20_261_123);
  // a copy: what is put into one message is changed there
  const pick = <T>(list: readonly T[]): T => structuredClone(list[Math.floor(random() * list.length)]) as T;
  const rows = async (): Promise<number> => Number((await store.query("select count(*) as n from mcp_session"))[0]?.n);
  let session = await startSession(service);
  const slow = await slowTime(
    SEEDS.map((message) => async () => (await send(service, message, { "Mcp-Session-Id": session.id })).text()),
  );
  let slowest = 0;
  const statuses = new Map<string, number>();
  const heap: number[] = [];
  for (let i = 0; i < MESSAGES; i++) {
    const headers: Record<string, string> = { "Mcp-Session-Id": session.id };
    const message = structuredClone(SEEDS[i % SEEDS.length]) as Record<string, unknown>;
    let body: string | undefined;
    for (let faults = 1 + Math.floor(random() * 3); faults > 0; faults--) {
      const chance = random();
      const { arguments: input } = (message.params ?? {}) as { arguments?: unknown };
      if (chance < 0.75 && isDocument(input)) replaceSomewhere(input, random, pick);
      else if (chance < 0.6) replaceSomewhere(message, random, pick);
      else if (chance < 0.8) message.params = pick(VALUES);
      else if (chance < 0.9) {
        const [name, values] = pick(HEADERS);
        const value = pick(values);
        if (!/[^\x20-\x7e]/.test(value)) headers[name] = value;
      } else if (chance < 0.97) {
        const text = JSON.stringify(message);
        body = random() < 0.5 ? text.slice(0, Math.floor(random() * text.length)) : pick(TEXTS);
      } else body = pick([JSON.stringify([message, message]), `${"[".repeat(100_000)}`, `{"a":${"[".repeat(50_000)}`]);
    }
    body ??= JSON.stringify(message);
    const what = `${body.slice(0, 600)} ${JSON.stringify(headers).slice(0, 300)}`;
    const started = performance.now();
    const response = await send(service, body, headers);
    const text = await response.text();
    const took = performance.now() - started;
    slowest = Math.max(slowest, took);
    expect(took, what).toBeLessThan(slow);
    expect(response.status, what).toBeLessThan(500);
    const type = response.headers.get("Content-Type");
    if (response.status >= 400) expect([PROBLEM_MEDIA_TYPE, "application/json"], what).toContain(type);
    if (text !== "" && type !== "text/event-stream") {
      const answer = JSON.parse(text) as {
        error?: { code: number };
        result?: { isError?: boolean; structuredContent?: { status?: number } };
      };
      // failures of the service's own are neither errors of the protocol nor of a tool
      expect(answer.error?.code, what).not.toBe(-32603);
      if (answer.result?.isError === true) expect(answer.result.structuredContent?.status, what).toBeLessThan(500);
      const kind = answer.result?.isError === true ? "failed" : answer.error === undefined ? "" : "error";
      const key = `${response.status} ${kind}`.trim();
      statuses.set(key, (statuses.get(key) ?? 0) + 1);
    }
    if (i % 500 === 499) {
      heap.push(process.memoryUsage().heapUsed / 1_048_576);
      expect(await rows()).toBeLessThanOrEqual(SESSIONS);
      session = await startSession(service);
    }
  }
  console.info(
    `${JSON.stringify(Object.fromEntries(statuses))}; slowest ${Math.round(slowest)} of ${Math.round(slow)} ms; heap ${heap.map(Math.round).join(", ")} MB`,
  );
  for (const kind of ["200", "200 failed", "200 error", "400"]) expect(statuses.get(kind), kind).toBeGreaterThan(100);
  const early = Math.max(...heap.slice(0, 4));
  expect(Math.min(...heap.slice(-3))).toBeLessThan(early * 1.3 + 32);
  await store.close();
});
