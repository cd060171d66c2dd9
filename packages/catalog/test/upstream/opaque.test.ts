import { describe, expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  type Gap,
  type Item,
  type MergeableCatalog,
} from "../../src/index.ts";
import { toToken } from "../../src/order/token.ts";
import { catalogSuite, filterOf, search } from "../catalog-suite.ts";
import { plainRegistry } from "../collection-files.ts";
import type { Document } from "../fixtures.ts";
import { isSentinel, twoUpstreams } from "../merged/two-upstreams.ts";
import { fakeUpstream, type SearchBody, sortedRows } from "./fake-upstream.ts";
import { type LinkForm, type OpaqueOptions, opaqueUpstream } from "./opaque-upstream.ts";
import { thereAndBack } from "./there-and-back.ts";
import { upstreamItems } from "./upstream-items.ts";

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

function over(items: readonly Document[], options: OpaqueOptions = {}) {
  const upstream = opaqueUpstream([...items], options);
  return { upstream, catalog: createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, retries: 0 }) };
}

/** One upstream with opaque tokens beside one of another kind. */
function merged(items: readonly Document[], options: OpaqueOptions, second: "opaque" | "made" = "opaque") {
  const mine = opaqueUpstream(items.filter(isSentinel), options);
  const rest = items.filter((item) => !isSentinel(item));
  const other = second === "opaque" ? opaqueUpstream(rest, { form: "GET" }) : fakeUpstream(rest);
  const catalogs: Record<string, MergeableCatalog> = {
    default: createUpstreamCatalog({ url: mine.url, fetch: mine.fetch, retries: 0, registry: twoUpstreams }),
    second: createUpstreamCatalog({
      url: other.url,
      fetch: other.fetch,
      retries: 0,
      registry: twoUpstreams,
      name: "second",
    }),
  };
  return createMergedCatalog({ catalogs, registry: twoUpstreams });
}

catalogSuite("An upstream with opaque tokens", (items) => over(items).catalog, 10);
catalogSuite(
  "An upstream with opaque tokens in GET links that neither counts nor gives more than 20 items",
  (items) => over(items, { form: "GET", counts: false, cap: 20 }).catalog,
  5,
);
catalogSuite("Two upstreams, one with opaque tokens, in one", (items) => merged(items, {}, "made"), 5);

describe("an upstream with opaque tokens", () => {
  const items = upstreamItems(240);
  const whole = createArchiveCatalog({ items });
  const forms: LinkForm[] = ["merge", "whole body", "token alone", "GET", "GET below", "headers", "POST query"];

  test.each(forms)("is walked both ways by links in the form: %s", async (form) => {
    const some = items.slice(0, searches(120, 240));
    const whole = createArchiveCatalog({ items: some });
    for (const sortby of [[], [{ field: "eo:cloud_cover", direction: "asc" as const }]]) {
      const query = search({ sortby, limit: 1000 });
      const expected = ids((await whole.search(query)).items);
      for (const catalog of [over(some, { form }).catalog, merged(some, { form }), merged(some, { form }, "made")]) {
        const { there, back } = await thereAndBack(catalog, [7, 30, 1, 64], query);
        expect(there).toEqual(expected);
        expect(back).toEqual(expected);
      }
    }
  });

  test("has a way back where it gives none, in a merged search too, and behind its last item", async () => {
    // one of the upstreams is over long before the other one
    const few = items.filter((item, i) => !isSentinel(item) || i < 60);
    for (const some of [items, few]) {
      const query = search({ limit: 1000 });
      const expected = ids((await createArchiveCatalog({ items: some }).search(query)).items);
      const catalogs = [over(some, { hasPrev: false }).catalog, merged(some, { hasPrev: false }, "made")];
      for (const catalog of catalogs) {
        const { there, back } = await thereAndBack(catalog, [11], query);
        expect(there).toEqual(expected);
        expect(back).toEqual(expected);
      }
    }
  });

  test("is asked once for a page", async () => {
    const upstream = opaqueUpstream([...items]);
    const { url, fetch } = upstream;
    const catalog = createUpstreamCatalog({ url, fetch, retries: 0, registry: plainRegistry });
    const searches = (): string[] => upstream.requests.filter((request) => request.includes("/search"));
    let page = await catalog.search(search({ limit: 7 }));
    expect(searches()).toHaveLength(1);
    for (let pages = 2; pages < 10; pages++) {
      page = await catalog.search(search({ limit: 7, token: page.next as string }));
      expect(searches()).toHaveLength(pages);
    }
    await catalog.search(search({ limit: 9 }));
    expect(searches()).toHaveLength(10);
  });

  test("gives pages that a filter of ours thins out, whole", async () => {
    const query = search({ filter: filterOf({ "s2:mgrs_tile": { endsWith: "DE" } }) });
    const expected = ids((await whole.search({ ...query, limit: 1000 })).items);
    expect(expected.length).toBeGreaterThan(15);
    const { there, back } = await thereAndBack(over(items).catalog, [5], query);
    expect(there).toEqual(expected);
    expect(back).toEqual(expected);
  });

  test("repeats nothing where items arrive while a client pages with other limits", async () => {
    const { upstream, catalog } = over(items.slice(60), { form: "GET" });
    await catalog.search(search());
    const first = await catalog.search(search({ limit: 40 }));
    const query = search({ limit: 9, filter: filterOf({ "eo:cloud_cover": { gte: 0 } }) });
    const page = await catalog.search(query);
    upstream.items.push(...items.slice(0, 60));
    const seen = [...ids(page.items)];
    for (let { next } = page; next !== undefined; ) {
      const following = await catalog.search({ ...query, limit: 13, token: next });
      seen.push(...ids(following.items));
      next = following.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    const before = ids((await createArchiveCatalog({ items: items.slice(60) }).search(search({ limit: 1000 }))).items);
    expect(before.filter((id) => !seen.includes(id))).toEqual([]);
    expect(first.items).toHaveLength(40);
  });

  test("with tokens of 9,000 characters is walked both ways: ours do not hold them", async () => {
    const query = search({ limit: 1000 });
    const expected = ids((await whole.search(query)).items);
    const { there, back } = await thereAndBack(over(items, { tokenLength: 9000 }).catalog, [50], query);
    expect(there).toEqual(expected);
    expect(back).toEqual(expected);
  });

  test("that has forgotten all of its tokens gives the page after one of ours", async () => {
    const { next } = await over(items).catalog.search(search());
    const query = search({ limit: 20 });
    const { items: found } = await over(items).catalog.search({ ...query, limit: 10, token: next as string });
    expect(ids(found)).toEqual(ids((await whole.search(query)).items).slice(10));
  });

  /** A token of a search with a page of the upstream to go on with. */
  const forged = (next: string, step: unknown): string => {
    const [, , hash, , gap] = JSON.parse(atob(next.replaceAll("-", "+").replaceAll("_", "/"))) as [
      0,
      0,
      string,
      0,
      Gap,
    ];
    return toToken("upstream", hash, {
      direction: "next",
      values: [...gap.slice(0, -1), [[0, JSON.stringify(step), null]]],
    });
  };

  test.each([
    { what: "another host", step: ["//evil.example/x", {}] },
    { what: "another host by userinfo", step: ["@evil.example/", {}] },
    { what: "a path beside the search", step: ["/../../admin", {}] },
    { what: "an escaped path", step: ["/%2e%2e/admin", {}] },
    { what: "a page that is too large", step: ["?limit=100000", {}] },
    { what: "a body that is too large", step: [{ limit: 100000 }, [], "", {}] },
    { what: "an address in the query of a POST", step: [{ limit: 7 }, [], "/../admin", {}] },
    { what: "no step at all", step: [1, 2, 3] },
  ])("never follows a forged token to $what", { tags: ["N9"] }, async ({ step }) => {
    const { upstream, catalog } = over(items);
    const { next } = await catalog.search(search());
    const asked = upstream.requests.length;
    const token = forged(next as string, step);
    await expect(catalog.search(search({ token }))).rejects.toMatchObject({ code: "invalid-token" });
    expect(upstream.requests).toHaveLength(asked);
  });

  test("is sent the search's own conditions and no header about the caller, whatever a token says", {
    tags: ["N9"],
  }, async () => {
    const { url } = opaqueUpstream([]);
    const sent: Request[] = [];
    const newest = sortedRows(items, {}).rows.map(({ item }) => item);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      sent.push(new Request(input, init));
      const links = [{ rel: "next", href: `${url}/search`, method: "POST", merge: true, body: { token: "t" } }];
      return Response.json({ type: "FeatureCollection", features: newest.slice(0, 10), links });
    };
    const catalog = createUpstreamCatalog({ url, fetch, retries: 0, headers: { Authorization: "Bearer ours" } });
    const { next } = await catalog.search(search({ limit: 5 }));
    const step = [
      { collections: ["other"], token: "t", limit: 9 },
      [],
      "",
      { authorization: "Bearer theirs", host: "evil.example", "x-forwarded-host": "evil.example", "x-page": "p" },
    ];
    const token = forged(next as string, step);
    await catalog.search(search({ limit: 5, token })).catch(() => undefined);
    const last = sent.find(({ headers }) => headers.get("x-page") === "p") as Request;
    expect(await last.json()).toMatchObject({ collections: ["sentinel-2-c1-l2a", "landsat-c2-l2"], token: "t" });
    expect(last.headers.get("Authorization")).toBe("Bearer ours");
    expect(last.headers.get("X-Forwarded-Host")).toBeNull();
  });

  test.each([
    [[{ field: "instruments", direction: "asc" }]],
    [
      [
        { field: "eo:cloud_cover", direction: "asc" },
        { field: "instruments", direction: "asc" },
      ],
    ],
  ] as const)(
    "that sorts otherwise than is asked is walked to its end, beyond many items that it takes for equal: %o",
    async (sortby) => {
      const equal = items.map((item) => ({
        ...item,
        properties: { ...(item.properties as object), "eo:cloud_cover": 0 },
      }));
      const query = search({ sortby, limit: 1000 });
      const expected = ids((await createArchiveCatalog({ items: equal }).search(query)).items);
      const { catalog } = over(equal, { form: "GET", counts: false, cap: 20 });
      const { there, back } = await thereAndBack(catalog, [60], query);
      expect(there).toEqual(expected);
      expect(back).toEqual(expected);
    },
  );

  test("that gives items of its first answer again in later ones is read on in its order, and each is given once", async () => {
    const rows = sortedRows(items.filter(isSentinel), {}).rows.map(({ item }) => item);
    const answers = [
      rows.slice(0, 5),
      rows.slice(5, 10),
      [...rows.slice(1, 3), ...rows.slice(10, 15)],
      rows.slice(7, 16),
    ];
    const sorts = new Set<string | undefined>();
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method === "GET") return Response.json({});
      const { token = 0, sortby } = (await request.json()) as SearchBody & { readonly token?: number };
      sorts.add(sortby?.[0]?.field);
      const href = "https://opaque.example/v1/search";
      const next = { rel: "next", href, method: "POST", merge: true, body: { token: token + 1 } };
      const links = token + 1 < answers.length ? [next] : [];
      return Response.json({ type: "FeatureCollection", features: answers[token], links });
    };
    const catalog = createUpstreamCatalog({ url: "https://opaque.example/v1", fetch, retries: 0 });
    const page = await catalog.search(search({ collections: ["sentinel-2-l2a"], limit: 20 }));
    expect(ids(page.items)).toEqual(rows.slice(0, 16).map(({ id }) => id));
    // an upstream that is out of order is no longer asked to sort by the field
    expect([...sorts]).toEqual(["properties.datetime"]);
  });

  test("that leads away from its search, or round in a circle, is unavailable rather than cut short", async () => {
    const answering = (link: Document): Catalog => {
      const { url } = opaqueUpstream([]);
      const fetch: typeof globalThis.fetch = async () =>
        Response.json({ type: "FeatureCollection", features: items.slice(0, 5), links: [{ rel: "next", ...link }] });
      return createUpstreamCatalog({ url, fetch, retries: 0 });
    };
    for (const link of [
      { href: "https://evil.example/v1/search?token=x" },
      { href: "/admin?token=x" },
      { href: "/v1/search", method: "POST", body: { limit: 20 }, merge: true },
      { href: "/v1/search?token=x" },
    ]) {
      await expect(answering(link).search(search({ limit: 50 }))).rejects.toMatchObject({ code: "unavailable" });
    }
  });
});
