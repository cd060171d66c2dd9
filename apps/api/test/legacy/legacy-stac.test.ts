import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { KEY } from "../tools/harness.ts";
import { type LegacyService, legacyService, ORIGIN } from "./legacy-service.ts";

interface Link {
  readonly rel: string;
  readonly href: string;
  readonly method?: string;
  readonly body?: Record<string, unknown>;
}
interface Page {
  readonly type: string;
  readonly features: {
    id: string;
    collection: string;
    properties: Record<string, unknown>;
    links: Link[];
    assets: Record<string, { href: string }>;
  }[];
  readonly links: Link[];
  readonly numberMatched: number;
}

const ROOT = `${ORIGIN}/legacy/stac`;
const S2 = "sentinel-2-c1-l2a";
const json = async <T>(response: Response): Promise<T> => (await response.json()) as T;

let upstream: ServedUpstream;
let seen: { path: string; headers: Headers; body: string }[] = [];
let embedded: LegacyService;
let remote: LegacyService;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), {
    intercept: async (request) => {
      const { pathname, search } = new URL(request.url);
      seen.push({ path: pathname + search, headers: request.headers, body: await request.clone().text() });
      return undefined;
    },
  });
  embedded = await legacyService();
  remote = await legacyService({ legacy: { upstreamUrl: upstream.url } });
});
afterAll(() => upstream.close());

describe.each([
  { backEnd: "the embedded archive", service: () => embedded },
  { backEnd: "an upstream over HTTP", service: () => remote },
])("the legacy STAC host over $backEnd", ({ service }) => {
  const get = (path: string): Promise<Response> => service().get(`/legacy/stac${path}`);
  const search = (body: unknown): Promise<Response> => service().post("/legacy/stac/search", body);

  test("has upstream collection ids, upstream item shapes and links to itself", { tags: ["Y1"] }, async () => {
    const response = await search({ collections: [S2], limit: 2 });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toMatch(/^application\/geo\+json/);
    const page = await json<Page>(response);
    expect(page.features).toHaveLength(2);
    for (const item of page.features) {
      expect(item.collection).toBe(S2);
      expect(Object.keys(item.assets)).toEqual(expect.arrayContaining(["red", "nir", "visual", "scl"]));
      const own = item.links.filter(({ rel }) => ["self", "root", "parent", "collection"].includes(rel));
      expect(own.map(({ href }) => href)).toEqual(own.map(() => expect.stringContaining(ROOT)));
    }
    const next = page.links.find(({ rel }) => rel === "next");
    expect(next).toMatchObject({ href: `${ROOT}/search`, method: "POST" });
  });

  test("every plain route answers, and each one's links lead back to it", { tags: ["Y3"] }, async () => {
    const landing = await json<{ links: Link[]; conformsTo: string[] }>(await get(""));
    expect(landing.links.filter(({ rel }) => rel === "search").map(({ href }) => href)).toContain(`${ROOT}/search`);
    expect((await json<{ conformsTo: string[] }>(await get("/conformance"))).conformsTo).toEqual(landing.conformsTo);
    const list = await json<{ collections: { id: string }[] }>(await get("/collections"));
    // an upstream behind HTTP shows all that it has
    const has = (await (await fetch(`${upstream.url}/collections`)).json()) as typeof list;
    const ids = list.collections.map(({ id }) => id).sort();
    expect([["landsat-c2-l2", S2], has.collections.map(({ id }) => id).sort()]).toContainEqual(ids);
    expect(await json(await get(`/collections/${S2}`))).toMatchObject({ id: S2, type: "Collection" });
    const items = await json<Page>(await get(`/collections/${S2}/items?limit=1`));
    const id = items.features[0]?.id ?? "";
    expect(await json(await get(`/collections/${S2}/items/${id}`))).toMatchObject({ id, type: "Feature" });
    const found = await json<Page>(await get(`/search?collections=${S2}&ids=${id}`));
    expect(found.features.map((item) => item.id)).toEqual([id]);
    expect((await service().get("/legacy/stac/")).status).toBe(200);
  });

  test("paging by next links, POST and GET, gives every item once", { tags: ["Y1"] }, async () => {
    const all = await json<Page>(await search({ collections: [S2], limit: 250 }));
    const ids = new Set<string>();
    let body: Record<string, unknown> | undefined = { collections: [S2], limit: 30 };
    while (body !== undefined) {
      const page: Page = await json<Page>(await search(body));
      for (const { id } of page.features) ids.add(id);
      body = page.links.find(({ rel }) => rel === "next")?.body;
    }
    expect(ids.size).toBe(all.features.length);
    const walked = new Set<string>();
    let href: string | undefined = `${ROOT}/search?collections=${S2}&limit=40`;
    while (href !== undefined) {
      const page: Page = await json<Page>(await service().get(href));
      for (const { id } of page.features) walked.add(id);
      href = page.links.find(({ rel }) => rel === "next")?.href;
    }
    expect(walked).toEqual(ids);
  });

  test("cloud cover is filtered by query, and CQL2 is ignored without a word", { tags: ["Y2"] }, async () => {
    const plain = await json<Page>(await search({ collections: [S2], limit: 100 }));
    const covers = plain.features.map(({ properties }) => Number(properties["eo:cloud_cover"])).sort((x, y) => x - y);
    const middle = covers[covers.length >> 1] ?? 0;
    const query = { "eo:cloud_cover": { lt: middle } };
    const clear = await json<Page>(await search({ collections: [S2], query, limit: 100 }));
    expect(clear.numberMatched).toBe(covers.filter((cover) => cover < middle).length);
    for (const { properties } of clear.features) expect(properties["eo:cloud_cover"]).toBeLessThan(middle);
    const filter = { op: "<", args: [{ property: "eo:cloud_cover" }, middle] };
    const filtered = await search({
      collections: [S2],
      filter,
      "filter-lang": "cql2-json",
      "filter-crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
      limit: 100,
    });
    expect(filtered.status).toBe(200);
    expect((await json<Page>(filtered)).numberMatched).toBe(plain.numberMatched);
    const byGet = await get(`/search?collections=${S2}&filter=eo%3Acloud_cover%3C1&filter-lang=cql2-text&limit=100`);
    expect((await json<Page>(byGet)).numberMatched).toBe(plain.numberMatched);
  });

  test.each([
    { what: "a malformed search", send: () => search({ bbox: [1, 2, 3] }), status: 400 },
    { what: "a body that is no JSON", send: () => search("{"), status: 400 },
    { what: "an unknown collection", send: () => get("/collections/nothing"), status: 404 },
    { what: "an unknown item", send: () => get(`/collections/${S2}/items/nothing`), status: 404 },
    { what: "an unknown path", send: () => get("/nothing"), status: 404 },
    { what: "a box of six numbers", send: () => search({ bbox: [1, 2, 3, 4, 5, 6] }), status: 502 },
  ])("$what is answered with the upstream's own $status and body", { tags: ["Y4"] }, async ({ send, status }) => {
    const response = await send();
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ code: expect.any(String), description: expect.any(String) });
  });

  test("a missing or wrong key is a plain 403 and no problem document", { tags: ["U6", "Y21"] }, async () => {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const response = await service().request("/legacy/stac/search", { method: "POST", headers, body: "{}" });
      expect(response.status).toBe(403);
      expect(response.headers.get("Content-Type")).toBe("application/json");
      expect(await response.json()).toEqual({ message: "Forbidden" });
    }
  });

  test("a method that STAC does not have is a 405", async () => {
    const response = await service().request(`/legacy/stac/collections/${S2}`, {
      method: "DELETE",
      headers: { "x-api-key": KEY },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
  });

  test("HEAD has the status and no body, OPTIONS passes without a key", async () => {
    const head = await service().request("/legacy/stac/conformance", { method: "HEAD", headers: { "x-api-key": KEY } });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const preflight = await service().request("/legacy/stac/search", { method: "OPTIONS" });
    expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, "*"]);
  });

  test("a body over a megabyte is refused", async () => {
    const response = await search(JSON.stringify({ ids: ["x".repeat(1_100_000)] }));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ limits: { maxBytes: 1_048_576 } });
  });
});

test("assets keep the upstream's addresses, and those of the archive are served here without a key", async () => {
  const far = await json<Page>(await remote.post("/legacy/stac/search", { collections: [S2], limit: 1 }));
  expect(far.features[0]?.assets.red?.href).toContain(`${upstream.url}/assets/`);
  const near = await json<Page>(await embedded.post("/legacy/stac/search", { collections: [S2], limit: 1 }));
  const href = near.features[0]?.assets.red?.href ?? "";
  expect(href).toContain(`${ROOT}/assets/`);
  const file = await embedded.request(href, { headers: { Range: "bytes=0-3" } });
  expect([file.status, await file.text()]).toEqual([206, "II*\0"]);
  const outside = await embedded.request("/legacy/stac/assets/..%2farchive.json");
  expect(outside.status).toBe(404);
});

test("neither the key nor anything else that identifies the caller goes upstream", { tags: ["Y5"] }, async () => {
  seen = [];
  await remote.post("/legacy/stac/search", { limit: 1, filter: {} }, { Cookie: "a=b", Authorization: "Bearer x" });
  expect(seen).toHaveLength(1);
  const [request] = seen;
  for (const name of ["x-api-key", "cookie", "authorization"]) expect(request?.headers.has(name)).toBe(false);
  expect(JSON.stringify([...(request?.headers ?? [])])).not.toContain(KEY);
  expect(request?.body).toBe('{"limit":1}');
});

test("the hosts are recognized by their names too", { tags: ["Y6"] }, async () => {
  const service = await legacyService({ legacy: { hosts: { stac: "stac.old.test", tiles: "tiles.old.test" } } });
  const landing = await json<{ links: Link[] }>(await service.get("http://stac.old.test/"));
  expect(landing.links.find(({ rel }) => rel === "root")?.href).toBe("http://stac.old.test");
  const health = await service.get("http://tiles.old.test/healthz");
  expect(await health.json()).toMatchObject({ "stac-api_online": true });
  // a legacy host serves nothing but itself
  expect((await service.get("http://tiles.old.test/v1/conformance")).status).toBe(404);
  expect((await service.get("/v1/conformance")).status).toBe(200);
});

describe("an upstream in trouble", () => {
  /** Times that tests hold until they let them be over. */
  const DEADLINE_MS = 27_001;
  const SILENCE_MS = 27_002;
  let server: Server;
  interface Answer {
    readonly status: number;
    readonly headers?: IncomingHttpHeaders;
    readonly pieces: readonly string[];
    readonly isMute?: boolean;
    /** `cut`: the connection breaks; `open`: nothing more comes. */
    readonly ending?: "cut" | "open";
  }
  let answer: (url: string) => Answer;
  let service: LegacyService;
  const upstreamUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status, headers, pieces, isMute = false, ending } = answer(request.url ?? "");
      if (isMute) return;
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      for (const piece of pieces) response.write(piece);
      if (ending === "cut") response.destroy();
      else if (ending !== "open") response.end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    service = await legacyService({
      legacy: { upstreamUrl: upstreamUrl(), limits: { maxBytes: 200_000, silenceMs: SILENCE_MS } },
      http: { deadlineMs: DEADLINE_MS },
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test("status, body and Retry-After are passed on as they are", { tags: ["Y4"] }, async () => {
    answer = () => ({ status: 503, headers: { "retry-after": "7" }, pieces: ['{"message":"Service Unavailable"}'] });
    const response = await service.get("/legacy/stac/search");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "7"]);
    expect(await response.text()).toBe('{"message":"Service Unavailable"}');
  });

  test("links are moved whatever the upstream calls itself", async () => {
    const links = [
      { rel: "self", href: "https://public.example/v1/collections/a" },
      { rel: "root", href: "https://public.example/v1" },
      { rel: "license", href: "https://public.example/other" },
    ];
    answer = () => ({ status: 200, pieces: [...JSON.stringify({ links, title: '"links": [' })] });
    const body = await json<{ links: Link[] }>(await service.get("/legacy/stac/collections/a"));
    expect(body.links.map(({ href }) => href)).toEqual([`${ROOT}/collections/a`, ROOT, "https://public.example/other"]);
  });

  test("an upstream that is silent is a 504", { tags: ["Y4"] }, async () => {
    const { deadline } = holdTimers({ deadline: DEADLINE_MS });
    answer = () => {
      deadline.pass();
      return { status: 200, pieces: [], isMute: true };
    };
    const silent = await service.get("/legacy/stac/search");
    expect([silent.status, await silent.json()]).toEqual([
      504,
      { code: "GatewayTimeout", description: "No answer within 27.001 s." },
    ]);
  });

  const page = JSON.stringify({ type: "FeatureCollection", features: [], links: [], text: "x".repeat(5000) });
  const html = "<html><body>503 proxy at 10.0.0.7</body></html>";
  const BAD = { code: "BadGateway", description: expect.any(String) };
  test.each([
    {
      what: "a page that is cut off within its length",
      headers: { "content-length": "9000" },
      pieces: [page],
      ending: "cut",
    },
    { what: "a page that is cut off in a chunk", pieces: [page.slice(0, 3000)], ending: "cut" },
    { what: "half a page that ends well", pieces: [page.slice(0, 3000)] },
    { what: "HTML that says it is JSON", pieces: [html] },
    { what: "HTML", headers: { "Content-Type": "text/html" }, pieces: [html] },
    { what: "nothing", pieces: [] },
    { what: "text", headers: { "Content-Type": "text/plain" }, pieces: ["ok"] },
    { what: "a 500 in HTML", code: 500, headers: { "Content-Type": "text/html" }, pieces: [html] },
    { what: "a 403 of a firewall in HTML", code: 403, headers: { "Content-Type": "text/html" }, pieces: [html] },
    { what: "more than the bound", pieces: Array.from({ length: 8 }, () => " ".repeat(40_000)) },
  ] as const)(
    "$what is a 502 in the host's own form",
    { tags: ["Y32"] },
    async ({ pieces, code = 200, headers = {}, ...rest }) => {
      answer = () => ({ status: code, headers, pieces, ...rest });
      for (const path of ["/legacy/stac/search", `/legacy/stac/collections/${S2}`]) {
        const response = await service.get(path);
        expect([response.status, response.headers.get("Content-Type")]).toEqual([502, "application/json"]);
        const text = await response.text();
        expect(JSON.parse(text)).toEqual(BAD);
        expect(text).not.toMatch(/127\.0\.0\.1|10\.0\.0\.7|html|JSON\.parse|terminated/);
      }
      const head = await service.request("/legacy/stac/search", { method: "HEAD", headers: { "x-api-key": KEY } });
      expect(head.status).toBe(502);
    },
  );

  test.each([
    { what: "never sends more after its first bytes", limit: "silence" },
    { what: "drips on and on", limit: "deadline" },
  ] as const)("an upstream that $what is a 504 in the host's own form", { tags: ["Y32"] }, async ({ limit }) => {
    answer = () => ({ status: 200, pieces: [page.slice(0, 100)], ending: "open" });
    const timers = holdTimers({ silence: SILENCE_MS, deadline: DEADLINE_MS });
    const asked = service.get("/legacy/stac/search");
    // the silence begins anew with the first bytes
    await expect.poll(() => timers.silence.set).toBe(2);
    timers[limit].pass();
    const response = await asked;
    expect([response.status, await response.json()]).toEqual([
      504,
      { code: "GatewayTimeout", description: expect.stringMatching(/in time|within/) },
    ]);
  });

  test.each([429, 503, 504])("a %i without a document keeps its status, in the host's own form", async (status) => {
    answer = () => ({ status, headers: { "Content-Type": "text/html", "retry-after": "9" }, pieces: [html] });
    const response = await service.get("/legacy/stac/search");
    expect([response.status, response.headers.get("Retry-After")]).toEqual([status, "9"]);
    expect(await response.json()).toMatchObject({ code: expect.any(String), description: expect.any(String) });
  });

  test("the documentation for people passes as the HTML it is", async () => {
    answer = () => ({ status: 200, headers: { "Content-Type": "text/html" }, pieces: [html] });
    const response = await service.get("/legacy/stac/api.html");
    expect([response.status, response.headers.get("Content-Type"), await response.text()]).toEqual([
      200,
      "text/html",
      html,
    ]);
  });

  test("an upstream that is not there is a 502", { tags: ["Y4", "Y10"] }, async () => {
    const alone = await legacyService({ legacy: { upstreamUrl: "http://127.0.0.1:1/v1" } });
    const gone = await alone.get("/legacy/stac/search");
    expect([gone.status, await gone.json()]).toEqual([502, { code: "BadGateway", description: expect.any(String) }]);
    const tile = await alone.get(`/legacy/tiles/collections/${S2}/items/a/tiles/WebMercatorQuad/9/1/1.png?assets=red`);
    const text = await tile.text();
    expect([tile.status, text]).toEqual([502, '{"detail":"The upstream catalog did not answer."}']);
    const health = await alone.get("/legacy/tiles/healthz");
    expect([health.status, await health.json()]).toMatchObject([200, { "stac-api_online": false }]);
  });
});

test("an answer is compressed for those who ask for it", async () => {
  const body = { collections: [S2], limit: 5 };
  const plain = await remote.post("/legacy/stac/search", body);
  const packed = await remote.post("/legacy/stac/search", body, { "Accept-Encoding": "gzip" });
  expect(packed.headers.get("Content-Encoding")).toBe("gzip");
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(await plain.text());
});
