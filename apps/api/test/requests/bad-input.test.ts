import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import { beforeAll, expect, test } from "vitest";
import { KEY, type TestService, testService } from "../tools/harness.ts";
import { rowRules } from "../tools/row-rules.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get("Content-Type")).toBe(PROBLEM_MEDIA_TYPE);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(response.status);
  expect(problem.requestId).toBe(response.headers.get("X-Request-Id"));
  expect(problem.type).toBe(`http://service.test/problems/${problem.code}`);
  return problem;
}

const TILES = "/v1/tiles/true-color/WebMercatorQuad";
const ITEMS = "/v1/collections/sentinel-2-l2a/items";
const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

const PARAMETERS: readonly (readonly [path: string, pointer: string])[] = [
  ["/v1/search?bbox=1,2,3", "bbox"],
  ["/v1/search?bbox=[1,2,3,4]", "bbox"],
  ["/v1/search?bbox=1,50,2,40", "bbox"],
  ["/v1/search?bbox=1,-91,2,40", "bbox"],
  ["/v1/search?bbox=1,2,3,4&bbox=1,2,3,4", "bbox"],
  ["/v1/search?datetime=yesterday", "datetime"],
  ["/v1/search?datetime=../..", "datetime"],
  ["/v1/search?datetime=2024-02-01/2024-01-01", "datetime"],
  ["/v1/search?limit=0", "limit"],
  ["/v1/search?limit=-1", "limit"],
  ["/v1/search?limit=ten", "limit"],
  ["/v1/search?token=nonsense", "token"],
  ["/v1/search?sortby=-colour", "sortby"],
  ["/v1/search?query={", "query"],
  [`/v1/search?query=${json({ "eo:cloud_cover": { about: 3 } })}`, "query"],
  [`/v1/search?query=${json({ colour: { eq: 3 } })}`, "query"],
  ["/v1/search?intersects={}", "intersects"],
  [`/v1/search?intersects=${json({ type: "Feature", geometry: null, properties: {} })}`, "intersects"],
  [`/v1/search?bbox=1,2,3,4&intersects=${json({ type: "Point", coordinates: [1, 2] })}`, "intersects"],
  ["/v1/search?colour=blue", "colour"],
  ["/v1/search?limit=1&limit=2", "limit"],
  [`${ITEMS}?bbox=1,2`, "bbox"],
  [`${ITEMS}?colour=blue`, "colour"],
  [`${ITEMS}?collections=landsat-ot-l2`, "collections"],
  [`${TILES}/9/275/999.png`, "y"],
  [`${TILES}/9/999/182.png`, "x"],
  [`${TILES}/nine/275/182.png`, "z"],
  [`${TILES}/9/2.5/182.png`, "x"],
  [`${TILES}/9/275/-1.png`, "y"],
  [`${TILES}/9/275/182.gif`, "format"],
  [`${TILES}/9/275/182.png?datetime=soon`, "datetime"],
  [`${TILES}/9/275/182.png?colour=blue`, "colour"],
  [`${TILES}/tilejson.json?datetime=soon`, "datetime"],
  [`${TILES}/tilejson.json?format=gif`, "format"],
  [`${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.gif`, "format"],
  [`${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=63`, "max_size"],
  [`${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=1025`, "max_size"],
  [`${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=big`, "max_size"],
  [`${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?size=64`, "size"],
  ["/v1?colour=blue", "colour"],
  ["/v1/collections?limit=0", "limit"],
  ["/v1/collections?bbox=1,2,3", "bbox"],
  ["/v1/collections?datetime=soon", "datetime"],
  ["/v1/collections?token=nonsense", "token"],
  ["/v1/collections?colour=blue", "colour"],
  ["/v1/presets?x=1", "x"],
];
const rulesOfParameters = rowRules(
  {
    P4: ["/v1?colour=blue"],
    P8: ["/v1/search?bbox=1,2,3", "/v1/search?limit=0"],
    S8: [
      "/v1/search?bbox=1,2,3",
      "/v1/search?bbox=[1,2,3,4]",
      "/v1/search?bbox=1,50,2,40",
      "/v1/search?bbox=1,-91,2,40",
    ],
    S14: ["/v1/search?datetime=yesterday", "/v1/search?datetime=../..", "/v1/search?datetime=2024-02-01/2024-01-01"],
    S16: ["/v1/search?limit=0", "/v1/search?limit=-1", "/v1/search?limit=ten"],
    S19: [
      "/v1/search?query={",
      `/v1/search?query=${json({ "eo:cloud_cover": { about: 3 } })}`,
      `/v1/search?query=${json({ colour: { eq: 3 } })}`,
    ],
    S21: ["/v1/search?sortby=-colour"],
    S25: ["/v1/search?colour=blue", "/v1/search?limit=1&limit=2", "/v1/search?bbox=1,2,3,4&bbox=1,2,3,4"],
    S31: ["/v1/search?token=nonsense"],
    S33: ["/v1/search?bbox=1,2,3", "/v1/search?datetime=yesterday", "/v1/search?intersects={}"],
    O2: [`${ITEMS}?bbox=1,2`, `${ITEMS}?colour=blue`],
    O3: [`${ITEMS}?collections=landsat-ot-l2`],
    T5: [
      `${TILES}/9/275/999.png`,
      `${TILES}/9/999/182.png`,
      `${TILES}/nine/275/182.png`,
      `${TILES}/9/2.5/182.png`,
      `${TILES}/9/275/-1.png`,
      `${TILES}/9/275/182.png?colour=blue`,
    ],
    V2: [
      `${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=63`,
      `${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=1025`,
      `${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=big`,
    ],
    V3: [
      `${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.gif`,
      `${ITEMS}/S2B_T33TUL_20240704T100211_L2A/preview.png?size=64`,
    ],
  },
  PARAMETERS.map(([path]) => path),
);

for (const [path, pointer] of PARAMETERS) {
  test(`GET ${path} is 400 with the pointer ${pointer}`, { tags: rulesOfParameters(path) }, async () => {
    const problem = await problemOf(await service.get(path));
    expect(problem).toMatchObject({ status: 400, code: "invalid-parameter" });
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  });
}

const BODIES: readonly (readonly [body: unknown, pointer: string])[] = [
  [{ bbox: [1, 2, 3] }, "/bbox"],
  [{ bbox: "1,2,3,4" }, "/bbox"],
  [{ datetime: 5 }, "/datetime"],
  [{ limit: "ten" }, "/limit"],
  [{ limit: 0 }, "/limit"],
  [{ collections: 5 }, "/collections"],
  [{ fields: null }, "/fields"],
  [{ colour: "blue" }, "/colour"],
  [{ sortby: [{ field: "datetime", direction: "up" }] }, "/sortby/0/direction"],
  [{ query: { "eo:cloud_cover": { about: 3 } } }, "/query/eo:cloud_cover/about"],
  [{ token: 5 }, "/token"],
  [[], ""],
  ["{", ""],
  ["", ""],
];
const rulesOfBodies = rowRules(
  {
    P8: ['{"sortby":[{"field":"datetime","direction":"up"}]}', '{"query":{"eo:cloud_cover":{"about":3}}}'],
    S16: ['{"limit":0}', '{"limit":"ten"}'],
    S19: ['{"query":{"eo:cloud_cover":{"about":3}}}'],
    S21: ['{"sortby":[{"field":"datetime","direction":"up"}]}'],
    S25: ['{"colour":"blue"}'],
    S33: ['{"bbox":[1,2,3]}', '{"datetime":5}', "[]", '"{"'],
  },
  BODIES.map(([body]) => JSON.stringify(body)),
);

for (const [body, pointer] of BODIES) {
  test(`POST /v1/search ${JSON.stringify(body)} is 400 with the pointer ${pointer}`, {
    tags: rulesOfBodies(JSON.stringify(body)),
  }, async () => {
    const problem = await problemOf(await service.post("/v1/search", body));
    expect(problem).toMatchObject({ status: 400, code: "invalid-body" });
    expect(problem.errors?.map((error) => error.pointer)).toContain(pointer);
  });
}

test.each([
  ["GET", "/v1/search?filter=a%3D1", undefined],
  ["GET", "/v1/search?filter-lang=cql2-text", undefined],
  ["POST", "/v1/search", { filter: { op: "=", args: [] }, "filter-lang": "cql2-json" }],
])("%s %s with CQL2 is invalid-filter and points to query", { tags: ["S26"] }, async (method, path, body) => {
  const response = method === "GET" ? await service.get(path) : await service.post(path, body);
  const problem = await problemOf(response);
  expect(problem).toMatchObject({ status: 400, code: "invalid-filter" });
  expect(problem.detail).toContain("query");
});

const UNKNOWN: readonly (readonly [path: string, code: string])[] = [
  ["/v1/nothing", "not-found"],
  ["/v1/collections/nothing", "not-found"],
  ["/v1/collections/dem", "not-found"],
  ["/v1/collections/nothing/items", "not-found"],
  [`${ITEMS}/nothing`, "not-found"],
  [`${ITEMS}/no%20thing`, "not-found"],
  [`${ITEMS}/%E0%A4%A`, "not-found"],
  [`${ITEMS}/nothing/preview.png`, "not-found"],
  ["/v1/presets/nothing", "not-found"],
  ["/v1/tiles/nothing/WebMercatorQuad/9/275/182.png", "not-found"],
  ["/v1/tiles/true-color/Nothing/9/275/182.png", "not-found"],
  [`${TILES}/9/275/182`, "not-found"],
  ["/v1/queryables", "not-found"],
  ["/v1/timeseries", "not-found"],
  ["/archive/../server.ts", "not-found"],
  ["/archive/assets/..%2f..%2fsandbox-key", "not-found"],
  ["/archive/items/landsat-c2-l2.ndjson", "not-found"],
  ["/archive/%00", "not-found"],
  ["/archive/%E0%A4%A", "not-found"],
  ["/v1/search?collections=nothing", "unknown-collection"],
  [`${TILES}/9/275/182.png?collection=nothing`, "unknown-collection"],
];
const rulesOfUnknown = rowRules(
  {
    G5: ["/v1/queryables", "/v1/timeseries", "/v1/nothing"],
    P2: ["/v1/nothing", "/v1/search?collections=nothing"],
    C15: ["/v1/collections/nothing", "/v1/collections/dem"],
    I14: [`${ITEMS}/nothing`, `${ITEMS}/no%20thing`, `${ITEMS}/%E0%A4%A`],
    S4: ["/v1/search?collections=nothing"],
    R6: ["/v1/presets/nothing"],
    T3: [`${TILES}/9/275/182.png?collection=nothing`],
    T7: ["/v1/tiles/nothing/WebMercatorQuad/9/275/182.png", "/v1/tiles/true-color/Nothing/9/275/182.png"],
    V4: [`${ITEMS}/nothing/preview.png`],
  },
  UNKNOWN.map(([path]) => path),
);

for (const [path, code] of UNKNOWN) {
  test(`GET ${path} is 404 ${code}`, { tags: rulesOfUnknown(path) }, async () => {
    const problem = await problemOf(await service.get(path));
    expect(problem).toMatchObject({ status: 404, code });
  });
}

test("an unknown collection inside a body is named by its pointer", { tags: ["S4"] }, async () => {
  const problem = await problemOf(await service.post("/v1/search", { collections: ["sentinel-2-l2a", "nothing"] }));
  expect(problem).toMatchObject({ status: 404, code: "unknown-collection", errors: [{ pointer: "/collections/1" }] });
});

test("a zoom outside the preset's range says the range", { tags: ["P10", "T6"] }, async () => {
  const problem = await problemOf(await service.get(`${TILES}/3/1/2.png`));
  expect(problem).toMatchObject({
    status: 400,
    code: "zoom-out-of-range",
    limits: { minzoom: 7, maxzoom: 14, requestedZoom: 3 },
  });
});

test.each(["/v1/search", `${ITEMS}`, `${TILES}/9/275/182.png`])(
  "%s without a key is 401 with a challenge",
  { tags: ["U2"] },
  async (path) => {
    for (const headers of [{}, { "X-API-Key": "wrong" }, { "X-API-Key": "" }]) {
      const response = await service.request(path, { headers });
      expect(response.headers.get("WWW-Authenticate")).toBe('ApiKey header="X-API-Key"');
      expect(await problemOf(response)).toMatchObject({ status: 401, code: "invalid-key" });
    }
  },
);

test("a key in the address is an unknown parameter, not a key", { tags: ["U1"] }, async () => {
  expect((await service.request(`/v1/search?X-API-Key=${KEY}`)).status).toBe(401);
});

test.each([
  ["DELETE", "/v1/search", "GET, HEAD, POST, OPTIONS"],
  ["POST", "/v1", "GET, HEAD, OPTIONS"],
  ["PUT", `${TILES}/9/275/182.png`, "GET, HEAD, OPTIONS"],
])("%s %s is 405 and says what is allowed", { tags: ["H4"] }, async (method, path, allow) => {
  const response = await service.request(path, { method, headers: { "X-API-Key": KEY } });
  expect(response.headers.get("Allow")).toBe(allow);
  expect(await problemOf(response)).toMatchObject({ status: 405, code: "method-not-allowed" });
});

test("a preflight is answered without a key", { tags: ["H3"] }, async () => {
  const response = await service.request("/v1/search", {
    method: "OPTIONS",
    headers: { Origin: "https://map.example", "Access-Control-Request-Method": "POST" },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(response.headers.get("Access-Control-Allow-Headers")).toContain("X-API-Key");
  expect(response.headers.get("Access-Control-Allow-Methods")).toContain("POST");
});

test("a body of another media type is 415, a large one 413 with the numbers", {
  tags: ["P10", "H10", "H11"],
}, async () => {
  const xml = await service.post("/v1/search", "<a/>", { "Content-Type": "application/xml" });
  expect(await problemOf(xml)).toMatchObject({ status: 415, code: "unsupported-media-type" });
  const large = await service.post("/v1/search", { ids: ["x".repeat(1_100_000)] });
  const problem = await problemOf(large);
  expect(problem).toMatchObject({ status: 413, code: "body-too-large", limits: { maxBytes: 1_048_576 } });
});

test("a JSON body is read without a content type and with a structured one", { tags: ["H10"] }, async () => {
  for (const type of ["application/geo+json", "application/json; charset=utf-8"]) {
    expect((await service.post("/v1/search", { limit: 1 }, { "Content-Type": type })).status).toBe(200);
  }
  const bare = await service.request("/v1/search", {
    method: "POST",
    headers: { "X-API-Key": KEY },
    body: new Blob([JSON.stringify({ limit: 1 })]),
  });
  expect(bare.status).toBe(200);
});

test("an inbound request id is kept when it is a plain word and replaced when it is not", {
  tags: ["P6", "P7", "H1"],
}, async () => {
  const kept = await service.request("/v1/nothing", { headers: { "X-Request-Id": "abc-123" } });
  expect(await problemOf(kept)).toMatchObject({ requestId: "abc-123", instance: "/v1/nothing" });
  const replaced = await service.request("/v1/nothing", { headers: { "X-Request-Id": "a b" } });
  expect(replaced.headers.get("X-Request-Id")).toMatch(/^[0-9a-f-]{36}$/);
});

test("every problem type has a page", async () => {
  const page = await service.request("/problems/invalid-parameter");
  expect(page.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toContain("<code>invalid-parameter</code>");
  expect((await service.request("/problems/nothing")).status).toBe(404);
});
