import { type Asked, get, post, query } from "./asked.ts";
import { FIELDS, LANDSAT, NATIVE, TRIANGLE, WEST } from "./scenes.ts";

const ITEMS = "/v1/collections/sentinel-2-l2a/items";
const SEARCH = "/v1/search";
const bbox = FIELDS.join(",");

const documents: readonly Asked[] = [
  "/v1",
  "/v1/conformance",
  "/v1/collections",
  "/v1/collections?limit=2",
  "/v1/collections/sentinel-2-l2a",
  "/v1/collections/LOTL2",
  "/v1/collections/optical-sr",
  "/v1/collections/dem",
  "/v1/collections/sentinel-2-l2a/queryables",
  "/v1/collections/optical-sr/sortables",
  "/v1/queryables",
  "/v1/sortables",
  "/v1/presets",
  "/v1/presets/ndvi",
  "/v1/presets/ndvi/legend.json",
  "/v1/presets/ndvi/legend.png",
  "/v1/schema",
  "/v1/openapi.json",
  "/v1/health",
  "/live",
  "/ready",
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
].map((path) => get(path));

const searches: readonly Asked[] = [
  get(SEARCH),
  get(`${SEARCH}?${query({ bbox, collections: "sentinel-2-l2a", limit: 3 })}`),
  get(`${SEARCH}?${query({ collections: "optical-sr", datetime: "2024-07-01/2024-07-31" })}`),
  get(`${SEARCH}?${query({ filter: "eo:cloud_cover < 20 AND platform = 'sentinel-2b'" })}`),
  get(`${SEARCH}?${query({ query: JSON.stringify({ "eo:cloud_cover": { lte: 10 } }), sortby: "+datetime" })}`),
  get(`${SEARCH}?${query({ ids: `${WEST},${LANDSAT}`, fields: "id,properties.datetime,-links" })}`),
  get(`${SEARCH}?${query({ intersects: JSON.stringify(TRIANGLE), limit: 2 })}`),
  get(`${SEARCH}?${query({ limit: 2 })}`, { as: "nobody" }),
  post(SEARCH, "a polygon", { intersects: TRIANGLE, collections: ["sentinel-2-l2a"], limit: 4 }),
  post(SEARCH, "a filter", {
    "filter-lang": "cql2-json",
    filter: { op: "<", args: [{ property: "eo:cloud_cover" }, 5] },
    sortby: [{ field: "properties.eo:cloud_cover", direction: "asc" }],
  }),
  post(SEARCH, "fields", { ids: [NATIVE], fields: { include: ["assets.B04"], exclude: ["links"] } }),
  get(`${ITEMS}?limit=2`),
  get(`${ITEMS}/${WEST}`),
  get(`/v1/collections/landsat-ot-l2/items/${LANDSAT}`),
  get(`/v1/collections/S2L2A/items/${WEST}`),
];

const OF_S2 = "/v1/collections/sentinel-2-l2a";
const counts: readonly Asked[] = [
  get("/v1/aggregations"),
  get(`${OF_S2}/aggregations`),
  get(`/v1/aggregate?${query({ bbox, aggregations: "total_count,collection_frequency,platform_frequency" })}`),
  get(`${OF_S2}/aggregate?${query({ aggregations: "datetime_frequency", datetime_frequency_interval: "month" })}`),
  post("/v1/aggregate", "an area", { intersects: TRIANGLE, aggregations: ["total_count", "cloud_cover_frequency"] }),
  post(`${OF_S2}/aggregate`, "grid codes", { aggregations: ["grid_code_frequency"] }),
];

const refused: readonly Asked[] = [
  `${SEARCH}?bbox=1,2,3`,
  `${SEARCH}?bbox=1,50,2,40`,
  `${SEARCH}?datetime=yesterday`,
  `${SEARCH}?limit=0`,
  `${SEARCH}?token=nonsense`,
  `${SEARCH}?sortby=-colour`,
  `${SEARCH}?query={`,
  `${SEARCH}?colour=blue`,
  `${SEARCH}?collections=nothing`,
  `${SEARCH}?${query({ filter: "colour = 'blue'" })}`,
  `${SEARCH}?${query({ filter: "eo:cloud_cover <" })}`,
  `${ITEMS}/nothing`,
  `${ITEMS}?collections=landsat-ot-l2`,
  "/v1/collections/nothing",
  "/v1/presets/nothing",
  "/v1/process/jobs/nothing",
  "/v1/results/nothing/nothing.tif",
  "/v1/nothing",
  "/v1/keys",
].map((path) => get(path));

/** Messages of one session of tools for models: the first one begins it. */
const message = (name: string, method: string, params: object): Asked =>
  post(
    "/mcp",
    name,
    { jsonrpc: "2.0", id: 1, method, params },
    { headers: { Accept: "application/json, text/event-stream" } },
  );
const tool = (name: string, of: string, input: object): Asked =>
  message(name, "tools/call", { name: of, arguments: input });
const YEAR = "2024-01-01/2024-12-31";
const models: readonly Asked[] = [
  message("before the session", "tools/list", {}),
  message("a session", "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "answers", version: "1" },
  }),
  message("the tools", "tools/list", {}),
  tool("collections", "collections", {}),
  tool("a search", "search", { bbox: FIELDS, datetime: YEAR, limit: 50 }),
  tool("an image", "render", { preset: "ndvi", bbox: FIELDS, datetime: "2024-07-01/2024-07-31", size: 128 }),
  tool("a series", "timeseries", { geometry: TRIANGLE, datetime: YEAR, index: "ndvi" }),
  tool("statistics", "statistics", {
    input: { bounds: { bbox: FIELDS }, data: [{ type: "sentinel-2-l2a" }] },
    aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, width: 32, height: 32 },
    index: "ndvi",
  }),
  tool("an image of nothing", "render", { preset: "nothing", bbox: FIELDS }),
  tool("a series of an unknown index", "timeseries", { geometry: TRIANGLE, datetime: YEAR, index: "ndvl" }),
  tool("statistics of a bow", "statistics", { input: {}, aggregation: {} }),
];

const lean: readonly Asked[] = [
  "/v1",
  "/v1/conformance",
  "/v1/collections",
  "/v1/presets",
  "/v1/openapi.json",
  "/v1/schema",
  "/v1/health",
  `${SEARCH}?limit=2`,
  `${SEARCH}?filter=a%3D1`,
  `${ITEMS}/${WEST}`,
  "/v1/queryables",
].map((path) => get(path, { profile: "lean" }));

export const DOCUMENTS: readonly Asked[] = [...documents, ...searches, ...counts, ...models, ...lean];
export const REFUSED_DOCUMENTS: readonly Asked[] = [
  ...refused,
  post(SEARCH, "a bbox of three numbers", { bbox: [1, 2, 3] }),
  post(SEARCH, "an unknown member", { colour: "blue" }),
  post(SEARCH, "a direction that is none", { sortby: [{ field: "datetime", direction: "up" }] }),
  post(SEARCH, "an unknown collection", { collections: ["sentinel-2-l2a", "nothing"] }),
  post(SEARCH, "no JSON", "{"),
  get(SEARCH, { method: "DELETE" }),
  get("/v1/usage", { as: "nobody" }),
];
