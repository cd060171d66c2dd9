import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Catalog, CatalogError, createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { inlineRenderer } from "@swath/engine/node";
import { Problem } from "@swath/problem";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { resolveCollection } from "@swath/schema";
import { afterAll, afterEach, beforeAll, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { onJumpingClock } from "../../../../test/tools/jumping-clock.ts";
import { LEAN, type TestService, testService } from "../tools/harness.ts";

type Fault = (request: Request) => Response | undefined | Promise<Response | undefined>;

let upstream: ServedUpstream;
let fault: Fault | undefined;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), { intercept: (request) => fault?.(request) });
});
afterAll(() => upstream.close());
afterEach(() => {
  fault = undefined;
  vi.restoreAllMocks();
});

function serviceFor(url: string, replaced: Parameters<typeof testService>[0] = {}): Promise<TestService> {
  const catalog = createUpstreamCatalog({ url, registry: LEAN.registry });
  return testService({
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer: inlineRenderer({
      blockCacheBytes: 16 * 1_048_576,
      sources: { upstreamUrl: url, assetHosts: [], s3: { region: "us-west-2" } },
    }),
    ...replaced,
  });
}

/** One scene of Sentinel-2 covers this tile at that time. */
const TILE = "/v1/tiles/true-color/WebMercatorQuad/11/1101/730.png?datetime=2024-07-04T10:07:40Z/2024-07-04T10:08:00Z";
const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const PREVIEW = `/v1/collections/sentinel-2-l2a/items/${SCENE}/preview.png?max_size=64`;
const onAssets =
  (answer: Fault): Fault =>
  (request) =>
    new URL(request.url).pathname.includes("/assets/") ? answer(request) : undefined;

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  return Problem.parse(await response.json());
}

test("an upstream that refuses connections gives 503 within ten seconds on every route that asks it", {
  tags: ["S34", "E1"],
}, async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const paths = ["/v1/search", "/v1/collections/sentinel-2-l2a/items/x", TILE, PREVIEW];
  const { result, ms } = await onJumpingClock(async () => {
    const asked = await serviceFor(`http://127.0.0.1:${port}/v1`);
    return { asked, problems: await Promise.all(paths.map(async (path) => problemOf(await asked.get(path)))) };
  });
  const { asked: service, problems } = result;
  for (const problem of problems) expect(problem).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(problems.every((problem) => (problem.retryAfter ?? 0) > 0)).toBe(true);
  expect(ms).toBeLessThan(10_000);
  const health = (await (await service.request("/v1/health")).json()) as object;
  expect(health).toMatchObject({ status: "degraded", checks: { catalog: "unavailable", renderer: "ok" } });
});

const EXTENTS = [
  "/v1/collections",
  "/v1/collections/sentinel-2-l2a",
  "/v1/tiles/true-color/WebMercatorQuad/tilejson.json",
] as const;

/** Where and when the collection is, as the three documents say it. */
async function extentsOf(service: TestService): Promise<unknown[]> {
  const [list, one, tiles] = await Promise.all(
    EXTENTS.map(async (path) => {
      const response = await service.request(path);
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as Record<string, unknown>;
    }),
  );
  const [first] = (list?.collections ?? []) as { extent: unknown }[];
  return [first?.extent, one?.extent, tiles?.bounds];
}

test("while the upstream is down collections and TileJSON have the extent it gave last", {
  tags: ["C17"],
}, async () => {
  let answers = true;
  const plain = createUpstreamCatalog({ url: upstream.url, registry: LEAN.registry });
  const catalog: Catalog = {
    ...plain,
    extent: (...asked) =>
      answers ? plain.extent(...asked) : Promise.reject(new CatalogError("unavailable", "It is down.")),
  };
  const service = await testService({ catalog, tileScenes: createNeighbourhoodSearch(catalog) });
  const before = await extentsOf(service);
  expect(before[0]).not.toMatchObject({ spatial: { bbox: [[-180, -90, 180, 90]] } });
  answers = false;
  expect(await extentsOf(service)).toEqual(before);
  for (const path of EXTENTS)
    expect((await service.request(path)).headers.get("Cache-Control")).toBe("public, max-age=30");
});

test("before the upstream has answered once, the extent is the world since the collection's start", {
  tags: ["C17"],
}, async () => {
  const down = (): Promise<never> => Promise.reject(new CatalogError("timeout", "It took too long."));
  const catalog: Catalog = { ...createUpstreamCatalog({ url: upstream.url, registry: LEAN.registry }), extent: down };
  const [list, one, bounds] = await extentsOf(await testService({ catalog }));
  const world = {
    spatial: { bbox: [[-180, -90, 180, 90]] },
    temporal: { interval: [[resolveCollection("sentinel-2-l2a").start, null]] },
  };
  expect([list, one]).toEqual([world, world]);
  expect(bounds).toEqual([-180, -85.0511287798066, 180, 85.0511287798066]);
});

test("an upstream that never answers gives 503 within ten seconds", { tags: ["S34", "E1"] }, async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const { result, ms } = await onJumpingClock(async () => problemOf(await (await serviceFor(url)).get("/v1/search")));
  expect(result).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(ms).toBeLessThan(10_000);
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test.each([
  ["an error page", () => new Response("<html>no</html>", { status: 200, headers: { "Content-Type": "text/html" } })],
  [
    "half a document",
    () =>
      new Response('{"type":"FeatureCollection","features":[', { headers: { "Content-Type": "application/geo+json" } }),
  ],
  ["500", () => new Response("no", { status: 500 })],
  ["429", () => new Response("no", { status: 429, headers: { "Retry-After": "60" } })],
])("a catalog that sends %s gives 503 and is asked again by the next request", { tags: ["S34"] }, async (_, answer) => {
  const service = await serviceFor(upstream.url);
  fault = (request) => (new URL(request.url).pathname.endsWith("/search") ? answer() : undefined);
  expect(await problemOf(await service.get("/v1/search"))).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect((await service.get(TILE)).status).toBe(503);
  fault = undefined;
  expect((await service.get("/v1/search")).status).toBe(200);
  expect((await service.get(TILE)).status).toBe(200);
});

test.each([
  ["is gone", () => new Response("gone", { status: 404 })],
  [
    "is not a TIFF",
    () =>
      new Response("hello, world, this is no image", { status: 206, headers: { "Content-Range": "bytes 0-29/30" } }),
  ],
])(
  "a tile whose only file %s is 503 and names the scene, and is drawn once the file is there",
  { tags: ["T19"] },
  async (_, answer) => {
    const service = await serviceFor(upstream.url, { tileCacheBytes: 1_048_576 });
    fault = onAssets(answer);
    const response = await service.get(TILE);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await problemOf(response)).toMatchObject({
      status: 503,
      code: "upstream-unavailable",
      detail: `No scene under the tile can be read: ${SCENE}.`,
    });
    fault = undefined;
    const healed = await service.get(TILE);
    expect(healed.headers.get("X-Scenes-Used")).toBe("1");
    expect(healed.headers.has("X-Scenes-Skipped")).toBe(false);
  },
);

test("a preview whose file is gone is 404, and one whose file is no TIFF is 503 and names the scene", {
  tags: ["T19"],
}, async () => {
  const service = await serviceFor(upstream.url, { tileCacheBytes: 1_048_576 });
  fault = onAssets(() => new Response("gone", { status: 404 }));
  expect(await problemOf(await service.get(PREVIEW))).toMatchObject({
    status: 404,
    code: "not-found",
    detail: `A file that the preview of ${SCENE} is drawn from does not exist.`,
  });
  fault = onAssets(() => new Response("no image", { status: 206, headers: { "Content-Range": "bytes 0-7/8" } }));
  expect(await problemOf(await service.get(PREVIEW))).toMatchObject({
    status: 503,
    code: "upstream-unavailable",
    detail: `A file of scene ${SCENE} cannot be read.`,
  });
  fault = undefined;
  const healed = await service.get(PREVIEW);
  expect([healed.status, healed.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
});

test("a tile of two scenes, one of them unreadable, is drawn from the other, says so, and is not cached", {
  tags: ["T14"],
}, async () => {
  const service = await serviceFor(upstream.url);
  const both = TILE.replace(/datetime=.*/, "datetime=2024-06-20T00:00:00Z/2024-07-10T00:00:00Z");
  const whole = await service.get(both);
  expect(Number(whole.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
  const ids = await skippedIds(both);
  expect(ids.length).toBeGreaterThan(1);
  const [first = ""] = ids;
  fault = onAssets((request) => (request.url.includes(first) ? new Response("gone", { status: 404 }) : undefined));
  const response = await (await serviceFor(upstream.url)).get(both);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Skipped")).toBe(first);
  expect(Number(response.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
});

/** The scenes that a tile is made of: all those that it names when no file exists. */
async function skippedIds(path: string): Promise<string[]> {
  fault = onAssets(() => new Response("gone", { status: 404 }));
  const { detail = "" } = await problemOf(await (await serviceFor(upstream.url)).get(path));
  fault = undefined;
  return detail.match(/S2\w_\w+/g) ?? [];
}

test("a tile without a scene stays an empty image", { tags: ["T19"] }, async () => {
  const service = await serviceFor(upstream.url);
  fault = onAssets(() => new Response("gone", { status: 404 }));
  const response = await service.get(TILE.replace(/datetime=.*/, "datetime=2014-01-01"));
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Used")).toBe("0");
  expect(response.headers.has("X-Scenes-Skipped")).toBe(false);
});

test("a file cut short in the middle is a lasting fault of its scene", { tags: ["T19"] }, async () => {
  const service = await serviceFor(upstream.url);
  fault = onAssets(async (request) => {
    const match = /bytes=(\d+)-(\d+)/.exec(request.headers.get("Range") ?? "");
    const [start, end] = [Number(match?.[1]), Number(match?.[2])];
    const size = 40_000; // the header is whole, the blocks are not
    if (start >= size) return new Response(null, { status: 416, headers: { "Content-Range": `bytes */${size}` } });
    const whole = await fetch(request.url.replace("/assets/", "/assets/./"), {
      headers: { Range: `bytes=${start}-${Math.min(end, size - 1)}`, "X-Pass": "1" },
    });
    return new Response(await whole.arrayBuffer(), {
      status: 206,
      headers: { "Content-Range": `bytes ${start}-${Math.min(end, size - 1)}/${size}` },
    });
  });
  const passing = fault;
  fault = (request) => (request.headers.has("X-Pass") ? undefined : passing(request));
  expect(await problemOf(await service.get(TILE))).toMatchObject({
    status: 503,
    detail: `No scene under the tile can be read: ${SCENE}.`,
  });
});

test.each([
  ["500", () => new Response("no", { status: 500 })],
  ["503", () => new Response("no", { status: 503 })],
  ["429", () => new Response("no", { status: 429 })],
  ["a throttling 403", () => new Response("<Error><Code>SlowDown</Code></Error>", { status: 403 })],
])(
  "a file server that answers %s gives 503, and the tile is rendered once it has recovered",
  { tags: ["T15"] },
  async (_, answer) => {
    const service = await serviceFor(upstream.url);
    fault = onAssets(answer);
    expect(await problemOf(await service.get(TILE))).toMatchObject({ status: 503, code: "upstream-unavailable" });
    fault = undefined;
    const healed = await service.get(TILE);
    expect([healed.status, healed.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
  },
);

test("a render past its deadline is 504 and stops its work", { tags: ["T16", "E3"] }, async () => {
  const deadlineMs = 27_001;
  const { deadline } = holdTimers({ deadline: deadlineMs });
  const service = await serviceFor(upstream.url, { http: { deadlineMs } });
  fault = onAssets(() => {
    deadline.pass();
    return new Promise<Response>(() => {});
  });
  expect(await problemOf(await service.get(TILE))).toMatchObject({ status: 504, code: "render-timeout" });
});

test("files on hosts that are not allowed are not requested", { tags: ["E4"] }, async () => {
  const service = await serviceFor(upstream.url);
  const asked: string[] = [];
  const stranger = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  const { port } = stranger.address() as AddressInfo;
  fault = onAssets(() => new Response(null, { status: 302, headers: { Location: `http://127.0.0.1:${port}/secret` } }));
  const response = await service.get(TILE);
  expect(await problemOf(response)).toMatchObject({
    status: 503,
    detail: `Scene ${SCENE} could not be read: the archive does not let a file be read.`,
  });
  expect(asked).toEqual([]);
  await new Promise((resolve) => stranger.close(resolve));
});
