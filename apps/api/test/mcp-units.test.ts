import { beforeEach, expect, test } from "vitest";
import { openUnitAccounts } from "../src/metering/unit-accounts.ts";
import { profileFor } from "./account-access.ts";
import { memoryStore, type TestService, testService } from "./harness.ts";
import { type Session, startSession } from "./mcp-client.ts";
import { accountIdentity } from "./unit-nodes.ts";

const ANN = { "X-API-Key": "ann" };
const PROFILE = profileFor({ ann: accountIdentity("ann", "free", "key-1") });
const BOX = { bbox: [13.2, 45.4, 13.4, 45.6], datetime: "2024-07-01/2024-07-31" };
const POINT = { type: "Point", coordinates: [13.21, 45.46] };

let service: TestService;
let session: Session;

beforeEach(async () => {
  const now = (): number => Date.parse("2026-06-16T12:00:05Z");
  const units = openUnitAccounts(await memoryStore(), { now });
  const parts = { registry: PROFILE.registry, units, now: () => new Date(now()), tileCacheBytes: 16 * 1_048_576 };
  service = await testService(parts, { profile: PROFILE });
  session = await startSession(service, { headers: ANN });
});

/** Units that the account has spent, as it is told. */
async function spent(): Promise<number> {
  const response = await service.request("/v1/usage", { headers: ANN });
  return ((await response.json()) as { units: { spent: number } }).units.spent;
}

test("what calls say that they cost is what the account has spent; calls that fail cost nothing", async () => {
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
