import { resolveCollection } from "@swath/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { type TestService, testService } from "../tools/harness.ts";
import { rowRules } from "../tools/row-rules.ts";
import { LANDSAT, S2 } from "./process-cases.ts";

const BBOX = [12.6, 45.2, 12.9, 45.4];
const JULY = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T23:59:59Z" };
const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const FILTER = "/input/data/0/dataFilter";
const PROCESSING = "/input/data/0/processing";

interface Parts {
  readonly bounds?: Record<string, unknown>;
  readonly type?: string;
  readonly filter?: Record<string, unknown>;
  readonly processing?: Record<string, unknown>;
  readonly output?: Record<string, unknown>;
  readonly more?: Record<string, unknown>;
}

function body({ bounds, type, filter, processing, output, more }: Parts): Record<string, unknown> {
  return {
    input: {
      bounds: bounds ?? { bbox: BBOX },
      data: [
        {
          type: type ?? "sentinel-2-l2a",
          dataFilter: filter ?? { timeRange: JULY },
          ...(processing === undefined ? {} : { processing }),
        },
      ],
    },
    bands: ["B04"],
    output: output ?? {},
    ...more,
  };
}

interface Row {
  readonly name: string;
  readonly body: unknown;
  readonly status: number;
  readonly code: string;
  readonly pointer?: string;
  readonly pointers?: readonly string[];
  readonly limits?: Record<string, number>;
}

const bad = (name: string, parts: Parts, pointer: string): Row => ({
  name,
  body: body(parts),
  status: 400,
  code: "invalid-body",
  pointer,
});
const ring = [
  [12.6, 45.2],
  [12.9, 45.2],
  [12.9, 45.4],
  [12.6, 45.2],
];
const polygon = (coordinates: unknown): Parts => ({ bounds: { geometry: { type: "Polygon", coordinates } } });
const utm = (more: Record<string, unknown>): Parts => ({
  bounds: { properties: { crs: "EPSG:32633" }, ...more },
});

/** Every band of the collection. */
const S2_BANDS = resolveCollection("sentinel-2-l2a").bands.map(({ name }) => name);

const ROWS: readonly Row[] = [
  // members
  { name: "an empty body object", body: {}, status: 400, code: "invalid-body", pointers: ["/input", "/output"] },
  { name: "a list", body: [], status: 400, code: "invalid-body", pointer: "" },
  bad("an unknown member", { more: { evalscript: "//VERSION=3" } }, "/evalscript"),
  bad("an unknown member of output", { output: { responses: [] } }, "/output/responses"),
  bad("an unknown member of dataFilter", { filter: { timeRange: JULY, foo: 1 } }, `${FILTER}/foo`),
  bad("an unknown member of processing", { processing: { upsampling: "BICUBIC" } }, `${PROCESSING}/upsampling`),
  bad("another resampling", { processing: { resampling: "bilinear" } }, `${PROCESSING}/resampling`),
  bad("a band twice", { more: { bands: ["B04", "B03", "B04"] } }, "/bands/2"),
  bad("a band by two of its names", { more: { bands: ["red", "B04"] } }, "/bands/1"),
  bad("another format", { output: { format: "image/png" } }, "/output/format"),
  bad("no band at all", { more: { bands: [] } }, "/bands"),
  { ...bad("two inputs", {}, "/input/data"), body: { ...body({}), input: { bounds: { bbox: BBOX }, data: [{}, {}] } } },
  // where
  bad("neither bbox nor geometry", { bounds: {} }, "/input/bounds"),
  bad(
    "both bbox and geometry",
    { bounds: { bbox: BBOX, geometry: { type: "Polygon", coordinates: [ring] } } },
    "/input/bounds",
  ),
  bad("three numbers", { bounds: { bbox: [1, 2, 3] } }, "/input/bounds/bbox"),
  bad("five numbers", { bounds: { bbox: [1, 2, 3, 4, 5] } }, "/input/bounds/bbox"),
  bad("a box without height", { bounds: { bbox: [12, 45, 13, 45] } }, "/input/bounds/bbox"),
  bad("a box without width", { bounds: { bbox: [12, 45, 12, 46] } }, "/input/bounds/bbox"),
  bad("south north of north", { bounds: { bbox: [12, 46, 13, 45] } }, "/input/bounds/bbox"),
  bad("a latitude of 91", { bounds: { bbox: [12, 45, 13, 91] } }, "/input/bounds/bbox"),
  bad("west > east in metres", utm({ bbox: [400_000, 5_000_000, 300_000, 5_100_000] }), "/input/bounds/bbox"),
  bad("a box in metres that is nowhere", utm({ bbox: [9e8, 9e8, 9.1e8, 9.1e8] }), "/input/bounds/bbox"),
  bad(
    "an unknown CRS of the box",
    { bounds: { bbox: BBOX, properties: { crs: "EPSG:27700" } } },
    "/input/bounds/properties/crs",
  ),
  bad("an unknown output CRS", { output: { crs: "EPSG:32661" } }, "/output/crs"),
  bad("an output CRS in words", { output: { crs: "UTM 33N" } }, "/output/crs"),
  bad(
    "an area of which the output CRS holds a part",
    {
      bounds: { bbox: [-180, -90, 180, 90] },
      output: { crs: "EPSG:32633", width: 9, height: 9 },
    },
    "/output/crs",
  ),
  bad("an area with a pole in Mercator", { bounds: { bbox: [12, 80, 13, 90] } }, "/output/crs"),
  bad("a point", { bounds: { geometry: { type: "Point", coordinates: [13, 45] } } }, "/input/bounds/geometry/type"),
  bad("a feature", { bounds: { geometry: { type: "Feature", geometry: null } } }, "/input/bounds/geometry/type"),
  bad("a polygon that is null", { bounds: { geometry: null } }, "/input/bounds/geometry"),
  bad("an open ring", polygon([ring.slice(0, 3).concat([[12.7, 45.3]])]), "/input/bounds/geometry/coordinates/0"),
  bad("a ring of three positions", polygon([ring.slice(1)]), "/input/bounds/geometry/coordinates/0"),
  bad(
    "a polygon that crosses itself",
    polygon([
      [
        [12.6, 45.2],
        [12.9, 45.4],
        [12.9, 45.2],
        [12.6, 45.4],
        [12.6, 45.2],
      ],
    ]),
    "/input/bounds/geometry/coordinates/0",
  ),
  bad(
    "a polygon in metres with an open ring",
    utm({ geometry: { type: "Polygon", coordinates: [ring.with(3, [1, 1])] } }),
    "/input/bounds/geometry/coordinates/0",
  ),
  bad(
    "a polygon in metres that crosses itself",
    utm({
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [300_000, 5_000_000],
            [310_000, 5_010_000],
            [310_000, 5_000_000],
            [300_000, 5_010_000],
            [300_000, 5_000_000],
          ],
        ],
      },
    }),
    "/input/bounds/geometry/coordinates/0",
  ),
  bad("a line in metres", utm({ geometry: { type: "LineString", coordinates: ring } }), "/input/bounds/geometry/type"),
  bad(
    "a position in metres that is text",
    utm({ geometry: { type: "Polygon", coordinates: [ring.with(1, ["a", "b"] as never)] } }),
    "/input/bounds/geometry/coordinates/0/1",
  ),
  // how large
  bad("sizes and resolutions", { output: { width: 10, height: 10, resx: 10, resy: 10 } }, "/output"),
  bad("a width alone", { output: { width: 10 } }, "/output/height"),
  bad("a height alone", { output: { height: 10 } }, "/output/width"),
  bad("resx alone", { output: { resx: 10 } }, "/output/resy"),
  bad("resy alone", { output: { resy: 10 } }, "/output/resx"),
  bad("a resolution of 0", { output: { resx: 0, resy: 10 } }, "/output/resx"),
  bad("a width of 0", { output: { width: 0, height: 10 } }, "/output/width"),
  bad("a width of 1.5", { output: { width: 1.5, height: 10 } }, "/output/width"),
  bad("a width of 20,001", { output: { width: 20_001, height: 10 } }, "/output/width"),
  {
    name: "2,501 pixels a side",
    body: body({ output: { width: 2501, height: 10 } }),
    status: 413,
    code: "output-too-large",
    limits: { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 2501, requestedHeight: 10 },
  },
  {
    name: "30,000 pixels by resolution",
    body: body({
      bounds: { bbox: [300_000, 5_000_000, 600_000, 5_100_000], properties: { crs: "EPSG:32633" } },
      output: { crs: "EPSG:32633", resx: 10, resy: 1000 },
    }),
    status: 413,
    code: "output-too-large",
    limits: { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 30_000, requestedHeight: 100 },
  },
  {
    name: "212 million values × scenes by id",
    body: body({
      bounds: { bbox: [13.4, 45.2, 14.4, 45.9] },
      filter: { ids: [S2.july, S2.east] },
      output: { width: 2500, height: 2500 },
      processing: { units: "DN", harmonize: "none" },
      more: { bands: S2_BANDS },
    }),
    status: 413,
    code: "output-too-large",
    limits: { maxValuesTimesScenes: 200_000_000, requestedValuesTimesScenes: 212_500_000 },
  },
  {
    name: "212 million values × scenes found by time",
    body: body({
      bounds: { bbox: [13.4, 45.2, 14.2, 45.9] },
      filter: { timeRange: { from: "2024-07-04T00:00:00Z", to: "2024-07-05T00:00:00Z" } },
      output: { width: 2500, height: 2500 },
      processing: { units: "DN", harmonize: "none" },
      more: { bands: S2_BANDS },
    }),
    status: 413,
    code: "output-too-large",
    limits: { maxValuesTimesScenes: 200_000_000, requestedValuesTimesScenes: 212_500_000 },
  },
  // which scenes
  bad("ids and timeRange", { filter: { timeRange: JULY, ids: [S2.july] } }, FILTER),
  bad("ids with a cloud coverage", { filter: { ids: [S2.july], maxCloudCoverage: 20 } }, `${FILTER}/maxCloudCoverage`),
  bad("ids with an order", { filter: { ids: [S2.july], mosaickingOrder: "leastCC" } }, `${FILTER}/mosaickingOrder`),
  bad("neither ids nor timeRange", { filter: {} }, FILTER),
  bad("no id", { filter: { ids: [] } }, `${FILTER}/ids`),
  bad("seven ids", { filter: { ids: ["a", "b", "c", "d", "e", "f", "g"] } }, `${FILTER}/ids`),
  bad("from after to", { filter: { timeRange: { from: JULY.to, to: JULY.from } } }, `${FILTER}/timeRange`),
  bad("from without to", { filter: { timeRange: { from: JULY.from } } }, `${FILTER}/timeRange/to`),
  bad("a date alone", { filter: { timeRange: { from: "2024-07-01", to: JULY.to } } }, `${FILTER}/timeRange/from`),
  bad(
    "a time without zone",
    { filter: { timeRange: { from: JULY.from, to: "2024-07-01T00:00:00" } } },
    `${FILTER}/timeRange/to`,
  ),
  bad("cloud coverage of 101", { filter: { timeRange: JULY, maxCloudCoverage: 101 } }, `${FILTER}/maxCloudCoverage`),
  bad("an unknown order", { filter: { timeRange: JULY, mosaickingOrder: "random" } }, `${FILTER}/mosaickingOrder`),
  {
    name: "an unknown collection",
    body: body({ type: "sentinel-3" }),
    status: 404,
    code: "unknown-collection",
    pointer: "/input/data/0/type",
  },
  {
    name: "a collection of a later phase",
    body: body({ type: "dem" }),
    status: 404,
    code: "unknown-collection",
    pointer: "/input/data/0/type",
  },
  {
    name: "an unknown id",
    body: body({ filter: { ids: [S2.july, "S2B_nothing"] } }),
    status: 404,
    code: "not-found",
    pointer: `${FILTER}/ids/1`,
  },
  {
    name: "an id of another collection",
    body: body({ filter: { ids: [LANDSAT.july] } }),
    status: 404,
    code: "not-found",
    pointer: `${FILTER}/ids/0`,
  },
  {
    name: "an id that an alias excludes",
    body: body({
      type: "landsat-8-c2-l2",
      filter: { ids: [LANDSAT.east] },
      bounds: { bbox: [14.5, 45.5, 14.9, 45.8] },
    }),
    status: 404,
    code: "not-found",
    pointer: `${FILTER}/ids/0`,
  },
  bad("a scene that misses the box", { filter: { ids: [S2.july, S2.native] } }, `${FILTER}/ids/1`),
  {
    name: "no scene in the time",
    body: body({ filter: { timeRange: { from: "2019-01-01T00:00:00Z", to: "2019-12-31T00:00:00Z" } } }),
    status: 404,
    code: "not-found",
  },
  {
    name: "no scene over the box",
    body: body({ bounds: { bbox: [100, 10, 101, 11] } }),
    status: 404,
    code: "not-found",
  },
  {
    name: "no scene that is clear enough",
    body: body({
      bounds: { bbox: [13.1, 45.2, 13.2, 45.3] },
      filter: { timeRange: { from: "2024-07-06T00:00:00Z", to: "2024-07-07T00:00:00Z" }, maxCloudCoverage: 1 },
    }),
    status: 404,
    code: "not-found",
  },
  // what of them
  {
    name: "an unknown band",
    body: body({ more: { bands: ["B04", "B99"] } }),
    status: 422,
    code: "unknown-band",
    pointer: "/bands/1",
  },
  {
    name: "a band of another collection",
    body: body({ more: { bands: ["SR_B4"] } }),
    status: 422,
    code: "unknown-band",
    pointer: "/bands/0",
  },
  {
    name: "a band that a scene lacks",
    body: body({ type: "LOTL2", more: { bands: ["SR_B4", "ST_QA"] }, processing: { units: "DN" } }),
    status: 422,
    code: "unknown-band",
    pointer: "/bands/1",
  },
  {
    name: "reflectance of a class band",
    body: body({ more: { bands: ["B04", "SCL"] } }),
    status: 422,
    code: "units-unavailable",
    pointer: "/bands/1",
  },
  {
    name: "reflectance of quality bits",
    body: body({ type: "LOTL2", more: { bands: ["QA_PIXEL"] } }),
    status: 422,
    code: "units-unavailable",
    pointer: "/bands/0",
  },
  {
    name: "kelvin",
    body: body({ processing: { units: "KELVIN" } }),
    status: 422,
    code: "units-unavailable",
    pointer: `${PROCESSING}/units`,
  },
  bad("units that are none", { processing: { units: "furlongs" } }, `${PROCESSING}/units`),
  {
    name: "units that are a name of every object, where bands are left to the service",
    body: { ...body({ processing: { units: "constructor" } }), bands: undefined },
    status: 400,
    code: "invalid-body",
    pointer: `${PROCESSING}/units`,
  },
  {
    name: "bandpass_adjusted",
    body: body({ processing: { harmonize: "bandpass_adjusted" } }),
    status: 422,
    code: "harmonize-unavailable",
    pointer: `${PROCESSING}/harmonize`,
  },
  {
    name: "nbar",
    body: body({ processing: { harmonize: "nbar" } }),
    status: 422,
    code: "harmonize-unavailable",
    pointer: `${PROCESSING}/harmonize`,
  },
  bad("a harmonization that is none", { processing: { harmonize: "x" } }, `${PROCESSING}/harmonize`),
  bad("clipNegative as text", { processing: { clipNegative: "yes" } }, `${PROCESSING}/clipNegative`),
  bad(
    "UINT16 of offset-removed numbers",
    { processing: { units: "DN" }, output: { sampleType: "UINT16" } },
    "/output/sampleType",
  ),
  bad(
    "INT16 of stored numbers",
    { processing: { units: "DN", harmonize: "none" }, output: { sampleType: "INT16" } },
    "/output/sampleType",
  ),
  bad("UINT16 of reflectance", { output: { sampleType: "UINT16" } }, "/output/sampleType"),
  bad("INT16 of reflectance", { output: { sampleType: "INT16" } }, "/output/sampleType"),
  bad(
    "INT16 of Landsat numbers",
    { type: "LOTL2", processing: { units: "DN" }, output: { sampleType: "INT16" } },
    "/output/sampleType",
  ),
  bad("an unknown sample type", { output: { sampleType: "UINT8" } }, "/output/sampleType"),
];

describe("a process request is refused for", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });

  const rules = rowRules(
    {
      A10: ["an id that an alias excludes"],
      X1: [
        "an empty body object",
        "a list",
        "an unknown member",
        "an unknown member of output",
        "an unknown member of dataFilter",
        "an unknown member of processing",
      ],
      X2: [
        "neither bbox nor geometry",
        "both bbox and geometry",
        "three numbers",
        "five numbers",
        "a box without height",
        "a box without width",
        "south north of north",
        "a point",
        "a feature",
        "a polygon that crosses itself",
      ],
      X4: ["an unknown CRS of the box", "an unknown output CRS", "an output CRS in words"],
      X6: ["two inputs", "an unknown collection", "a collection of a later phase"],
      X7: ["ids and timeRange", "neither ids nor timeRange", "no id", "seven ids"],
      X8: ["from after to", "from without to", "a date alone", "a time without zone"],
      X9: ["cloud coverage of 101", "no scene that is clear enough"],
      X11: ["an unknown id", "an id of another collection", "a scene that misses the box"],
      X13: ["no scene in the time", "no scene over the box"],
      X16: ["bandpass_adjusted", "nbar", "kelvin", "reflectance of a class band", "reflectance of quality bits"],
      X19: ["another resampling", "another format"],
      X21: ["an unknown band", "a band of another collection", "a band that a scene lacks"],
      X22: ["sizes and resolutions", "a width alone", "a height alone", "resx alone", "resy alone"],
      X25: ["a width of 20,001"],
      X26: [
        "UINT16 of offset-removed numbers",
        "INT16 of stored numbers",
        "UINT16 of reflectance",
        "INT16 of reflectance",
        "INT16 of Landsat numbers",
        "an unknown sample type",
      ],
      X33: [
        "2,501 pixels a side",
        "30,000 pixels by resolution",
        "212 million values × scenes by id",
        "212 million values × scenes found by time",
      ],
    },
    ROWS.map(({ name }) => name),
  );

  for (const { name, body: sent, status, code, pointer, pointers, limits } of ROWS) {
    test(name, { tags: rules(name) }, async () => {
      const response = await service.post("/v1/process", sent);
      const problem = (await response.json()) as { code: string; errors?: { pointer: string }[]; limits?: unknown };
      expect({ status: response.status, code: problem.code }, JSON.stringify(problem)).toEqual({ status, code });
      expect(response.headers.get("Content-Type")).toBe("application/problem+json");
      const found = problem.errors?.map((error) => error.pointer);
      if (pointers !== undefined) expect(found).toEqual(pointers);
      else if (pointer !== undefined) expect(found?.[0]).toBe(pointer);
      if (limits !== undefined) expect(problem.limits).toEqual(limits);
    });
  }

  const jobs = ROWS.filter(({ code }) => code !== "output-too-large");
  test.each(jobs.map((row) => [row.name, row] as const))(
    "%s, as a background job too",
    { tags: ["K1"] },
    async (_, row) => {
      const response = await service.post("/v1/process/jobs", row.body);
      const problem = (await response.json()) as { code: string };
      expect({ status: response.status, code: problem.code }).toEqual({ status: row.status, code: row.code });
    },
  );

  test.each([
    { name: "jobs of 20,000 pixels a side", output: { width: 20_000, height: 1 }, status: 202 },
    { name: "jobs of more by resolution", output: { resx: 1, resy: 1000 }, status: 413 },
  ])("the caps of jobs: $name give $status", { tags: ["P10", "K1"] }, async ({ output, status }) => {
    const response = await service.post("/v1/process/jobs", body({ output }));
    expect(response.status, await response.clone().text()).toBe(status);
    if (status === 413) expect(await response.json()).toMatchObject({ limits: { maxOutputWidth: 20_000 } });
  });

  test("jobs of 600 million values, not of more", { tags: ["K1"] }, async () => {
    const bands = ["B02", "B03", "B04"];
    const most = await service.post(
      "/v1/process/jobs",
      body({ output: { width: 20_000, height: 10_000 }, more: { bands } }),
    );
    expect(most.status).toBe(202);
    const more = await service.post(
      "/v1/process/jobs",
      body({ output: { width: 20_000, height: 10_001 }, more: { bands } }),
    );
    expect(await more.json()).toMatchObject({
      code: "output-too-large",
      limits: { maxOutputValues: 600_000_000, requestedOutputValues: 600_060_000 },
    });
  });

  test("a missing key, before anything else is looked at", { tags: ["U3"] }, async () => {
    const response = await service.request("/v1/process", { method: "POST", body: "{}" });
    expect(response.status).toBe(401);
  });

  test("text that is no JSON, and a body of another type", { tags: ["X37"] }, async () => {
    expect((await service.post("/v1/process", "{")).status).toBe(400);
    expect((await service.post("/v1/process", "a: 1", { "Content-Type": "text/yaml" })).status).toBe(415);
  });

  test("a body over 1 MiB", { tags: ["X37"] }, async () => {
    const response = await service.post("/v1/process", `{"input": "${"x".repeat(1_048_576)}"}`);
    expect(await response.json()).toMatchObject({ code: "body-too-large", limits: { maxBytes: 1_048_576 } });
  });
});

test("every spelling of a CRS is read, in both places", { tags: ["X3"] }, async () => {
  const service = await testService();
  const spellings = [
    "EPSG:4326",
    "epsg:4326",
    "http://www.opengis.net/def/crs/EPSG/0/4326",
    "urn:ogc:def:crs:EPSG::4326",
    CRS84,
  ];
  const files = await Promise.all(
    spellings.map(async (crs) => {
      const sent = body({ bounds: { bbox: BBOX, properties: { crs } }, output: { crs, width: 16, height: 16 } });
      const response = await service.post("/v1/process", sent);
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer()).toString("base64");
    }),
  );
  expect(new Set(files).size).toBe(1);
});
