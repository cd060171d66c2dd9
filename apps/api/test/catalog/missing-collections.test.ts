import { CatalogError, createNeighbourhoodSearch, createUpstreamCatalog, createVirtualCatalog } from "@swath/catalog";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { createRegistry } from "@swath/schema";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { FULL_FILES } from "../../src/open/served-files.ts";
import { json, type Link } from "../tools/answers.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

/** Collections of an upstream of which it lacks the elevation model, as those of most data providers do. */
const registry = createRegistry(
  // what the synthetic archive has, which stands for the upstream
  FULL_FILES.collections.filter(({ id }) => id !== "sentinel-2-l1c"),
  FULL_FILES.presets,
).withUpstreams(["default"]);
const LISTED = registry.listed.map(({ id }) => id);
const LACKING = LISTED.filter((id) => id !== "dem");

interface Collections {
  readonly collections: readonly { readonly id: string }[];
}
interface Landing {
  readonly description: string;
  readonly links: readonly Link[];
}

let upstream: ServedUpstream;
let lacks: boolean;
let down: boolean;
/** The upstream's name of what it lacks. */
let gone: string;
beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), {
    intercept: ({ url }) => {
      if (down) return new Response("", { status: 500 });
      if (!lacks || !new URL(url).pathname.endsWith(`/collections/${gone}`)) return undefined;
      return Response.json({ code: "NotFound", description: "Collection not found" }, { status: 404 });
    },
  });
});
afterAll(() => upstream.close());
beforeEach(() => {
  lacks = true;
  down = false;
  gone = registry.resolve("dem").upstream.collection;
});
afterEach(() => {
  vi.restoreAllMocks();
});

function serviceOver(): Promise<TestService> {
  const plain = createUpstreamCatalog({ url: upstream.url, registry });
  const catalog = createVirtualCatalog({ catalog: plain, registry });
  return testService(
    { registry, catalog, tileScenes: createNeighbourhoodSearch(catalog) },
    { profile: { ...FULL, registry } },
  );
}

const idsOf = ({ collections }: Collections): string[] => collections.map(({ id }) => id);
const childrenOf = ({ links }: Landing): (string | undefined)[] =>
  links.filter(({ rel }) => rel === "child").map(({ href }) => href.split("/").at(-1));

describe("a collection that the upstream lacks", () => {
  test("is not listed, and the list is kept for ten minutes", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    for (const path of ["/v1/collections", "/v1/openeo/collections"]) {
      const response = await service.get(path);
      expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
      expect(idsOf((await response.json()) as Collections)).toEqual(LACKING);
    }
  });

  test("is no child of the landing page, whose first reader learns of it too", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    const landing = await json<Landing>(service.request("/v1"));
    expect(childrenOf(landing)).toEqual(LACKING);
    expect(landing.description).not.toContain(registry.resolve("dem").title);
  });

  test("is not found by itself, with who lacks it", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    for (const path of ["/v1/collections/dem", "/v1/openeo/collections/dem"]) {
      const response = await service.get(path);
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.text()).toContain('The upstream of this service has no collection \\"dem\\".');
    }
  });

  test("has no layers of the tile service", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    const text = await (await service.get("/v1/wmts/WMTSCapabilities.xml")).text();
    const named = [...text.matchAll(/<ows:Identifier>([^<]+)<\/ows:Identifier>/g)].map(([, name]) => name);
    const presets = registry.presets.filter(({ collections }) => collections?.every((id) => id === "dem"));
    expect(presets.length).toBeGreaterThan(0);
    for (const { id } of presets) expect(named).not.toContain(id);
    expect(named).toContain("true-color");
  });

  test("is in no preset, and presets of it alone are not found", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    const { presets } = await json<{ presets: { id: string; collection: string; collections: string[] }[] }>(
      service.get("/v1/presets"),
    );
    expect(presets.map(({ id }) => id)).toContain("true-color");
    expect(presets.filter(({ collection, collections }) => [collection, ...collections].includes("dem"))).toEqual([]);
    expect(JSON.stringify(presets)).not.toContain('"dem"');
    expect((await service.get("/v1/presets/true-color")).status).toBe(200);
    expect((await service.get("/v1/presets/elevation")).status).toBe(404);
  });

  test("has nothing below its path", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    for (const path of ["items", "queryables", "sortables"]) {
      expect([path, (await service.get(`/v1/collections/dem/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await service.get(`/v1/collections/sentinel-2-l2a/${path}`)).status]).toEqual([path, 200]);
    }
  });

  test("is neither counted nor drawn, with the presets of it alone", { tags: ["C19"] }, async () => {
    const service = await serviceOver();
    const tiles = (preset: string, query = "") => `tiles/${preset}/WebMercatorQuad/tilejson.json${query}`;
    for (const path of [
      "collections/dem/aggregate?aggregations=total_count",
      "collections/dem/aggregations",
      "presets/elevation/legend.json",
      "presets/elevation/legend.png?collection=dem",
      "presets/custom/legend.json?bands=elevation&collection=dem",
      tiles("elevation"),
      tiles("hillshade", "?collection=dem"),
      tiles("custom", "?bands=elevation&collection=dem"),
      "tiles/elevation/WMTSCapabilities.xml",
    ]) {
      expect([path, (await service.get(`/v1/${path}`)).status]).toEqual([path, 404]);
    }
    const counts = "collections/sentinel-2-l2a/aggregate?aggregations=total_count";
    for (const path of [counts, "presets/ndvi/legend.json", tiles("ndvi")]) {
      expect([path, (await service.get(`/v1/${path}`)).status]).toEqual([path, 200]);
    }
  });

  test("is not drawn in place of others of its preset", { tags: ["C19"] }, async () => {
    const { collection, collections = [] } = registry.resolvePreset("ndvi");
    gone = registry.resolve(collection).upstream.collection;
    const service = await serviceOver();
    const others = collections.filter((id) => id !== collection);
    const path = "/v1/tiles/ndvi/WebMercatorQuad/tilejson.json";
    const { tiles } = await json<{ tiles: string[] }>(service.get(path));
    expect(others).toContain(new URL(tiles[0] ?? "").searchParams.get("collection"));
    expect((await service.get(`${path}?collection=${collection}`)).status).toBe(404);
    expect(await json(service.get("/v1/presets/ndvi/legend.json"))).not.toMatchObject({ collection });
  });

  test("stays away while the upstream is down, and is there when the upstream has it", async () => {
    const service = await serviceOver();
    await service.get("/v1/collections");
    down = true;
    expect(idsOf(await json<Collections>(service.get("/v1/collections")))).toEqual(LACKING);
    const later = await serviceOver();
    const response = await later.get("/v1/collections");
    expect(response.headers.get("Cache-Control")).toBe("public, max-age=30");
    expect(idsOf((await response.json()) as Collections)).toEqual(LISTED);
    down = false;
    lacks = false;
    expect(idsOf(await json<Collections>(later.get("/v1/collections")))).toEqual(LISTED);
    expect((await later.get("/v1/collections/dem")).status).toBe(200);
  });
});

test("a landing page waits no longer than a second for an upstream that hangs, and not again", async () => {
  const catalog = createUpstreamCatalog({ url: upstream.url, registry });
  const extent = (): Promise<never> => new Promise(() => {});
  const service = await testService({ registry, catalog: { ...catalog, extent } }, { profile: { ...FULL, registry } });
  const { second } = holdTimers({ second: 1000 });
  const landing = json<Landing>(service.request("/v1"));
  await expect.poll(() => second.waiting).toBe(1);
  second.pass();
  expect(childrenOf(await landing)).toEqual(LISTED);
  await service.request("/v1");
  expect(second.set).toBe(1);
});

test("an upstream that fails does not take its collections from the landing page", async () => {
  const catalog = createUpstreamCatalog({ url: upstream.url, registry });
  const extent = (): Promise<never> => Promise.reject(new CatalogError("unavailable", "It is down."));
  const service = await testService({ registry, catalog: { ...catalog, extent } }, { profile: { ...FULL, registry } });
  expect(childrenOf(await json<Landing>(service.request("/v1")))).toEqual(LISTED);
});
