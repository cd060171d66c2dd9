import { basename } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Feature, json, type Link, linkOf, type Page, path, problemOf } from "../tools/answers.ts";
import { upstreamItems } from "../tools/fixture-archive.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

interface Document {
  readonly id: string;
  readonly links: readonly { rel: string; href: string; type: string }[];
  readonly [member: string]: unknown;
}

const get = (id: string): Promise<Document> => json(service.request(`/v1/collections/${id}`));

/** Every value in a document, however deep. */
function* valuesIn(value: unknown): Generator<unknown> {
  yield value;
  if (typeof value === "object" && value !== null) for (const member of Object.values(value)) yield* valuesIn(member);
}

test("the list has the live collections with their counts, each as it is alone", { tags: ["G2", "C1"] }, async () => {
  const list = await json<{ collections: Document[]; links: object[]; numberMatched: number; numberReturned: number }>(
    service.request("/v1/collections"),
  );
  expect(list.collections.map(({ id }) => id)).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
  expect([list.numberMatched, list.numberReturned]).toEqual([2, 2]);
  for (const collection of list.collections) expect(await get(collection.id)).toEqual(collection);
});

test("the list of collections links itself and root, and both answer", { tags: ["C1"] }, async () => {
  const { links } = await json<{ links: Link[] }>(service.request("/v1/collections"));
  expect(links).toEqual([
    { rel: "self", type: "application/json", href: "http://service.test/v1/collections", title: "These collections" },
    { rel: "root", type: "application/json", href: "http://service.test/v1", title: "Landing page" },
  ]);
  for (const { href } of links) expect((await service.request(path(href))).status).toBe(200);
});

test.each([
  { query: "", found: ["sentinel-2-l2a", "landsat-ot-l2"] },
  { query: "bbox=12,45,13,46", found: ["sentinel-2-l2a", "landsat-ot-l2"] },
  { query: "bbox=-120,-40,-110,-30", found: [] },
  { query: "bbox=170,-80,-170,-70", found: [] },
  { query: "datetime=2024-07-01/..", found: ["sentinel-2-l2a", "landsat-ot-l2"] },
  { query: "datetime=../2001-01-01", found: [] },
  { query: "q=copernicus", found: ["sentinel-2-l2a"] },
  { query: "q=Surface%20Temperature", found: ["landsat-ot-l2"] },
  { query: "q=nothing,LANDSAT", found: ["landsat-ot-l2"] },
  { query: "q=radar", found: [] },
  { query: "q=optical&bbox=12,45,13,46&datetime=2024-07-01", found: ["sentinel-2-l2a", "landsat-ot-l2"] },
])("a search of collections by '$query' finds $found", { tags: ["C16"] }, async ({ query, found }) => {
  const list = await json<{ collections: Document[]; numberMatched: number; numberReturned: number }>(
    service.request(`/v1/collections?${query}`),
  );
  expect(list.collections.map(({ id }) => id)).toEqual(found);
  expect([list.numberMatched, list.numberReturned]).toEqual([found.length, found.length]);
});

test("collections are paged by limit, with the search in the next link, each collection once", {
  tags: ["C16"],
}, async () => {
  interface List {
    readonly collections: readonly Document[];
    readonly links: readonly Link[];
    readonly numberMatched: number;
  }
  const ids: string[] = [];
  let next: string | undefined = "/v1/collections?limit=1&q=optical";
  while (next !== undefined) {
    const list: List = await json<List>(service.request(next));
    expect([list.collections.length, list.numberMatched]).toEqual([1, 2]);
    ids.push(...list.collections.map(({ id }) => id));
    const href = linkOf(list, "next")?.href;
    next = href === undefined ? undefined : path(href);
    if (next !== undefined) expect(next).toContain("q=optical");
  }
  expect(ids).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
});

test("every link between documents has a title", async () => {
  const item = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A";
  const pages = ["/v1", "/v1/collections?limit=1", "/v1/collections/sentinel-2-l2a", "/v1/presets", "/v1/presets/ndvi"];
  const searches = ["/v1/search?limit=1", "/v1/collections/sentinel-2-l2a/items?limit=1", item];
  for (const address of [...pages, ...searches]) {
    const { links } = await json<{ links: (Link & { title?: string })[] }>(service.get(address));
    expect(links.length).toBeGreaterThan(1);
    for (const { rel, title } of links)
      expect([address, rel, title]).toEqual([address, rel, expect.stringMatching(/\w{3}/)]);
  }
});

/** The texts that clients show and choose by, written down once more: the service must say exactly this. */
const DESCRIBED = [
  {
    id: "sentinel-2-l2a",
    title: "Sentinel-2 Level-2A",
    keywords: ["sentinel-2", "msi", "copernicus", "esa", "surface reflectance", "optical"],
    license: "other",
    providers: ["European Space Agency", "Element 84", "Amazon Web Services"],
    summaries: {
      platform: ["sentinel-2a", "sentinel-2b", "sentinel-2c"],
      constellation: ["sentinel-2"],
      instruments: ["msi"],
      gsd: [10, 20, 60],
      "eo:cloud_cover": { minimum: 0, maximum: 100 },
    },
    units: ["REFLECTANCE", "DN"],
    defaultUnits: "REFLECTANCE",
    harmonizeLevels: ["none", "offset_removed"],
    defaultHarmonize: "offset_removed",
    pseudoBands: ["mask", "mask_class", "dataMask", "cloud_probability"],
    maskCapabilities: [
      "nodata",
      "saturated_defective",
      "cloud",
      "cloud_shadow",
      "cirrus",
      "snow_ice",
      "water",
      "dark_terrain_shadow",
      "unclassified",
      "clear",
    ],
    zoom: { min: 7, max: 14 },
  },
  {
    id: "landsat-ot-l2",
    title: "Landsat 8-9 Collection 2 Level-2",
    keywords: ["landsat", "oli", "tirs", "usgs", "nasa", "surface reflectance", "surface temperature", "optical"],
    license: "other",
    providers: ["NASA", "USGS", "Amazon Web Services"],
    summaries: {
      platform: ["landsat-8", "landsat-9"],
      constellation: ["landsat"],
      instruments: ["oli", "tirs"],
      gsd: [30, 100],
      "eo:cloud_cover": { minimum: 0, maximum: 100 },
    },
    units: ["REFLECTANCE", "DN", "KELVIN"],
    defaultUnits: "REFLECTANCE",
    harmonizeLevels: ["none", "offset_removed"],
    defaultHarmonize: "none",
    pseudoBands: ["mask", "mask_class", "dataMask"],
    maskCapabilities: ["nodata", "cloud", "cloud_shadow", "cirrus", "cloud_adjacent", "snow_ice", "water", "clear"],
    zoom: { min: 7, max: 13 },
  },
];

test.each(DESCRIBED)(
  "$id says title, keywords, license, providers and summaries",
  { tags: ["C3"] },
  async (expected) => {
    const document = await get(expected.id);
    const { title, keywords, license, summaries } = document;
    expect({ title, keywords, license, summaries }).toEqual({
      title: expected.title,
      keywords: expected.keywords,
      license: expected.license,
      summaries: expected.summaries,
    });
    expect((document.providers as { name: string }[]).map(({ name }) => name)).toEqual(expected.providers);
    expect(String(document.description).length).toBeGreaterThan(50);
  },
);

test.each(DESCRIBED)(
  "$id names its units and levels of harmonization with their defaults",
  { tags: ["C8", "C9"] },
  async (expected) => {
    const document = await get(expected.id);
    expect(document["svc:units"]).toEqual(expected.units);
    expect(document["svc:default_units"]).toBe(expected.defaultUnits);
    expect(document["svc:harmonize_levels"]).toEqual(expected.harmonizeLevels);
    expect(document["svc:default_harmonize"]).toBe(expected.defaultHarmonize);
  },
);

test.each(DESCRIBED)(
  "$id names its derived bands and the classes of its mask",
  { tags: ["C10", "C11"] },
  async (expected) => {
    const document = await get(expected.id);
    expect(document["svc:pseudo_bands"]).toEqual(expected.pseudoBands);
    expect(document["svc:mask_capabilities"]).toEqual(expected.maskCapabilities);
  },
);

test.each(DESCRIBED)("$id gives the zooms that its tiles are served at", { tags: ["C12"] }, async ({ id, zoom }) => {
  expect((await get(id))["svc:zoom"]).toEqual(zoom);
  const tiles = await json<{ minzoom: number; maxzoom: number }>(
    service.request(`/v1/tiles/ndvi/WebMercatorQuad/tilejson.json?collection=${id}`),
  );
  expect({ min: tiles.minzoom, max: tiles.maxzoom }).toEqual(zoom);
});

test.each(["sentinel-2-l2a", "landsat-ot-l2"])(
  "%s has every member of a live collection",
  { tags: ["C3", "C6", "C7", "C8", "C9", "C10", "C11", "C12", "Z2"] },
  async (id) => {
    const document = await get(id);
    expect(document).toMatchObject({ type: "Collection", stac_version: "1.1.0", id });
    for (const member of [
      "description",
      "license",
      "providers",
      "extent",
      "summaries",
      "bands",
      "item_assets",
      "svc:aliases",
      "svc:attribution",
      "svc:units",
      "svc:default_units",
      "svc:harmonize_levels",
      "svc:default_harmonize",
      "svc:pseudo_bands",
      "svc:mask_source",
      "svc:mask_capabilities",
      "svc:zoom",
      "links",
    ]) {
      expect(document).toHaveProperty([member]);
    }
    expect(document["svc:zoom"]).toEqual({ min: expect.any(Number) as number, max: expect.any(Number) as number });
    expect(document["svc:units"]).toContain(document["svc:default_units"]);
    expect(document["svc:harmonize_levels"]).toContain(document["svc:default_harmonize"]);
    expect(document["svc:attribution"]).toContain("{years}");
    expect(document["svc:mask_source"]).toBe(id === "sentinel-2-l2a" ? "scl" : "qa_pixel");
  },
);

test.each(["sentinel-2-l2a", "landsat-ot-l2"])(
  "%s has its links, and those to this service answer",
  { tags: ["L2", "C4", "C13"] },
  async (id) => {
    const { links } = await get(id);
    const rels = links.map(({ rel }) => rel);
    for (const rel of ["self", "root", "parent", "items", "license", "describedby"]) expect(rels).toContain(rel);
    // lean v1 serves no queryables, and a link to nothing stops crawlers
    expect(rels).not.toContain("http://www.opengis.net/def/rel/ogc/1.0/queryables");
    for (const { href, type } of links.filter((link) => link.href.startsWith("http://service.test/"))) {
      const target = await service.get(path(href));
      expect([href, target.status, target.headers.get("Content-Type")]).toEqual([href, 200, type]);
    }
  },
);

test.each(["sentinel-2-l2a", "landsat-ot-l2"])(
  "the extent of %s is that of its items",
  { tags: ["C5"] },
  async (id) => {
    const extent = (await get(id)).extent as { spatial: { bbox: number[][] }; temporal: { interval: string[][] } };
    const { features } = await json<Page>(service.get(`/v1/collections/${id}/items?limit=1000`));
    expect(extent.spatial.bbox).toHaveLength(1);
    const corner = (at: number, outermost: (...values: number[]) => number): number =>
      outermost(...features.map(({ bbox }) => bbox[at] ?? Number.NaN));
    // the smallest box that holds every item, and no larger one; no item of the archive crosses the antimeridian
    expect(extent.spatial.bbox[0]).toEqual([
      corner(0, Math.min),
      corner(1, Math.min),
      corner(2, Math.max),
      corner(3, Math.max),
    ]);
    const times = features.map(({ properties }) => Date.parse(String(properties.datetime)));
    expect(Date.parse(extent.temporal.interval[0]?.[0] ?? "")).toBe(Math.min(...times));
    const [west = 0, south = 0, east = 0, north = 0] = extent.spatial.bbox[0] ?? [];
    const [start = "", end] = extent.temporal.interval[0] ?? [];
    for (const { bbox, properties } of features) {
      const [w = 0, s = 0, e = 0, n = 0] = bbox;
      expect(west <= w && south <= s && e <= east && n <= north).toBe(true);
      expect(Date.parse(start)).toBeLessThanOrEqual(Date.parse(String(properties.datetime)));
    }
    expect(start).toMatch(/Z$/);
    expect(end === null || /Z$/.test(end ?? "")).toBe(true);
  },
);

test("bands are named in both spellings and nothing in a collection is null but an open end", {
  tags: ["B1", "B5", "B7"],
}, async () => {
  for (const id of ["sentinel-2-l2a", "landsat-ot-l2"]) {
    const document = await get(id);
    const { extent, ...rest } = document;
    expect(extent).toBeDefined();
    expect([...valuesIn(rest)]).not.toContain(null);
    const bands = document.bands as Record<string, unknown>[];
    expect(new Set(bands.map((band) => band.name)).size).toBe(bands.length);
    for (const band of bands) {
      expect(band["eo:common_name"]).toEqual(band.common_name);
      // class bands have no scale
      if (band.common_name === undefined) continue;
      expect(band["raster:scale"]).toEqual(band.scale);
      expect(band["raster:offset"]).toEqual(band.offset);
    }
  }
  const b04 = ((await get("sentinel-2-l2a")).bands as Record<string, unknown>[]).find(({ name }) => name === "B04");
  expect(b04).toMatchObject({
    common_name: "red",
    data_type: "uint16",
    scale: 0.0001,
    offset: -0.1,
    nodata: 0,
    gsd: 10,
  });
  expect(String(b04?.offset_rule)).toContain("s2:processing_baseline");
});

test.each([
  ["S2L2A", "sentinel-2-l2a"],
  ["sentinel-2-c1-l2a", "sentinel-2-l2a"],
  ["SENTINEL2_L2A", "sentinel-2-l2a"],
  ["landsat-c2-l2", "landsat-ot-l2"],
  ["LOTL2", "landsat-ot-l2"],
])("the alias %s answers the document of %s and its canonical address", { tags: ["C6", "A1"] }, async (alias, id) => {
  const response = await service.request(`/v1/collections/${alias}`);
  expect(response.headers.get("Content-Location")).toBe(`http://service.test/v1/collections/${id}`);
  expect(await response.json()).toEqual(await get(id));
  const aliases = (await get(id))["svc:aliases"] as { id: string; source: string }[];
  expect(aliases.find((each) => each.id === alias)?.source).toBeTypeOf("string");
});

describe.each([
  { profile: LEAN, name: "lean v1" },
  { profile: FULL, name: "the full profile" },
])("in $name", ({ profile }) => {
  test.each(profile.registry.names.filter((name) => name.includes("/")))(
    "a path with the alias %s, which has a slash, is 404 and names the collection",
    { tags: ["A11"] },
    async (alias) => {
      const own = await testService({}, { profile });
      const { id = "" } = profile.registry.find(alias)?.collection ?? {};
      const { status, detail } = await problemOf(await own.request(`/v1/collections/${encodeURIComponent(alias)}`));
      expect([status, detail]).toEqual([404, expect.stringContaining(`a path names the collection "${id}"`)]);
      expect(detail).not.toContain("Did you mean");
    },
  );

  test("no unknown name is answered with itself as what was meant", async () => {
    const own = await testService({}, { profile });
    for (const alias of profile.registry.names) {
      const name = `${alias.slice(0, -1)}${alias.endsWith("x") ? "y" : "x"}`;
      if (profile.registry.find(name) !== undefined) continue;
      const { detail } = await problemOf(await own.request(`/v1/collections/${encodeURIComponent(name)}`));
      expect(detail).not.toContain(`Did you mean "${name}"`);
    }
  });
});

test("an alias with a restriction gives it as CQL2 text", { tags: ["A2"] }, async () => {
  const aliases = (await get("landsat-ot-l2"))["svc:aliases"] as { id: string; filter?: string }[];
  expect(aliases.find(({ id }) => id === "ls9_sr")?.filter).toBe("platform = 'landsat-9'");
});

test.each(["dem", "hls", "optical-sr", "sentinel-1-rtc", "landsat-tm-l2", "a b", "LANDSAT%2FLC08%2FC02%2FT1_L2"])(
  "the collection %s is not there in lean v1",
  { tags: ["G5", "C15", "O4"] },
  async (id) => {
    expect(await problemOf(await service.request(`/v1/collections/${id}`))).toMatchObject({ code: "not-found" });
    expect(await problemOf(await service.get(`/v1/collections/${id}/items`))).toMatchObject({ code: "not-found" });
  },
);

test.each(["sentinel-2-l2a", "landsat-ot-l2"])(
  "an item of %s has what STAC and the service ask of it",
  { tags: ["I1", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12", "I13", "Z2"] },
  async (id) => {
    const { features } = await json<Page>(service.get(`/v1/collections/${id}/items?limit=50`));
    expect(features.length).toBeGreaterThan(3);
    const document = await get(id);
    const upstream = await upstreamItems(inject("sandbox"));
    const bandNames = (document.bands as { name: string }[]).map(({ name }) => name);
    for (const { id: itemId, links } of features) {
      const response = await service.request(`/v1/collections/${id}/items/${itemId}`);
      expect(response.headers.get("Content-Type")).toBe("application/geo+json");
      const item = await json<Feature>(response);
      expect(item).toMatchObject({ type: "Feature", stac_version: "1.1.0", id: itemId, collection: id, links });
      expect(item.bbox).toHaveLength(4);
      expect(item.geometry).toMatchObject({ type: expect.stringMatching(/Polygon$/) as string });
      const { properties } = item;
      expect(properties).toMatchObject({
        platform: expect.stringMatching(/^(sentinel-2[abc]|landsat-[89])$/) as string,
        "svc:source_collection": id,
        "svc:mask_source": document["svc:mask_source"],
        "svc:mask_capabilities": document["svc:mask_capabilities"],
        "proj:code": expect.stringMatching(/^EPSG:\d+$/) as string,
      });
      expect(String(properties.datetime)).toMatch(/Z$/);
      expect(properties["proj:code"]).toBe(`EPSG:${properties["proj:epsg"]}`);
      expect(document["svc:harmonize_levels"]).toContain(properties["svc:harmonization"]);
      expect(Number(properties["eo:cloud_cover"])).toBeLessThanOrEqual(100);
      if (id === "sentinel-2-l2a") {
        expect(properties["s2:mgrs_tile"]).toMatch(/^\d{2}[A-Z]{3}$/);
        expect(properties["s2:processing_baseline"]).toMatch(/^\d{2}\.\d{2}$/);
      } else {
        expect(properties["landsat:wrs_path"]).toMatch(/^\d{3}$/);
        expect(properties["landsat:wrs_row"]).toMatch(/^\d{3}$/);
      }
      const bandAssets = Object.entries(item.assets).filter(([key]) => bandNames.includes(key));
      expect(bandAssets.length).toBeGreaterThan(3);
      for (const [key, asset] of bandAssets) expect(asset["svc:band"]).toBe(key);
      const titles = new Map(
        Object.values(upstream.get(itemId)?.assets ?? {}).map(({ href, title }) => [basename(href), title]),
      );
      const { thumbnail, ...files } = item.assets;
      expect(thumbnail).toMatchObject({ type: "image/png", roles: ["thumbnail"], title: "Preview in true colour" });
      for (const [key, asset] of Object.entries(files)) {
        const title = titles.get(basename(asset.href));
        // Earth Search names no title of a granule's metadata
        if (key !== "granule_metadata") expect(title, key).toMatch(/\w{3}/);
        expect([itemId, key, asset.title]).toEqual([itemId, key, title]);
        expect(asset.type).toMatch(/^(image|application|text)\/[\w.+-]+/);
        expect(new URL(asset.href).protocol).toMatch(/^(https?|s3):$/);
        expect(asset.roles).toBeInstanceOf(Array);
      }
      expect(item.links.map((link) => link.rel)).toEqual(["self", "root", "parent", "collection", "preview"]);
      expect(linkOf(item, "self")?.href).toBe(`http://service.test/v1/collections/${id}/items/${itemId}`);
      expect(linkOf(item, "preview")).toMatchObject({
        type: "image/png",
        href: `http://service.test/v1/collections/${id}/items/${itemId}/preview.png`,
      });
    }
  },
);

test("the landing page and the conformance page name the same classes, and none that is refused", {
  tags: ["D3", "D4", "D5", "Z2", "Z3"],
}, async () => {
  const landing = await json<{ conformsTo: string[]; stac_version: string; "svc:schemaVersion": string }>(
    service.request("/v1"),
  );
  const { conformsTo } = await json<{ conformsTo: string[] }>(service.request("/v1/conformance"));
  expect(conformsTo).toEqual(landing.conformsTo);
  expect(landing.stac_version).toBe("1.1.0");
  for (const part of ["core", "collections", "ogcapi-features", "item-search", "item-search#query"]) {
    expect(conformsTo).toContain(`https://api.stacspec.org/v1.0.0/${part}`);
  }
  expect(conformsTo.filter((each) => /filter|cql2|oas3/.test(each))).toEqual([]);
  const schema = await json<{ "svc:schemaVersion": string }>(service.request("/v1/schema"));
  expect(landing["svc:schemaVersion"]).toBe(schema["svc:schemaVersion"]);
});

test("schema v1 has bands, masks, harmonization, units and indices", { tags: ["Q5"] }, async () => {
  const schema = await json<Record<string, unknown>>(service.request("/v1/schema"));
  for (const member of ["bands", "common_names", "mask", "harmonization", "units", "indices"]) {
    expect(schema).toHaveProperty([member]);
  }
});

test("a file of the archive has the type that its item gives, however its name is written", async () => {
  const pages = ["sentinel-2-l2a", "landsat-ot-l2"].map((id) =>
    json<Page>(service.get(`/v1/collections/${id}/items?limit=1`)),
  );
  const assets = (await Promise.all(pages))
    .flatMap(({ features }) => features)
    .flatMap((item) => Object.values(item.assets));
  const files = assets.filter(({ href }) => href.startsWith("http://service.test/archive/"));
  expect(files.length).toBeGreaterThan(10);
  for (const { href, type } of files) {
    const response = await service.request(path(href), { method: "HEAD" });
    expect([href, response.headers.get("Content-Type")]).toEqual([href, type]);
  }
});
