import { expect, test } from "vitest";
import { FULL, testService } from "./harness.ts";

const service = await testService({}, { profile: FULL });
const body = {
  input: { bounds: { bbox: [13.2, 45.45, 13.22, 45.47] }, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: {
    timeRange: { from: "2024-04-01", to: "2024-07-31" },
    aggregationInterval: { of: "P1M" },
  },
  index: "ndvi",
  calculations: { default: { percentiles: [5, 50, 95], histogram: { nBins: 4 } } },
};

test("smoke", async () => {
  const t = performance.now();
  const response = await service.post("/v1/statistics", body);
  const answer = await response.json();
  console.log(performance.now() - t, JSON.stringify(answer, null, 1).slice(0, 3500));
  expect(response.status).toBe(200);
});
