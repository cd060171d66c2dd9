import { expect, test } from "vitest";
import { accountsOn } from "../accounts/accounts-on.ts";
import { KEY, memoryStore, testService } from "../tools/harness.ts";

const START = Date.parse("2026-06-16T12:00:00Z");

test("requests with a valid key count, also those answered 304 and 404; others do not", { tags: ["M4"] }, async () => {
  const store = await memoryStore();
  const { limits, close } = accountsOn(store, {
    now: () => START,
    limits: { key: { perSecond: 0.001, burst: 4 }, service: { perSecond: 100, burst: 200 }, keyMonthly: 100 },
  });
  const service = await testService({ limits });
  const path = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png";
  const answers: number[] = [];
  const ask = async (headers: Readonly<Record<string, string>>, address = path): Promise<Response> => {
    const response = await service.request(address, { headers });
    answers.push(response.status);
    return response;
  };
  await ask({});
  await ask({ "X-API-Key": "wrong" });
  await ask({ "X-API-Key": KEY }, "/v1");
  const first = await ask({ "X-API-Key": KEY });
  await ask({ "X-API-Key": KEY, "If-None-Match": first.headers.get("ETag") ?? "" });
  await ask({ "X-API-Key": KEY }, "/v1/search?limit=no");
  await ask({ "X-API-Key": KEY }, "/v1/process/jobs/none");
  const refused = await ask({ "X-API-Key": KEY });
  expect(answers).toEqual([401, 401, 200, 200, 304, 400, 404, 429]);
  expect(refused.headers.get("Retry-After")).toBe("1");
  expect(refused.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(refused.headers.get("Cache-Control")).toBe("no-store");
  expect(await refused.json()).toMatchObject({ code: "rate-limited", retryAfter: 1, limits: { burst: 4 } });
  await close();
  expect(await store.query("select requests from usage_count")).toEqual([{ requests: 4 }]);
  await store.close();
});
