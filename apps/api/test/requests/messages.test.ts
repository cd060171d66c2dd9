import {
  type Catalog,
  CatalogError,
  createArchiveCatalog,
  createNeighbourhoodSearch,
  createUpstreamCatalog,
} from "@swath/catalog";
import { inlineRenderer } from "@swath/engine/node";
import type { Problem } from "@swath/problem";
import { serveUpstream } from "@swath/sandbox/node";
import { beforeAll, expect, inject, test } from "vitest";
import { LEAN, type TestService, testService } from "../tools/harness.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

test.each<{ path: string; body: unknown; errors: Readonly<Record<string, string>> }>([
  { path: "/v1/search", body: null, errors: { "": "Expected an object, got null." } },
  { path: "/v1/search", body: { ids: [1] }, errors: { "/ids/0": "Expected a string, got 1." } },
  {
    path: "/v1/process",
    body: {},
    errors: { "/input": "Missing: expected an object.", "/output": "Missing: expected an object." },
  },
  {
    path: "/v1/process",
    body: { input: { bounds: { bbox: [1] }, data: [] }, output: { width: 0.5, format: "gif" } },
    errors: {
      "/input/bounds/bbox": "Expected at least 4 entries, got 1.",
      "/input/data": "Expected at least 1 entry, got 0.",
      "/output/width": "Expected a whole number, got 0.5.",
      "/output/format": 'Expected "image/tiff"; got "gif".',
    },
  },
  {
    path: "/v1/process/jobs",
    body: {
      input: {
        bounds: { bbox: [1, 2, 3, 4] },
        data: [{ type: "sentinel-2-l2a", dataFilter: { timeRange: { from: 1 }, maxCloudCoverage: 300 } }],
      },
      output: { width: 1 },
    },
    errors: {
      "/input/data/0/dataFilter/timeRange/from": "Expected a string, got 1.",
      "/input/data/0/dataFilter/timeRange/to": "Missing: expected a string.",
      "/input/data/0/dataFilter/maxCloudCoverage": "Expected at most 100, got 300.",
    },
  },
])("POST $path says what was expected and what came: $errors", async ({ path, body, errors }) => {
  const response = await service.post(path, body);
  expect(response.status).toBe(400);
  const problem = (await response.json()) as {
    readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  };
  expect(Object.fromEntries(problem.errors.map(({ pointer, detail }) => [pointer, detail]))).toEqual(errors);
  expect(problem.errors).toHaveLength(Object.keys(errors).length);
});

const json = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const TILES = "/v1/tiles/true-color/WebMercatorQuad";
const S2 = "S2B_T33TUL_20240704T100211_L2A";
const JULY = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T23:59:59Z" };

interface Parts {
  readonly bounds?: object;
  readonly type?: string;
  readonly filter?: object;
  readonly processing?: object;
  readonly bands?: readonly string[];
  readonly output?: object;
  readonly more?: object;
}

/** A process request with one part changed. */
function proc({ bounds, type, filter, processing, bands, output, more }: Parts): object {
  return {
    input: {
      bounds: bounds ?? { bbox: [12.6, 45.2, 12.9, 45.4] },
      data: [
        {
          type: type ?? "sentinel-2-l2a",
          dataFilter: filter ?? { timeRange: JULY },
          ...(processing === undefined ? {} : { processing }),
        },
      ],
    },
    bands: bands ?? ["B04"],
    output: output ?? {},
    ...more,
  };
}

/** Pointer of the one error, "-" where the problem has none, and its message. */
async function faultOf(response: Response): Promise<[string, string]> {
  const { errors, detail = "" } = (await response.json()) as Problem;
  expect((errors ?? []).length).toBeLessThanOrEqual(1);
  return [errors?.[0]?.pointer ?? "-", errors?.[0]?.detail ?? detail];
}

test.each<[path: string, pointer: string, message: string]>([
  ["/v1/search?limt=5", "limt", 'Unknown parameter "limt". Did you mean "limit"?'],
  ["/v1/search?colour=blue", "colour", 'Unknown parameter "colour".'],
  ["/v1/search?limit=1&limit=2", "limit", "Sent 2 times: send it once, comma-separated where it takes several values."],
  ["/v1/search?limit=0", "limit", 'Expected an integer from 1 to 1000, got "0".'],
  ["/v1/search?limit=ten", "limit", 'Expected an integer from 1 to 1000, got "ten".'],
  ["/v1/search?bbox=1,2,3", "bbox", 'Expected 4 or 6 numbers, got "1,2,3".'],
  ["/v1/search?bbox=1,50,2,40", "bbox", "South 50 is north of north 40."],
  ["/v1/search?bbox=1,-91,2,40", "bbox", "Expected latitudes from -90 to 90, got -91 and 40."],
  [
    "/v1/search?datetime=yesterday",
    "datetime",
    'Expected an RFC 3339 date-time or an interval of two, divided by /, got "yesterday".',
  ],
  ["/v1/search?datetime=../..", "datetime", 'At most one end may be open, got "../..".'],
  [
    "/v1/search?datetime=2024-02-01/2024-01-01",
    "datetime",
    'The interval "2024-02-01/2024-01-01" ends before it starts.',
  ],
  ["/v1/search?token=nonsense", "token", "The token is not one of this service."],
  [
    "/v1/search?sortby=-cloud_cover",
    "sortby",
    'Expected one of id, collection, datetime, platform, constellation, instruments, eo:cloud_cover, svc:source_collection, gsd, created, updated, view:sun_elevation, view:sun_azimuth, s2:mgrs_tile, s2:processing_baseline, s2:nodata_pixel_percentage, landsat:wrs_path, landsat:wrs_row, landsat:collection_category, got "cloud_cover". Did you mean "eo:cloud_cover"?',
  ],
  [
    "/v1/search?sortby=-platfrom",
    "sortby",
    'Expected one of id, collection, datetime, platform, constellation, instruments, eo:cloud_cover, svc:source_collection, gsd, created, updated, view:sun_elevation, view:sun_azimuth, s2:mgrs_tile, s2:processing_baseline, s2:nodata_pixel_percentage, landsat:wrs_path, landsat:wrs_row, landsat:collection_category, got "platfrom". Did you mean "platform"?',
  ],
  ["/v1/search?query={", "query", 'Expected JSON, got "{".'],
  [
    `/v1/search?query=${json({ "eo:cloud_covr": { lt: 3 } })}`,
    "query",
    '/eo:cloud_covr: Unknown property "eo:cloud_covr". Expected one of datetime, platform, constellation, instruments, eo:cloud_cover, svc:source_collection, gsd, created, updated, view:sun_elevation, view:sun_azimuth, s2:mgrs_tile, s2:processing_baseline, s2:nodata_pixel_percentage, landsat:wrs_path, landsat:wrs_row, landsat:collection_category. Did you mean "eo:cloud_cover"?',
  ],
  [
    `/v1/search?query=${json({ "eo:cloud_cover": { lest: 3 } })}`,
    "query",
    '/eo:cloud_cover/lest: Unknown operator "lest". Expected one of eq, neq, lt, lte, gt, gte, startsWith, endsWith, contains, in.',
  ],
  [
    `/v1/search?query=${json({ "eo:cloud_cover": { lt: "much" } })}`,
    "query",
    '/eo:cloud_cover/lt: "eo:cloud_cover" is a number, got "much".',
  ],
  [
    `/v1/search?query=${json({ "s2:processing_baseline": { gte: 5 }, platform: 3 })}`,
    "query",
    '/s2:processing_baseline/gte: "s2:processing_baseline" is text, got 5.',
  ],
  [`/v1/search?query=${json({ platform: 3 })}`, "query", "/platform: Expected an object of operators, got 3."],
  [
    "/v1/search?filter=a%3D1",
    "filter",
    '"filter" is not served: use "query", for example {"eo:cloud_cover": {"lte": 20}}.',
  ],
  ["/v1/search?intersects={}", "intersects", "/type: Expected the type of a GeoJSON geometry, got nothing."],
  [
    `/v1/search?intersects=${json({ type: "Feature", geometry: null, properties: {} })}`,
    "intersects",
    "/type: Expected a geometry, got a Feature: send its geometry member.",
  ],
  [
    `/v1/search?bbox=1,2,3,4&intersects=${json({ type: "Point", coordinates: [1, 2] })}`,
    "intersects",
    "Only one of bbox and intersects may be given.",
  ],
  [
    "/v1/search?collections=sentinel-2-l2",
    "collections",
    'No collection is called "sentinel-2-l2". Did you mean "sentinel-2-l2a"?',
  ],
  [
    "/v1/search?collections=landsat-ot",
    "collections",
    'No collection is called "landsat-ot". Did you mean "landsat-ot-l2"?',
  ],
  [
    "/v1/search?collections=radar",
    "collections",
    'No collection is called "radar". The collections are listed at /v1/collections.',
  ],
  ["/v1/collections/sentinel-2-l2b", "-", 'No collection is called "sentinel-2-l2b". Did you mean "sentinel-2-l2a"?'],
  [
    "/v1/collections/sentinel-2-l2a/items?collections=landsat-ot-l2",
    "collections",
    'Expected the collection of the path, "sentinel-2-l2a", got "landsat-ot-l2".',
  ],
  ["/v1/collections/sentinel-2-l2a/items/nothing", "-", 'Collection sentinel-2-l2a has no item "nothing".'],
  [
    `/v1/collections/sentinel-2-l2a/items/${S2}/preview.png?maxsize=64`,
    "maxsize",
    'Unknown parameter "maxsize". Did you mean "max_size"?',
  ],
  [`/v1/collections/sentinel-2-l2a/items/${S2}/preview.png?max_size=63`, "max_size", "Expected 64 to 1024, got 63."],
  [
    `/v1/collections/sentinel-2-l2a/items/${S2}/preview.gif`,
    "format",
    'Expected one of "png", "jpg", "webp"; got "gif".',
  ],
  [`${TILES}/9/275/999.png`, "y", "Expected a row from 0 to 511 at zoom 9, got 999."],
  [`${TILES}/25/1/1.png`, "z", "Expected a zoom from 7 to 14, got 25."],
  [`${TILES}/nine/1/1.png`, "z", 'Expected a whole number, got "nine".'],
  [`${TILES}/9/275/182.png?colection=x`, "colection", 'Unknown parameter "colection". Did you mean "collection"?'],
  [
    `${TILES}/9/275/182.png?collection=sentinel-2-l2`,
    "collection",
    'No collection is called "sentinel-2-l2". Did you mean "sentinel-2-l2a"?',
  ],
  [
    "/v1/tiles/true-colour/WebMercatorQuad/9/275/182.png",
    "-",
    'No preset is called "true-colour"; there are true-color, false-color, ndvi. Did you mean "true-color"?',
  ],
  [
    "/v1/tiles/true-color/WebMercator/9/275/182.png",
    "-",
    'Preset true-color has no tile matrix set "WebMercator"; there are WebMercatorQuad, WorldCRS84Quad.',
  ],
  [
    "/v1/presets/ndvy",
    "-",
    'No preset is called "ndvy"; there are true-color, false-color, ndvi. Did you mean "ndvi"?',
  ],
  ["/v1/process/jobs/nothing", "-", 'There is no job "nothing", or it has expired.'],
  ["/v1/results/a/b.tif", "-", "There is no such result, or its link has ended."],
  ["/v1/nothing", "-", "Nothing is served at /v1/nothing."],
])("GET %s: %s: %s", async (path, pointer, message) => {
  expect(await faultOf(await service.get(path))).toEqual([pointer, message]);
});

test.each<[path: string, body: unknown, pointer: string, message: string]>([
  ["/v1/search", "{", "", "The body is not JSON: the fault is at character 2."],
  ["/v1/search", '{"limit": 5,}', "", "The body is not JSON: the fault is at character 13."],
  ["/v1/search", "", "", "Expected a JSON object, got an empty body."],
  ["/v1/search", { bbox: [1, 2, 3] }, "/bbox", "Expected an array of 4 or 6 numbers, got [1, 2, 3]."],
  [
    "/v1/search",
    { bbox: Array(9).fill(0) },
    "/bbox",
    "Expected an array of 4 or 6 numbers, got an array of 9 entries.",
  ],
  ["/v1/search", { collections: null }, "/collections", "Expected an array or a string, got null."],
  ["/v1/search", { ids: Array(1001).fill("x") }, "/ids", "Expected at most 1000 entries, got 1001."],
  [
    "/v1/search",
    { intersects: { type: "MultiPoint", coordinates: [["x", 2]] } },
    "/intersects/coordinates/0",
    'Expected a position of two or three numbers, got ["x", 2].',
  ],
  [
    "/v1/search",
    { intersects: { type: "Polygon", coordinates: [] } },
    "/intersects/coordinates",
    "Expected at least 1 entry, got 0.",
  ],
  ["/v1/search", { limit: 5, token: "nonsense" }, "/token", "The token is not one of this service."],
  ["/v1/search", { colections: ["x"] }, "/colections", 'Unknown member "colections". Did you mean "collections"?'],
  [
    "/v1/search",
    { collections: ["sentinel-2-l2a", "landsat-8"] },
    "/collections/1",
    'No collection is called "landsat-8". Did you mean "landsat-8-c2-l2"?',
  ],
  [
    "/v1/search",
    { sortby: [{ field: "datetime", direction: "down" }] },
    "/sortby/0/direction",
    'Expected "asc" or "desc", got "down".',
  ],
  ["/v1/search", { fields: { includes: ["id"] } }, "/fields/includes", 'Unknown member "includes".'],
  [
    "/v1/search",
    { query: { platfrom: { eq: "x" } } },
    "/query/platfrom",
    'Unknown property "platfrom". Expected one of datetime, platform, constellation, instruments, eo:cloud_cover, svc:source_collection, gsd, created, updated, view:sun_elevation, view:sun_azimuth, s2:mgrs_tile, s2:processing_baseline, s2:nodata_pixel_percentage, landsat:wrs_path, landsat:wrs_row, landsat:collection_category. Did you mean "platform"?',
  ],
  [
    "/v1/search",
    {
      intersects: {
        type: "Polygon",
        coordinates: [
          [
            [0, 0],
            [2, 2],
            [2, 0],
            [0, 2],
            [0, 0],
          ],
        ],
      },
    },
    "/intersects/coordinates/0",
    "The polygon intersects itself near 1, 1 (longitude, latitude).",
  ],
  ["/v1/process", proc({ bands: ["rde"] }), "/bands/0", 'sentinel-2-l2a has no band called "rde". Did you mean "red"?'],
  ["/v1/process", proc({ bands: ["zzz"] }), "/bands/0", 'sentinel-2-l2a has no band called "zzz".'],
  [
    "/v1/process",
    proc({ bands: ["red", "B04"] }),
    "/bands/1",
    'Expected each band once: "B04" is the band that "red" names.',
  ],
  [
    "/v1/process",
    proc({ type: "sentinel2" }),
    "/input/data/0/type",
    'No collection is called "sentinel2". Did you mean "sentinel-2-l2a"?',
  ],
  ["/v1/process", proc({ more: { ouput: {} } }), "/ouput", 'Unknown member "ouput". Did you mean "output"?'],
  ["/v1/process", proc({ output: { heigth: 5 } }), "/output/heigth", 'Unknown member "heigth". Did you mean "height"?'],
  [
    "/v1/process",
    proc({ filter: { timerange: JULY } }),
    "/input/data/0/dataFilter/timerange",
    'Unknown member "timerange". Did you mean "timeRange"?',
  ],
  [
    "/v1/process",
    proc({ filter: { ids: [S2], maxCloudCoverage: 20 } }),
    "/input/data/0/dataFilter/maxCloudCoverage",
    "Expected this beside a time alone: ids name each scene, in the order of the mosaic.",
  ],
  [
    "/v1/process",
    proc({ filter: { ids: [S2], timeRange: JULY } }),
    "/input/data/0/dataFilter",
    "Expected a time or ids, got both.",
  ],
  [
    "/v1/process",
    proc({ filter: { timeRange: { from: "2024-07-01", to: JULY.to } } }),
    "/input/data/0/dataFilter/timeRange/from",
    'Expected an RFC 3339 date-time with zone, got "2024-07-01".',
  ],
  [
    "/v1/process",
    proc({ filter: { timeRange: { from: JULY.to, to: JULY.from } } }),
    "/input/data/0/dataFilter/timeRange",
    "from 2024-07-31T23:59:59Z is after to 2024-07-01T00:00:00Z.",
  ],
  [
    "/v1/process",
    proc({ processing: { units: "x" } }),
    "/input/data/0/processing/units",
    'Expected REFLECTANCE or DN, got "x".',
  ],
  [
    "/v1/process",
    proc({ processing: { harmonize: "x" } }),
    "/input/data/0/processing/harmonize",
    'Expected none or offset_removed, got "x".',
  ],
  [
    "/v1/process",
    proc({ processing: { harmonize: "nbar" } }),
    "/input/data/0/processing/harmonize",
    'sentinel-2-l2a has the levels none, offset_removed, not "nbar".',
  ],
  [
    "/v1/process",
    proc({ processing: { units: "KELVIN" } }),
    "/input/data/0/processing/units",
    'Expected REFLECTANCE or DN, got "KELVIN".',
  ],
  [
    "/v1/process",
    proc({ bands: ["SCL"] }),
    "/bands/0",
    "SCL of sentinel-2-l2a cannot be given as REFLECTANCE: ask for DN.",
  ],
  [
    "/v1/process",
    proc({ bounds: { bbox: [4e5, 5e6, 3e5, 5.1e6], properties: { crs: "epsg:32633" } } }),
    "/input/bounds/bbox",
    "West 400000 is greater than east 300000: only boxes in degrees may cross the antimeridian.",
  ],
  [
    "/v1/process",
    proc({ bounds: { bbox: [1, 2, 3, 4], properties: { crs: "EPSG:27700" } } }),
    "/input/bounds/properties/crs",
    'Expected EPSG:4326, EPSG:3857, EPSG:32601-32660, EPSG:32701-32760 or CRS84, got "EPSG:27700".',
  ],
  ["/v1/process", proc({ output: { width: 10 } }), "/output/height", "Expected height beside width."],
  [
    "/v1/process",
    proc({ output: { width: 10, height: 10, resx: 1, resy: 1 } }),
    "/output",
    "Expected width and height, or resx and resy, got both.",
  ],
  [
    "/v1/process",
    proc({ output: { width: 2501, height: 1 } }),
    "-",
    "The output would have 2,501 × 1 pixels (at most 2,500 a side).",
  ],
  [
    "/v1/process",
    proc({ output: { sampleType: "UINT8" } }),
    "/output/sampleType",
    'Expected one of "AUTO", "UINT16", "INT16", "FLOAT32"; got "UINT8".',
  ],
  [
    "/v1/process",
    proc({ processing: { units: "DN" }, output: { sampleType: "UINT16" } }),
    "/output/sampleType",
    "UINT16 cannot hold these values: expected INT16 or FLOAT32.",
  ],
  ["/v1/process", proc({ bounds: {} }), "/input/bounds", "Expected bbox or geometry, got neither."],
  [
    "/v1/process",
    proc({ bounds: { geometry: { type: "Point", coordinates: [1, 2] } } }),
    "/input/bounds/geometry/type",
    "Expected a Polygon or MultiPolygon, got Point.",
  ],
  [
    "/v1/process",
    proc({ filter: { ids: ["nothing"] } }),
    "/input/data/0/dataFilter/ids/0",
    'sentinel-2-l2a has no item "nothing".',
  ],
  [
    "/v1/process",
    proc({ filter: { timeRange: { from: "2019-01-01T00:00:00Z", to: "2019-12-31T00:00:00Z" } } }),
    "-",
    "There is no scene over the box in the time range.",
  ],
])("POST %s %j: %s: %s", async (path, body, pointer, message) => {
  expect(await faultOf(await service.post(path, body))).toEqual([pointer, message]);
});

const SECRET = "https://internal.example/v1/search?sig=abc";

test.each([
  { code: "unavailable", message: "The upstream catalog did not answer." },
  { code: "timeout", message: "The upstream catalog took too long to answer." },
  { code: "rejected", message: "The upstream catalog refused the search." },
] as const)("what the upstream says of itself is not repeated: $message", async ({ code, message }) => {
  const catalog: Catalog = {
    ...createArchiveCatalog({ items: [] }),
    search: () => Promise.reject(new CatalogError(code, `fetch failed: ${SECRET}`)),
  };
  const failing = await testService({ catalog, tileScenes: createNeighbourhoodSearch(catalog) });
  expect(await faultOf(await failing.get("/v1/search"))).toEqual(["-", message]);
});

test.each([
  {
    answer: () => new Response("no", { status: 500 }),
    message: `Scene ${S2} could not be read: the archive did not send a file.`,
  },
  {
    answer: () => new Response("no", { status: 403 }),
    message: `Scene ${S2} could not be read: the archive does not let a file be read.`,
  },
  {
    answer: () => new Response("gone", { status: 404 }),
    message: `Scene ${S2} cannot be read: a file does not exist.`,
  },
  {
    answer: () => new Response("no image at all", { status: 206, headers: { "Content-Range": "bytes 0-14/15" } }),
    message: `Scene ${S2} cannot be read: a file is no TIFF.`,
  },
])("a message about a file does not name its address: $message", async ({ answer, message }) => {
  const upstream = await serveUpstream(inject("sandbox"), {
    intercept: (request) => (new URL(request.url).pathname.includes("/assets/") ? answer() : undefined),
  });
  try {
    const failing = await testService({
      catalog: createUpstreamCatalog({ url: upstream.url, registry: LEAN.registry }),
      renderer: inlineRenderer({
        blockCacheBytes: 1_048_576,
        sources: { upstreamUrl: upstream.url, assetHosts: [], s3: { region: "us-west-2" } },
      }),
    });
    const response = await failing.post(
      "/v1/process",
      proc({ bounds: { bbox: [13.1, 45.2, 13.2, 45.3] }, filter: { ids: [S2] }, output: { width: 16, height: 16 } }),
    );
    expect(response.status).toBe(503);
    expect(await faultOf(response)).toEqual(["-", message]);
  } finally {
    await upstream.close();
  }
});
