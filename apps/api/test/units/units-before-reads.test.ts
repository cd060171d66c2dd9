import { type Admission, toUnits } from "@swath/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { ProblemError } from "../../src/errors/problems.ts";
import { fullProfile } from "../../src/service/profiles/full.ts";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

const BOX = { bbox: [362_000, 5_040_000, 368_000, 5_046_000], properties: { crs: "EPSG:32633" } };
const PROCESS = {
  input: {
    bounds: BOX,
    data: [{ type: "optical-sr", dataFilter: { ids: [S2.july, LANDSAT.july] }, processing: { harmonize: "nbar" } }],
  },
  bands: ["red", "nir"],
  output: { crs: "EPSG:32633", width: 60, height: 60 },
};
const STATISTICS = {
  input: { bounds: BOX, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, resx: 200, resy: 200 },
  bands: ["B04"],
  harmonize: "nbar",
};
const SERIES = {
  geometry: { type: "Point", coordinates: [13.26, 45.5] },
  datetime: "2024-07-01/2024-07-31",
  index: "ndvi",
  harmonize: "nbar",
};
/** Sixty polygons of a centimetre and 30°: next to no area, and a boundary of 400,000 km. */
const HAIRS = {
  type: "MultiPolygon",
  coordinates: Array.from({ length: 60 }, (_, i) => [
    [
      [13.3 + i / 1000, 30],
      [13.3000001 + i / 1000, 30],
      [13.3000001 + i / 1000, 60],
      [13.3 + i / 1000, 60],
      [13.3 + i / 1000, 30],
    ],
  ]),
};

/** The actions of requests, in order; the same several times at once counts once. */
let events: string[];
let refusal: ProblemError | undefined;
/** Whether reading metadata fails. */
let isUnreadable: boolean;
let service: TestService;

function happened(event: string): void {
  if (events.at(-1) !== event) events.push(event);
}

function reserve(): void {
  happened("units");
  if (refusal !== undefined) throw refusal;
}

const admission: Admission = {
  arrive: async () => {},
  async admit() {
    reserve();
    return { charge: async () => undefined, release: async () => happened("released") };
  },
  async hold() {
    reserve();
    const charge = { id: "1", payer: "ann", units: toUnits(1), period: "2026-06", minute: 0 };
    return { charge, release: async () => happened("released") };
  },
};

beforeEach(async () => {
  events = [];
  refusal = undefined;
  isUnreadable = false;
  const { angles, renderer } = await sandboxServices({ registry: FULL.registry });
  service = await testService(
    {
      angles: {
        async read(...args) {
          happened("metadata");
          if (isUnreadable) throw new ProblemError("upstream-unavailable", "The archive does not answer.");
          return angles.read(...args);
        },
      },
      renderer: {
        ...renderer,
        extract(...args) {
          happened("pixels");
          return renderer.extract(...args);
        },
        compute(...args) {
          happened("pixels");
          return renderer.compute(...args);
        },
      },
    },
    { profile: { ...FULL, create: (services) => ({ ...fullProfile(services), admission }) } },
  );
});

const call = (name: string, input: object) => async (): Promise<unknown> => {
  const { result } = await (await startSession(service)).call(name, { ...input });
  return (result.structuredContent as { readonly code?: string } | undefined)?.code ?? 200;
};
const post = (path: string, body: object) => async (): Promise<unknown> => {
  const response = await service.post(path, body);
  if (response.ok) return 200;
  return ((await response.json()) as { readonly code: string }).code;
};

const REQUESTS = [
  { name: "POST /v1/process", ask: post("/v1/process", PROCESS), isRead: true },
  { name: "POST /v1/process/jobs", ask: post("/v1/process/jobs", PROCESS), isRead: false },
  { name: "POST /v1/statistics", ask: post("/v1/statistics", STATISTICS), isRead: true },
  { name: "POST /v1/timeseries", ask: post("/v1/timeseries", SERIES), isRead: true },
  { name: "the tool statistics", ask: call("statistics", STATISTICS), isRead: true },
  { name: "the tool timeseries", ask: call("timeseries", SERIES), isRead: true },
];

test.each(REQUESTS)(
  "$name reserves units, then reads metadata, then pixels",
  { tags: ["ST14"] },
  async ({ ask, isRead }) => {
    expect(await ask()).toBe(200);
    const read = isRead ? ["units", "metadata", "pixels"] : ["units", "metadata"];
    expect(events.slice(0, read.length)).toEqual(read);
    expect(events.slice(read.length).filter((event) => event !== "pixels")).toEqual([]);
  },
);

describe.each(["request-too-expensive", "quota-exhausted"] as const)("refused as %s", (code) => {
  test.each(REQUESTS)("$name reads no metadata", { tags: ["ST14"] }, async ({ ask }) => {
    refusal = new ProblemError(code, "No units are left.", code === "quota-exhausted" ? { retryAfter: 60 } : {});
    expect(await ask()).toBe(code);
    expect(events).toEqual(["units"]);
  });
});

describe("over a cap of size", () => {
  const { input, output } = PROCESS;
  const [data] = input.data;
  test.each([
    ["pixels of a file", post("/v1/process", { ...PROCESS, output: { ...output, width: 2501 } }), "output-too-large"],
    [
      "scenes of a file",
      post("/v1/process", {
        ...PROCESS,
        input: { ...input, data: [{ ...data, dataFilter: { ids: Object.values(S2).slice(0, 6) } }] },
        bands: ["blue", "green", "red", "nir", "swir16", "swir22"],
        output: { ...output, width: 2500, height: 2500 },
      }),
      "output-too-large",
    ],
    [
      "values and dates of statistics",
      post("/v1/statistics", {
        ...STATISTICS,
        input: {
          bounds: { bbox: [350_000, 5_030_000, 374_900, 5_054_900], properties: BOX.properties },
          data: STATISTICS.input.data,
        },
        aggregation: { timeRange: { from: "2010-01-01", to: "2026-06-30" }, resx: 10, resy: 10 },
        bands: ["B02", "B03", "B04", "B8A", "B11", "B12"],
      }),
      "output-too-large",
    ],
    ["boundary of a series", post("/v1/timeseries", { ...SERIES, geometry: HAIRS }), "output-too-large"],
  ])("%s: no units, no metadata", { tags: ["ST14"] }, async (_name, ask, code) => {
    expect(await ask()).toBe(code);
    expect(events).toEqual([]);
  });
});

test("a job whose scenes' metadata cannot be read is not accepted, and its units are given back", {
  tags: ["ST14"],
}, async () => {
  isUnreadable = true;
  expect(await post("/v1/process/jobs", PROCESS)()).toBe("upstream-unavailable");
  expect(events).toEqual(["units", "metadata", "released"]);
});
