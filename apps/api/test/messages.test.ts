import { beforeAll, expect, test } from "vitest";
import { type TestService, testService } from "./harness.ts";

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
