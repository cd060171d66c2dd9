import { describe, expect, test } from "vitest";
import {
  CatalogError,
  createArchiveCatalog,
  createNeighbourhoodSearch,
  createUpstreamCatalog,
  type Item,
} from "../../src/index.ts";
import { catalogSuite, filterOf, search } from "../catalog-suite.ts";
import { plainRegistry } from "../collection-files.ts";
import { type Document, fixtures, recorded } from "../fixtures.ts";
import { type FakeOptions, fakeUpstream } from "./fake-upstream.ts";
import { thereAndBack } from "./there-and-back.ts";
import { upstreamItems } from "./upstream-items.ts";

function over(
  items: readonly Document[] = upstreamItems(240),
  options: FakeOptions = {},
  limits: { readonly timeoutMs?: number } = {},
) {
  const upstream = fakeUpstream(items, options);
  const { url, fetch } = upstream;
  const catalog = createUpstreamCatalog({ url, fetch, retries: 0, ...limits, registry: plainRegistry });
  return { upstream, catalog };
}

catalogSuite("An upstream", (items) => over(items).catalog, 15);

catalogSuite(
  "An upstream that neither counts nor gives more than 20 items",
  (items) => over(items, { counts: false, cap: 20 }).catalog,
  6,
);

const sentinel = ["sentinel-2-l2a"];
const ids = (items: readonly Item[]): string[] => items.map((item) => item.id);

describe("an upstream catalogue requests", () => {
  test("once for a page, and for one item more, so that it sees the end", async () => {
    const { upstream, catalog } = over();
    const page = await catalog.search(search({ collections: sentinel, limit: 10 }));
    expect(page.next).toBeDefined();
    expect(upstream.searches).toMatchObject([{ collections: ["sentinel-2-c1-l2a"], limit: 11 }]);
  });

  test("in answers of at most 250 items, four for a page of 1,000", async () => {
    const { upstream, catalog } = over(upstreamItems(2200, 4));
    const page = await catalog.search(search({ collections: sentinel, limit: 1000 }));
    expect(page.items).toHaveLength(1000);
    expect(page.next).toBeDefined();
    expect(upstream.searches.map(({ limit }) => limit)).toEqual([250, 250, 250, 250]);
  });

  test("no further where the last answer was full", async () => {
    const items = upstreamItems(800, 4)
      .filter(({ collection }) => collection === "sentinel-2-c1-l2a")
      .slice(0, 250);
    const { upstream, catalog } = over(items);
    const page = await catalog.search(search({ collections: sentinel, limit: 250 }));
    expect(page.items).toHaveLength(250);
    expect(page.next).toBeUndefined();
    expect(upstream.searches).toHaveLength(1);
  });

  test("in an order that no two items share a place in", async () => {
    const { upstream, catalog } = over();
    await catalog.search(search());
    expect(upstream.searches.shift()?.sortby).toEqual([
      { field: "properties.datetime", direction: "desc" },
      { field: "id", direction: "desc" },
      { field: "collection", direction: "desc" },
    ]);
    await catalog.search(search({ sortby: [{ field: "eo:cloud_cover", direction: "asc" }] }));
    expect(upstream.searches[0]?.sortby).toEqual([
      { field: "properties.eo:cloud_cover", direction: "asc" },
      { field: "id", direction: "asc" },
      { field: "collection", direction: "asc" },
    ]);
  });

  test("for a box across the antimeridian by its two halves", async () => {
    const { upstream, catalog } = over();
    await catalog.search(search({ bbox: [179, -20, -179, -10] }));
    expect(upstream.searches[0]).not.toHaveProperty("bbox");
    expect(upstream.searches[0]?.intersects?.type).toBe("MultiPolygon");
  });

  test("nothing for a platform that the collection does not show", { tags: ["S27"] }, async () => {
    const { upstream, catalog } = over();
    const filter = filterOf({ platform: { eq: "landsat-7" } });
    expect(await catalog.search(search({ collections: ["landsat-ot-l2"], filter }))).toEqual({
      items: [],
      numberMatched: 0,
    });
    expect(upstream.searches).toEqual([]);
  });

  test("at most four times while a map pans over 64 neighbouring tiles", async () => {
    const { upstream, catalog } = over();
    const neighbourhoods = createNeighbourhoodSearch(catalog);
    const width = 360 / 2 ** 11;
    const found = new Set<string>();
    for (let i = 0; i < 64; i++) {
      const west = -105.6 + width * 0.37 + (i % 8) * width;
      const south = 39.7 + (i >> 3) * width * 0.77;
      const near = await neighbourhoods.search({
        collection: "sentinel-2-l2a",
        bbox: [west, south, west + width, south + width * 0.77],
      });
      for (const { id } of near.items) found.add(id);
    }
    expect(found.size).toBeGreaterThan(5);
    expect(upstream.searches.length).toBeLessThanOrEqual(4);
  });

  test("a bounded number of times where a filter of its own finds little, and then goes on from there", async () => {
    // each answer takes a second: a page ends after eight
    let time = 0;
    const upstream = fakeUpstream(upstreamItems(5000, 8));
    const fetch: typeof globalThis.fetch = (...asked) => {
      time += 1000;
      return upstream.fetch(...asked);
    };
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch, now: () => time, registry: plainRegistry });
    const filter = filterOf({ "s2:mgrs_tile": { endsWith: "nowhere" } });
    let page = await catalog.search(search({ collections: sentinel, filter }));
    expect(page).toMatchObject({ items: [] });
    expect(page).not.toHaveProperty("numberMatched");
    expect(page.next).toBeDefined();
    expect(upstream.searches.length).toBeLessThanOrEqual(8);
    while (page.next !== undefined)
      page = await catalog.search(search({ collections: sentinel, filter, token: page.next }));
    expect(page.items).toEqual([]);
  });
});

test.each([
  { name: "half of the items", field: "landsat:wrs_path" },
  { name: "a few items", field: "eo:cloud_cover" },
])(
  "an order of a field that $name lack is walked both ways, and they come last in both directions",
  async ({ field }) => {
    const items = upstreamItems(240).map((item, i) => (i % 9 === 0 ? without(item, field) : item));
    const archive = createArchiveCatalog({ items, registry: plainRegistry });
    for (const options of [{}, { counts: false }]) {
      const { catalog } = over(items, options);
      for (const direction of ["asc", "desc"] as const) {
        const query = search({ sortby: [{ field, direction }], limit: 1000 });
        const whole = ids((await archive.search(query)).items);
        const { there, back } = await thereAndBack(catalog, [11, 40], query);
        expect(there).toEqual(whole);
        expect(back).toEqual(whole);
      }
    }
  },
);

function without(item: Document, field: string): Document {
  const { [field]: _, ...properties } = item.properties as Document;
  return { ...item, properties };
}

test("items that arrive while a client pages are neither repeated nor do they push others out", async () => {
  const items = upstreamItems(240);
  const first = items.slice(40);
  const { catalog } = over(first);
  const page = await catalog.search(search({ limit: 20 }));
  const after = await over(items).catalog.search(search({ limit: 1000, token: page.next as string }));
  const before = new Set(ids(page.items));
  expect(ids(after.items).filter((id) => before.has(id))).toEqual([]);
  const known = new Set(first.map(({ id }) => id));
  const whole = await catalog.search(search({ limit: 1000 }));
  expect(ids(after.items).filter((id) => known.has(id))).toEqual(ids(whole.items).slice(20));
});

test("the extent of Landsat begins with Landsat 8, that of Sentinel-2 with its upstream", {
  tags: ["C5"],
}, async () => {
  const { catalog } = over();
  expect((await catalog.extent("landsat-ot-l2"))?.temporal.interval).toEqual([["2013-03-18T15:58:14Z", null]]);
  expect((await catalog.extent("sentinel-2-l2a"))?.temporal.interval).toEqual([["2015-06-27T10:25:31.456000Z", null]]);
});

test("an extent is requested once in ten minutes", async () => {
  const upstream = fakeUpstream([]);
  let time = 0;
  let asked = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked += 1;
    return upstream.fetch(input, init);
  };
  const catalog = createUpstreamCatalog({ url: upstream.url, fetch, now: () => time });
  await catalog.extent("landsat-ot-l2");
  time = 599_999;
  await catalog.extent("landsat-ot-l2");
  expect(asked).toBe(1);
  time = 600_001;
  await catalog.extent("landsat-ot-l2");
  expect(asked).toBe(2);
});

test("a collection that the upstream lacks has no extent, and is asked for once in ten minutes", {
  tags: ["C19"],
}, async () => {
  const upstream = fakeUpstream([]);
  let time = 0;
  let asked = 0;
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked += 1;
    return upstream.fetch(input, init);
  };
  const catalog = createUpstreamCatalog({ url: upstream.url, fetch, now: () => time });
  expect(await catalog.extent("dem")).toBeUndefined();
  time = 599_999;
  expect(await catalog.extent("dem")).toBeUndefined();
  expect(asked).toBe(1);
  time = 600_001;
  await catalog.extent("dem");
  expect(asked).toBe(2);
});

describe("an upstream that answers 404 to a search for a collection that it lacks", () => {
  function lacking(...lacks: readonly string[]) {
    const upstream = fakeUpstream(upstreamItems(60));
    const asked: string[] = [];
    const missing = () => Response.json({ code: "NotFound" }, { status: 404 });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const path = new URL(new Request(input, init).url).pathname.replace(/^\/v1/, "");
      if (path === "/search" || path === "/collections") asked.push(path.slice(1));
      const { collections = [] } = path === "/search" ? JSON.parse(String(init?.body)) : {};
      if (lacks.some((id) => path === `/collections/${id}` || collections.includes(id))) return missing();
      if (path === "/collections") return Response.json({ collections: [{ id: "own" }, { id: "other" }] });
      const known = /^\/collections\/([^/]+)$/.exec(path)?.[1];
      if (known === undefined) return upstream.fetch(input, init);
      const extent = {
        spatial: { bbox: [[-180, -90, 180, 90]] },
        temporal: { interval: [["2013-01-01T00:00:00Z", null]] },
      };
      const facts = { stac_version: "1.0.0", description: "A stand-in.", license: "other", links: [] };
      return Response.json({ type: "Collection", id: known, ...facts, extent });
    };
    return { asked, catalog: createUpstreamCatalog({ url: upstream.url, fetch, retries: 0, registry: plainRegistry }) };
  }

  test("is searched for the others, and for them alone from then on", async () => {
    const { asked, catalog } = lacking("landsat-c2-l2");
    const query = search({ collections: ["sentinel-2-l2a", "landsat-ot-l2"], limit: 1000 });
    const { items } = await catalog.search(query);
    expect(items.length).toBeGreaterThan(5);
    expect(new Set(items.map(({ collection }) => collection))).toEqual(new Set(sentinel));
    asked.length = 0;
    expect(ids((await catalog.search(query)).items)).toEqual(ids(items));
    expect(asked).toEqual(["search"]);
  });

  test("lacks nothing where it answers 404 to everything", async () => {
    const fetch: typeof globalThis.fetch = async () => Response.json({}, { status: 404 });
    const catalog = createUpstreamCatalog({ url: "https://example.org", fetch, retries: 0, registry: plainRegistry });
    for (let i = 0; i < 2; i++) {
      await expect(catalog.search(search({ collections: ["landsat-ot-l2"] }))).rejects.toMatchObject({
        code: "unavailable",
        message: "The upstream answered 404.",
      });
    }
  });

  test("names what it has where it lacks all that is asked for, each time, and is asked for it once", async () => {
    const { asked, catalog } = lacking("landsat-c2-l2");
    for (let i = 0; i < 3; i++) {
      await expect(catalog.search(search({ collections: ["landsat-ot-l2"] }))).rejects.toMatchObject({
        code: "rejected",
        message: "The upstream lacks landsat-c2-l2, and has own, other.",
      });
    }
    expect(asked).toEqual(["search", "collections"]);
  });
});

describe("an upstream that fails is a CatalogError", () => {
  const failing = (...faults: (() => Response | Promise<Response>)[]) => {
    const { upstream, catalog } = over();
    upstream.faults.push(...faults);
    return catalog;
  };
  const error = async (promise: Promise<unknown>): Promise<CatalogError> => {
    const caught = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(caught).toBeInstanceOf(CatalogError);
    return caught as CatalogError;
  };

  test("unavailable, with the time after which to try again", async () => {
    const busy = () => new Response("busy", { status: 503, headers: { "Retry-After": "7" } });
    expect(await error(failing(busy).search(search()))).toMatchObject({ code: "unavailable", retryAfter: 7 });
  });

  test("unavailable where no connection is made, with its cause", async () => {
    const broken = () => Promise.reject(new TypeError("fetch failed"));
    const { upstream, catalog } = over();
    upstream.landingFaults.push(broken);
    const caught = await error(catalog.ping());
    expect(caught.code).toBe("unavailable");
    expect(caught.cause).toBeInstanceOf(Error);
  });

  test("unavailable where the answer is not what a catalogue says", async () => {
    expect(await error(failing(() => new Response("<html>")).search(search()))).toMatchObject({ code: "unavailable" });
  });

  test("timeout where it does not answer in time", async () => {
    const { upstream, catalog } = over([], {}, { timeoutMs: 50 });
    upstream.faults.push(() => new Promise<Response>(() => {}));
    expect(await error(catalog.search(search()))).toMatchObject({ code: "timeout" });
  });

  test("rejected where it calls the search wrong", async () => {
    const wrong = () => Response.json({ code: "BadRequest", description: "Invalid." }, { status: 400 });
    expect(await error(failing(wrong).search(search()))).toMatchObject({ code: "rejected" });
  });
});

describe.skipIf(fixtures === undefined)("a recorded search", () => {
  /** Gives out recorded answers one after the other, whatever is asked. */
  function replay(names: readonly string[]) {
    const bodies: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const name = names[bodies.length];
      if (name === undefined) throw new Error("Asked more often than it was recorded.");
      bodies.push(await new Request(input, init).json());
      return Response.json(recorded(`earth-search/v1/${name}.body.json`));
    };
    return {
      bodies,
      catalog: createUpstreamCatalog({
        url: "https://earth-search.aws.element84.com/v1",
        fetch,
        retries: 0,
        registry: plainRegistry,
      }),
    };
  }

  test("of two pages is over after the first, which says that there is no more", async () => {
    const { bodies, catalog } = replay(["search-two-collections-page1"]);
    const page = await catalog.search(search());
    expect(page.items.map((item) => item.collection)).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
    expect(page).toMatchObject({ numberMatched: 2 });
    expect(page.next).toBeUndefined();
    expect(bodies).toHaveLength(1);
  });

  test("of three pages is walked in two requests, by the upstream's own token", async () => {
    const { bodies, catalog } = replay(["search-duplicate-scenes-page1", "search-duplicate-scenes-page2"]);
    const first = await catalog.search(search({ collections: sentinel }));
    const second = await catalog.search(search({ collections: sentinel, token: first.next as string }));
    expect([first.items.length, second.items.length]).toEqual([10, 6]);
    expect(second.next).toBeUndefined();
    expect(new Set(ids([...first.items, ...second.items])).size).toBe(16);
    const recordedNext = recorded("earth-search/v1/search-duplicate-scenes-page1.body.json").links as {
      rel: string;
      body?: { next: string };
    }[];
    expect(bodies[1]).toMatchObject({ next: recordedNext.find(({ rel }) => rel === "next")?.body?.next });
  });
});
