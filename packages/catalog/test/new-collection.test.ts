import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { parseSearch, QUERYABLES, SORTABLES } from "@swath/query";
import { bandScaling, createRegistry, findBand } from "@swath/schema";
import { parseCollectionFile } from "@swath/schema/files";
import { toBand } from "@swath/schema/models";
import { afterAll, describe, expect, test } from "vitest";
import { createMergedCatalog, createUpstreamCatalog, type Item, toServiceItem } from "../src/index.ts";
import type { Document } from "./fixtures.ts";
import { type FakeUpstream, fakeUpstream } from "./upstream/fake-upstream.ts";
import { upstreamItems } from "./upstream/upstream-items.ts";

// a collection that no code names: one file, behind a second upstream
const NAME = "aerial-rgbn.json";
const aerial = parseCollectionFile(readFileSync(join(import.meta.dirname, "fixtures", NAME), "utf8"), NAME);
const builtIn = ["sentinel-2-l2a", "landsat-ot-l2"].map((id) => {
  const path = new URL(import.meta.resolve(`@swath/schema/collections/${id}.json`));
  return parseCollectionFile(readFileSync(path, "utf8"), `${id}.json`);
});
const registry = createRegistry([...builtIn, aerial]);

const AT = "https://files.aerial.example";

/** Items as that upstream has them: no platform and no cloud cover, flights as numbers, files on a host and in a bucket. */
const items = Array.from({ length: 60 }, (_, i): Document => {
  const [west, south] = [-120 + (i % 10), 40 + Math.floor(i / 10)];
  const ring = [
    [west, south],
    [west + 1, south],
    [west + 1, south + 1],
    [west, south + 1],
    [west, south],
  ];
  const file = (name: string) => ({
    href: `${AT}/${i}/${name}.tif`,
    alternate: { s3: { href: `s3://aerial-images/${i}/${name}.tif` } },
    type: "image/tiff; application=geotiff",
  });
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id: `${i % 3 === 0 ? "or" : "ca"}_m_${4200000 + i}_ne`,
    collection: "naip",
    geometry: { type: "Polygon", coordinates: [ring] },
    properties: {
      datetime: `2024-0${1 + (i % 9)}-${10 + (i % 19)}T00:00:00Z`,
      gsd: 0.6,
      "aerial:flight": String(1000 + (i % 7)),
      "proj:epsg": 26910,
    },
    assets: {
      red: file("red"),
      green: file("green"),
      blue: file("blue"),
      nir: file("nir"),
      metadata: { href: `${AT}/${i}/metadata.txt`, type: "text/plain" },
    },
    links: [],
  };
});

/** A fake upstream behind a socket of this machine. */
async function onLoopback(fake: FakeUpstream): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const body = request.method === "POST" ? { body: await buffer(request) } : {};
    const answer = await fake.fetch(`${fake.url}${request.url}`, { method: request.method ?? "GET", ...body });
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(await answer.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

const others = upstreamItems(80);
const fakes = { default: fakeUpstream(others), aerial: fakeUpstream(items) };
const [first, second] = [await onLoopback(fakes.default), await onLoopback(fakes.aerial)];
afterAll(() => {
  first.close();
  second.close();
});
const catalog = createMergedCatalog({
  registry,
  catalogs: {
    default: createUpstreamCatalog({ url: first.url, registry, retries: 0 }),
    aerial: createUpstreamCatalog({ url: second.url, registry, name: "aerial", retries: 0 }),
  },
});

const names = {
  queryables: { ...QUERYABLES, ...registry.queryables() },
  sortables: [...SORTABLES, ...registry.sortFields()],
};
/** A search as the service reads it. */
const searched = (input: Readonly<Record<string, unknown>>) =>
  catalog.search(parseSearch(input, "body", undefined, names).query);

describe("a collection that is one file", () => {
  test("is found by its id and aliases, with what an alias restricts", () => {
    expect(registry.resolve("aerial-rgbn").title).toBe("Aerial images, four bands");
    expect(registry.find("naip-like")?.collection.id).toBe("aerial-rgbn");
    expect(registry.find("aerial-oregon")?.alias?.query).toEqual({ "aerial:state": { eq: "or" } });
    expect(registry.ids).toEqual(["sentinel-2-l2a", "landsat-ot-l2", "aerial-rgbn"]);
    expect(registry.withUpstreams(["default"]).find("aerial-rgbn")).toBeUndefined();
  });

  test("has items under native band names, with its own properties, extension and storage", async () => {
    const item = (await catalog.item("aerial-rgbn", "or_m_4200000_ne")) as Item;
    expect(Object.keys(item.assets)).toEqual(["R", "G", "B", "N", "metadata"]);
    expect(item.properties).toMatchObject({
      "aerial:state": "or",
      "svc:source_collection": "aerial-rgbn",
      "svc:mask_source": "none",
      "svc:mask_capabilities": [],
      "svc:harmonization": "none",
      "storage:schemes": { aws: { bucket: "aerial-images", region: "eu-central-1", requester_pays: true } },
    });
    expect(item.stac_extensions).toContain("https://example.org/aerial/v1.0.0/schema.json");
    expect(item.assets.N).toMatchObject({
      href: "s3://aerial-images/0/nir.tif",
      "svc:band": "N",
      gsd: 0.6,
      bands: [{ name: "N", "eo:common_name": "nir", data_type: "uint8", "raster:scale": 0.004, "raster:offset": 0 }],
    });
    expect(item.assets.N?.bands?.[0]).not.toHaveProperty("nodata");
    expect(await catalog.item("sentinel-2-l2a", "or_m_4200000_ne")).toBeUndefined();
    const { collection: _, ...nameless } = items[0] as Document;
    expect(toServiceItem(nameless, registry)?.collection).toBe("aerial-rgbn");
    expect(toServiceItem(items[0], registry, "default")).toBeUndefined();
    expect(toServiceItem(items[0])).toBeUndefined();
  });

  test("is searched, filtered and sorted by what it adds", async () => {
    const all = await searched({ collections: ["aerial-rgbn"], limit: 100 });
    expect(all.items).toHaveLength(60);
    const oregon = await searched({
      collections: ["aerial-rgbn"],
      query: { "aerial:state": { eq: "or" } },
      limit: 100,
    });
    expect(oregon.items).toHaveLength(20);
    const flight = { collections: ["aerial-rgbn"], query: { "aerial:flight": { eq: 1003 } } };
    expect((await searched(flight)).numberMatched).toBe(items.filter((_, i) => i % 7 === 3).length);
    expect(fakes.aerial.searches.at(-1)?.query).toEqual({ "aerial:flight": { eq: "1003" } });
    const sorted = await searched({
      collections: ["aerial-rgbn"],
      sortby: [{ field: "aerial:flight", direction: "desc" }],
      limit: 60,
    });
    const flights = sorted.items.map(({ properties }) => String(properties["aerial:flight"]));
    expect(flights).toEqual([...flights].sort().reverse());
  });

  test("pages by cloud cover, which none of its items has", async () => {
    const query = { collections: ["aerial-rgbn"], sortby: [{ field: "eo:cloud_cover", direction: "asc" }], limit: 25 };
    const seen = new Set<string>();
    let page = await searched(query);
    for (;;) {
      for (const { id } of page.items) seen.add(id);
      if (page.next === undefined) break;
      page = await searched({ ...query, token: page.next });
    }
    expect(seen.size).toBe(60);
  });

  test("is searched together with the built-in collections, in one order", async () => {
    const page = await searched({ limit: 200 });
    const times = page.items.map(({ properties }) => Date.parse(String(properties.datetime)));
    expect(times).toEqual([...times].sort((a, b) => b - a));
    expect(new Set(page.items.map(({ collection }) => collection))).toEqual(new Set(registry.ids));
    const known = others.filter((item) => toServiceItem(item, registry) !== undefined).length;
    expect(page.items).toHaveLength(known + 60);
    expect(page.numberMatched).toBe(known + 60);
  });

  test("takes the platform condition of a user to its items", async () => {
    const page = await searched({ query: { platform: { eq: "landsat-9" } }, limit: 200 });
    expect(new Set(page.items.map(({ collection }) => collection))).toEqual(new Set(["landsat-ot-l2"]));
  });

  test("has bands by every name, with scaling, and every value of them is data", () => {
    const collection = registry.resolve("aerial-rgbn");
    expect(findBand(collection, "nir")?.name).toBe("N");
    expect(bandScaling(collection, "N", {})).toEqual({
      scale: 0.004,
      offset: 0,
      dnOffset: 0,
      recipeShift: 0,
      nodata: undefined,
    });
    expect(toBand(collection.bands[0] as never)).not.toHaveProperty("nodata");
  });

  test("is offered by the presets that it has a recipe for, and by no other", () => {
    expect(registry.findPreset("ndvi")?.collections).toEqual(registry.ids);
    expect(registry.findPreset("false-color")?.collections).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
    expect(registry.recipeOf("true-color", "aerial-rgbn")?.assets).toEqual(["red", "green", "blue"]);
    expect(registry.recipeOf("false-color", "aerial-rgbn")).toBeUndefined();
    const alone = createRegistry([aerial]);
    expect(alone.presets.map(({ id, collection }) => [id, collection])).toEqual([
      ["true-color", "aerial-rgbn"],
      ["ndvi", "aerial-rgbn"],
    ]);
  });

  test("is in the schema document, and its files' hosts among those that may be read", () => {
    const { bands, collections } = registry.schemaData();
    expect(bands["aerial-rgbn"]?.map(({ name }) => name)).toEqual(["R", "G", "B", "N"]);
    expect(collections["aerial-rgbn"]?.mask_source).toBe("none");
    expect(registry.assetHosts).toEqual(expect.arrayContaining(["files.aerial.example", "s3://aerial-images"]));
  });

  test("has the extent of its upstream", async () => {
    expect((await catalog.extent("aerial-rgbn"))?.temporal.interval).toEqual([["2015-06-27T10:25:31.456000Z", null]]);
  });
});
