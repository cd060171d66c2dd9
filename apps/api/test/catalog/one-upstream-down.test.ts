import { setImmediate as turn } from "node:timers/promises";
import {
  createMergedCatalog,
  createNeighbourhoodSearch,
  createUpstreamCatalog,
  createVirtualCatalog,
  UpstreamWatch,
  watchedCatalog,
} from "@swath/catalog";
import { inlineRenderer } from "@swath/engine/node";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { createRegistry } from "@swath/schema";
import { isVirtualFile } from "@swath/schema/files";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { measuredCatalog } from "../../src/metrics/measured.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { FULL_FILES, LEAN_FILES } from "../../src/open/served-files.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { leanProfile } from "../../src/service/profiles/lean.ts";
import { type TestProfile, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

/** Landsat at an upstream of its own, so that the virtual collection has two. */
function profileOf(create: TestProfile["create"], { collections, presets }: typeof FULL_FILES): TestProfile {
  const files = collections.map((file) =>
    isVirtualFile(file) || !file.id.startsWith("landsat-")
      ? file
      : { ...file, upstream: { ...file.upstream, name: "second" } },
  );
  return { create, registry: createRegistry(files, presets).withUpstreams(["default", "second"]) };
}
const full = profileOf(fullProfile, FULL_FILES);
const lean = profileOf(leanProfile, LEAN_FILES);

/** Time that a member of a merged search has; held, so that an upstream that answers may be slow. */
const MEMBER_MS = 21_001;
/** Longest silence of an upstream; longer, and held too. */
const SILENCE_MS = 21_002;
let limits: ReturnType<typeof holdTimers<"member" | "silence">>;
beforeEach(() => {
  limits = holdTimers({ member: MEMBER_MS, silence: SILENCE_MS });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Requests that hang now. */
let hanging = 0;
/** Turns of the event loop in which nothing is asked before the time of what hangs is over. */
const QUIET = 20;

/** Lets the time of a request that hangs be over once nothing else is on its way: a member's first, then its upstream's own. */
async function runOut(signal: AbortSignal): Promise<void> {
  for (let quiet = 0; quiet < QUIET; ) {
    await turn();
    quiet = limits.silence.waiting === hanging ? quiet + 1 : 0;
  }
  limits.member.pass();
  await turn();
  if (!signal.aborted) limits.silence.pass();
}

type Failure = typeof globalThis.fetch;
const FAILURES: Readonly<Record<string, Failure>> = {
  "refuses connections": () => Promise.reject(new TypeError("fetch failed")),
  "answers 500": async () => Response.json({ code: "InternalServerError" }, { status: 500 }),
  "answers 429": async () => new Response(null, { status: 429, headers: { "Retry-After": "2" } }),
  "answers HTML": async () => new Response("<!DOCTYPE html><p>Busy", { headers: { "Content-Type": "text/html" } }),
  hangs: (_, init) =>
    new Promise<Response>((_resolve, reject) => {
      const signal = init?.signal;
      if (!(signal instanceof AbortSignal)) throw new TypeError("Requests to an upstream can be ended.");
      hanging += 1;
      const end = (): void => {
        hanging -= 1;
        reject(signal.reason);
      };
      signal.addEventListener("abort", end, { once: true });
      void runOut(signal);
    }),
};
const DOWN = FAILURES["answers 500"] as Failure;

interface Deployment {
  readonly service: TestService;
  /** The failure of each upstream now. */
  readonly down: Map<string, Failure>;
  readonly metrics: ReturnType<typeof createMetrics>;
}

let upstream: ServedUpstream;
beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"));
});
afterAll(() => upstream.close());

async function deployment(profile: TestProfile, isWhole = false): Promise<Deployment> {
  const { registry } = profile;
  const down = new Map<string, Failure>();
  const metrics = createMetrics();
  const watches: UpstreamWatch[] = [];
  const catalogs = ["default", "second"].map((name) => {
    const plain = createUpstreamCatalog({
      url: upstream.url,
      registry,
      name,
      retries: 0,
      timeoutMs: SILENCE_MS,
      deadlineMs: 2 * SILENCE_MS,
      fetch: (input, init) => (down.get(name) ?? fetch)(input, init),
    });
    const watch = new UpstreamWatch(name, { onAnswer: (outcome) => metrics.upstream({ upstream: name, outcome }) });
    watches.push(watch);
    return [name, watchedCatalog(plain, watch)] as const;
  });
  const merged = createMergedCatalog({
    registry,
    catalogs: Object.fromEntries(catalogs),
    memberMs: MEMBER_MS,
    isWhole,
  });
  const catalog = createVirtualCatalog({ catalog: measuredCatalog(merged, metrics), registry });
  const service = await testService(
    {
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog, { ttlMs: 1 }),
      renderer: inlineRenderer({
        blockCacheBytes: 64 * 1_048_576,
        sources: { upstreamUrl: upstream.url, assetHosts: [], s3: { region: "us-west-2" } },
      }),
      tileCacheBytes: 4 * 1_048_576,
      ...(isWhole ? {} : { upstreams: watches }),
      metrics,
    },
    { profile },
  );
  return { service, down, metrics };
}

interface Page {
  readonly features: readonly { readonly id: string; readonly collection: string }[];
  readonly links: readonly { readonly rel: string; readonly href: string }[];
  readonly numberMatched?: number;
  readonly "svc:upstreams_missing"?: readonly string[];
}

const pageOf = async (response: Response): Promise<Page> => (await response.json()) as Page;
const problemOf = async (response: Response) =>
  (await response.json()) as { readonly status: number; readonly code: string; readonly detail: string };

/** Expects an answer that lacks an upstream to say so. */
async function expectPartial(response: Response): Promise<Page> {
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Upstreams-Missing")).toBe("second");
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const page = await pageOf(response);
  expect(page["svc:upstreams_missing"]).toEqual(["second"]);
  expect(page).not.toHaveProperty("numberMatched");
  expect(page.features.length).toBeGreaterThan(0);
  return page;
}

/** Asks again until an answer is as it should be, and returns that answer. */
async function expectOnce(ask: () => Promise<Response>, isThere: (answer: Response) => boolean): Promise<Response> {
  let answer = await ask();
  await expect
    .poll(async () => {
      if (!isThere(answer)) answer = await ask();
      return isThere(answer);
    })
    .toBe(true);
  return answer;
}

const OPTICAL = "/v1/collections/optical-sr/items?limit=5";
const JULY = "2024-07-01/2024-07-31";
const FIELD = { bbox: [13.89, 45.51, 13.91, 45.53] };
const STATISTICS = {
  aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, aggregationInterval: { of: "P1D" } },
  index: "ndvi",
};
const statistics = (type: string) => ({ input: { bounds: FIELD, data: [{ type }] }, ...STATISTICS });
const processing = (type: string) => ({
  input: {
    bounds: FIELD,
    data: [{ type, dataFilter: { timeRange: { from: "2024-07-01T00:00:00Z", to: "2024-07-31T00:00:00Z" } } }],
  },
  bands: ["red"],
  output: { width: 32, height: 32 },
});
const graph = (id: string) => ({
  process: {
    process_graph: {
      load: {
        process_id: "load_collection",
        arguments: {
          id,
          spatial_extent: { west: 13.89, south: 45.51, east: 13.91, north: 45.53 },
          temporal_extent: ["2024-07-01", "2024-07-10"],
          bands: ["red"],
        },
      },
      save: { process_id: "save_result", arguments: { data: { from_node: "load" }, format: "GTiff" }, result: true },
    },
  },
});

describe.each(Object.entries(FAILURES))("an upstream that %s", (_, failure) => {
  test("is named by the header and the member of searches that others answer, by all ways to search", {
    tags: ["N15"],
  }, async () => {
    const { service, down } = await deployment(full);
    down.set("second", failure);
    await expectPartial(await service.get("/v1/search?limit=5"));
    await expectPartial(await service.post("/v1/search", { limit: 5 }));
    await expectPartial(await service.post("/v1/search", { collections: ["sentinel-2-l2a", "landsat-ot-l2"] }));
    await expectPartial(await service.get(OPTICAL));
  });

  test("is named by the 503 of what asks for it alone", { tags: ["N17"] }, async () => {
    const { service, down } = await deployment(full);
    down.set("second", failure);
    for (const path of ["/v1/search?collections=landsat-ot-l2", "/v1/collections/landsat-ot-l2/items"]) {
      const response = await service.get(path);
      expect(response.headers.has("Retry-After")).toBe(true);
      expect(await problemOf(response)).toMatchObject({
        status: 503,
        code: "upstream-unavailable",
        detail: expect.stringContaining('"second"'),
      });
    }
    expect((await service.get("/v1/search?collections=sentinel-2-l2a")).headers.has("X-Upstreams-Missing")).toBe(false);
  });
});

describe("while an upstream does not answer", () => {
  let parts: Deployment;
  beforeEach(async () => {
    parts = await deployment(full);
    parts.down.set("second", DOWN);
  });

  test("following pages say so too, and when it is back they have its items and are counted", {
    tags: ["N16"],
  }, async () => {
    const { service, down } = parts;
    const given: string[] = [];
    let path: string | undefined = OPTICAL;
    for (let i = 0; path !== undefined; i++) {
      if (i === 2) down.clear();
      const response: Response = await service.get(path);
      const page: Page = i < 2 ? await expectPartial(response) : await pageOf(response);
      if (i >= 2) {
        expect(response.headers.has("X-Upstreams-Missing")).toBe(false);
        expect(page).not.toHaveProperty("svc:upstreams_missing");
      }
      given.push(...page.features.map(({ id }) => id));
      path = page.links.find(({ rel }) => rel === "next")?.href.replace("http://service.test", "");
    }
    expect(new Set(given).size).toBe(given.length);
    expect(given.slice(0, 10).every((id) => id.startsWith("S2"))).toBe(true);
    expect(given.some((id) => id.startsWith("L"))).toBe(true);
    const all = await pageOf(await service.get("/v1/collections/optical-sr/items?limit=1000"));
    const last = all.features.findIndex(({ id }) => id === given[9]);
    expect(given.slice(10)).toEqual(all.features.slice(last + 1).map(({ id }) => id));
  });

  test.each([
    ["statistics", () => parts.service.post("/v1/statistics", statistics("optical-sr"))],
    ["series", () => parts.service.get(`/v1/timeseries?lon=13.9&lat=45.52&datetime=${JULY}&index=ndvi`)],
    ["process", () => parts.service.post("/v1/process", processing("optical-sr"))],
  ])(
    "%s of a virtual collection are refused with its name: numbers of some scenes look like those of all",
    { tags: ["N18"] },
    async (_, ask) => {
      expect(await problemOf(await ask())).toMatchObject({
        status: 503,
        code: "upstream-unavailable",
        detail: expect.stringContaining('"second"'),
      });
    },
  );

  test("a graph of openEO that loads a virtual collection is refused with its name, one of another collection is not", {
    tags: ["N18"],
  }, async () => {
    const response = await parts.service.post("/v1/openeo/result", graph("optical-sr"));
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('\\"second\\"')]);
    expect((await parts.service.post("/v1/openeo/result", graph("sentinel-2-l2a"))).status).toBe(200);
  });

  test("numbers of a collection of another upstream are as always", async () => {
    const { service, down } = parts;
    const answers = async () => [
      await (await service.post("/v1/statistics", statistics("sentinel-2-l2a"))).json(),
      Buffer.from(await (await service.post("/v1/process", processing("sentinel-2-l2a"))).arrayBuffer()).length,
    ];
    const partial = await answers();
    down.clear();
    expect(partial).toEqual(await answers());
  });

  test("a tile of a virtual collection is drawn of the others, says so, and is kept nowhere", {
    tags: ["N19"],
  }, async () => {
    const { service, down } = parts;
    const path =
      "/v1/tiles/true-color/WebMercatorQuad/8/138/91.png?collection=optical-sr&datetime=2024-07-06/2024-07-06";
    const partial = await service.get(path);
    expect(partial.status, partial.status === 200 ? "" : await partial.clone().text()).toBe(200);
    expect(partial.headers.get("X-Upstreams-Missing")).toBe("second");
    expect(partial.headers.get("Cache-Control")).toBe("no-store");
    expect(partial.headers.get("X-Attribution")).not.toContain("Landsat");
    const alone = await service.get(path.replace("optical-sr", "sentinel-2-l2a"));
    expect(alone.headers.has("X-Upstreams-Missing")).toBe(false);
    down.clear();
    // searches of tiles are kept for a millisecond
    const whole = await expectOnce(
      () => service.get(path, { "If-None-Match": partial.headers.get("ETag") ?? "" }),
      (answer) => answer.status === 200 && !answer.headers.has("X-Upstreams-Missing"),
    );
    expect(whole.headers.get("Cache-Control")).not.toBe("no-store");
    expect(whole.headers.get("X-Attribution")).toContain("Landsat");
  });

  test("a tile under which the others have nothing is refused: an empty image would look as if there were no data", {
    tags: ["N19"],
  }, async () => {
    const path =
      "/v1/tiles/true-color/WebMercatorQuad/8/138/91.png?collection=optical-sr&datetime=2024-07-06/2024-07-06";
    const far = path.replace("138/91", "10/91");
    expect(await problemOf(await parts.service.get(far))).toMatchObject({
      status: 503,
      detail: expect.stringContaining('"second"'),
    });
    parts.down.clear();
    await expectOnce(
      () => parts.service.get(far),
      ({ status }) => status === 200,
    );
  });

  test("the tools of MCP say so in words and members", async () => {
    const session = await startSession(parts.service);
    const { result } = await session.call("search", { limit: 3 });
    expect(result.content[0]?.text).toContain('The upstream catalog "second" did not answer');
    expect(result.structuredContent).toMatchObject({ "svc:upstreams_missing": ["second"] });
    const drawn = await session.call("render", {
      preset: "true-color",
      collection: "optical-sr",
      bbox: [13.8, 45.45, 14, 45.6],
      datetime: "2024-07-06",
      size: 64,
    });
    expect(drawn.result.structuredContent).toMatchObject({ upstreamsMissing: ["second"] });
    expect(drawn.result.content.map(({ text }) => text).join()).toContain('"second" did not answer');
    const series = await session.call("timeseries", {
      geometry: { type: "Point", coordinates: [13.9, 45.52] },
      datetime: JULY,
      index: "ndvi",
    });
    expect(series.result.isError).toBe(true);
    expect(JSON.stringify(series.result)).toContain("second");
  });

  test("health and metrics name it, and are well again after it", { tags: ["N20"] }, async () => {
    const { service, down, metrics } = parts;
    const health = async () =>
      (await (await service.request("/v1/health")).json()) as {
        status: string;
        checks: { catalog: string };
        upstreams: { name: string; status: string; checked: string; problem?: string }[];
      };
    await service.get(OPTICAL);
    const failing = await health();
    expect(failing).toMatchObject({
      status: "degraded",
      checks: { catalog: "ok" },
      upstreams: [
        { name: "default", status: "ok" },
        { name: "second", status: "failing", problem: "It did not answer (HTTP status 500)." },
      ],
    });
    for (const { checked } of failing.upstreams) expect(Date.parse(checked)).toBeGreaterThan(0);
    expect(JSON.stringify(failing)).not.toContain(new URL(upstream.url).host);
    const text = await metrics.text();
    expect(text).toContain('swath_upstream_answers_total{upstream="second",outcome="failed"}');
    expect(text).toContain('swath_upstream_answers_total{upstream="default",outcome="ok"}');
    expect(text).toMatch(/swath_pages_without_upstream_total\{upstream="second"\} [1-9]/);
    down.clear();
    expect(await health()).toMatchObject({ status: "ok", upstreams: [{ status: "ok" }, { status: "degraded" }] });
    down.set("default", DOWN);
    down.set("second", DOWN);
    expect(await health()).toMatchObject({ status: "degraded", checks: { catalog: "unavailable" } });
  });
});

test("where all upstreams fail a search is 503 and names them", { tags: ["N17"] }, async () => {
  const { service, down } = await deployment(full);
  for (const name of ["default", "second"]) down.set(name, DOWN);
  for (const path of ["/v1/search", OPTICAL]) {
    const { status, detail } = await problemOf(await service.get(path));
    expect(status).toBe(503);
    expect(detail).toContain('"default"');
    expect(detail).toContain('"second"');
  }
});

test("the lean profile has no words for a part: a search of both upstreams is 503 with the name", async () => {
  const { service, down } = await deployment(lean, true);
  down.set("second", DOWN);
  expect(await problemOf(await service.get("/v1/search"))).toMatchObject({
    status: 503,
    detail: expect.stringContaining('"second"'),
  });
  expect(await (await service.request("/v1/health")).json()).not.toHaveProperty("upstreams");
});
