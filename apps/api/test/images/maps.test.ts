import type { StoreSettings } from "@swath/store/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { describeEngines, type EngineHost, startEngine } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type AccountNode, accountNode, DAY, MINUTE, SITE } from "../accounts/account-service.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { json, problemOf } from "../tools/answers.ts";
import { FULL, memoryStore, testService } from "../tools/harness.ts";
import { opaque, pixelsOf } from "../tools/images.ts";

const WINDOW = "datetime=2024-07-01/2024-07-31";
const TILE = `tiles/ndvi/WebMercatorQuad/9/275/182.png?${WINDOW}`;
const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const PREVIEW = `collections/sentinel-2-l2a/items/${SCENE}/preview.png?max_size=64`;
const START = Date.UTC(2026, 5, 16, 12);

interface NewMap {
  readonly id: string;
  readonly token: string;
  readonly prefix: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A node that counts units. */
async function nodeOf(settings: StoreSettings, clock = { now: START }): Promise<AccountNode> {
  const store = await openStore(settings);
  const { units, limits, close } = accountsOn(store, { now: () => clock.now });
  const node = await accountNode(settings, { clock, services: { units, limits, tileCacheBytes: 1e8 } });
  closing.push(async () => {
    await node.close();
    await close();
    await store.close();
  });
  return node;
}

async function makeMap(node: AccountNode, session: string, body: object = {}): Promise<NewMap> {
  const answer = await node.send("POST", "/v1/maps", body, session);
  if (answer.status !== 201) throw new Error(`map: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as NewMap;
}

const ask = (node: AccountNode, { token }: Pick<NewMap, "token">, path: string, headers = {}) =>
  node.request(`/v1/m/${token}/${path}`, { headers });
const spentOf = async (node: AccountNode, session: string): Promise<number> =>
  ((await json(await node.send("GET", "/v1/usage", undefined, session))) as { units: { spent: number } }).units.spent;

describeEngines("map tokens", (host) => {
  test("are made, listed and ended, and shown once", { tags: ["MT1"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const answer = await node.send(
      "POST",
      "/v1/maps",
      { name: "Fields", presets: ["ndvi"], expiresInDays: 10 },
      session,
    );
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([201, "no-store"]);
    const made = (await answer.json()) as NewMap;
    expect(answer.headers.get("Location")).toBe(`${SITE}/v1/maps/${made.id}`);
    expect(made).toMatchObject({
      ...{ name: "Fields", presets: ["ndvi"], collections: null, origins: null, unitsPerDay: 1000, status: "active" },
      ...{ created: "2026-06-16T12:00:00.000Z", expires: "2026-06-26T12:00:00.000Z" },
      prefix: made.token.slice(0, 8),
    });
    expect(made.links.map(({ rel }) => rel)).toEqual(["self", "tiles", "tilejson", "wmts", "preview"]);
    const listed = await json(await node.send("GET", "/v1/maps", undefined, session));
    expect(JSON.stringify(listed)).not.toContain(made.token);
    expect(listed).toMatchObject({ maps: [{ id: made.id, prefix: made.prefix }] });
    expect((await node.send("DELETE", `/v1/maps/${made.id}`, undefined, session)).status).toBe(204);
    expect(await json(await node.send("GET", `/v1/maps/${made.id}`, undefined, session))).toMatchObject({
      status: "ended",
    });
    // nothing of the secret is in the store
    const rows = await node.store.query("select * from map_token");
    expect(JSON.stringify(rows)).not.toContain(made.token.slice(8));
  });

  test("answer tiles, TileJSON, WMTS and previews without any header, whose addresses have the token", {
    tags: ["MT2"],
  }, async () => {
    const node = await nodeOf(await host().fresh());
    const map = await makeMap(node, await node.signIn("ann@example.com"));
    for (const path of [TILE, PREVIEW, `tiles/ndvi/WebMercatorQuad/9/275/182@2x.jpeg?${WINDOW}`]) {
      const response = await ask(node, map, path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(opaque(await pixelsOf(response.clone()))).toBeGreaterThan(1000);
    }
    const base = `${SITE}/v1/m/${map.token}`;
    for (const path of ["presets/ndvi/tilejson.json", "tiles/ndvi/WebMercatorQuad/tilejson.json"]) {
      const document = (await json(await ask(node, map, path))) as { tiles: string[] };
      expect(document.tiles).toEqual([`${base}/tiles/ndvi/WebMercatorQuad/{z}/{x}/{y}.png`]);
    }
    const capabilities = await (await ask(node, map, "wmts?SERVICE=WMTS&REQUEST=GetCapabilities")).text();
    const addresses = [...capabilities.matchAll(/(?:template|xlink:href)="([^"]+)"/g)].map(
      ([, address = ""]) => address,
    );
    expect(addresses.length).toBeGreaterThan(20);
    for (const address of addresses)
      expect(address.startsWith(address.includes("/legend.") ? `${SITE}/v1/presets/` : base)).toBe(true);
    const pairs = new URLSearchParams({
      ...{
        SERVICE: "WMTS",
        REQUEST: "GetTile",
        VERSION: "1.0.0",
        LAYER: "ndvi",
        STYLE: "default",
        FORMAT: "image/png",
      },
      ...{ TILEMATRIXSET: "WebMercatorQuad", TILEMATRIX: "9", TILEROW: "182", TILECOL: "275", TIME: "2024-07" },
    });
    expect((await ask(node, map, `wmts?${pairs}`)).status).toBe(200);
  });

  test("that are unknown, ended or expired are 401, on another node within a minute", { tags: ["MT3"] }, async () => {
    const settings = await host().fresh();
    const clock = { now: START };
    const [one, other] = [await nodeOf(settings, clock), await nodeOf(settings, clock)];
    const session = await one.signIn("ann@example.com");
    const [map, short] = [await makeMap(one, session), await makeMap(one, session, { expiresInDays: 1 })];
    for (const node of [one, other]) expect((await ask(node, map, TILE)).status).toBe(200);
    expect((await one.send("DELETE", `/v1/maps/${map.id}`, undefined, session)).status).toBe(204);
    expect((await ask(one, map, TILE)).status).toBe(401);
    clock.now += MINUTE - 1;
    const refused = await ask(other, map, TILE);
    expect(refused.headers.get("Cache-Control")).toBe("no-store");
    expect(await problemOf(refused)).toMatchObject({ status: 401, code: "invalid-key" });
    expect((await ask(one, { token: "x".repeat(40) }, TILE)).status).toBe(401);
    expect((await ask(one, { token: "x" }, PREVIEW)).status).toBe(401);
    expect((await ask(one, short, TILE)).status).toBe(200);
    clock.now += DAY;
    expect((await ask(one, short, TILE)).status).toBe(401);
    expect(await json(await one.send("GET", `/v1/maps/${short.id}`, undefined, session))).toMatchObject({
      status: "expired",
    });
  });

  test("cost units of their account and of their day, and a finished image costs nothing", {
    tags: ["MT4"],
  }, async () => {
    const clock = { now: START };
    const node = await nodeOf(await host().fresh(), clock);
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session, { unitsPerDay: 1 });
    const before = await spentOf(node, session);
    // three bands of 512 by 512 pixels cost a unit
    const first = await ask(node, map, `tiles/false-color/WebMercatorQuad/9/275/182@2x.png?${WINDOW}`);
    expect(first.status).toBe(200);
    expect(first.headers.get("X-Units-Spent")).toBeNull();
    expect(first.headers.get("RateLimit")).toBeNull();
    expect((await spentOf(node, session)) - before).toBeCloseTo(1, 4);
    expect((await ask(node, map, `tiles/false-color/WebMercatorQuad/9/275/182@2x.png?${WINDOW}`)).status).toBe(200);
    const problem = await problemOf(await ask(node, map, `tiles/false-color/WebMercatorQuad/9/274/182.png?${WINDOW}`));
    expect(problem).toMatchObject({
      ...{
        status: 429,
        code: "quota-exhausted",
        limits: { unitsPerDay: 1, unitsSpentToday: 1 },
        retryAfter: 12 * 3600,
      },
    });
    expect((await spentOf(node, session)) - before).toBeCloseTo(1, 4);
    const { keys } = (await json(await node.send("GET", "/v1/usage", undefined, session))) as {
      keys: { id: string; units: number }[];
    };
    expect(keys.find(({ id }) => id === map.id)?.units).toBeCloseTo(1, 4);
    clock.now += DAY;
    expect((await ask(node, map, `tiles/false-color/WebMercatorQuad/9/274/182.png?${WINDOW}`)).status).toBe(200);
  });

  test("whose account has spent its month are 429 that says nothing of its units", { tags: ["MT4"] }, async () => {
    const settings = await host().fresh();
    const node = await nodeOf(settings);
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    const { id } = (await json(await node.send("GET", "/v1/account", undefined, session))) as { id: string };
    const spent = `insert into unit_payer(payer, period, spent, minute, minute_units, minute_requests)
      values ($1, '2026-06', 150000000, 0, 0, 0) on conflict(payer) do update set spent = 150000000, period = '2026-06'`;
    await node.store.query(spent, [`account:${id}`]);
    // one that has not counted anything yet
    const problem = await problemOf(await ask(await nodeOf(settings), map, TILE));
    expect(problem).toMatchObject({ status: 429, code: "quota-exhausted", limits: {} });
    expect(JSON.stringify(problem)).not.toMatch(/15,?000|10,?000/);
  });

  test("show twenty tiles at once, one after the other, each charged once", { tags: ["MT4"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    const before = await spentOf(node, session);
    const tiles = Array.from({ length: 20 }, (_, i) => [2190 + (i % 5), 1458 + Math.floor(i / 5)] as const);
    const answers = await Promise.all(
      tiles.map(([x, y]) => ask(node, map, `tiles/ndvi/WebMercatorQuad/12/${x}/${y}.png?${WINDOW}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(tiles.map(() => 200));
    // two bands of 256 by 256 pixels; a tile without a scene costs nothing
    const drawn = answers.filter(({ headers }) => headers.get("X-Scenes-Used") !== "0").length;
    expect(drawn).toBeGreaterThan(10);
    expect((await spentOf(node, session)) - before).toBeCloseTo(drawn * Math.ceil((1e4 * 2) / 3 / 4) * 1e-4, 3);
  });

  test("go with their account: suspended is 403, deleted is 401", { tags: ["MT3"] }, async () => {
    const clock = { now: START };
    const node = await nodeOf(await host().fresh(), clock);
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    await node.accounts.accounts.suspend("ann@example.com");
    expect(await problemOf(await ask(node, map, TILE))).toMatchObject({ status: 403, code: "key-suspended" });
    await node.accounts.accounts.resume("ann@example.com");
    clock.now += MINUTE;
    expect((await ask(node, map, TILE)).status).toBe(200);
    expect((await node.send("DELETE", "/v1/account", undefined, session)).status).toBe(204);
    clock.now += MINUTE;
    expect((await ask(node, map, TILE)).status).toBe(401);
    expect(await node.store.query("select * from map_token")).toEqual([]);
  });
});

describe("a map token", () => {
  let sqlite: EngineHost;
  const host = (): EngineHost => sqlite;
  beforeAll(async () => {
    sqlite = await startEngine("sqlite");
  });
  afterAll(() => sqlite.stop());

  test("shows the presets and collections that it names, and no others", { tags: ["MT5"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session, {
      presets: ["ndvi", "true-color", "index-gemi"],
      collections: ["sentinel-2-l2a"],
    });
    for (const path of [
      TILE,
      PREVIEW,
      `${PREVIEW}&preset=ndvi`,
      "presets/ndvi/tilejson.json",
      "presets/index-gemi/tilejson.json",
    ]) {
      expect([path, (await ask(node, map, path)).status]).toEqual([path, 200]);
    }
    const pairs =
      "SERVICE=WMTS&REQUEST=GetTile&STYLE=&FORMAT=image/png&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=9&TILEROW=182&TILECOL=275";
    for (const path of [
      `tiles/false-color/WebMercatorQuad/9/275/182.png?${WINDOW}`,
      `${TILE}&collection=landsat-ot-l2`,
      `${TILE}&collection=LOTL2`,
      `${TILE}&collection=optical-sr`,
      "tiles/custom/WebMercatorQuad/9/275/182.png?bands=red&collection=sentinel-2-l2a",
      "presets/moisture/tilejson.json",
      "presets/ndvi/tilejson.json?collection=hls",
      `${PREVIEW}&preset=false-color`,
      `${PREVIEW}&preset=custom&bands=red`,
      "collections/landsat-ot-l2/items/LC08_L2SP_191028_20240705_02_T1/preview.png",
      `wmts?${pairs}&LAYER=moisture`,
      `wmts?${pairs}&LAYER=ndvi.landsat-ot-l2`,
    ]) {
      const problem = await problemOf(await ask(node, map, path));
      expect([path, problem]).toEqual([path, expect.objectContaining({ status: 403, code: "insufficient-scope" })]);
    }
    const capabilities = await (await ask(node, map, "wmts/WMTSCapabilities.xml")).text();
    const layers = [...capabilities.matchAll(/<Layer>[\s\S]*?<\/ows:WGS84BoundingBox>\s*<ows:Identifier>([^<]+)/g)];
    expect(layers.map(([, name]) => name).sort()).toEqual(["index-gemi", "ndvi", "true-color"]);
  });

  test("shows itself on pages of its origins, and to what sends no origin", { tags: ["MT5"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const map = await makeMap(node, await node.signIn("ann@example.com"), { origins: ["https://fields.example"] });
    expect((await ask(node, map, TILE)).status).toBe(200);
    expect((await ask(node, map, TILE, { Origin: "https://fields.example" })).status).toBe(200);
    const elsewhere = await ask(node, map, TILE, { Origin: "https://other.example" });
    expect(await problemOf(elsewhere)).toMatchObject({ status: 403, code: "origin-not-allowed" });
    expect(elsewhere.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  test("gives images that caches may share for seconds, and revalidate for nothing", { tags: ["MT6"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    const first = await ask(node, map, TILE);
    expect(first.headers.get("Cache-Control")).toBe("public, max-age=86400, s-maxage=25");
    expect(first.headers.get("Vary")).not.toMatch(/X-API-Key|Authorization/);
    const before = await spentOf(node, session);
    const again = await ask(node, map, TILE, { "If-None-Match": first.headers.get("ETag") ?? "" });
    expect([again.status, again.headers.get("Cache-Control")]).toEqual([304, "public, max-age=86400, s-maxage=25"]);
    expect(await spentOf(node, session)).toBe(before);
    const tileJson = await ask(node, map, "presets/ndvi/tilejson.json");
    expect(tileJson.headers.get("Cache-Control")).toBe("public, max-age=600, s-maxage=25");
    // whoever has no key gets the same image by the other address, with the rule of that one
    const anyone = await node.request(`/v1/${TILE}`);
    expect(anyone.headers.get("Cache-Control")).toBe("public, max-age=86400, stale-while-revalidate=86400");
  });

  test("stands in no log and in no problem document", { tags: ["MT7"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    const answers = [
      await ask(node, map, TILE),
      await ask(node, map, "tiles/nothing/WebMercatorQuad/9/275/182.png"),
      await ask(node, map, "nothing/here"),
      await ask(node, map, "tiles/ndvi/WebMercatorQuad/9/275/182"),
      await node.unchecked(`${SITE}/v1/m/${map.token}/${TILE}`, { method: "DELETE" }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 404, 405]);
    for (const answer of answers.slice(1)) {
      const text = await answer.text();
      expect(text).not.toContain(map.token);
      expect(JSON.parse(text).instance).toMatch(/^\/v1\/m\/\*\*\*\//);
    }
    expect(node.logged.join("")).not.toContain(map.token);
    expect(node.logged.join("")).toContain(`"key":"map-${map.id}"`);
    expect(await node.metrics.text()).not.toContain(map.token);
  });

  test("is one of twenty at most, and names what there is", { tags: ["MT1"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const maps = await Promise.all(Array.from({ length: 20 }, () => makeMap(node, session)));
    const more = await node.send("POST", "/v1/maps", {}, session);
    expect(await json(more)).toMatchObject({
      ...{ status: 409, code: "key-limit-reached", limits: { maxMaps: 20, activeMaps: 20 } },
    });
    await node.send("DELETE", `/v1/maps/${maps[0]?.id}`, undefined, session);
    expect((await node.send("POST", "/v1/maps", {}, session)).status).toBe(201);
    for (const [body, pointer] of [
      [{ presets: ["ndvi", "nvdi"] }, "/presets/1"],
      [{ collections: ["LOTL2"] }, "/collections/0"],
      [{ presets: [] }, "/presets"],
      [{ presets: ["ndvi", "ndvi"] }, "/presets"],
      [{ origins: ["https://a.example/path"] }, "/origins/0"],
      [{ origins: ["*"] }, "/origins/0"],
      [{ unitsPerDay: 0 }, "/unitsPerDay"],
      [{ unitsPerDay: 100_001 }, "/unitsPerDay"],
      [{ expiresInDays: 366 }, "/expiresInDays"],
      [{ name: "a\nb" }, "/name"],
      [{ other: 1 }, "/other"],
    ] as const) {
      const problem = await json(await node.send("POST", "/v1/maps", body, session));
      expect([body, problem]).toEqual([
        body,
        expect.objectContaining({ status: 400, errors: [expect.objectContaining({ pointer })] }),
      ]);
    }
  });

  test("of another account is not there, and guests and keys for accounts make none", { tags: ["MT1"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const [ann, bob] = [await node.signIn("ann@example.com"), await node.signIn("bob@example.com")];
    const map = await makeMap(node, ann);
    for (const method of ["GET", "DELETE"]) {
      expect((await node.send(method, `/v1/maps/${map.id}`, undefined, bob)).status).toBe(404);
    }
    expect((await ask(node, map, TILE)).status).toBe(200);
    const guest = await node.accounts.tokens.issueGuest(undefined);
    expect((await node.send("POST", "/v1/maps", {}, guest)).status).toBe(403);
    const key = await node.createKey(ann, { name: "a", scopes: ["account"] });
    expect((await node.request("/v1/maps", { headers: { "X-API-Key": key.secret } })).status).toBe(403);
    const data = await node.createKey(ann, { name: "b" });
    const headers = { "X-API-Key": data.secret, "Content-Type": "application/json" };
    expect((await node.request("/v1/maps", { method: "POST", headers, body: "{}" })).status).toBe(201);
    expect((await node.request("/v1/maps", { method: "POST", body: "{}" })).status).toBe(401);
  });

  test("does not lock its account out: requests of the map are counted apart", { tags: ["MT4"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const session = await node.signIn("ann@example.com");
    const map = await makeMap(node, session);
    await ask(node, map, TILE);
    for (let i = 0; i < 700; i++) expect((await ask(node, map, TILE)).status).toBe(200);
    expect((await node.send("GET", "/v1/usage", undefined, session)).status).toBe(200);
  });

  test("is read of its address alone, whatever headers come with it, and is no key", { tags: ["MT2"] }, async () => {
    const node = await nodeOf(await host().fresh());
    const map = await makeMap(node, await node.signIn("ann@example.com"));
    expect((await ask(node, map, TILE, { "X-API-Key": "wrong", Authorization: "Bearer wrong" })).status).toBe(200);
    for (const headers of [{ "X-API-Key": map.token }, { Authorization: `Bearer ${map.token}` }] as HeadersInit[]) {
      expect((await node.request(`/v1/${TILE}`, { headers })).status).toBe(401);
    }
  });
});

describe("maps of the service's owner", () => {
  test("need no accounts, and their units are counted on the owner", { tags: ["MT8"] }, async () => {
    const store = await memoryStore();
    const { units, maps, close } = accountsOn(store, { now: () => START });
    const service = await testService({ maps, units, tileCacheBytes: 1e8 }, { profile: FULL });
    const made = (await json(await service.post("/v1/maps", { unitsPerDay: 1 }))) as unknown as NewMap;
    const path = `/v1/m/${made.token}/tiles/false-color/WebMercatorQuad/9/275/182@2x.png?${WINDOW}`;
    expect((await service.request(path)).status).toBe(200);
    expect((await service.request(path.replace("275", "274"))).status).toBe(429);
    expect(await json(await service.get("/v1/usage"))).toMatchObject({ tier: "owner", units: { spent: 1 } });
    expect((await service.request(`/v1/maps/${made.id}`)).status).toBe(401);
    const ended = await service.request(`/v1/maps/${made.id}`, {
      method: "DELETE",
      headers: { "X-API-Key": "test-key" },
    });
    expect(ended.status).toBe(204);
    expect((await service.request(path)).status).toBe(401);
    await close();
    await store.close();
  });

  test("are none in lean v1", { tags: ["MT8"] }, async () => {
    const lean = await testService({ maps: accountsOn(await memoryStore()).maps });
    expect((await lean.get("/v1/maps")).status).toBe(404);
    expect((await lean.get(`/v1/m/${"x".repeat(40)}/${TILE}`)).status).toBe(404);
  });
});
