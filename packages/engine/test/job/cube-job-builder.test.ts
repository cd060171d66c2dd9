import type { Expression, OpenEoError } from "@swath/openeo";
import { type Grid, resolveCrs } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { CubeJobBuilder, type CubeScene, type JobParts } from "../../src/job/cube-job-builder.ts";
import { ReadCounts } from "../../src/limits/limits.ts";
import type { GroupRead } from "../../src/run/compute/compute-job.ts";
import type { CubeRegion } from "../../src/run/compute/cube-region.ts";
import { itemOf } from "../items/items.ts";
import { plainRead } from "../run/reads.ts";
import { matchOf } from "../what/registry.ts";
import { type Graph, loadNode, planOf, reduceNode, type Steps, saveNode } from "../when/loads.ts";
import { refusalOf } from "../where/refusal-of.ts";

const { collection } = matchOf("sentinel-2-l2a");
const BOX = [13.2, 45.4, 13.21, 45.41];
const UTM = resolveCrs("EPSG:32633");
const grid = (pixel: number, size: number, crs = UTM): Grid => ({
  crs,
  transform: [pixel, 0, 359_000, 0, -pixel, 5_030_000],
  width: size,
  height: size,
});
const LABELS = ["2024-04-02T00:00:00Z", "2024-04-05T00:00:00Z"];
const steps: Steps = Object.fromEntries(LABELS.map((label, i) => [label, [itemOf(collection, { id: `s${i}` })]]));
const box = (name: string): CubeRegion => ({ kind: "box", bounds: [0, 0, name.length, 1], crs: "EPSG:32633" });

/** The parts of the jobs of a graph, whose scenes are named by their load and time step, and what is asked for them. */
function partsOf(graph: Graph, { source = grid(10, 100), clips = [] as CubeRegion[] } = {}) {
  const { plan, loads } = planOf(graph, steps);
  const asked: { load: number; time: number; bands: number[] }[] = [];
  const parts: JobParts = {
    plan,
    loads,
    scenes: (load, time, bands) => {
      asked.push({ load, time, bands: [...bands].sort() });
      const files = [0, 1, 2].map((band) =>
        bands.has(band) ? { href: `archive:${load}/${time}/${band}.tif` } : undefined,
      );
      return [{ ...plainRead(`${load}/${time}`, []), files } as CubeScene];
    },
    gridOf: () => source,
    regionOf: () => clips,
    counts: new ReadCounts(),
    path: ["what", "graph", "nodes", plan.resultNode],
  };
  if (plan.result.kind !== "raster") throw new Error("Expected a raster.");
  return { parts, asked, values: plan.result.bands.map(({ value }) => value) };
}
const hrefs = (reads: readonly GroupRead[]) =>
  reads.map((read) =>
    read.kind === "scenes" ? read.scenes.flatMap(({ files }) => files.map(({ href }) => href)) : [],
  );
const bandKinds = (values: readonly Expression[]) => values.map(() => ({ kind: "band" as const }));

const LOADED: Graph = { load: loadNode(BOX, ["red", "nir", "SCL"]), save: saveNode("load") };
const MEAN: Graph = { load: loadNode(BOX, ["red"]), mean: reduceNode("load", "t", "mean"), save: saveNode("mean") };

describe("a job of one grid", () => {
  test("has a group for each task, and reads for it the time steps and bands that it takes", () => {
    const { parts, values, asked } = partsOf(LOADED);
    const builder = new CubeJobBuilder(parts, grid(10, 100));
    // labels are time steps by bands: red, nir and SCL of the first, then of the second
    const [red, nir, , , , classes] = values as [
      Expression,
      Expression,
      Expression,
      Expression,
      Expression,
      Expression,
    ];
    builder.addTask([red, nir], bandKinds([red, nir]));
    builder.addTask([classes], bandKinds([classes]));
    const job = builder.build([]);
    expect(job.grids[0]?.parts).toEqual([
      { grid: { crs: "EPSG:32633", transform: [10, 0, 359_000, 0, -10, 5_030_000], width: 100, height: 100 } },
    ]);
    const [first, second] = job.grids[0]!.groups;
    expect([first?.id, second?.id]).toEqual(["0", "1"]);
    expect(hrefs(first!.reads)).toEqual([["archive:0/0/0.tif", "archive:0/0/1.tif"]]);
    expect(hrefs(second!.reads)).toEqual([["archive:0/1/2.tif"]]);
    // scenes are planned once the bands of all tasks are known
    expect(asked).toEqual([
      { load: 0, time: 0, bands: [0, 1, 2] },
      { load: 0, time: 1, bands: [0, 1, 2] },
    ]);
  });

  test("takes outputs apart that share no time step, and keeps those together that do", () => {
    const { parts, values } = partsOf(LOADED);
    const groups = new CubeJobBuilder(parts, grid(10, 100)).groups(values);
    expect(groups.map((own) => [...own].sort())).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    const folded = partsOf(MEAN);
    expect(new CubeJobBuilder(folded.parts, grid(10, 100)).groups(folded.values)).toEqual([[0]]);
  });

  test("loads time steps oldest first", () => {
    const { parts, values } = partsOf(MEAN);
    const builder = new CubeJobBuilder(parts, grid(10, 100));
    builder.addTask(values, bandKinds(values));
    expect(hrefs(builder.build([]).grids[0]!.groups[0]!.reads)).toEqual([["archive:0/0/0.tif"], ["archive:0/1/0.tif"]]);
  });

  test("has the regions of its programs first, then those that clip its loads", () => {
    const { parts, values } = partsOf(MEAN, { clips: [box("load"), box("further")] });
    const builder = new CubeJobBuilder(parts, grid(10, 100));
    builder.addTask(values, bandKinds(values));
    const [made] = builder.build([box("a")]).grids;
    expect(made?.regions).toEqual([box("a"), box("load"), box("further")]);
    for (const read of made!.groups[0]!.reads) expect(read).toMatchObject({ kind: "scenes", clips: [1, 2] });
  });

  test("of regions with more than 100 million pixels together is refused", () => {
    const { parts, values } = partsOf(MEAN, { clips: Array.from({ length: 17 }, (_, i) => box("x".repeat(i))) });
    const builder = new CubeJobBuilder(parts, grid(10, 2500));
    builder.addTask(values, bandKinds(values));
    expect(refusalOf(() => builder.build([]))).toMatchObject({
      code: "output-too-large",
      limits: { maxRegionPixels: 100_000_000, requestedRegionPixels: 17 * 6_250_000 },
    });
  });
});

/** 512 × 512 pixels of three bands from one date are a unit. */
describe("what it costs", () => {
  const costOf = (
    bands: readonly string[],
    size: number,
    area: ConstructorParameters<typeof CubeJobBuilder>[2] = {},
  ) => {
    const graph: Graph = { load: loadNode(BOX, bands), mean: reduceNode("load", "t", "mean"), save: saveNode("mean") };
    const { parts, values } = partsOf(graph);
    const builder = new CubeJobBuilder(parts, grid(10, size), area);
    builder.addTask(values, bandKinds(values));
    return builder.units;
  };

  test.each([
    ["a band", ["red"], 512, 2 / 3],
    ["two bands", ["red", "nir"], 512, 4 / 3],
    ["a band beside classes", ["red", "SCL"], 512, 2 / 3],
    ["classes alone, as a band", ["SCL"], 512, 2 / 3],
    ["a quarter of the pixels", ["red"], 256, 1 / 6],
  ])("is that of two time steps of %s", (_, bands, size, units) => {
    expect(costOf(bands, size)).toBeCloseTo(units, 12);
  });

  test("is a thousandth for each time step at a point", () => {
    expect(costOf(["red"], 1, { isPoint: true })).toBeCloseTo(0.002, 12);
  });

  test("leaves out time steps without an item over the area", () => {
    expect(costOf(["red"], 512, { isOver: ({ id }) => id === "s1" })).toBeCloseTo(1 / 3, 12);
    expect(costOf(["red"], 512, { isOver: () => false })).toBe(0);
  });

  test("is refused beyond 200 million values, of all grids together", () => {
    const { parts, values } = partsOf(MEAN);
    const add = () => new CubeJobBuilder(parts, grid(10, 2500)).addTask(values, bandKinds(values));
    for (let i = 0; i < 16; i++) add();
    // 2,500 × 2,500 pixels on two dates are 12.5 million values
    expect(refusalOf(add).limits).toMatchObject({ maxValuesTimesDates: 200_000_000 });
  });
});

describe("values of other pixels", () => {
  const resampled = (method: string, reducer = "mean"): Graph => ({
    load: loadNode(BOX, ["red", "nir"]),
    mean: reduceNode("load", "t", reducer),
    coarse: {
      process_id: "resample_spatial",
      arguments: { data: { from_node: "mean" }, resolution: 100, projection: 32_633, method },
    },
    save: saveNode("coarse"),
  });
  const target = { ...grid(100, 10), transform: [100, 0, 359_200, 0, -100, 5_029_800] as const };

  test("are computed on their own grid in one program, which the target loads", () => {
    const { parts, values } = partsOf(resampled("average"));
    const builder = new CubeJobBuilder(parts, target);
    builder.addTask(values, bandKinds(values));
    const [group] = builder.build([]).grids[0]!.groups;
    expect(group?.reads).toHaveLength(1);
    const [read] = group!.reads as [Extract<GroupRead, { kind: "resampled" }>];
    expect(read).toMatchObject({
      kind: "resampled",
      method: "average",
      outputs: 2,
      source: { width: 100, height: 100 },
    });
    // both bands of both time steps, once
    expect(hrefs(read.reads)).toEqual([
      ["archive:0/0/0.tif", "archive:0/0/1.tif"],
      ["archive:0/1/0.tif", "archive:0/1/1.tif"],
    ]);
  });

  /** The target covers columns 20 to 120 of 100; with one pixel of margin those from 19 on are computed. */
  test("cost the part of their grid that the target takes, not the target's pixels", () => {
    const { parts, values } = partsOf(resampled("average"));
    const builder = new CubeJobBuilder(parts, target);
    builder.addTask(values, bandKinds(values));
    expect(builder.units).toBeCloseTo((2 * 2 * 81 * 81) / 262_144 / 3, 12);
  });

  test("by the sum of pixels of another CRS are unsupported, at the node of the result", () => {
    const { parts, values } = partsOf(resampled("sum"), { source: grid(10, 100, resolveCrs("EPSG:32632")) });
    let fault: Partial<OpenEoError> = {};
    try {
      new CubeJobBuilder(parts, target).addTask(values, bandKinds(values));
    } catch (error) {
      fault = error as OpenEoError;
    }
    expect(fault).toMatchObject({ code: "FeatureUnsupported", path: ["save"] });
    expect(fault.message).toContain("from EPSG:32632 to EPSG:32633");
  });
});
