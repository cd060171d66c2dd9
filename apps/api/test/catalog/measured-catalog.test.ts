import { type Counts, createArchiveCatalog, createVirtualCatalog } from "@swath/catalog";
import type { CountRequest } from "@swath/query/aggregation";
import { expect, test } from "vitest";
import { measuredCatalog } from "../../src/metrics/measured.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";

test("a catalog that is measured counts as it does unmeasured, and says which upstreams are missing", async () => {
  const metrics = createMetrics();
  const total = { buckets: new Map<string, number>(), value: 70_000, counted: 70_000, isWhole: true };
  const counts: Counts = { counts: new Map([["total_count", total]]), missing: ["second"] };
  const counting = { ...createArchiveCatalog({ items: [] }), count: async () => counts };
  const catalog = createVirtualCatalog({ catalog: measuredCatalog(counting, metrics) });
  const request: CountRequest = { names: ["total_count"], interval: "month" };
  const query = { collections: ["sentinel-2-l2a"], sortby: [], limit: 10 };
  expect(await catalog.count?.(query, request)).toEqual(counts);
  const text = await metrics.text();
  expect(text).toContain('swath_catalog_seconds_count{operation="count",outcome="ok"} 1');
  expect(text).toContain('swath_pages_without_upstream_total{upstream="second"} 1');
});
