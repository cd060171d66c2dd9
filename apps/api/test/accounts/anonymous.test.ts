import { type AddressLimits, admissionOf, anonymousIdentity, LimitError } from "@swath/accounts";
import { describe, expect, test } from "vitest";
import { translateError } from "../../src/errors/translate.ts";
import { json } from "../tools/answers.ts";
import { FULL, KEY, LEAN, memoryStore, sandboxServices, testService } from "../tools/harness.ts";
import { accountsOn } from "./accounts-on.ts";

const START = Date.UTC(2026, 5, 16, 12);
const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png";
const OPEN: AddressLimits = { take: async () => undefined, removeExpired: async () => {} };

const full = (addressLimits: AddressLimits = OPEN) =>
  testService({ addressLimits, tileCacheBytes: 1e8 }, { profile: FULL });
const withoutKey = (headers: Readonly<Record<string, string>> = {}) => ({ headers });

test("everybody may search, and gets at most 100 items a page, for which 2,000 are read", {
  tags: ["AC27"],
}, async () => {
  const limits: number[] = [];
  const read: (number | undefined)[] = [];
  const { catalog } = await sandboxServices({ registry: FULL.registry });
  const search: typeof catalog.search = (query, options) => {
    limits.push(query.limit);
    read.push(options?.maxItems);
    return catalog.search(query, options);
  };
  const service = await testService({ addressLimits: OPEN, catalog: { ...catalog, search } }, { profile: FULL });
  const type = { "Content-Type": "application/json" };
  for (const ask of [
    (limit: number) => service.request(`/v1/search?limit=${limit}`),
    (limit: number) => service.request(`/v1/collections/sentinel-2-l2a/items?limit=${limit}`),
    (limit: number) =>
      service.request("/v1/search", { method: "POST", body: JSON.stringify({ limit }), headers: type }),
    (limit: number) => service.get(`/v1/search?limit=${limit}`),
  ]) {
    for (const limit of [3, 1000]) expect((await ask(limit)).status).toBe(200);
  }
  expect(limits).toEqual([3, 100, 3, 100, 3, 100, 3, 1000]);
  expect(read).toEqual([...new Array(6).fill(2000), undefined, undefined]);
});

describe("what counts among the 300 requests of a network", () => {
  const SEARCH_PATH = "/v1/collections/sentinel-2-l2a/items";

  /** A service that counts, and what its catalogue is asked for. */
  async function counting(profile = FULL) {
    const store = await memoryStore();
    const { catalog } = await sandboxServices({ registry: profile.registry });
    const asked: string[] = [];
    const item: typeof catalog.item = (collection, id, options) => {
      asked.push(id);
      return catalog.item(collection, id, options);
    };
    const addressLimits = accountsOn(store, { now: () => START }).addressLimits;
    const service = await testService({ addressLimits, catalog: { ...catalog, item } }, { profile });
    const ask = async (path: string, init: RequestInit = {}): Promise<readonly [number, string]> => {
      const answer = await service.request(path, init);
      return [answer.status, (await answer.json()).code];
    };
    return { service, asked, ask, close: () => store.close() };
  }

  test("are faulty searches, and no request that is refused for their number", { tags: ["AC27"] }, async () => {
    const { ask, close } = await counting();
    const body = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{" };
    const faulty = [
      () => ask("/v1/search?limit=none"),
      () => ask("/v1/search?bbox=1,2,3"),
      () => ask("/v1/search", body),
      () => ask(`${SEARCH_PATH}?unknown=1`),
      () => ask("/v1/collections/none/items"),
      () => ask("/v1/search?token=forged"),
    ];
    for (let i = 0; i < 300; i++) {
      const [status] = (await faulty[i % faulty.length]?.()) ?? [];
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(429);
    }
    for (let i = 0; i < 5; i++) expect(await ask("/v1/search?limit=1")).toEqual([429, "ip-rate-limited"]);
    await close();
  });

  test("are items that do not exist; then no upstream is asked for one more", { tags: ["AC27"] }, async () => {
    const { service, ask, asked, close } = await counting();
    const { features } = await (await service.request(`${SEARCH_PATH}?limit=1`)).json();
    for (let i = 0; i < 299; i++) expect(await ask(`${SEARCH_PATH}/none-${i}`)).toEqual([404, "not-found"]);
    for (let i = 0; i < 3; i++) expect((await ask(`${SEARCH_PATH}/${features[0].id}`))[0]).toBe(200);
    expect(await ask(`${SEARCH_PATH}/one-more`)).toEqual([429, "ip-rate-limited"]);
    asked.length = 0;
    for (let i = 0; i < 5; i++) expect(await ask(`${SEARCH_PATH}/further-${i}`)).toEqual([429, "ip-rate-limited"]);
    expect(asked).toEqual([]);
    // a request with a good key goes on, also of a client behind the same address
    const own = { headers: { "X-API-Key": KEY } };
    expect((await ask(`${SEARCH_PATH}/${features[0].id}`, own))[0]).toBe(200);
    expect(await ask(`${SEARCH_PATH}/none-again`, own)).toEqual([404, "not-found"]);
    const wrong = { headers: { "X-API-Key": "wrong" } };
    expect(await ask(`${SEARCH_PATH}/${features[0].id}`, wrong)).toEqual([401, "invalid-key"]);
    expect(await ask("/v1/search?limit=1")).toEqual([429, "ip-rate-limited"]);
    await close();
  });

  test("is nothing in lean v1", async () => {
    const { ask, close } = await counting(LEAN);
    for (let i = 0; i < 310; i++) expect(await ask(`${SEARCH_PATH}/none-${i}`)).toEqual([404, "not-found"]);
    await close();
  });
});

test("over the limit an anonymous search is 429 with Retry-After, and one with a key is not", async () => {
  const { request, get } = await full({ ...OPEN, take: async () => 41_500 });
  const response = await request("/v1/search");
  expect(response.status).toBe(429);
  expect(response.headers.get("Retry-After")).toBe("42");
  expect(await response.json()).toMatchObject({
    code: "ip-rate-limited",
    limits: { requests: 300, windowSeconds: 300 },
  });
  expect((await get("/v1/search?limit=1")).status).toBe(200);
});

test("a wrong key is refused where callers without one are served", async () => {
  const { get } = await full();
  expect((await get("/v1/search", { "X-API-Key": "wrong" })).status).toBe(401);
});

test.each(["Bearer wrong", "Bearer basic//wrong", "Basic dXNlcjpwYXNz", "nonsense"])(
  "Authorization: %s is refused where there are no accounts, too",
  async (header) => {
    const { request } = await full();
    const refused = await request("/v1/search?limit=1", { headers: { Authorization: header } });
    expect([refused.status, (await refused.json()).code]).toEqual([401, "invalid-key"]);
    expect((await request("/v1/collections", { headers: { Authorization: header } })).status).toBe(200);
    expect((await request("/v1/search?limit=1", { headers: { Authorization: "" } })).status).toBe(401);
    expect((await request("/v1/search?limit=1", { headers: { "X-API-Key": "" } })).status).toBe(401);
  },
);

test("wrong keys are counted by network, without accounts too", async () => {
  const taken: string[] = [];
  const take: AddressLimits["take"] = async ({ name }) => {
    taken.push(name);
    return taken.length > 2 ? 60_000 : undefined;
  };
  const { get } = await full({ ...OPEN, take });
  const good = async () => (await get("/v1/process/jobs/x")).status;
  expect(await good()).toBe(404);
  const statuses = [];
  for (const key of ["one", "one", "two", "three", "four"])
    statuses.push((await get("/v1/process/jobs/x", { "X-API-Key": key })).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  // repeated ones are not counted
  expect(taken).toEqual(["wrong key", "wrong key", "wrong key", "wrong key"]);
  expect(await good()).toBe(404);
});

test("without a credential a tile is sent once it is finished, and nothing is searched or rendered for it", async () => {
  const { request, get } = await full();
  const refused = await request(TILE);
  expect(refused.status).toBe(401);
  expect(refused.headers.get("WWW-Authenticate")).toContain("ApiKey");
  expect(await refused.json()).toMatchObject({
    code: "invalid-key",
    detail: expect.stringContaining("finished already"),
  });
  const made = await get(TILE);
  expect(made.status).toBe(200);
  const cached = await request(TILE);
  expect(cached.status).toBe(200);
  expect(new Uint8Array(await cached.arrayBuffer())).toEqual(new Uint8Array(await made.arrayBuffer()));
  for (const name of ["ETag", "X-Attribution", "X-Scenes-Used", "Content-Type"])
    expect(cached.headers.get(name)).toBe(made.headers.get(name));
  // everybody without a key is sent the same
  expect(cached.headers.get("Cache-Control")).toBe(made.headers.get("Cache-Control")?.replace("private", "public"));
  const etag = made.headers.get("ETag") ?? "";
  expect((await request(TILE, withoutKey({ "If-None-Match": etag }))).status).toBe(304);
  expect((await request(`${TILE}?datetime=2026-05-01/2026-06-01`)).status).toBe(401);
});

test("previews likewise", async () => {
  const { request, get } = await full();
  const { features } = await (await request("/v1/search?limit=1&collections=sentinel-2-l2a")).json();
  const path = `/v1/collections/sentinel-2-l2a/items/${features[0].id}/preview.png`;
  expect((await request(path)).status).toBe(401);
  expect((await get(path)).status).toBe(200);
  expect((await request(path)).status).toBe(200);
});

test("everything else needs a credential", async () => {
  const { request } = await full();
  for (const init of [{ path: "/v1/process", method: "POST" }, { path: "/v1/process/jobs/x" }]) {
    const response = await request(init.path, init.method === undefined ? {} : { method: init.method, body: "{}" });
    expect([init.path, response.status]).toEqual([init.path, 401]);
  }
});

test("where anonymous callers are turned off, all need a credential", async () => {
  const { request } = await testService({}, { profile: FULL });
  expect((await request("/v1/search")).status).toBe(401);
});

test("a refusal is the problem of the anonymous limit and of no other", async () => {
  const admission = admissionOf({ limits: { admit: async () => {} }, addressLimits: { ...OPEN, take: async () => 1 } });
  const refusal = await admission.arrive(anonymousIdentity("x"), "other").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(LimitError);
  expect(translateError(refusal)).toMatchObject({ code: "ip-rate-limited" });
});

test.each([
  {
    profile: "lean v1",
    of: () => testService(),
    says: "Search and everything that reads pixels needs an API key",
    search: "needs a key",
  },
  { profile: "the full profile", of: () => full(), says: "Anyone can search", search: "with or without a key" },
  {
    profile: "the full profile without anonymous callers",
    of: () => testService({}, { profile: FULL }),
    says: "Search and everything that reads pixels needs an API key",
    search: "needs a key",
  },
])("the description of $profile says who may search", async ({ of, says, search }) => {
  const service = await of();
  const { info, paths } = await json<{
    info: { description: string };
    paths: Record<string, { get: { security: object[] } }>;
  }>(service.request("/v1/openapi.json"));
  expect(info.description).toContain(says);
  const isFree = paths["/v1/search"]?.get.security.some((each) => Object.keys(each).length === 0);
  expect(isFree ? "with or without a key" : "needs a key").toBe(search);
});
