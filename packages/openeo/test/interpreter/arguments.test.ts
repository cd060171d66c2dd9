import { describe, expect, test } from "vitest";
import { type CompileContext, compileGraph } from "../../src/index.ts";

const BANDS = [
  { name: "B4", commonName: "red", gsd: 10, wavelength: 0.665 },
  { name: "B5", commonName: "rededge", gsd: 20, wavelength: 0.704 },
  { name: "B6", commonName: "rededge", gsd: 20, wavelength: 0.741 },
  { name: "B9", gsd: 60, wavelength: 0.945 },
  { name: "SCL", gsd: 20 },
];
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS }),
  collections: ["s2"],
  times: () => ["2024-07-03T10:00:00Z", "2024-07-08T10:00:00Z"],
};
const from = (id: string) => ({ from_node: id });
const node = (process_id: string, args: Readonly<Record<string, unknown>>) => ({ process_id, arguments: args });
const last = (process_id: string, args: Readonly<Record<string, unknown>>) => ({
  ...node(process_id, args),
  result: true,
});
const data = { from_parameter: "data" };
const reducer = (id: string, more: object = {}) => ({ process_graph: { only: last(id, { data, ...more }) } });
const load = (more: object = {}) =>
  node("load_collection", {
    id: "s2",
    spatial_extent: { west: 13, south: 45, east: 13.1, north: 45.1 },
    temporal_extent: null,
    ...more,
  });
const planOf = (graph: unknown) => compileGraph(graph, CONTEXT);
const bandsLoaded = (graph: unknown) => planOf(graph).loads[0]!.bands.map(({ name }) => name);
const nativeOf = (graph: unknown) => {
  const { result } = planOf(graph);
  return result.kind === "raster" ? result.grid.native : undefined;
};
const fault = (code: string, message?: string) =>
  expect.objectContaining({ code, ...(message === undefined ? {} : { message: expect.stringContaining(message) }) });
const refused = (graph: unknown, code: string, message?: string) =>
  expect(() => planOf(graph)).toThrow(fault(code, message) as Error);

describe("a load that names no bands", () => {
  test("has all that the collection lists, in their order", { tags: ["OE13"] }, () => {
    expect(bandsLoaded({ load: { ...load(), result: true } })).toEqual(["B4", "B5", "B6", "B9", "SCL"]);
  });

  test("has the resolution of those that the result is computed of", { tags: ["OE13"] }, () => {
    const index = (red: string, nir: string) => ({
      load: load(),
      ndvi: last("ndvi", { data: from("load"), red, nir }),
    });
    expect([nativeOf(index("B4", "B5")), nativeOf(index("B4", "B9"))]).toEqual([20, 60]);
    expect(nativeOf({ load: { ...load(), result: true } })).toBe(60);
  });
});

describe("filter_bands", () => {
  const filter = (given: object, of = "load") => last("filter_bands", { data: from(of), ...given });
  test.each([
    [{ wavelengths: [[0.7, 0.75]] }, ["B5", "B6"]],
    [{ wavelengths: [[0.704, 0.704]] }, ["B5"]],
    [
      {
        wavelengths: [
          [0.9, 1],
          [0.6, 0.7],
        ],
      },
      ["B9", "B4"],
    ],
    [
      {
        bands: ["SCL"],
        wavelengths: [
          [0.7, 0.71],
          [5, 6],
        ],
      },
      ["SCL", "B5"],
    ],
    [{ bands: ["B5", "red"], wavelengths: [[0.6, 0.8]] }, ["B5", "B4", "B6"]],
  ])("by %j keeps %j", (given, expected) => {
    expect(bandsLoaded({ load: load(), filter: filter(given) })).toEqual(expected);
    // for a cube that is computed as for one that is loaded
    const twice = node("apply", {
      data: from("load"),
      process: { process_graph: { twice: last("multiply", { x: { from_parameter: "x" }, y: 2 }) } },
    });
    const labels = last("dimension_labels", { data: from("filter"), dimension: "bands" });
    const graph = { load: load(), twice, filter: { ...filter(given, "twice"), result: false }, labels };
    expect(planOf(graph).result).toEqual({ kind: "json", value: expected });
  });

  test.each([
    [{}, "BandFilterParameterMissing", "bands or wavelengths"],
    [{ wavelengths: [] }, "BandFilterParameterMissing", ""],
    [{ wavelengths: [[5, 6]] }, "LabelNotAvailable", "5 to 6 micrometres"],
    [{ wavelengths: [0.6, 0.7] }, "ProcessParameterInvalid", "micrometres"],
    [{ wavelengths: [[0.7, 0.6]] }, "ProcessParameterInvalid", "micrometres"],
    [{ wavelengths: [["a", "b"]] }, "ProcessParameterInvalid", "micrometres"],
  ])("by %j is refused", (given, code, message) => {
    refused({ load: load(), filter: filter(given) }, code, message);
  });
});

test.each([
  [{ q: 4, probabilities: [0.5] }, "QuantilesParameterConflict"],
  [{}, "QuantilesParameterMissing"],
  [{ q: 1 }, "ProcessParameterInvalid"],
  [{ q: 2.5 }, "ProcessParameterInvalid"],
  [{ q: "4" }, "ProcessParameterInvalid"],
])("quantiles by %j are refused", (given, code) => {
  refused({ only: last("quantiles", { data: [1, 2, 3], ...given }) }, code);
});

test.each([
  ["swapped", ["B5", "B4"], ["B4", "B5"]],
  ["given to another one", ["B5"], ["B4"]],
  ["given to its own label", ["B4"], ["B4"]],
])("a label that is there is not %s by rename_labels", { tags: ["OE20"] }, (_, target, source) => {
  const rename = last("rename_labels", { data: from("load"), dimension: "bands", target, source });
  refused({ load: load(), rename }, "LabelExists", `has a label "${target[0]}" already`);
});

describe("resample_spatial", () => {
  const resample = (given: object) => ({
    load: load(),
    resample: last("resample_spatial", { data: from("load"), resolution: 100, ...given }),
  });
  test.each(["lanczos", "cubicspline"])("by %s is not served, and says what is", { tags: ["OE18"] }, (method) => {
    refused(resample({ method }), "FeatureUnsupported", `"${method}" is not served; there are near, bilinear, cubic,`);
  });

  test("by sum is not served onto another CRS", () => {
    refused(resample({ method: "sum", projection: 4326 }), "FeatureUnsupported", "one CRS");
    expect(planOf(resample({ method: "sum", projection: 32_633 })).grids).toHaveLength(1);
  });

  test.each([[{ method: "nearest" }], [{ align: "centre" }]])("by %j is refused", (given) => {
    refused(resample(given), "ProcessParameterInvalid");
  });

  test("of a cube without bounds is by nearest neighbour alone", () => {
    const graph = { ...resample({ method: "average" }), load: load({ spatial_extent: null }) };
    refused(graph, "ProcessParameterInvalid", "a cube with bounds for the method average");
  });
});

describe("geometries", () => {
  const POINT = { type: "Point", coordinates: [13.05, 45.05] };
  const LINE = {
    type: "LineString",
    coordinates: [
      [13.01, 45.01],
      [13.09, 45.02],
    ],
  };
  const POLYGON = {
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
  const ALL = {
    type: "FeatureCollection",
    features: [
      POINT,
      LINE,
      POLYGON,
      { type: "MultiPoint", coordinates: [POINT.coordinates] },
      { type: "MultiLineString", coordinates: [LINE.coordinates] },
      { type: "MultiPolygon", coordinates: [POLYGON.coordinates] },
    ].map((geometry) => ({ type: "Feature", properties: null, geometry })),
  };
  const filter = (geometries: object) => ({
    load: load(),
    filter: last("filter_spatial", { data: from("load"), geometries }),
  });
  const aggregate = (geometries: object, more: object = {}) => ({
    load: load({ bands: ["B4"] }),
    aggregate: last("aggregate_spatial", { data: from("load"), geometries, reducer: reducer("mean"), ...more }),
  });

  test("of all types are filtered by and aggregated over", { tags: ["OE21"] }, () => {
    expect(planOf(filter(ALL)).result.kind).toBe("raster");
    expect(planOf(aggregate(ALL)).areas).toHaveLength(6);
  });

  test.each([
    ["mask_polygon", { load: load(), mask: last("mask_polygon", { data: from("load"), mask: LINE }) }],
    ["load_collection", { load: { ...load({ spatial_extent: POINT }), result: true } }],
  ])("of points and lines are none of %s", (_, graph) => {
    refused(graph, "ProcessParameterInvalid", "Expected Polygons and MultiPolygons");
  });

  test("in a GeometryCollection are refused", () => {
    refused(
      filter({ type: "GeometryCollection", geometries: [POINT] }),
      "ProcessParameterInvalid",
      "no GeometryCollection",
    );
  });

  test("are counted in a dimension of another name than those that are there", () => {
    const { result } = planOf(aggregate(ALL, { target_dimension: "n" }));
    expect(result.kind === "numbers" && result.dimensions.map(({ name, labels }) => [name, labels.length])).toEqual([
      ["t", 2],
      ["bands", 1],
      ["geometry", 6],
      ["n", 3],
    ]);
    for (const target_dimension of ["t", "bands", "geometry"]) {
      refused(aggregate(ALL, { target_dimension }), "TargetDimensionExists");
    }
  });
});
