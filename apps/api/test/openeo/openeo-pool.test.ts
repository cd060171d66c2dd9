import { RenderPool } from "@swath/engine/node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { type Graph, JULY, load, node, param, reducer, run, save } from "./graphs.ts";

let pool: RenderPool;
let threads: TestService;
let here: TestService;

beforeAll(async () => {
  const sources = { archiveDirectory: inject("sandbox"), assetHosts: [], s3: { region: "us-west-2" } };
  pool = new RenderPool({ threads: 2, settings: { render: { blockCacheBytes: 64 << 20, sources } } });
  threads = await testService({ renderer: pool }, { profile: FULL });
  here = await testService({}, { profile: FULL });
});
afterAll(() => pool.close());

/** 14 × 12 km, so that a grid has many strips. */
const WIDE = { west: 376_000, south: 5_034_000, east: 390_000, north: 5_046_000, crs: 32_633 };
const loaded = (bands: readonly string[]) => load({ temporal_extent: JULY, bands, spatial_extent: WIDE });
const masked: Graph = {
  load: loaded(["B04", "B08"]),
  classes: loaded(["SCL"]),
  cloud: run("reduce_dimension", {
    data: node("classes"),
    dimension: "bands",
    reducer: {
      process_graph: {
        scl: run("array_element", { data: param("data"), index: 0 }),
        high: run("gte", { x: node("scl"), y: 8 }, true),
      },
    },
  }),
  mask: run("mask", { data: node("load"), mask: node("cloud") }),
  ndvi: run("ndvi", { data: node("mask") }),
};
const resampled = (method: string, resolution: readonly number[], projection: number): Graph => ({
  ...masked,
  resample: run("resample_spatial", { data: node("ndvi"), method, resolution, projection }),
  mean: run("reduce_dimension", { data: node("resample"), dimension: "t", reducer: reducer("mean") }),
  save: save("mean"),
});

test.each([
  ["larger pixels by average", resampled("average", [90, 90], 32_633)],
  ["degrees by cubic", resampled("cubic", [0.0003, 0.0002], 4326)],
])("render threads give %s as the main thread does, strip by strip", async (_, process_graph) => {
  const [there, one] = await Promise.all(
    [threads, here].map((service) => service.post("/v1/openeo/result", { process: { process_graph } })),
  );
  expect([there?.status, one?.status]).toEqual([200, 200]);
  const [a, b] = [Buffer.from(await there!.arrayBuffer()), Buffer.from(await one!.arrayBuffer())];
  expect(a.length).toBeGreaterThan(10_000);
  expect(a.equals(b)).toBe(true);
});
