import { expect, test } from "vitest";
import { FULL, testService } from "./harness.ts";

const service = await testService({}, { profile: FULL });

test("smoke", async () => {
  for (const q of ["index=ndvi", "index=ndvi&collections=sentinel-2-l2a", "expression=(nir08-red)/(nir08%2Bred)&collections=sentinel-2-l2a,landsat-ot-l2"]) {
  const t = performance.now();
  const response = await service.get(`/v1/timeseries?lon=13.21&lat=45.46&datetime=2020-01-01/..&${q}`);
  const answer = await response.json();
  console.log(performance.now() - t, JSON.stringify(answer, null, 1).slice(0, 6500), response.headers);
  expect(response.status).toBe(200);
  }
  const response = await service.get(`/v1/timeseries?lon=13.21&lat=45.46&datetime=2020-01-01/..&index=ndvi`, {Accept: "text/csv"});
  console.log(await response.text());
});
