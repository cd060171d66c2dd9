import type { Item } from "@swath/catalog";
import { gridBounds } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type NumbersWork, planCube, type RasterWork } from "../../src/job/cube-plan.ts";
import { itemOf } from "../items/items.ts";
import { COLORADO, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf } from "../what/registry.ts";
import { type Graph, loadNode, planOf, reduceNode, type Steps, saveNode } from "../when/loads.ts";

const { signal } = new AbortController();
const { collection } = matchOf("sentinel-2-l2a");
/** A square kilometre and a half around Boulder, degrees. */
const BOX = [-105.3, 39.99, -105.28, 40];
const LABELS = ["2024-04-02T17:52:57Z", "2024-04-05T18:02:53Z", "2024-04-07T17:52:58Z"];
const itemsAt = (id: string, more = {}): Item => ({
  ...itemOf(collection, { id, ...more }),
  geometry: {
    type: "Polygon",
    coordinates: [
      [
        [-106, 39],
        [-104, 39],
        [-104, 41],
        [-106, 41],
        [-106, 39],
      ],
    ],
  },
});
const steps: Steps = Object.fromEntries(LABELS.map((label, i) => [label, [itemsAt(`s${i}`)]]));
const work = async (graph: Graph, own: Steps = steps) => {
  const { plan, loads } = planOf(graph, own);
  return planCube(plan, loads, { signal });
};
const raster = async (graph: Graph, own?: Steps) => {
  const planned = await work(graph, own);
  return { ...planned, work: planned.work as RasterWork };
};
const numbers = async (graph: Graph, own?: Steps) => {
  const planned = await work(graph, own);
  return { ...planned, work: planned.work as NumbersWork };
};
const mean = (bands: readonly string[], box: readonly number[] = BOX, format?: string): Graph => ({
  load: loadNode(box, bands),
  mean: reduceNode("load", "t", "mean"),
  save: saveNode("mean", format),
});

describe("the raster of a graph", () => {
  /*
   * pyproj 3.4.1: the box in EPSG:32613 with 2,000 points a side is x 474,388.33 to 476,099.27, y 4,426,684.85 to 4,427,800.31;
   * pixels of 10 m have their centres at 5 m of multiples of 10 m.
   */
  test("has the pixels of 10 m whose centres are in the box of the load", async () => {
    const { work: planned } = await raster(mean(["red"]));
    expect([planned.kind, planned.grid.crs.name, planned.grid.transform[0]]).toEqual(["raster", "EPSG:32613", 10]);
    const bounds = gridBounds(planned.grid);
    const project = [474_388.33, 4_426_684.85, 476_099.27, 4_427_800.31];
    for (const [i, edge] of bounds.entries()) expect(Math.abs(edge - project[i]!)).toBeLessThanOrEqual(5.01);
    expect(bounds.every((edge) => edge % 10 === 0)).toBe(true);
  });

  test("has the pixels of the coarsest band that is computed with", async () => {
    expect((await raster(mean(["red", "swir16"]))).work.grid.transform[0]).toBe(20);
    expect((await raster(mean(["red", "B09"]))).work.grid.transform[0]).toBe(60);
  });

  test("reads each time step once, one file for each band, and gives a band for each label", async () => {
    const { work: planned, items } = await raster(mean(["red", "nir"]));
    const [group] = planned.job.grids[0]!.groups;
    expect(group?.outputs).toEqual([{ kind: "band" }, { kind: "band" }]);
    const read = group!.reads.map((each) => (each.kind === "scenes" ? each.scenes : []));
    expect(read.map((scenes) => scenes.map(({ id }) => id))).toEqual([["s0"], ["s1"], ["s2"]]);
    expect(read[0]![0]!.files.map(({ href }) => href)).toEqual(["archive:B04.tif", "archive:B08.tif"]);
    expect(read[0]![0]).toMatchObject({ resampling: "nearest", overviews: "gdal", validWhere: "any-file" });
    expect(items.map((own) => own.map(({ id }) => id))).toEqual([["s0", "s1", "s2"]]);
  });

  test("reads the bands alone that its values need", async () => {
    const graph: Graph = {
      load: loadNode(BOX, ["red", "nir", "SCL"]),
      one: { process_id: "filter_bands", arguments: { data: { from_node: "load" }, bands: ["nir"] } },
      max: reduceNode("one", "t", "max"),
      save: saveNode("max"),
    };
    const { work: planned } = await raster(graph);
    const [read] = planned.job.grids[0]!.groups[0]!.reads;
    expect(read?.kind === "scenes" && read.scenes[0]?.files.map(({ href }) => href)).toEqual(["archive:B08.tif"]);
  });

  /** A unit is 512 × 512 pixels of three bands from one date; samples of 32 bits, as GeoTIFFs of graphs have, cost twice. */
  test("costs its pixels for each band and time step, as a GeoTIFF twice; bands of classes cost nothing beside others", async () => {
    const { work: planned, units } = await raster(mean(["red", "nir"]));
    const pixels = planned.grid.width * planned.grid.height;
    const each = pixels / 262_144 / 3;
    expect(units).toBeCloseTo(2 * 3 * 2 * each, 12);
    expect((await raster(mean(["red", "nir", "SCL"]))).units / (2 * 3 * 2)).toBeCloseTo(
      (await raster(mean(["red", "nir", "B11"]))).units / (2 * 3 * 3),
      12,
    );
    const png = await raster({
      load: loadNode(BOX, ["red"]),
      t: reduceNode("load", "t", "mean"),
      b: reduceNode("t", "bands", "mean"),
      save: saveNode("b", "PNG"),
    });
    expect(png.units).toBeCloseTo(3 * each, 12);
  });

  test("costs at least 0.005 units, and what lies over no scene costs nothing more", async () => {
    const tiny = [-105.3, 39.99, -105.2995, 39.9905];
    expect((await raster(mean(["red"], tiny))).units).toBe(0.005);
  });

  test("leaves scenes out that lack a band, and names each once", async () => {
    const own: Steps = { ...steps, [LABELS[1]!]: [itemsAt("partial", { without: ["B08"] }), itemsAt("whole")] };
    const { work: planned, missing } = await raster(mean(["red", "nir"]), own);
    expect(missing).toEqual([{ id: "partial", reason: "it has no band B08", lacksBand: true }]);
    const read = planned.job.grids[0]!.groups[0]!.reads.map((each) =>
      each.kind === "scenes" ? each.scenes.map(({ id }) => id) : [],
    );
    expect(read).toEqual([["s0"], ["whole"], ["s2"]]);
    // a band that nothing is computed of is not missed
    expect((await raster(mean(["red"]), own)).missing).toEqual([]);
  });

  test.each([
    ["more than 2,500 pixels a side", [-105.6, 39.9, -105.2, 40], { maxOutputWidth: 2500 }],
    ["many degrees", [-130, 30, -70, 45], { maxOutputWidth: 2500 }],
  ])("of %s is refused with the limits", async (_, box, limits) => {
    await expect(raster(mean(["red"], box))).rejects.toMatchObject({
      name: "Refusal",
      code: "output-too-large",
      limits: expect.objectContaining(limits),
    });
  });

  test("that reads more than 200 million values is refused before a file is opened", async () => {
    const many: Steps = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [new Date(Date.UTC(2024, 2, 1 + i)).toISOString(), [itemsAt(`s${i}`)]]),
    );
    const box = [-105.3, 39.9, -105.1, 40.05];
    await expect(raster(mean(["red", "nir"], box), many)).rejects.toMatchObject({
      code: "output-too-large",
      limits: expect.objectContaining({ maxValuesTimesDates: 200_000_000 }),
    });
  });
});

const field = (west: number, south: number, side = 0.002) => ({
  type: "Polygon",
  coordinates: [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ],
});
const featuresOf = (geometries: readonly object[]) => ({
  type: "FeatureCollection",
  features: geometries.map((geometry) => ({ type: "Feature", properties: {}, geometry })),
});
const means = (bands: readonly string[], geometries: object, reducer = "mean"): Graph => ({
  load: { ...loadNode(BOX, bands), arguments: { ...loadNode(BOX, bands).arguments, spatial_extent: null } },
  area: {
    process_id: "aggregate_spatial",
    arguments: {
      data: { from_node: "load" },
      geometries,
      reducer: {
        process_graph: { r: { process_id: reducer, arguments: { data: { from_parameter: "data" } }, result: true } },
      },
    },
  },
  save: saveNode("area", "JSON"),
});

describe("the numbers of areas", () => {
  test("are computed on a grid for each area, whose values are those of each time step", async () => {
    const features = [field(-105.3, 39.99), field(-105.29, 39.995)];
    const { work: planned } = await numbers(means(["red"], featuresOf(features)));
    expect(planned.areas).toHaveLength(2);
    for (const { job, reduced } of planned.areas) {
      expect(job.grids).toHaveLength(1);
      // time steps share nothing: each is a group of its own, which other threads may take
      expect(job.grids[0]?.groups).toHaveLength(3);
      expect(reduced.flat(2)).toHaveLength(3);
      expect(job.grids[0]?.groups[0]?.outputs[0]).toMatchObject({ kind: "numbers", region: 0 });
    }
  });

  test("that are folds of the same values are computed once, with quantiles in their order", async () => {
    const graph: Graph = {
      ...means(["red"], field(-105.3, 39.99)),
      area: {
        process_id: "aggregate_spatial",
        arguments: {
          data: { from_node: "load" },
          geometries: field(-105.3, 39.99),
          reducer: {
            process_graph: {
              r: { process_id: "median", arguments: { data: { from_parameter: "data" } }, result: true },
            },
          },
        },
      },
    };
    const { work: planned } = await numbers(graph);
    const [output] = planned.areas[0]!.job.grids[0]!.groups[0]!.outputs;
    expect(output?.kind === "numbers" && output.reducers).toEqual([
      { kind: "moments" },
      { kind: "squares" },
      { kind: "extremes" },
      { kind: "percentiles", at: [50] },
    ]);
  });

  test("at a point cost a thousandth for each time step, at least a hundredth in all", async () => {
    const point = { type: "Point", coordinates: [-105.29, 39.995] };
    const { work: planned, units } = await numbers(means(["red"], point));
    expect(planned.areas[0]?.job.grids[0]?.parts[0]?.grid).toMatchObject({ crs: "EPSG:4326", width: 1, height: 1 });
    expect(units).toBe(0.01);
    const many: Steps = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [new Date(Date.UTC(2024, 2, 1 + i)).toISOString(), [itemsAt(`s${i}`)]]),
    );
    expect((await numbers(means(["red"], point), many)).units).toBeCloseTo(0.04, 12);
  });

  test.skipIf(fixtures === undefined)("cost nothing for overpasses that miss an area", async () => {
    const items = recordedItems(COLORADO);
    const own: Steps = Object.fromEntries(items.toReversed().map((item) => [item.properties.datetime!, [item]]));
    const at = async (west: number) => {
      const { work: planned, units } = await numbers(means(["red"], field(west, 40, 0.02)), own);
      const { width, height } = planned.areas[0]!.job.grids[0]!.parts[0]!.grid;
      return units / (width * height);
    };
    const [west, east] = [await at(-106), await at(-104.97)];
    // every second overpass covers the east of the tile alone: five dates of one band, and ten
    expect(west).toBeCloseTo(5 / 262_144 / 3, 12);
    expect(east).toBeCloseTo(10 / 262_144 / 3, 12);
  });

  test("cost as much as their pixels, whatever the number of areas they are divided into", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 2, max: 6 }), async (count, size) => {
        const fields = Array.from({ length: count }, (_, i) => field(-105.3 + 0.004 * i, 39.99, size / 2000));
        const { work: planned, units } = await numbers(means(["red"], featuresOf(fields)));
        const pixels = planned.areas.flatMap(({ job }) =>
          job.grids.flatMap(({ parts }) => parts.map(({ grid }) => grid.width * grid.height)),
        );
        const expected = pixels.reduce((sum, each) => sum + (3 * each) / 262_144 / 3, 0);
        expect(units).toBeCloseTo(Math.max(0.01, expected), 9);
      }),
      { numRuns: 12 },
    );
  });
});

test("an aborted plan of many areas ends with the reason of its signal", async () => {
  const reason = new Error("left");
  const fields = Array.from({ length: 50 }, (_, i) => field(-105.3 + 0.0003 * i, 39.99, 0.0002));
  const { plan, loads } = planOf(means(["red"], featuresOf(fields)), steps);
  await expect(planCube(plan, loads, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
