import { setImmediate as turn } from "node:timers/promises";
import type { ItemQuery } from "@swath/query";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES, isVirtualFile } from "@swath/schema/files";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  createVirtualCatalog,
  type Item,
  type ItemPage,
  type MergeableCatalog,
  UpstreamWatch,
  watchedCatalog,
} from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import { collectionFile, plainFile, sentinelFile } from "../collection-files.ts";
import { whileTimePasses } from "../fake-time.ts";
import type { Document } from "../fixtures.ts";
import { naiveVirtual, processedItems } from "../item/processings.ts";
import { hlsItems, rawItems } from "../upstream/kind-items.ts";
import { type Kind, kindUpstream } from "../upstream/kind-upstream.ts";

// no limit ends because the machine is slow: time passes where a test says so
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

const registry = createRegistry([
  plainFile(sentinelFile()),
  ...["landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2"].map((id) => {
    const file = collectionFile(id);
    return { ...file, upstream: { ...file.upstream, name: "second" } };
  }),
  collectionFile("hls"),
  ...BUILT_IN_FILES.filter(isVirtualFile),
]);
const KINDS: Readonly<Record<string, Kind>> = {
  default: "earth-search",
  second: "planetary-computer",
  lpcloud: "cmr-stac",
};
const NAMES = Object.keys(KINDS);
const upstreamOf = (collection: unknown): string =>
  String(collection).startsWith("HLS") ? "lpcloud" : collection === "sentinel-2-c1-l2a" ? "default" : "second";

/** Ways in which upstreams fail, as a `fetch` of theirs. */
const FAILURES = {
  "refuses connections": () => Promise.reject(new TypeError("fetch failed")),
  "answers 500": async () => Response.json({ code: "InternalServerError" }, { status: 500 }),
  "answers 503 with Retry-After": async () => new Response(null, { status: 503, headers: { "Retry-After": "20" } }),
  "answers 429": async () => new Response(null, { status: 429, headers: { "Retry-After": "2" } }),
  "answers 403": async () => Response.json({ message: "Forbidden" }, { status: 403 }),
  "answers HTML": async () =>
    new Response("<!DOCTYPE html><html></html>", { headers: { "Content-Type": "text/html" } }),
  hangs: (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
    }),
} satisfies Record<string, typeof globalThis.fetch>;

interface Fleet {
  readonly catalog: Catalog;
  /** The failing fetch of each upstream that is down, by its name. */
  readonly down: Map<string, typeof globalThis.fetch>;
  readonly watches: readonly UpstreamWatch[];
  readonly asked: Map<string, number>;
  time: number;
}

interface FleetOptions {
  readonly items: readonly Document[];
  readonly isHeld?: boolean;
  readonly isWhole?: boolean;
}

function fleet({ items, isHeld = false, isWhole = false }: FleetOptions): Fleet {
  const down = new Map<string, typeof globalThis.fetch>();
  const asked = new Map<string, number>();
  const clock = { time: Date.UTC(2026, 9, 1) };
  const watches: UpstreamWatch[] = [];
  const catalogs: Record<string, MergeableCatalog> = {};
  for (const [name, kind] of Object.entries(KINDS)) {
    const own = items.filter(({ collection }) => upstreamOf(collection) === name);
    const { url, fetch } = kindUpstream(kind, own);
    const watch = new UpstreamWatch(name, { now: () => clock.time });
    watches.push(watch);
    const plain = createUpstreamCatalog({
      url,
      fetch: (input, init) => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        return (down.get(name) ?? fetch)(input, init);
      },
      retries: 0,
      // longer than the time that a member of a merged search has
      timeoutMs: 1000,
      now: () => clock.time,
      registry,
      name,
    });
    catalogs[name] = watchedCatalog(plain, watch);
  }
  const merged = createMergedCatalog({
    registry,
    catalogs,
    memberMs: 300,
    isWhole,
    watches: isHeld ? watches : [],
  });
  const catalog = createVirtualCatalog({ catalog: merged, registry });
  return Object.assign(clock, { catalog, down, watches, asked });
}

/** The outcome of a search while time passes, as upstreams that hang make it pass. */
const inTime = <T>({ asked }: Fleet, search: Promise<T>): Promise<T> =>
  whileTimePasses(search, () => [...asked.values()].reduce((sum, count) => sum + count, 0));

const ITEMS = [...rawItems(90), ...hlsItems(60)];
const ALL = search({ collections: [], limit: 20 });
const truth = createVirtualCatalog({ catalog: createArchiveCatalog({ items: ITEMS, registry }), registry });

describe.each(Object.entries(FAILURES))("an upstream that %s", (_, fetch) => {
  test("is missing from a search of several, which the others answer without a count", { tags: ["N15"] }, async () => {
    const parts = fleet({ items: ITEMS });
    parts.down.set("lpcloud", fetch);
    const page = await inTime(parts, parts.catalog.search(ALL));
    const others = await truth.search({
      ...ALL,
      collections: ["sentinel-2-l2a", "landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2"],
    });
    expect(ids(page.items)).toEqual(ids(others.items));
    expect(page).toMatchObject({ missing: ["lpcloud"] });
    expect(page.numberMatched).toBeUndefined();
  });

  test("fails a search of its own collections alone, and one of several where all fail, with its name", async () => {
    const parts = fleet({ items: ITEMS });
    for (const name of NAMES) parts.down.set(name, fetch);
    const of = (collections: string[]) => inTime(parts, parts.catalog.search({ ...ALL, collections }));
    await expect(of(["hls"])).rejects.toMatchObject({ upstreams: ["lpcloud"] });
    await expect(of(["hls", "sentinel-2-l2a"])).rejects.toMatchObject({
      upstreams: expect.arrayContaining(["default", "lpcloud"]),
    });
  });
});

/** Pages in one direction until there is no further one; before each page an upstream may fail or come back. */
async function walk(
  { catalog, down }: Fleet,
  query: ItemQuery,
  from: string | undefined,
  direction: "next" | "prev",
  states: readonly (string | undefined)[],
): Promise<ItemPage[]> {
  const pages: ItemPage[] = [];
  let token = from;
  for (let i = 0; i < 1000; i++) {
    down.clear();
    const failing = states[i % states.length];
    if (failing !== undefined) down.set(failing, FAILURES["answers 500"]);
    const page = await catalog.search({ ...query, ...(token === undefined ? {} : { token }) });
    pages.push(page);
    token = page[direction];
    if (token === undefined) break;
  }
  down.clear();
  return pages;
}

/**
 * Expects that pages hold, in the order of the truth, every item between the first and the last one of the page, or of
 * the walk, except those of the upstreams that the page says are missing.
 */
function expectExact(pages: readonly ItemPage[], all: readonly Item[], ownerOf: (item: Item) => string): void {
  const given = pages.flatMap(({ items }) => ids(items));
  expect(new Set(given).size).toBe(given.length);
  const places = new Map(all.map(({ id }, i) => [id, i]));
  let at = 0;
  for (const [i, page] of pages.entries()) {
    const last = page.items.at(-1);
    const end = i === pages.length - 1 ? all.length : last === undefined ? at : (places.get(last.id) ?? -1) + 1;
    const expected = all.slice(at, end).filter((item) => !(page.missing ?? []).includes(ownerOf(item)));
    expect(ids(page.items)).toEqual(ids(expected));
    at = end;
  }
}

const FIELDS = ["datetime", "eo:cloud_cover", "created", "platform", "id", "gsd"];
const sortby = fc.uniqueArray(
  fc.record({ field: fc.constantFrom(...FIELDS), direction: fc.constantFrom("asc" as const, "desc" as const) }),
  { maxLength: 2, selector: ({ field }) => field },
);
const states = fc.array(fc.constantFrom(undefined, undefined, ...NAMES), { minLength: 1, maxLength: 5 });

const SETS = [
  { name: "all collections", collections: [], items: ITEMS },
  { name: "a virtual collection", collections: ["optical-sr"], items: processedItems(100) },
];

describe.each(SETS)("while upstreams fail and come back, a walk of $name", ({ collections, items }) => {
  const archive = createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });
  const owners = new Map(items.map(({ id, collection }) => [String(id), upstreamOf(collection)]));
  const ownerOf = ({ id }: Item): string => owners.get(id) ?? "";

  test("lacks of each page what that page says, in both directions, and gives nothing twice", {
    tags: ["N16"],
  }, async () => {
    const parts = fleet({ items });
    await fc.assert(
      fc.asyncProperty(sortby, states, states, fc.integer({ min: 2, max: 30 }), async (order, there, back, limit) => {
        const query = search({ collections, sortby: order, limit });
        const all = (await archive.search({ ...query, limit: 1000 })).items;
        const pages = await walk(parts, query, undefined, "next", there);
        expectExact(pages, all, ownerOf);
        for (const page of pages) if (page.missing !== undefined) expect(page.numberMatched).toBeUndefined();
        const prev = pages.at(-1)?.prev;
        if (prev === undefined) return;
        const before = pages.slice(0, -1).flatMap((page) => page.items);
        const first = pages.at(-1)?.items[0];
        const end = first === undefined ? undefined : all.findIndex(({ id }) => id === first.id);
        if (end === undefined || before.length === 0) return;
        const backwards = await walk(parts, query, prev, "prev", back);
        const reversed = all.slice(0, end).reverse();
        expectExact(
          backwards.map((page) => ({ ...page, items: page.items.toReversed() })),
          reversed,
          ownerOf,
        );
      }),
      // each is a walk of dozens of searches
      { numRuns: searches(4, 500) },
    );
  });
});

test("a virtual collection never shows an older processing because an upstream fails while others are looked up", async () => {
  const items = processedItems(80);
  const parts = fleet({ items });
  const shown = new Set(ids(naiveVirtual(items, registry)));
  let searches = 0;
  parts.down.set("default", async (input, init) => {
    // it answers the landing page and the search itself, and fails from then on
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname;
    if (path.endsWith("/search")) searches += 1;
    if (searches > 1) return FAILURES["answers 500"]();
    const own = items.filter(({ collection }) => upstreamOf(collection) === "default");
    return kindUpstream("earth-search", own).fetch(input, init);
  });
  const page = await parts.catalog.search(search({ collections: ["optical-sr"], limit: 60 }));
  expect(page.missing).toEqual(["default"]);
  expect(page.items.length).toBeGreaterThan(0);
  expect(ids(page.items).filter((id) => !shown.has(id))).toEqual([]);
});

test("an upstream that hangs costs three searches its time, and none more until one tries it again", async () => {
  const parts = fleet({ items: ITEMS, isHeld: true });
  parts.down.set("second", FAILURES.hangs);
  for (let i = 0; i < 3; i++) expect((await inTime(parts, parts.catalog.search(ALL))).missing).toEqual(["second"]);
  const before = parts.asked.get("second");
  // no time passes from here on: a search that waited for any would not end
  expect((await parts.catalog.search(ALL)).missing).toEqual(["second"]);
  expect(parts.asked.get("second")).toBe(before);
  parts.down.clear();
  expect((await parts.catalog.search(ALL)).missing).toEqual(["second"]);
  parts.time += 15_000;
  expect((await parts.catalog.search(ALL)).missing).toBeUndefined();
  expect(parts.watches.map((watch) => watch.state())).toMatchObject([
    { name: "default", status: "ok" },
    { name: "second", status: "degraded", problem: { code: "timeout" } },
    { name: "lpcloud", status: "ok" },
  ]);
  parts.time += 300_000;
  expect(parts.watches[1]?.state()).toMatchObject({ status: "ok" });
});

test("where all are left out, all are asked: one may have come back", async () => {
  const parts = fleet({ items: ITEMS, isHeld: true });
  for (const name of NAMES) parts.down.set(name, FAILURES["answers 500"]);
  for (let i = 0; i < 4; i++)
    await expect(parts.catalog.search(ALL)).rejects.toMatchObject({ upstreams: expect.arrayContaining(NAMES) });
  expect(parts.watches.map((watch) => watch.state().status)).toEqual(["failing", "failing", "failing"]);
  parts.down.clear();
  expect((await parts.catalog.search(ALL)).missing).toBeUndefined();
});

test("an upstream that answers a ping after failing searches is failing no longer, and is still spared", async () => {
  const parts = fleet({ items: ITEMS, isHeld: true });
  const state = () => parts.watches[1]?.state();
  parts.down.set("second", FAILURES["answers 500"]);
  for (let i = 0; i < 3; i++) await parts.catalog.search(ALL);
  expect(state()).toMatchObject({ status: "failing" });
  parts.down.clear();
  await parts.catalog.ping();
  expect(state()).toMatchObject({ status: "degraded", problem: { httpStatus: 500 } });
  expect((await parts.catalog.search(ALL)).missing).toEqual(["second"]);
  parts.down.set("second", FAILURES["answers 500"]);
  parts.time += 15_000;
  await parts.catalog.search(ALL);
  expect(state()).toMatchObject({ status: "failing" });
});

test("searches that an upstream calls wrong do not leave it out for others", async () => {
  const parts = fleet({ items: ITEMS, isHeld: true });
  parts.down.set("lpcloud", FAILURES["answers 403"]);
  for (let i = 0; i < 4; i++) await parts.catalog.search(ALL);
  parts.down.clear();
  expect((await parts.catalog.search(ALL)).missing).toBeUndefined();
});

test("a catalog that may not leave anything out fails with the name of the upstream", async () => {
  const { catalog, down } = fleet({ items: ITEMS, isWhole: true });
  down.set("second", FAILURES["answers 503 with Retry-After"]);
  await expect(catalog.search(ALL)).rejects.toMatchObject({
    code: "unavailable",
    upstreams: ["second"],
    retryAfter: 20,
  });
});

test("an item of a virtual collection is found although another member does not answer, and is not called absent", async () => {
  const { catalog, down } = fleet({ items: ITEMS });
  const landsat = ITEMS.find(({ collection }) => upstreamOf(collection) === "second");
  down.set("default", FAILURES["answers 500"]);
  expect((await catalog.item("optical-sr", String(landsat?.id)))?.id).toBe(landsat?.id);
  await expect(catalog.item("optical-sr", "S2A_T13TDE_nothing_L2A")).rejects.toMatchObject({ upstreams: ["default"] });
  expect(await catalog.has("optical-sr")).toBe(true);
});

test("a ping tells which upstreams answer, and fails where none does", async () => {
  const { catalog, down, watches } = fleet({ items: ITEMS });
  expect(watches.map((watch) => watch.state())).toEqual(NAMES.map((name) => ({ name, status: "unknown" })));
  down.set("second", FAILURES.hangs);
  const patience = new AbortController();
  const pinged = catalog.ping({ signal: patience.signal });
  // expect.poll would let time pass
  while (watches.filter((watch) => watch.state().status === "ok").length < 2) await turn();
  patience.abort(new DOMException("The time is over.", "TimeoutError"));
  await pinged;
  expect(watches.map((watch) => watch.state().status)).toEqual(["ok", "failing", "ok"]);
  for (const name of NAMES) down.set(name, FAILURES["answers HTML"]);
  await expect(catalog.ping()).rejects.toMatchObject({ code: "unavailable" });
});
