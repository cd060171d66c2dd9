import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createMergedCatalog, createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { searchNames } from "@swath/engine/search";
import { createStacHandler, type UpstreamItem } from "@swath/sandbox";
import { type CollectionRegistry, createRegistry } from "@swath/schema";
import { parseCollectionFile } from "@swath/schema/files";
import { beforeAll, expect, inject, test } from "vitest";
import { LEAN_FILES } from "../../src/open/served-files.ts";
import { type TestService, testService } from "../tools/harness.ts";

/** A collection of a file of one's own that has a recipe for one of three presets, and none for previews. */
const ID = "aerial-rgbn";
const text = readFileSync(join(import.meta.dirname, "..", "own", "collections", `${ID}.json`), "utf8");
const file = parseCollectionFile(text, `${ID}.json`);
const { "true-color": _, ...recipes } = file.recipes ?? {};
const registryWith = (own: typeof recipes) =>
  createRegistry(
    [...LEAN_FILES.collections, { ...file, recipes: own, upstream: { ...file.upstream, name: "aerial" } }],
    LEAN_FILES.presets,
  );
const registry = registryWith(recipes);

const ring = [
  [15, 46],
  [15.1, 46],
  [15.1, 46.1],
  [15, 46.1],
  [15, 46],
];
const item = {
  type: "Feature",
  stac_version: "1.0.0",
  id: "or_m_4200000_ne",
  collection: file.upstream.collection,
  geometry: { type: "Polygon", coordinates: [ring] },
  bbox: [15, 46, 15.1, 46.1],
  properties: { datetime: "2024-06-01T00:00:00Z", gsd: 2, "aerial:flight": "1007", "proj:epsg": 32633 },
  assets: { image: { href: "https://files.example/image.tif", type: "image/tiff; application=geotiff" } },
  links: [],
} as unknown as UpstreamItem;

interface Link {
  readonly rel: string;
  readonly href: string;
}
interface Document {
  readonly id: string;
  readonly collection: string;
  readonly links: readonly Link[];
  readonly assets: Readonly<Record<string, { readonly href: string }>>;
  readonly item_assets: Readonly<Record<string, unknown>>;
}

let service: TestService;
/** The same with a collection that no recipe renders. */
let without: TestService;
async function serve(registry: CollectionRegistry): Promise<TestService> {
  const url = "https://aerial.example/v1";
  const stac = createStacHandler({ baseUrl: url, items: [item] });
  const fetch: typeof globalThis.fetch = async (input, init) => stac(new Request(input, init));
  const catalog = createMergedCatalog({
    registry,
    catalogs: {
      default: await openArchive(inject("sandbox"), { registry: registry.withUpstreams(["default"]) }),
      aerial: createUpstreamCatalog({ url, fetch, registry, name: "aerial", retries: 0 }),
    },
  });
  return testService({ registry, catalog, tileScenes: createNeighbourhoodSearch(catalog) });
}
beforeAll(async () => {
  service = await serve(registry);
  without = await serve(registryWith({}));
});

const json = async <T>(address: string, of: TestService = service): Promise<T> => {
  const response = await of.get(address);
  expect([address, response.status]).toEqual([address, 200]);
  return (await response.json()) as T;
};
const pathOf = (href: string): string => {
  const { pathname, search } = new URL(href);
  return pathname + search;
};

test("a preset lists the collections that it draws: each has TileJSON and tiles, every other is refused", {
  tags: ["R7"],
}, async () => {
  const { presets } = await json<{
    presets: { id: string; collection: string; collections: string[]; links: Link[] }[];
  }>("/v1/presets");
  const { collections } = await json<{ collections: { id: string }[] }>("/v1/collections");
  expect(collections.map(({ id }) => id)).toContain(ID);
  const offered = presets.flatMap(({ id, collections: of }) => of.map((each) => `${id} ${each}`));
  expect(offered).toContain(`ndvi ${ID}`);
  expect(offered).not.toContain(`true-color ${ID}`);
  for (const preset of presets) {
    expect(preset.collections).toContain(preset.collection);
    for (const { href } of preset.links) await json(pathOf(href));
    for (const { id } of collections) {
      const isOffered = preset.collections.includes(id);
      const address = `/v1/tiles/${preset.id}/WebMercatorQuad/tilejson.json?collection=${id}`;
      const response = await service.get(address);
      expect([address, response.status]).toEqual([address, isOffered ? 200 : 400]);
      const { minzoom } = isOffered ? ((await response.json()) as { minzoom: number }) : { minzoom: 12 };
      const tile = await service.get(
        `/v1/tiles/${preset.id}/WebMercatorQuad/${minzoom}/0/0.png?collection=${id}&datetime=2001-01-01/2001-01-02`,
      );
      expect([preset.id, id, tile.status]).toEqual([preset.id, id, isOffered ? 200 : 400]);
    }
  }
});

test("an item links to a preview, and has a thumbnail, where one can be drawn and nowhere else", {
  tags: ["V7"],
}, async () => {
  for (const from of [service, without]) {
    const { features } = await json<{ features: Document[] }>("/v1/search?limit=100", from);
    expect(new Set(features.map(({ collection }) => collection)).size).toBe(3);
    for (const { id, collection, links, assets } of features) {
      const preview = links.find(({ rel }) => rel === "preview");
      expect([id, preview !== undefined]).toEqual([id, collection !== ID || from === service]);
      expect(assets.thumbnail?.href).toBe(preview?.href);
      for (const { href, rel } of links) if (rel !== "preview") await json(pathOf(href), from);
    }
  }
  const plain = await json<Document>(`/v1/collections/${ID}`, without);
  expect(plain.item_assets).not.toHaveProperty("thumbnail");
  expect((await json<Document>("/v1/collections/landsat-ot-l2")).item_assets).toHaveProperty("thumbnail");
  const refused = await without.get(`/v1/collections/${ID}/items/or_m_4200000_ne/preview.png`);
  expect([refused.status, await refused.json()]).toMatchObject([404, { code: "not-found" }]);
});

test("every pair of collections is searched together, in every order and by every property that is offered", async () => {
  const { queryables, sortables } = searchNames(registry);
  const pairs = registry.ids.flatMap((one, i) => registry.ids.slice(i).map((two) => `${one},${two}`));
  for (const pair of pairs) {
    for (const field of sortables) await json(`/v1/search?collections=${pair}&sortby=-${field}&limit=2`);
    for (const [name, { kind }] of Object.entries(queryables)) {
      const value = kind === "number" ? 1 : kind === "instant" ? "2024-01-01T00:00:00Z" : "a";
      const query = { [name]: kind === "strings" ? { contains: value } : { eq: value } };
      const response = await service.post("/v1/search", { collections: pair.split(","), query, limit: 2 });
      expect([pair, name, response.status]).toEqual([pair, name, 200]);
    }
  }
});

test("no enumeration of the OpenAPI document names a preset or collection that a request may not combine", async () => {
  const document = JSON.stringify(await json("/v1/openapi.json"));
  for (const [, list = ""] of document.matchAll(/"enum":\[([^\]]*)\]/g)) {
    for (const name of [...registry.presets.map(({ id }) => id), ...registry.ids]) {
      expect(list.split(",")).not.toContain(`"${name}"`);
    }
  }
});
