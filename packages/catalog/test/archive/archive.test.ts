import { expect, test } from "vitest";
import { createArchiveCatalog } from "../../src/index.ts";
import { catalogSuite, search } from "../catalog-suite.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";

catalogSuite("An archive", (items) => createArchiveCatalog({ items }));

test("an archive measures its extent", { tags: ["C5"] }, async () => {
  const catalog = createArchiveCatalog({ items: upstreamItems(50) });
  const extent = await catalog.extent("sentinel-2-l2a");
  const [[start, end] = []] = extent?.temporal.interval ?? [];
  expect([start, end]).toEqual([
    expect.stringMatching(/^2024-01-01T.*Z$/),
    expect.stringMatching(/^2024-01-0[5-6]T.*Z$/),
  ]);
  expect(extent?.spatial.bbox).toHaveLength(1);
  expect(await catalog.extent("sentinel-2-l2a")).toBe(extent);
});

test("an archive pages through items without a value in a mixed order", async () => {
  const catalog = createArchiveCatalog({ items: upstreamItems(120) });
  const query = search({ limit: 11, sortby: [{ field: "landsat:wrs_path", direction: "desc" }] });
  const seen: (string | undefined)[] = [];
  let page = await catalog.search(query);
  for (;;) {
    seen.push(...page.items.map((item) => item.properties["landsat:wrs_path"] as string | undefined));
    if (page.next === undefined) break;
    page = await catalog.search({ ...query, token: page.next });
  }
  expect(seen).toHaveLength(page.numberMatched as number);
  expect(seen.slice(seen.indexOf(undefined)).every((value) => value === undefined)).toBe(true);
});

test("a first page of 1,000 of 12,000 items, filtered and sorted, takes well under a second", async () => {
  const catalog = createArchiveCatalog({ items: upstreamItems(12_000, 3) });
  const query = search({
    limit: 1000,
    bbox: [-110, 30, 20, 60],
    sortby: [{ field: "eo:cloud_cover", direction: "asc" }],
  });
  await catalog.search(search());
  // processor time, which other work on the machine does not lengthen
  const started = process.cpuUsage();
  const page = await catalog.search(query);
  const { user, system } = process.cpuUsage(started);
  expect(page.items).toHaveLength(1000);
  expect((user + system) / 1000).toBeLessThan(500);
});
