import { PROBLEM_MEDIA_TYPE, Problem } from "@swath/problem";
import { pino } from "pino";
import { expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import { GRAPHS as FIRST } from "../openeo/graphs.ts";
import { MORE_GRAPHS } from "../openeo/more-graphs.ts";
import { FULL, KEY, type TestService, testService } from "../tools/harness.ts";
import { send, startSession } from "../tools/mcp-client.ts";
import { generator } from "../tools/mutating.ts";

/** Requests that are sent. */
const REQUESTS = searches(2_000, 100_000);
/** Requests after which a usual one is sent. */
const USUAL_EVERY = 500;

const ITEM = "S2B_T33TUL_20240704T100211_L2A";
const USUAL = `/v1/collections/sentinel-2-l2a/items/${ITEM}/preview.png?max_size=64`;

/** Numbers at edges of doubles, integers, CRSs, tile sets and limits. */
const EDGES = [
  ...[0, 5e-324, 1e-308, 2 ** -1022, 1e-16, 1e-9, 1e-4, 0.5, 1, 2, 3, 7, 24, 64, 84, 90, 100, 180, 255, 256, 360, 512],
  ...[600, 1000, 1024, 10_000, 20_000, 32_767, 65_535, 100_000, 500_000, 833_978.56, 1e6, 9_329_005.18, 1e7],
  ...[20_037_508.342789244, 20_048_966.1, 4e7, 1e8, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 1e15, 2 ** 53, 1e154, 1e300, 1e308],
  Number.MAX_VALUE,
];

/** A box near one scene in the units of a CRS. Requests are refused in some of them. */
const BOXES: readonly (readonly [crs: string, box: readonly number[]])[] = [
  ["EPSG:4326", [13.2, 45.5, 13.21, 45.51]],
  ["http://www.opengis.net/def/crs/OGC/1.3/CRS84", [13.2, 45.5, 13.21, 45.51]],
  ["EPSG:3857", [1_469_400, 5_700_600, 1_470_400, 5_701_600]],
  ["EPSG:32632", [828_100, 5_047_100, 829_100, 5_048_100]],
  ["EPSG:32633", [359_400, 5_040_100, 360_400, 5_041_100]],
  ["EPSG:32733", [359_400, 15_040_100, 360_400, 15_041_100]],
  ["EPSG:3035", [4_571_400, 2_492_900, 4_572_400, 2_493_900]],
  ["EPSG:5041", [3_186_200, -3_057_600, 3_187_200, -3_056_600]],
  ["ESRI:54009", [1_060_300, 5_394_400, 1_061_300, 5_395_400]],
  ["IAU_2015:30100", [13.2, 45.5, 13.21, 45.51]],
];

/** A request whose numbers are replaced. In its texts a number stands between « and ». */
interface Seed {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const DAYS = { datetime: "2024-07-04/2024-07-06" };
const JULY = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T00:00:00Z" };
const RING = [
  [13.2, 45.5],
  [13.21, 45.5],
  [13.21, 45.51],
  [13.2, 45.5],
];
const POINT = { type: "Point", coordinates: [13.2, 45.5] };
const POLYGON = { type: "Polygon", coordinates: [RING] };
const POLYGONS = { type: "MultiPolygon", coordinates: [[RING]] };
const FIELDS = {
  type: "FeatureCollection",
  features: [POINT, POLYGON].map((geometry, id) => ({ type: "Feature", id, properties: {}, geometry })),
};
const MASK = { exclude: ["cloud"], dilate_m: 40 };
const MATH = "(nir - «0.1» * red) / (nir + «2»)";
const SCENES = [{ type: "sentinel-2-l2a" }];

const extraction = (bounds: object, output: object, more: object = { bands: ["B04"] }): Seed => ({
  path: "/v1/process",
  body: {
    input: {
      bounds,
      data: [{ type: "sentinel-2-l2a", dataFilter: { timeRange: JULY, maxCloudCoverage: 60 } }],
    },
    ...more,
    output,
  },
});
const statistics = (input: object, aggregation: object, more: object): Seed => ({
  path: "/v1/statistics",
  body: { input: { ...input, data: SCENES }, aggregation: { timeRange: JULY, ...aggregation }, ...more },
});
const series = (body: object): Seed => ({
  path: "/v1/timeseries",
  body: { datetime: "2024-07-01/2024-07-31", collections: ["sentinel-2-l2a"], ...body },
});
const tool = (name: string, input: object): Seed => ({
  path: "/mcp",
  body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } },
});
const graphs = (path: string): Seed[] =>
  Object.values({ ...FIRST, ...MORE_GRAPHS }).map((graph) => ({ path, body: { process: { process_graph: graph } } }));

const BOX = { bbox: BOXES[0]![1] };
const SIZE = { width: 8, height: 8 };

/** Good requests by kind. */
const SEEDS: Readonly<Record<string, readonly Seed[]>> = {
  search: [
    { path: "/v1/search", query: { bbox: "«13,46,14,47»", limit: "«3»", collections: "sentinel-2-l2a" } },
    { path: "/v1/search", query: { bbox: "«13»,«46»,«0»,«14»,«47»,«9000»", limit: "1" } },
    { path: "/v1/search", query: { intersects: '{"type":"Point","coordinates":[«13.2»,«45.5»]}' } },
    { path: "/v1/search", query: { query: '{"eo:cloud_cover":{"lte":«50»}}', limit: "1" } },
    {
      path: "/v1/search",
      query: { filter: "eo:cloud_cover < «5» AND S_INTERSECTS(geometry, POINT(«13.2» «45.5»))", limit: "1" },
    },
    { path: "/v1/collections", query: { bbox: "«13,46,14,47»", limit: "«3»" } },
    {
      path: "/v1/aggregate",
      query: { bbox: "«13,46,14,47»", aggregations: "total_count", collections: "sentinel-2-l2a" },
    },
    { path: "/v1/search", body: { ...BOX, limit: 3, query: { "eo:cloud_cover": { gte: 0, lte: 50 } } } },
    ...[POLYGON, POLYGONS].map((intersects) => ({ path: "/v1/search", body: { intersects, limit: 1 } })),
    {
      path: "/v1/search",
      body: {
        limit: 1,
        filter: {
          op: "and",
          args: [
            { op: "s_intersects", args: [{ property: "geometry" }, POLYGON] },
            { op: "between", args: [{ property: "eo:cloud_cover" }, 1, 99] },
            { op: "<=", args: [{ op: "/", args: [{ property: "eo:cloud_cover" }, 2] }, 40] },
          ],
        },
      },
    },
  ],
  images: [
    { path: "/v1/tiles/ndvi/WebMercatorQuad/«9»/«275»/«182».png", query: DAYS },
    { path: "/v1/tiles/true-color/WorldCRS84Quad/«8»/«275»/«62».webp", query: { ...DAYS, tile_size: "«256»" } },
    {
      path: "/v1/tiles/custom/WebMercatorQuad/«11»/«1101»/«731».png",
      query: { ...DAYS, collection: "sentinel-2-l2a", expression: MATH, rescale: "«-1»,«1»" },
    },
    {
      path: `/v1/collections/sentinel-2-l2a/items/${ITEM}/preview.png`,
      query: { max_size: "«64»", preset: "custom", bands: "red", rescale: "«0»,«0.3»" },
    },
    {
      path: "/v1/presets/custom/legend.json",
      query: { collection: "sentinel-2-l2a", expression: MATH, rescale: "«0»,«1»" },
    },
    {
      path: "/v1/presets/custom/legend.png",
      query: { collection: "sentinel-2-l2a", bands: "red", rescale: "«0»,«1»", colormap: "viridis" },
    },
  ],
  process: [
    ...BOXES.flatMap(([crs, bbox]) => [
      extraction({ bbox, properties: { crs } }, { ...SIZE, crs }),
      extraction({ bbox, properties: { crs } }, { ...SIZE, crs: "EPSG:3857" }),
      extraction(
        { bbox: BOX.bbox },
        { ...(bbox[0]! > 180 ? { resx: 100, resy: 100 } : { resx: 0.001, resy: 0.001 }), crs },
      ),
    ]),
    extraction({ geometry: POLYGON }, { resx: 0.001, resy: 0.001, crs: "EPSG:4326" }),
    extraction({ geometry: POLYGONS }, { ...SIZE, sampleType: "FLOAT32" }, { expression: MATH }),
  ],
  statistics: [
    ...BOXES.map(([crs, bbox]) =>
      statistics({ bounds: { bbox, properties: { crs } } }, SIZE, {
        index: "ndvi",
        cloudMask: MASK,
        calculations: { default: { percentiles: [5, 50, 95], histogram: { nBins: 10, lowEdge: -1, highEdge: 1 } } },
      }),
    ),
    ...BOXES.slice(0, 4).map(([crs, bbox], i) =>
      statistics(
        { bounds: { bbox, properties: { crs } } },
        i < 2 ? { resx: 0.001, resy: 0.001 } : { resx: 100, resy: 100 },
        { bands: ["red"], calculations: { default: { histogram: { binWidth: 0.1, lowEdge: 0, highEdge: 1 } } } },
      ),
    ),
    statistics({ bounds: { geometry: POLYGON } }, SIZE, {
      expression: MATH,
      calculations: { default: { percentiles: [0, 100], histogram: { bins: [0, 0.1, 0.2, 1] } } },
    }),
    statistics({ features: FIELDS }, SIZE, { index: "ndvi", cloudMask: MASK }),
  ],
  series: [
    { path: "/v1/timeseries", query: { lon: "«13.2»", lat: "«45.5»", index: "ndvi", ...DAYS } },
    {
      path: "/v1/timeseries",
      query: {
        ...{ lon: "13.2", lat: "45.5", datetime: "2024-01-01/2025-01-01", expression: MATH, format: "png" },
        ...{ maxCloudCoverage: "«60»", smooth: "whittaker:«10»", season: "«0.5»", collections: "sentinel-2-l2a" },
      },
    },
    series({ geometry: POINT, index: "ndvi", cloudMask: MASK, maxCloudCoverage: 80 }),
    series({
      ...{ geometry: POLYGON, expression: MATH, reducers: [{ percentile: 50 }, { share: [4, 5] }] },
      ...{ smooth: { method: "savitzky-golay", window: 7, order: 2 }, trend: "theil-sen", season: { threshold: 0.2 } },
    }),
    series({ geometry: POLYGONS, index: "ndvi", smooth: { method: "whittaker", lambda: 10 } }),
    series({ input: { features: FIELDS }, index: "ndvi" }),
  ],
  "openEO validation": graphs("/v1/openeo/validation"),
  "openEO result": graphs("/v1/openeo/result"),
  MCP: [
    tool("collections", BOX),
    tool("search", { ...BOX, limit: 3, query: { "eo:cloud_cover": { lte: 50 } } }),
    tool("search", { filter: { op: "<=", args: [{ property: "eo:cloud_cover" }, 5] }, limit: 1 }),
    tool("render", { ...DAYS, preset: "ndvi", bbox: [13.2, 45.4, 13.4, 45.6], size: 64 }),
    tool("render", {
      ...{ ...DAYS, preset: "custom", collection: "sentinel-2-l2a", bbox: [13.2, 45.4, 13.4, 45.6], size: 64 },
      ...{ expression: MATH, rescale: [-1, 1] },
    }),
    tool("render", { preset: "true-color", collection: "sentinel-2-l2a", item: ITEM, size: 64 }),
    tool("timeseries", { ...DAYS, geometry: POINT, index: "ndvi", cloudMask: MASK, maxCloudCoverage: 80 }),
    tool("timeseries", { ...DAYS, geometry: POLYGON, expression: MATH }),
    tool("statistics", {
      ...{ input: { bounds: BOX, data: SCENES }, aggregation: { timeRange: JULY, ...SIZE }, index: "ndvi" },
      calculations: { default: { percentiles: [5, 95], histogram: { nBins: 10 } } },
    }),
  ],
};

/** Kinds in the order in which they are sent, over and over: those that take long less often. */
const ORDER = Object.keys(SEEDS).flatMap((kind) => (kind === "openEO result" ? [kind] : [kind, kind]));

/** The double next to a number. */
function beside(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigInt64(0, view.getBigInt64(0) + BigInt(steps));
  return view.getFloat64(0);
}

/** A number as JSON writes it; what is beyond doubles is written as such. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  if (Number.isFinite(value)) return String(value);
  return value < 0 ? "-1e400" : "1e400";
}

/** A number, or the numbers of a box, between « and »; as a value of JSON with the quotes around it. */
const PLACE = /"«([^»]*)»"|«([^»]*)»/g;

/** The text of a body in which each number, and each box, is a place. */
function placesOf(body: object): string {
  return JSON.stringify(body, (key, value) => {
    if (typeof value === "number") return `«${value}»`;
    return key === "bbox" && Array.isArray(value) ? `«${value.join(",")}»` : value;
  });
}

interface Sent {
  readonly path: string;
  readonly body?: string;
}

/** A request with edge numbers in one to three of its places. */
function withEdges({ path, query = {}, body }: Seed, random: () => number): Sent {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const edgeFor = (own: number): number => {
    const near = random() < 0.2 ? own : pick(EDGES);
    const value = near === 0 || random() < 0.5 ? near : beside(near, pick([-1, 1]));
    return random() < 0.35 ? -value : value;
  };
  const edgesFor = (own: readonly number[]): readonly number[] => {
    if (own.length === 4 && random() < 0.5) {
      const [a = 0, b = 0, c = 0, d = 0] = own.map(edgeFor);
      return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
    }
    const at = Math.floor(random() * own.length);
    return own.map((each, i) => (i === at ? edgeFor(each) : each));
  };
  const text = body === undefined ? "" : placesOf(body);
  const count = [path, ...Object.values(query), text].join().match(PLACE)?.length ?? 0;
  const chosen = new Set(Array.from({ length: pick([1, 1, 2, 3]) }, () => Math.floor(random() * count)));
  let place = 0;
  const fill = (template: string): string =>
    template.replace(PLACE, (_, quoted: string | undefined, bare: string | undefined) => {
      const own = (quoted ?? bare ?? "").split(",").map(Number);
      const numbers = (chosen.has(place++) ? edgesFor(own) : own).map(numberText).join(",");
      return quoted !== undefined && own.length > 1 ? `[${numbers}]` : numbers;
    });
  const filled = fill(path);
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(fill(value))}`);
  return {
    path: parameters.length === 0 ? filled : `${filled}?${parameters.join("&")}`,
    ...(body === undefined ? {} : { body: fill(text) }),
  };
}

/** Outcome of a request by kind: its status, of a tool that of its problem. */
async function outcomeOf(sent: Sent, response: Response): Promise<{ status: number; fault?: string }> {
  const { status } = response;
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("Content-Type") ?? "";
  if (status < 400) {
    if (!type.includes("json")) return bytes.length > 0 ? { status } : { status, fault: "an empty answer" };
    const answer = JSON.parse(bytes.toString());
    return sent.path === "/mcp" ? messageOutcome(answer) : { status };
  }
  if (type !== PROBLEM_MEDIA_TYPE) return { status, fault: `an error of the type ${type}` };
  return { status, ...problemFault(JSON.parse(bytes.toString()), status, sent.path) };
}

interface Message {
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: { readonly status?: number } };
}

/** The status of an answer of a tool; 400 for an error of the protocol. */
function messageOutcome({ error, result }: Message): { status: number; fault?: string } {
  if (error !== undefined) return error.code === -32603 ? { status: 500, fault: error.message } : { status: 400 };
  if (result?.isError !== true) return { status: 200 };
  const status = result.structuredContent?.status ?? 0;
  return { status, ...problemFault(result.structuredContent, status, "/mcp") };
}

/** Says what is wrong with a problem. openEO answers 501 for what it does not serve, any route 503 and 504 for what passes. */
function problemFault(document: unknown, status: number, path: string): { fault?: string } {
  const problem = Problem.safeParse(document);
  if (!problem.success) return { fault: `a problem that is none: ${problem.error.message}` };
  const { status: said, detail = "" } = problem.data;
  if (said !== status) return { fault: `a problem of the status ${said}` };
  const isPassing = [503, 504].includes(status) || (status === 501 && path.startsWith("/v1/openeo/"));
  return status < 500 || (isPassing && detail !== "") ? {} : { fault: detail };
}

test("requests with numbers at edges are answered, or refused by a problem", {
  tags: ["G7", "P1"],
  timeout: 7_200_000,
}, async () => {
  let logged = "";
  const write = (line: string): void => {
    logged = line;
  };
  const log = pino({ level: "error" }, { write });
  const service = await testService({ log }, { profile: FULL });
  const session = await startSession(service);
  const ask = ({ path, body }: Sent): Promise<Response> => {
    if (path === "/mcp") return send(service, body, { "Mcp-Session-Id": session.id });
    return body === undefined ? service.get(path) : service.post(path, body);
  };
  const random = generator(20_261_128);
  const counts = new Map(ORDER.map((kind) => [kind, new Map<number, number>()]));
  const faults: string[] = [];
  let slowest = { took: 0, what: "" };
  for (let i = 0; i < REQUESTS; i++) {
    const kind = ORDER[i % ORDER.length]!;
    const seeds = SEEDS[kind]!;
    const sent = withEdges(seeds[Math.floor(random() * seeds.length)]!, random);
    const what = `${sent.path} ${sent.body ?? ""}`;
    const started = performance.now();
    logged = "";
    const { status, fault } = await ask(sent)
      .then((response) => outcomeOf(sent, response))
      .catch((error: unknown) => ({ status: 0, fault: String(error) }));
    const took = performance.now() - started;
    if (took > slowest.took) slowest = { took, what };
    const ofKind = counts.get(kind)!;
    ofKind.set(status, (ofKind.get(status) ?? 0) + 1);
    if (fault !== undefined) faults.push(`${status} ${fault}: ${what} ${logged}`);
    if (i % USUAL_EVERY === USUAL_EVERY - 1) await expectUsual(service);
  }
  await expectUsual(service);
  const shown = [...counts].map(([kind, ofKind]) => `${kind}: ${JSON.stringify(Object.fromEntries(ofKind))}`);
  console.info(`${shown.join("\n")}\nslowest ${Math.round(slowest.took)} ms: ${slowest.what}`);
  expect(faults.slice(0, 20), `${faults.length} faults`).toEqual([]);
  // requests of each kind are answered and refused
  for (const [kind, ofKind] of counts) {
    const refused = [400, 404, 413, 422].reduce((sum, status) => sum + (ofKind.get(status) ?? 0), 0);
    expect(ofKind.get(200) ?? 0, kind).toBeGreaterThan(10);
    if (kind !== "openEO validation") expect(refused, kind).toBeGreaterThan(10);
  }
});

async function expectUsual(service: TestService): Promise<void> {
  const response = await service.request(USUAL, { headers: { "X-API-Key": KEY } });
  expect(response.status, await response.clone().text()).toBe(200);
  await response.arrayBuffer();
}
