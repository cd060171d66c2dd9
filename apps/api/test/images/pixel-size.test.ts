import { beforeAll, describe, expect, test } from "vitest";
import { node, reducer } from "../openeo/graphs.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

const DEGREES = [13.2, 45.45, 13.3, 45.5];
const field = {
  type: "Polygon",
  coordinates: [
    [
      [13.472, 45.526],
      [13.4785, 45.5262],
      [13.479, 45.5296],
      [13.472, 45.526],
    ],
  ],
};
const JULY = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T23:59:59Z" };

const statistics = (bounds: object, size: object) => ({
  input: { bounds, data: [{ type: "sentinel-2-l2a" }] },
  aggregation: { timeRange: JULY, ...size },
  index: "ndvi",
});
const process = (bounds: object, output: object) => ({
  input: { bounds, data: [{ type: "sentinel-2-l2a", dataFilter: { timeRange: JULY } }] },
  bands: ["B04"],
  output,
});

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

async function refusal(response: Response): Promise<{ detail: string; errors: { pointer: string }[]; limits: object }> {
  const problem = await response.json();
  expect([response.status, problem.code]).toEqual([422, "pixel-too-large"]);
  return problem;
}

describe("a pixel that is larger than the area", () => {
  test.each([
    ["a box in degrees", { bbox: DEGREES }, "0.1 degrees, the width"],
    ["a polygon in degrees", { geometry: field }, "0.007 degrees, the width"],
    [
      "a box in metres",
      { bbox: [5e5, 5e6, 5e5 + 5, 5e6 + 5], properties: { crs: "EPSG:32633" } },
      "5 metres, the width",
    ],
  ])("is refused in statistics of %s, which names the unit", { tags: ["ST17"] }, async (_, bounds, words) => {
    const { detail, errors, limits } = await refusal(
      await service.post("/v1/statistics", statistics(bounds, { resx: 10, resy: 10 })),
    );
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/aggregation/resx", "/aggregation/resy"]);
    expect(detail).toContain(`resx: Expected at most ${words} of the area, got 10.`);
    expect(detail).toMatch(/In EPSG:\d+ resx and resy are in (degrees|metres)\.$/);
    expect(limits).toMatchObject({ requestedPixelWidth: 10, requestedPixelHeight: 10 });
  });

  test.each(["/v1/process", "/v1/process/jobs"])(
    "is refused by POST %s in degrees, in both profiles",
    { tags: ["ST17"] },
    async (path) => {
      for (const profile of [FULL, LEAN]) {
        const each = await testService({}, { profile });
        const body = process({ bbox: DEGREES }, { resx: 10, resy: 0.01, crs: "EPSG:4326" });
        const { detail, errors } = await refusal(await each.post(path, body));
        expect(errors.map(({ pointer }) => pointer)).toEqual(["/output/resx"]);
        expect(detail).toContain("resx and resy are in degrees.");
      }
    },
  );

  test("is refused in process graphs, of rasters as of areas", { tags: ["ST17"] }, async () => {
    const load = {
      process_id: "load_collection",
      arguments: {
        id: "sentinel-2-l2a",
        spatial_extent: { west: 13.2, south: 45.45, east: 13.3, north: 45.5 },
        temporal_extent: ["2024-07-01", "2024-08-01"],
        bands: ["B04"],
      },
    };
    const resample = (data: string) => ({
      process_id: "resample_spatial",
      arguments: { data: node(data), resolution: 10, projection: 4326 },
    });
    const save = (data: string, format: string) => ({
      process_id: "save_result",
      arguments: { data: node(data), format },
      result: true,
    });
    const mean = {
      process_id: "aggregate_spatial",
      arguments: { data: node("resample"), geometries: field, reducer: reducer("mean") },
    };
    const unbounded = { ...load, arguments: { ...load.arguments, spatial_extent: null } };
    for (const graph of [
      { load, resample: resample("load"), save: save("resample", "GTiff") },
      { load: unbounded, resample: resample("load"), mean, save: save("mean", "JSON") },
    ]) {
      const problem = await refusal(await service.post("/v1/openeo/result", { process: { process_graph: graph } }));
      expect(problem).toMatchObject({ openeoCode: "ProcessParameterInvalid" });
      expect(problem.detail).toContain("In EPSG:4326 the resolution is in degrees.");
    }
  });

  test("is refused by the tool of statistics, in words that a model can mend it by", { tags: ["ST17"] }, async () => {
    const session = await startSession(service);
    const { result } = await session.call("statistics", statistics({ bbox: DEGREES }, { resx: 10, resy: 10 }));
    expect(result).toMatchObject({ isError: true, structuredContent: { code: "pixel-too-large" } });
    expect(JSON.stringify(result.content)).toContain("resx and resy are in degrees");
  });
});

test("a pixel as large as the box is one pixel", { tags: ["ST17"] }, async () => {
  const [west, south, east, north] = DEGREES as [number, number, number, number];
  const size = { resx: east - west, resy: 0.05 };
  const response = await service.post("/v1/statistics", statistics({ bbox: [west, south, east, north] }, size));
  const { data } = await response.json();
  expect(data[0].outputs.ndvi.stats.sampleCount).toBe(1);
});
