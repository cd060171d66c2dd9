import { expect, test } from "vitest";
import { writeFileSync } from "node:fs";
import { FULL, testService } from "./harness.ts";
const service = await testService({}, { profile: FULL });
test("smoke", async () => {
  const r = await service.get(`/v1/timeseries?lon=13.21&lat=45.46&datetime=2020-01-01/..&index=ndvi`, {Accept: "image/png"});
  writeFileSync("/tmp/ts-chart.png", new Uint8Array(await r.arrayBuffer()));
  const poly = { type: "Polygon", coordinates: [[[13.2,45.45],[13.22,45.45],[13.22,45.47],[13.2,45.47],[13.2,45.45]]] };
  const p = await service.post("/v1/timeseries", { geometry: poly, datetime: "2020-01-01/..", index: "ndvi", reducer: "median" });
  console.log(p.status, JSON.stringify((await p.json()), null, 0).slice(0, 3000));
});
