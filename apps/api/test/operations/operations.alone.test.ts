import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { freePort } from "../../../../test/tools/free-port.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { KEY, testService } from "../tools/harness.ts";
import { FleetNode } from "./fleet/node.ts";

/** A tile of one scene. */
const TILE = "/v1/tiles/true-color/WebMercatorQuad/11/1101/730.png?datetime=2024-07-04/2024-07-04";
const SECRET = "a-key-that-nobody-else-has-0123456789";

let directory: string;
let metricsPort: number;
let upstream: Awaited<ReturnType<typeof serveUpstream>>;
let node: FleetNode;
/** The promise that every read of a file waits for. */
let hold: (() => Promise<void>) | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-operations-"));
  upstream = await serveUpstream(inject("sandbox"), {
    intercept: async ({ url }) => {
      if (new URL(url).pathname.includes("/assets/")) await hold?.();
      return undefined;
    },
  });
  metricsPort = await freePort();
  node = new FleetNode(
    "node",
    {
      SWATH_API_KEYS: SECRET,
      SWATH_UPSTREAM_URL: upstream.url,
      SWATH_DATA_DIR: directory,
      SWATH_METRICS_PORT: String(metricsPort),
      SWATH_WORKERS: "1",
    },
    join(directory, "log.ndjson"),
  );
  await node.start();
});
afterAll(async () => {
  await node.kill();
  await upstream.close();
  await rm(directory, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = { "X-API-Key": SECRET }): Promise<Response> =>
  fetch(`${node.url}${path}`, { headers });

test("metrics are served on a separate port, by route and status, without keys or addresses", async () => {
  expect((await get(TILE)).status).toBe(200);
  expect((await get(TILE)).status).toBe(200);
  expect((await get("/v1/search?limit=1", { "X-API-Key": `${SECRET}x` })).status).toBe(401);
  expect((await get(`/v1/nothing/${SECRET}`)).status).toBe(404);
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  expect(response.headers.get("Content-Type")).toContain("text/plain");
  const lines = [
    /^swath_http_requests_total\{method="GET",route="\/v1\/tiles\/[^"]+",status="200"\} 2$/m,
    /^swath_http_requests_total\{method="GET",route="\/v1\/search",status="401"\} 1$/m,
    /^swath_http_requests_total\{method="GET",route="other",status="404"\} 1$/m,
    /^swath_render_seconds_count\{kind="tile",outcome="ok"\} 1$/m,
    /^swath_image_cache_total\{result="hit"\} 1$/m,
    /^swath_catalog_seconds_count\{operation="search",outcome="ok"\} [1-9]/m,
    /^swath_asset_requests_total\{payer="owner"\} [1-9]/m,
    /^swath_asset_bytes_total\{payer="owner"\} [1-9]/m,
    /^swath_jobs\{status="queued"\} 0$/m,
    /^swath_spending_stopped 0$/m,
    /^nodejs_eventloop_lag_p99_seconds [0-9]/m,
  ];
  // threads report what they read once a second
  let text = await response.text();
  await expect
    .poll(
      async () => {
        text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        return lines.filter((line) => !line.test(text));
      },
      { interval: 200 },
    )
    .toEqual([]);
  expect(text).not.toContain(SECRET);
  expect((await get("/metrics")).status).toBe(404);
});

test("a stop finishes open requests, even where its signal comes twice, ends within ten seconds, and no key is in the log", async () => {
  const [one, two] = [get(`${TILE}&format=x`), get("/v1/search?limit=50")];
  const first = (await one).status;
  // the tile waits for a file when the stop comes, and gets it afterwards
  let letGo = (): void => {};
  const stopping = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    hold = () => {
      resolve();
      return stopping;
    };
  });
  const running = get("/v1/tiles/ndvi/WebMercatorQuad/11/1101/730.png?datetime=2024-07-01/2024-07-31");
  await arrived;
  const { url } = node;
  const stopped = node.stop();
  // from then on no other request is accepted
  const answers = (): Promise<boolean> =>
    fetch(`${url}/v1/conformance`, { headers: { Connection: "close" } }).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
  const again = node.stop();
  letGo();
  expect([first, (await two).status, (await running).status]).toEqual([400, 200, 200]);
  expect(await stopped).toBe(0);
  await again;
  const lines = (await readFile(join(directory, "log.ndjson"), "utf8")).split("\n");
  const requests = lines.filter((line) => line.includes('"msg":"request"')).map((line) => JSON.parse(line));
  expect(requests.length).toBeGreaterThan(3);
  for (const request of requests) expect(request.requestId).toMatch(/^[A-Za-z0-9._-]{8,}$/);
  // an address is the client's own text; headers never come into the log
  expect(lines.filter((line) => line.includes(SECRET) && !line.includes("/v1/nothing/"))).toEqual([]);
});

test("health names a store that does not answer", async () => {
  const service = await testService({ pingStore: () => Promise.reject(new Error("away")) });
  const response = await service.request("/v1/health");
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: "degraded",
    checks: { catalog: "ok", renderer: "ok", store: "unavailable" },
  });
});

test.each([
  ["/v1", 200],
  ["/v1/search", 200],
  ["/v1/search?limit=x", 400],
  ["/v1/nothing", 404],
  ["/docs", 200],
  ["/problems/not-found", 200],
  ["/legacy/tiles/healthz", 200],
  [TILE, 200],
])("%s carries the security headers", async (path, status) => {
  const service = await testService({ metrics: createMetrics() }, { check: false });
  const response = await service.request(path, { headers: { "X-API-Key": KEY } });
  expect(response.status).toBe(status);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" });
  if (headers["content-type"]?.startsWith("text/html") !== true) return;
  expect(headers["x-frame-options"]).toBe("DENY");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});
