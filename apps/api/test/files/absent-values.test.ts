import { createArchiveCatalog, createNeighbourhoodSearch } from "@swath/catalog";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, type TestService, testService } from "../tools/harness.ts";

interface WrittenItem {
  readonly id: string;
  readonly collection: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

const square = {
  type: "Polygon",
  coordinates: [
    [
      [13, 45],
      [14, 45],
      [14, 46],
      [13, 46],
      [13, 45],
    ],
  ],
};

/** Scenes as an upstream writes them, of which every third has no cloud cover and every fourth no time of creation. */
const SCENES: readonly WrittenItem[] = Array.from({ length: 24 }, (_, i) => {
  const isSentinel = i % 2 === 0;
  const number = String(i).padStart(5, "0");
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id: isSentinel ? `S2A_T33TUL_${number}_L2A` : `LC08_L2SP_191028_${number}`,
    collection: isSentinel ? "sentinel-2-c1-l2a" : "landsat-c2-l2",
    geometry: square,
    links: [],
    properties: {
      datetime: new Date(Date.UTC(2024, 5, 1 + i)).toISOString(),
      platform: isSentinel ? "sentinel-2a" : i % 4 === 1 ? "landsat-9" : "LANDSAT_8",
      ...(i % 3 === 0 ? {} : { "eo:cloud_cover": (i * 7) % 50 }),
      ...(i % 4 === 0 ? {} : { created: new Date(Date.UTC(2024, 6, 1 + (i % 5))).toISOString() }),
      ...(isSentinel ? { "s2:mgrs_tile": "33TUL", "grid:code": "MGRS-33TUL" } : { "landsat:wrs_path": "191" }),
    },
    assets: {},
  };
});

let service: TestService;
beforeAll(async () => {
  const catalog = createArchiveCatalog({ items: SCENES, registry: FULL.registry });
  service = await testService({ catalog, tileScenes: createNeighbourhoodSearch(catalog) }, { profile: FULL });
});

interface Page {
  readonly features: readonly WrittenItem[];
  readonly numberMatched: number;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

async function pageAt(path: string): Promise<Page> {
  const response = await service.get(path);
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  return (await response.json()) as Page;
}
const linkOf = ({ links }: Page, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.href.replace("http://service.test", "");

/** All scenes of a search, page after page, by links in one direction. */
async function walk(path: string, rel: "next" | "prev"): Promise<{ scenes: WrittenItem[]; last: Page }> {
  let last = await pageAt(path);
  const pages = [last.features];
  for (let next = linkOf(last, rel); next !== undefined; next = linkOf(last, rel)) {
    last = await pageAt(next);
    expect(last.features.length).toBeGreaterThan(0);
    pages.push(last.features);
  }
  return { scenes: (rel === "next" ? pages : pages.reverse()).flat(), last };
}

describe("a sort field that items lack", () => {
  test.each(["eo:cloud_cover", "created", "updated", "landsat:wrs_path", "platform"])(
    "%s: they come last in both directions, to the end and back",
    { tags: ["N10"] },
    async (field) => {
      for (const sign of ["%2B", "-"]) {
        const { scenes, last } = await walk(`/v1/search?limit=5&sortby=${sign}${field}`, "next");
        expect(new Set(scenes.map(({ id }) => id)).size).toBe(SCENES.length);
        const values = scenes.map(({ properties }) => properties[field] as string | number | undefined);
        const known = values.filter((value) => value !== undefined);
        expect(values.slice(0, known.length)).toEqual(known);
        const sorted = [...known].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(known).toEqual(sign === "-" ? sorted.reverse() : sorted);
        const prev = linkOf(last, "prev");
        const back = await walk(prev ?? "", "prev");
        expect(back.scenes.map(({ id }) => id)).toEqual(
          scenes.slice(0, scenes.length - last.features.length).map(({ id }) => id),
        );
      }
    },
  );
});

describe("a comparison with a property that an item lacks is neither true nor false", () => {
  const clouded = SCENES.filter(({ properties }) => properties["eo:cloud_cover"] !== undefined);
  const other = clouded.filter(({ properties }) => properties["eo:cloud_cover"] !== 7);

  test.each([
    ["<>", "filter", "eo:cloud_cover <> 7"],
    ["NOT =", "filter", "NOT (eo:cloud_cover = 7)"],
    ["NOT IN", "filter", "NOT (eo:cloud_cover IN (7))"],
    ["NOT BETWEEN", "filter", "NOT (eo:cloud_cover BETWEEN 7 AND 7)"],
    ["NOT NOT <>", "filter", "NOT (NOT (eo:cloud_cover <> 7))"],
    ["neq of the query extension", "query", '{"eo:cloud_cover":{"neq":7}}'],
  ])("%s", { tags: ["N11"] }, async (_, name, value) => {
    const page = await pageAt(`/v1/search?limit=100&${new URLSearchParams({ [name]: value })}`);
    expect(page.features.map(({ id }) => id).sort()).toEqual(other.map(({ id }) => id).sort());
    expect(page.numberMatched).toBe(other.length);
  });

  test("and IS NULL finds it", { tags: ["N11"] }, async () => {
    const filter = new URLSearchParams({ filter: "eo:cloud_cover IS NULL OR eo:cloud_cover < 5" });
    const page = await pageAt(`/v1/search?limit=100&${filter}`);
    const wanted = SCENES.filter(({ properties }) => Number(properties["eo:cloud_cover"] ?? 0) < 5);
    expect(page.features.map(({ id }) => id).sort()).toEqual(wanted.map(({ id }) => id).sort());
  });
});

test("an empty list of ids finds nothing, an empty list of collections is all", { tags: ["N12"] }, async () => {
  const nothing = { features: [], numberMatched: 0, numberReturned: 0 };
  expect(await pageAt("/v1/search?ids=")).toMatchObject(nothing);
  expect(await (await service.post("/v1/search", { ids: [] })).json()).toMatchObject(nothing);
  expect(await (await service.post("/v1/search", { collections: [] })).json()).toMatchObject({
    numberMatched: SCENES.length,
  });
});
