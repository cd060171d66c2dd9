import { beforeEach, expect, test } from "vitest";
import { accountIdentity } from "../../../../test/tools/unit-nodes.ts";
import { profileFor } from "../accounts/account-access.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { memoryStore, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { type Session, send, startSession } from "../tools/mcp-client.ts";

const ANN = { "X-API-Key": "ann" };
const PROFILE = profileFor({ ann: accountIdentity("ann", "free", "key-1") });
const BOX = { bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31" };
const POINT = { type: "Point", coordinates: [13.21, 45.46] };

let service: TestService;
let session: Session;

const now = (): number => Date.parse("2026-06-16T12:00:05Z");

async function parts() {
  const { units } = accountsOn(await memoryStore(), { now });
  return { registry: PROFILE.registry, units, now: () => new Date(now()), tileCacheBytes: 16 * 1_048_576 };
}

beforeEach(async () => {
  service = await testService(await parts(), { profile: PROFILE });
  session = await startSession(service, { headers: ANN });
});

/** Units that the account has spent, as it is told. */
async function spent(): Promise<number> {
  const response = await service.request("/v1/usage", { headers: ANN });
  return ((await response.json()) as { units: { spent: number } }).units.spent;
}

test("what calls say that they cost is what the account has spent; calls that fail cost nothing", {
  tags: ["MC12"],
}, async () => {
  const calls: readonly (readonly [string, object])[] = [
    ["collections", {}],
    ["search", { limit: 1 }],
    ["search", { collections: ["nothing"] }],
    ["render", { preset: "ndvi", ...BOX, size: 128 }],
    ["render", { preset: "ndvi", ...BOX, size: 128 }],
    ["render", { preset: "nothing", ...BOX }],
    ["timeseries", { geometry: POINT, datetime: "2024-01-01/2024-12-31", index: "ndvi" }],
    ["timeseries", { geometry: POINT, datetime: "2024-01-01/2024-12-31", index: "nothing" }],
  ];
  let told = 0;
  for (const [name, input] of calls) {
    const before = await spent();
    const { response, result } = await session.call(name, input);
    const { units } = result._meta;
    expect([name, Number(response.headers.get("X-Units-Spent"))]).toEqual([name, units]);
    expect((await spent()) - before).toBeCloseTo(units, 6);
    expect(response.headers.get("RateLimit")).toContain('"units-minute"');
    told += units;
  }
  expect(told).toBeCloseTo(0.0493, 6);
  expect(await spent()).toBeCloseTo(told, 6);
});

test("a call beyond what one request may cost is a result with the units that it would have cost", async () => {
  const { response, result } = await session.call("statistics", {
    input: { bounds: { bbox: [12.5, 45.1, 13.8, 46] }, data: [{ type: "sentinel-2-l2a" }] },
    aggregation: {
      timeRange: { from: "2021-01-01", to: "2026-06-01" },
      aggregationInterval: { of: "P1Y" },
      width: 2500,
      height: 2500,
    },
    bands: ["red", "nir", "green", "blue"],
  });
  expect(response.status).toBe(200);
  expect(result).toMatchObject({
    isError: true,
    structuredContent: { code: "request-too-expensive", limits: { maxUnits: 100 } },
    _meta: { units: 0 },
  });
  expect(await spent()).toBe(0);
});

test("a request that its client cancels stops, costs nothing, and gives back what it reserved", async () => {
  const { renderer } = await sandboxServices({ registry: PROFILE.registry });
  const stopped: unknown[] = [];
  let rendering = 0;
  const render = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<never>((__, reject) => {
      rendering += 1;
      signal.addEventListener("abort", () => {
        stopped.push(signal.reason);
        reject(signal.reason);
      });
    });
  service = await testService({ ...(await parts()), renderer: { ...renderer, render } }, { profile: PROFILE });
  const own = await startSession(service, { headers: ANN });
  const other = await startSession(service, { headers: ANN });
  const call = (id: string | number, preset: string): Promise<Response> => {
    const params = { name: "render", arguments: { preset, ...BOX, size: 128 } };
    const message = { jsonrpc: "2.0", id, method: "tools/call", params };
    return send(service, message, { ...ANN, "Mcp-Session-Id": own.id });
  };
  const cancel = async (session: string, requestId: unknown): Promise<void> => {
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } };
    const response = await send(service, message, { ...ANN, "Mcp-Session-Id": session });
    expect([response.status, await response.text()]).toEqual([202, ""]);
  };
  const first = call(7, "ndvi");
  const second = call("7", "true-color");
  await expect.poll(() => rendering).toBe(2);
  // of another session, of another id, of none
  await cancel(other.id, 7);
  for (const id of [8, "8", null, { id: 7 }, undefined]) await cancel(own.id, id);
  expect(stopped).toEqual([]);
  for (const [id, answer] of [
    [7, first],
    ["7", second],
  ] as const) {
    await cancel(own.id, id);
    const response = await answer;
    expect(response.headers.get("X-Units-Spent")).toBe("0");
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id,
      error: { code: -32000, message: "The client cancelled the request." },
    });
  }
  expect(stopped).toHaveLength(2);
  expect(await spent()).toBe(0);
  // neither of the two requests at once that the tier allows is still counted
  expect((await own.call("search", { limit: 1 })).result.isError).toBeUndefined();
});
