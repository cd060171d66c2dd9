import { PROBLEM_MEDIA_TYPE } from "@swath/problem";
import { beforeAll, expect, test } from "vitest";
import { KEY, type TestService, testService } from "../tools/harness.ts";
import { generator, replaceSomewhere, slowTime, TEXTS } from "../tools/mutating.ts";
import type { Description } from "../tools/openapi-check.ts";

const REQUESTS = 5000;
const S2_ITEM = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A";
const POINT = { type: "Point", coordinates: [13.5, 46.3] };
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

interface Seed {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
}

const PROCESS = {
  input: {
    bounds: {
      bbox: [13.4, 46.2, 13.5, 46.3],
      properties: { crs: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" },
    },
    data: [
      {
        type: "sentinel-2-l2a",
        dataFilter: {
          timeRange: { from: "2024-07-01T00:00:00Z", to: "2024-07-31T00:00:00Z" },
          maxCloudCoverage: 60,
          mosaickingOrder: "leastCC",
        },
        processing: { units: "DN", harmonize: "offset_removed", clipNegative: false, resampling: "nearest" },
      },
    ],
  },
  bands: ["B04", "nir"],
  output: { width: 32, height: 32, crs: "EPSG:3857", format: "image/tiff", sampleType: "AUTO" },
};

/** Good requests over all routes; what is sent is one of these with one to three faults. */
const SEEDS: readonly Seed[] = [
  ...[
    "/v1",
    "/v1/conformance",
    "/v1/health",
    "/live",
    "/ready",
    "/v1/collections",
    "/v1/collections/landsat-ot-l2",
    `${S2_ITEM}`,
    "/v1/presets",
    "/v1/presets/ndvi",
    "/v1/schema",
    "/v1/openapi.json",
    "/docs",
    "/problems/not-found",
    "/archive/archive.json",
    "/v1/process/jobs/01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "/v1/results/0123456789abcdef/a.tif?expires=1&sig=a",
    "/v1/tiles/true-color/WebMercatorQuad/tilejson.json?collection=S2L2A&datetime=2024-07-01/2024-07-31&format=png",
    "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png?datetime=2024-07-01/2024-07-31&collection=landsat-ot-l2",
    "/v1/tiles/true-color/WorldCRS84Quad/8/275/62.webp?datetime=2024-07-04",
    `${S2_ITEM}/preview.png?max_size=64`,
    `/v1/search?collections=S2L2A,landsat-ot-l2&bbox=13,46,14,47&datetime=2024-01-01/..&limit=5&sortby=-eo:cloud_cover&fields=id,-geometry&query=${encoded({ "eo:cloud_cover": { lte: 50 } })}`,
    `/v1/search?intersects=${encoded(POINT)}&ids=a,b&limit=3`,
    "/v1/collections/sentinel-2-l2a/items?limit=3&sortby=%2Bdatetime&fields=-assets",
  ].map((path): Seed => ({ method: "GET", path })),
  {
    method: "POST",
    path: "/v1/search",
    body: {
      collections: ["sentinel-2-l2a"],
      bbox: [13, 46, 14, 47],
      datetime: "2024-07-01T00:00:00Z/2024-07-31T00:00:00Z",
      limit: 3,
      query: { "eo:cloud_cover": { lte: 50 }, platform: { in: ["sentinel-2a"] } },
      sortby: [{ field: "properties.datetime", direction: "desc" }],
      fields: { include: ["id"], exclude: ["assets"] },
    },
  },
  { method: "POST", path: "/v1/search", body: { intersects: POINT, ids: ["a"], limit: 2 } },
  { method: "POST", path: "/v1/process", body: PROCESS },
  { method: "POST", path: "/v1/process/jobs", body: { ...PROCESS, bands: ["nothing"] } },
];

interface Mutated {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function mutate(seed: Seed, random: () => number): Mutated {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const headers: Record<string, string> = { "X-API-Key": KEY };
  if (seed.method === "POST") headers["Content-Type"] = "application/json";
  let { method, path } = seed as { method: string; path: string };
  const value = structuredClone(seed.body);
  let body = value === undefined ? undefined : JSON.stringify(value);
  for (let faults = 1 + Math.floor(random() * 3); faults > 0; faults--) {
    const [route = "", query = ""] = path.split("?");
    switch (Math.floor(random() * 9)) {
      case 0: {
        const segments = route.split("/");
        segments[1 + Math.floor(random() * (segments.length - 1))] = pick(TEXTS).replace(/[#?]/g, "");
        path = segments.join("/") + (query === "" ? "" : `?${query}`);
        break;
      }
      case 1: {
        const parts = query.split("&");
        const at = Math.floor(random() * parts.length);
        parts[at] = `${(parts[at] ?? "").split("=")[0]}=${encodeURIComponent(pick(TEXTS))}`;
        path = `${route}?${parts.join("&")}`;
        break;
      }
      case 2:
        path = `${route}?${query}&${pick(["limit", "bbox", "token", "colour", "filter", "__proto__", "datetime"])}=${pick(TEXTS).replace(/#/g, "")}`;
        break;
      case 3: {
        const at = Math.floor(random() * path.length);
        path = `/${(path.slice(0, at) + pick(["", "/", "%", "&", "=", "9", "é", "."]) + path.slice(at + 1)).replace(/^\/+/, "").replace(/#/g, "")}`;
        break;
      }
      case 4:
        method = pick(["GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]);
        break;
      case 5: {
        const name = pick([
          "X-API-Key",
          "Content-Type",
          "If-None-Match",
          "Range",
          "Accept-Encoding",
          "X-Request-Id",
          "Origin",
        ]);
        headers[name] = pick(["", "nonsense", "*", "bytes=5-1", "text/plain", "W/", '"', "a".repeat(500)]);
        break;
      }
      case 6:
      case 7:
        if (value !== undefined) {
          replaceSomewhere(value, random, pick);
          body = JSON.stringify(value);
        }
        break;
      default:
        if (body !== undefined) body = random() < 0.5 ? body.slice(0, Math.floor(random() * body.length)) : pick(TEXTS);
    }
  }
  return { method, path, headers, ...(body === undefined || method === "GET" || method === "HEAD" ? {} : { body }) };
}

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { check: false });
});

test("the requests that are mutated cover every operation of the document", async () => {
  const description = (await (await service.request("/v1/openapi.json")).json()) as Description;
  for (const [template, item] of Object.entries(description.paths)) {
    const expression = new RegExp(
      `^${template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+")}(\\?|$)`,
    );
    for (const method of Object.keys(item)) {
      const covered = SEEDS.some((seed) => seed.method === method.toUpperCase() && expression.test(seed.path));
      expect([method, template, covered]).toEqual([method, template, true]);
    }
  }
});

test(`${REQUESTS} mutated requests: no 5xx, every error a problem document, none slow, memory flat`, {
  tags: ["G7", "P1", "H5"],
  timeout: 1_800_000,
}, async () => {
  const send = async (path: string, init: RequestInit): Promise<{ response: Response; bytes: ArrayBuffer }> => {
    const response = await service.request(path, init);
    return { response, bytes: await response.arrayBuffer() };
  };
  const goodHeaders = { "X-API-Key": KEY, "Content-Type": "application/json" };
  const slow = await slowTime(
    SEEDS.map(({ method, path, body }) => () => {
      return send(path, {
        method,
        headers: goodHeaders,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    }),
  );
  const random = generator(20_261_016);
  const heap: number[] = [];
  const statuses = new Map<number, number>();
  let slowest = 0;
  for (let i = 0; i < REQUESTS; i++) {
    const { method, path, headers, body } = mutate(SEEDS[i % SEEDS.length] as Seed, random);
    const what = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 200)} ${(body ?? "").slice(0, 500)}`;
    const started = performance.now();
    const { response, bytes } = await send(path, { method, headers, ...(body === undefined ? {} : { body }) });
    const took = performance.now() - started;
    slowest = Math.max(slowest, took);
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    expect(response.status, what).toBeLessThan(500);
    expect(took, what).toBeLessThan(slow);
    expect(response.headers.get("Access-Control-Allow-Origin"), what).toBe("*");
    if (response.status >= 400) {
      expect(response.headers.get("Content-Type"), what).toBe(PROBLEM_MEDIA_TYPE);
      if (method !== "HEAD" && response.headers.get("Content-Encoding") === null) {
        expect(JSON.parse(Buffer.from(bytes).toString()), what).toMatchObject({ status: response.status });
      }
    }
    if (i % 500 === 499) heap.push(process.memoryUsage().heapUsed / 1_048_576);
  }
  console.info(
    `${JSON.stringify(Object.fromEntries(statuses))}; slowest ${Math.round(slowest)} of ${Math.round(slow)} ms; heap ${heap.map(Math.round).join(", ")} MB`,
  );
  // both good and bad requests have been sent
  expect(statuses.get(200)).toBeGreaterThan(200);
  expect(statuses.get(400)).toBeGreaterThan(1000);
  const early = Math.max(...heap.slice(0, 4));
  expect(Math.min(...heap.slice(-3))).toBeLessThan(early * 1.3 + 32);
});
