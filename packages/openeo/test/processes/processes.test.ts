import { METRES_PER_DEGREE } from "@swath/raster";
import { expect, test } from "vitest";
import { type CompileContext, type CubePlan, compileGraph, compileProgram } from "../../src/index.ts";
import { runProgram } from "../../src/program.ts";

const BANDS = [
  { name: "B5", commonName: "rededge", gsd: 20 },
  { name: "B4", commonName: "red", gsd: 10 },
  { name: "B6", commonName: "rededge", gsd: 20 },
];
const TIMES = ["2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z", "2024-02-14T10:00:00Z", "2024-07-03T10:00:00Z"];
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS }),
  collections: ["s2"],
};
const from = (id: string) => ({ from_node: id });
const node = (process_id: string, args: Readonly<Record<string, unknown>>) => ({ process_id, arguments: args });
const last = (process_id: string, args: Readonly<Record<string, unknown>>) => ({
  ...node(process_id, args),
  result: true,
});
const data = { from_parameter: "data" };
const reducer = (process_id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  process_graph: { only: last(process_id, { data, ...more }) },
});
const EXTENT = { west: 13, south: 45, east: 13.1, north: 45.1 };
const load = (bands = ["B4"]) =>
  node("load_collection", { id: "s2", spatial_extent: EXTENT, temporal_extent: null, bands });

const compiled = (graph: unknown): CubePlan => compileGraph(graph, { ...CONTEXT, times: () => TIMES });

function bandsOf(graph: unknown): readonly string[] {
  const { result } = compiled(graph);
  return result.kind === "raster" ? result.bands.map(({ name }) => name) : [];
}

function jsonOf(graph: unknown): unknown {
  const { result } = compiled(graph);
  return result.kind === "json" ? result.value : undefined;
}

const weeks = node("aggregate_temporal_period", { data: from("load"), period: "week", reducer: reducer("mean") });

test("a label of a week is the time that the week begins at, not a month", () => {
  const filter = last("filter_temporal", { data: from("weeks"), extent: ["2024-02-01", "2024-02-15"] });
  expect(bandsOf({ load: load(), weeks, filter })).toEqual(["2024-06_B4", "2024-07_B4"]);
  const years = node("aggregate_temporal_period", { data: from("weeks"), period: "year", reducer: reducer("count") });
  const labels = last("dimension_labels", { data: from("years"), dimension: "t" });
  expect(jsonOf({ load: load(), weeks, years, labels })).toEqual(["2023", "2024"]);
});

test("labels of one's own are times, too; renamed ones are what they say", () => {
  const aggregate = node("aggregate_temporal", {
    data: from("load"),
    intervals: [
      ["2023-01-01", "2024-01-01"],
      ["2024-01-01", "2025-01-01"],
    ],
    labels: ["before", "after"],
    reducer: reducer("mean"),
  });
  const filter = (id: string) => last("filter_temporal", { data: from(id), extent: ["2024-01-01", null] });
  expect(bandsOf({ load: load(), aggregate, filter: filter("aggregate") })).toEqual(["after_B4"]);
  const rename = node("rename_labels", {
    data: from("aggregate"),
    dimension: "t",
    source: ["before", "after"],
    target: ["2030-01-01", "later"],
  });
  expect(() => bandsOf({ load: load(), aggregate, rename, filter: filter("rename") })).toThrow(
    "whose labels are times",
  );
});

test("periods begin and end at midnight UTC of their days", () => {
  const months = node("aggregate_temporal_period", { data: from("load"), period: "month", reducer: reducer("mean") });
  const labels = last("dimension_labels", { data: from("months"), dimension: "t" });
  const [first, second] = jsonOf({ load: load(), months, labels }) as string[];
  expect([first, second]).toEqual(["2023-12", "2024-01"]);
});

test("filter_temporal without a dimension filters all temporal ones", () => {
  const more = node("add_dimension", { data: from("load"), name: "made", label: "2024-05-01", type: "temporal" });
  const filter = (extent: readonly unknown[]) => last("filter_temporal", { data: from("more"), extent });
  expect(bandsOf({ load: load(), more, filter: filter(["2024-02-01", "2024-06-01"]) })).toEqual([
    "2024-02-14T10:00:00Z_B4_2024-05-01",
  ]);
  expect(() => bandsOf({ load: load(), more, filter: filter(["2024-07-01", null]) })).toThrow('dimension "made"');
});

test("a common name stands for all bands that have it, in their order", () => {
  const twice = node("apply", {
    data: from("load"),
    process: { process_graph: { twice: last("add", { x: { from_parameter: "x" }, y: { from_parameter: "x" } }) } },
  });
  const filter = node("filter_bands", { data: from("twice"), bands: ["red", "rededge"] });
  const labels = last("dimension_labels", { data: from("filter"), dimension: "bands" });
  expect(jsonOf({ load: load(["B6", "B5", "B4"]), twice, filter, labels })).toEqual(["B4", "B6", "B5"]);
});

test("rename_labels without old names takes labels that are numbers from 0 alone", () => {
  const rename = last("rename_labels", { data: from("load"), dimension: "bands", target: ["red"] });
  expect(() => compiled({ load: load(), rename })).toThrow(
    expect.objectContaining({ code: "LabelsNotEnumerated" }) as Error,
  );
  const quantiles = node("apply_dimension", {
    data: from("load"),
    dimension: "t",
    process: reducer("quantiles", { probabilities: [0.1, 0.9] }),
  });
  const named = last("rename_labels", { data: from("quantiles"), dimension: "t", target: ["low", "high"] });
  expect(bandsOf({ load: load(), quantiles, named })).toEqual(["low_B4", "high_B4"]);
  // before times are known, too
  expect(compileGraph({ load: load(), quantiles, named }, CONTEXT).result.kind).toBe("raster");
});

test("count leaves out infinity, as is_valid of openEO does", () => {
  const infinite = node("divide", { x: 1, y: 0 });
  expect(jsonOf({ infinite, count: last("count", { data: [1, from("infinite"), null, 2] }) })).toBe(2);
  expect(jsonOf({ infinite, count: last("count", { data: [1, from("infinite"), null, 2], condition: true }) })).toBe(4);
});

test("a resolution that was asked for stays as large on the ground in another CRS", () => {
  const metres = node("resample_spatial", { data: from("load"), resolution: 50, projection: 32_633 });
  const gridOf = (graph: unknown) => {
    const { result } = compiled(graph);
    return result.kind === "raster" ? result.grid : undefined;
  };
  const degrees = last("resample_spatial", { data: from("metres"), projection: 4326 });
  const size = 50 / METRES_PER_DEGREE;
  expect(gridOf({ load: load(), metres, degrees })?.asked).toMatchObject({
    crs: "EPSG:4326",
    resolution: [size, size],
  });
  const other = last("resample_spatial", { data: from("metres"), projection: 3857 });
  expect(gridOf({ load: load(), metres, other })?.asked).toMatchObject({ crs: "EPSG:3857", resolution: [50, 50] });
});

test.each([
  [1, 1],
  [2, 1],
])("linear_scale_range from %d to %d has no range", (inputMin, inputMax) => {
  const graph = { scale: last("linear_scale_range", { x: 1, inputMin, inputMax }) };
  expect(() => compiled(graph)).toThrow("Expected inputMin below inputMax");
});

test("a load is searched whose labels are needed, though nothing is computed of its values", () => {
  const count = node("aggregate_spatial", {
    data: from("load"),
    geometries: { type: "Point", coordinates: [13.05, 45.05] },
    reducer: reducer("count", { condition: true }),
  });
  const save = last("save_result", { data: from("count"), format: "JSON" });
  const graph = { load: load(), count, save };
  expect(compileGraph(graph, CONTEXT).loads.map(({ used }) => used)).toEqual([true]);
  const { result } = compiled(graph);
  expect(result.kind === "numbers" && result.dimensions[0]?.labels).toEqual(TIMES);
});

test("filters of properties are good for thousands of scenes, and bounded", () => {
  const filters = (nodes: Readonly<Record<string, unknown>>) => ({
    load: {
      ...last("load_collection", {
        id: "s2",
        spatial_extent: EXTENT,
        temporal_extent: null,
        properties: { "eo:cloud_cover": { process_graph: nodes } },
      }),
    },
  });
  const passing = (graph: unknown): number => {
    const filter = compileGraph(graph, CONTEXT).loads[0]?.properties.get("eo:cloud_cover");
    return Array.from({ length: 5000 }, (_, i) => i / 50).filter((value) => filter?.(value)).length;
  };
  const value = { from_parameter: "value" };
  expect(passing(filters({ few: last("between", { x: value, min: 10, max: 20 }) }))).toBe(501);
  const chain = Object.fromEntries(
    Array.from({ length: 900 }, (_, i) => [`n${i}`, node("add", { x: i === 0 ? value : from(`n${i - 1}`), y: 1 })]),
  );
  expect(() => passing(filters({ ...chain, few: last("lt", { x: from("n899"), y: 950 }) }))).toThrow(
    "too many processes",
  );
});

test("labels that differ in type alone are the same in a file", () => {
  const aggregate = last("aggregate_temporal", {
    data: from("load"),
    intervals: [
      ["2023-01-01", "2024-01-01"],
      ["2024-01-01", "2025-01-01"],
    ],
    labels: [1, "1"],
    reducer: reducer("mean"),
  });
  expect(() => compiled({ load: load(), aggregate })).toThrow(
    expect.objectContaining({ code: "DistinctDimensionLabelsRequired" }) as Error,
  );
});

/** Returns the values of the first band of a raster for pixels with these values, some of which are in the region. */
async function computed(graph: unknown, pixels: readonly number[], inRegion: readonly number[]): Promise<number[]> {
  const { result } = compileGraph(graph, { ...CONTEXT, times: () => TIMES.slice(0, 1) });
  const outputs = result.kind === "raster" ? result.bands.map(({ value }) => value) : [];
  const found: number[] = [];
  await runProgram(
    compileProgram(outputs, ({ time }) => time),
    {
      count: pixels.length,
      allocate: () => new Float64Array(pixels.length),
      load: async (_load, _time, _bands, into) => {
        for (const values of into) values.set(pixels);
      },
      // the first region is that of the mask, the other one the extent
      region: (region) => (region === 0 ? Uint8Array.from(inRegion) : new Uint8Array(pixels.length).fill(1)),
      emit: (_output, values) => found.push(...values),
    },
  );
  return found;
}

test.each([
  [{ replacement: 7 }, [1, Number.NaN, 7, Number.NaN]],
  [{ replacement: 7, inside: true }, [7, Number.NaN, 3, Number.NaN]],
  [{}, [1, Number.NaN, Number.NaN, Number.NaN]],
])("mask_polygon %j leaves no data as it is", async (more, expected) => {
  const triangle = {
    type: "Polygon",
    coordinates: [
      [
        [13, 45],
        [13.1, 45],
        [13, 45.1],
        [13, 45],
      ],
    ],
  };
  const mask = last("mask_polygon", { data: from("load"), mask: triangle, ...more });
  expect(await computed({ load: load(), mask }, [1, Number.NaN, 3, Number.NaN], [1, 1, 0, 0])).toEqual(expected);
});

test.each([
  ["MinMaxSwapped", { only: last("clip", { x: 1, min: 2, max: 1 }) }],
  ["AscendingProbabilitiesRequired", { only: last("quantiles", { data: [1, 2], probabilities: [0.5, 0.1] }) }],
  [
    "DimensionMissing",
    {
      load: load(),
      drop: node("drop_dimension", { data: from("load"), name: "bands" }),
      only: last("filter_bands", { data: from("drop"), bands: ["B4"] }),
    },
  ],
])("%s is said as the definitions say it", (code, graph) => {
  expect(() => compiled(graph)).toThrow(expect.objectContaining({ code }) as Error);
});

test("labels of the second cube come after those of the first, whichever has more dimensions", () => {
  const first = node("reduce_dimension", { data: from("load"), dimension: "t", reducer: reducer("mean") });
  const merge = last("merge_cubes", { cube1: from("first"), cube2: from("other") });
  expect(bandsOf({ load: load(["B5"]), first, other: load(["B4"]), merge }).slice(0, 2)).toEqual([
    `${TIMES[0]}_B5`,
    `${TIMES[0]}_B4`,
  ]);
});
