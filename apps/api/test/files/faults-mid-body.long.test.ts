import { createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { inlineRenderer } from "@swath/engine/node";
import { Problem } from "@swath/problem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { onJumpingClock } from "../../../../test/tools/jumping-clock.ts";
import { LEAN, type TestService, testService } from "../tools/harness.ts";
import { type Fault, isFile, proxyUpstream, sendAnswer, type UpstreamProxy } from "../tools/upstream-proxy.ts";

/** One scene of Sentinel-2 covers this tile at that time. */
const TILE = "/v1/tiles/true-color/WebMercatorQuad/11/1101/730.png?datetime=2024-07-04T10:07:40Z/2024-07-04T10:08:00Z";
const SEARCH = "/v1/search?limit=3";

let proxy: UpstreamProxy;
let service: TestService;
let good: Buffer;

/** Breaks the answers to some paths. */
function breaks(broken: Fault, applies: (path: string) => boolean): void {
  proxy.fault = (answer, response) => (applies(answer.path) ? broken : sendAnswer)(answer, response);
}

beforeAll(async () => {
  proxy = await proxyUpstream(inject("sandbox"));
  good = Buffer.from(await (await (await serviceFor()).get(TILE)).arrayBuffer());
});
afterAll(() => proxy.close());
beforeEach(async () => {
  service = await serviceFor();
});
afterEach(() => {
  proxy.fault = undefined;
});

function serviceFor(): Promise<TestService> {
  const { url } = proxy;
  const catalog = createUpstreamCatalog({ url, registry: LEAN.registry });
  return testService({
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    tileCacheBytes: 10_000_000,
    renderer: inlineRenderer({
      blockCacheBytes: 16 * 1_048_576,
      sources: { upstreamUrl: url, assetHosts: [], s3: { region: "us-west-2" } },
    }),
  });
}

const onSearches = (path: string): boolean => path.endsWith("/search");

const CUT: Fault = ({ status, headers, body }, response) => {
  response.writeHead(status, headers);
  response.write(body.subarray(0, Math.floor(body.byteLength / 2)));
  setTimeout(() => response.destroy(), 20);
};
const RESET: Fault = (_, response) => void response.destroy();
const SHIFTED: Fault = ({ status, headers, body }, response) => {
  const range = (headers["content-range"] ?? "").replace(/bytes (\d+)-(\d+)/, (_, a: string, b: string) => {
    return `bytes ${Number(a) + 7}-${Number(b) + 7}`;
  });
  response.writeHead(status, { ...headers, "content-range": range }).end(body);
};
const MALFORMED: Fault = ({ status, headers, body }, response) =>
  void response.writeHead(status, { ...headers, "content-range": "bytes a-b/c" }).end(body);
const TOO_MUCH: Fault = ({ status, headers, body }, response) => {
  const { "Content-Length": _, ...rest } = headers;
  response.writeHead(status, rest);
  response.write(body);
  response.end(Buffer.alloc(100_000, 1));
};
const GARBAGE: Fault = ({ status, headers, body }, response) =>
  void response.writeHead(status, headers).end(Buffer.alloc(body.byteLength, 0xa5));
const ZEROS: Fault = ({ status, headers, body }, response) =>
  void response.writeHead(status, headers).end(Buffer.alloc(body.byteLength));
const SLOW: Fault = ({ status, headers, body }, response) => {
  response.writeHead(status, headers);
  let at = 0;
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + 1 + Math.floor(body.byteLength / 8)));
    at += 1 + Math.floor(body.byteLength / 8);
    if (at >= body.byteLength) {
      clearInterval(timer);
      response.end();
    }
  }, 40);
};

async function heals(): Promise<void> {
  proxy.fault = undefined;
  const response = await service.get(TILE);
  expect([response.status, response.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
  expect(response.headers.has("X-Scenes-Skipped")).toBe(false);
  expect(Buffer.from(await response.arrayBuffer()).equals(good)).toBe(true);
}

/** Asks a server that is broken. @returns how long its answer is waited for, milliseconds */
async function failsIn(path: string): Promise<number> {
  const { result, ms } = await onJumpingClock(
    () => service.get(path),
    () => proxy.busy > 0,
  );
  await problem(result);
  return ms;
}

async function problem(response: Response): Promise<void> {
  expect(Problem.parse(await response.json())).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(response.headers.get("Cache-Control")).toBe("no-store");
}

describe("a file server", () => {
  test.each([
    ["breaks every answer off in the middle", CUT],
    ["breaks every connection", RESET],
    ["names another range than was requested", SHIFTED],
    ["names a range that is none", MALFORMED],
    ["sends more than was requested", TOO_MUCH],
  ])("that %s gives 503 within ten seconds, and the right tile afterwards", async (_, broken) => {
    breaks(broken, isFile);
    expect(await failsIn(TILE)).toBeLessThan(10_000);
    await heals();
  });

  test.each([
    ["sends garbage in place of the file", GARBAGE],
    ["sends zeros in place of the file", ZEROS],
  ])("that %s gives 503 that names the scene, and the right tile afterwards", async (_, broken) => {
    breaks(broken, isFile);
    const response = await service.get(TILE);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(Problem.parse(await response.json())).toMatchObject({
      status: 503,
      detail: "No scene under the tile can be read: S2B_T33TUL_20240704T100211_L2A.",
    });
    await heals();
  });

  test("that sends garbage in place of a block gives no such pixels, and the right ones afterwards", async () => {
    let reads = 0;
    // the header is read well, what comes after it is not
    breaks((answer, response) => (reads++ < 1 ? sendAnswer : GARBAGE)(answer, response), isFile);
    const response = await service.get(TILE);
    const drawn = Buffer.from(await response.arrayBuffer());
    if (response.status === 503 && reads > 1) {
      expect(Problem.parse(JSON.parse(drawn.toString())).detail).toContain("S2B_T33TUL_20240704T100211_L2A");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    } else expect([response.status, drawn.equals(good)]).toEqual([200, true]);
    await heals();
  });

  test("that breaks off now and then is retried, and clients do not notice", async () => {
    let reads = 0;
    breaks((answer, response) => (reads++ % 2 === 0 ? CUT : sendAnswer)(answer, response), isFile);
    const response = await service.get(TILE);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(good)).toBe(true);
  });

  test("that is slow is waited for", async () => {
    breaks(SLOW, isFile);
    const response = await service.get(TILE);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(good)).toBe(true);
  });
});

describe("a catalog", () => {
  test.each([
    ["breaks every answer off in the middle", CUT],
    ["breaks every connection", RESET],
    ["sends garbage", GARBAGE],
  ])("that %s gives 503 within ten seconds, and the right answer afterwards", async (_, broken) => {
    breaks(broken, onSearches);
    expect(await failsIn(SEARCH)).toBeLessThan(10_000);
    expect((await service.get(TILE)).status).toBe(503);
    proxy.fault = undefined;
    const page = (await (await service.get(SEARCH)).json()) as { features: unknown[] };
    expect(page.features).toHaveLength(3);
    await heals();
  });

  test("that is slow is waited for", async () => {
    breaks(SLOW, onSearches);
    expect((await service.get(SEARCH)).status).toBe(200);
  });
});
