import { expect, test } from "vitest";
import { costRatio } from "../../../../test/tools/cost.ts";
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

test("a first page of 1,000 of 12,000 items, filtered and sorted, takes about eight times the work of one of 125 of 1,500", async () => {
  let asked = 0;
  /** Searches in an order and for an area that nothing is kept of. */
  const firstPage = (count: number, limit: number) => {
    const catalog = createArchiveCatalog({ items: upstreamItems(count, 3) });
    return async (): Promise<void> => {
      asked += 1;
      const query = search({
        limit,
        bbox: [-110 - asked / 1e6, 30, 20, 60],
        sortby: ["eo:cloud_cover", `nobody:${asked}`].map((field) => ({ field, direction: "asc" })),
      });
      expect((await catalog.search(query)).items).toHaveLength(limit);
    };
  };
  // of work that grows with the square of the items it would be 64 times
  expect(await costRatio(firstPage(12_000, 1000), firstPage(1500, 125))).toBeLessThan(24);
});
