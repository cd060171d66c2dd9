import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { Problem } from "@swath/problem";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { type TestService, testService } from "./harness.ts";
import { inlineRenderer } from "./inline-renderer.ts";

type Fault = (request: Request) => Response | undefined | Promise<Response | undefined>;

let upstream: ServedUpstream;
let fault: Fault | undefined;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), { intercept: (request) => fault?.(request) });
});
afterAll(() => upstream.close());
afterEach(() => {
  fault = undefined;
});

function serviceFor(url: string, replaced: Parameters<typeof testService>[0] = {}): Promise<TestService> {
  const catalog = createUpstreamCatalog({ url });
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
const PREVIEW = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64";
const onAssets =
  (answer: Fault): Fault =>
  (request) =>
    new URL(request.url).pathname.includes("/assets/") ? answer(request) : undefined;

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("Content-Type")).toBe("application/problem+json");
  return Problem.parse(await response.json());
}

test("an upstream that refuses connections gives 503 within ten seconds on every route that asks it", async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const service = await serviceFor(`http://127.0.0.1:${port}/v1`);
  const started = performance.now();
  const paths = ["/v1/search", "/v1/collections", "/v1/collections/sentinel-2-l2a/items/x", TILE, PREVIEW];
  const problems = await Promise.all(paths.map(async (path) => problemOf(await service.get(path))));
  for (const problem of problems) expect(problem).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(problems.every((problem) => (problem.retryAfter ?? 0) > 0)).toBe(true);
  expect(performance.now() - started).toBeLessThan(10_000);
  const health = (await (await service.request("/v1/health")).json()) as object;
  expect(health).toMatchObject({ status: "degraded", checks: { catalog: "unavailable", renderer: "ok" } });
});

test("an upstream that never answers gives 503 within ten seconds", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const service = await serviceFor(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`);
  const started = performance.now();
  expect(await problemOf(await service.get("/v1/search"))).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(performance.now() - started).toBeLessThan(10_000);
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
])("a catalog that sends %s gives 503 and is asked again by the next request", async (_, answer) => {
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
])("a file that %s omits its scene, reports it, and is not cached", async (_, answer) => {
  const service = await serviceFor(upstream.url);
  fault = onAssets(answer);
  for (const path of [TILE, PREVIEW]) {
    const response = await service.get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("X-Scenes-Skipped")).toBe("S2B_T33TUL_20240704T100211_L2A");
    expect(response.headers.get("X-Scenes-Used")).toBe("0");
    expect(response.headers.get("Cache-Control")).toBe("no-store");
  }
  fault = undefined;
  const healed = await service.get(TILE);
  expect(healed.headers.get("X-Scenes-Used")).toBe("1");
  expect(healed.headers.has("X-Scenes-Skipped")).toBe(false);
});

test("a file cut short in the middle is a lasting fault of its scene", async () => {
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
  const response = await service.get(TILE);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Skipped")).toBe("S2B_T33TUL_20240704T100211_L2A");
});

test.each([
  ["500", () => new Response("no", { status: 500 })],
  ["503", () => new Response("no", { status: 503 })],
  ["429", () => new Response("no", { status: 429 })],
  ["a throttling 403", () => new Response("<Error><Code>SlowDown</Code></Error>", { status: 403 })],
])("a file server that answers %s gives 503, and the tile is rendered once it has recovered", async (_, answer) => {
  const service = await serviceFor(upstream.url);
  fault = onAssets(answer);
  expect(await problemOf(await service.get(TILE))).toMatchObject({ status: 503, code: "upstream-unavailable" });
  fault = undefined;
  const healed = await service.get(TILE);
  expect([healed.status, healed.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
});

test("a render past its deadline is 504 and stops its work", async () => {
  const service = await serviceFor(upstream.url, { http: { deadlineMs: 300 } });
  fault = onAssets(() => new Promise<Response>(() => {}));
  expect(await problemOf(await service.get(TILE))).toMatchObject({ status: 504, code: "render-timeout" });
});

test("files on hosts that are not allowed are not requested", async () => {
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
  expect(response.headers.get("X-Scenes-Skipped")).toBe("S2B_T33TUL_20240704T100211_L2A");
  expect(asked).toEqual([]);
  await new Promise((resolve) => stranger.close(resolve));
});
