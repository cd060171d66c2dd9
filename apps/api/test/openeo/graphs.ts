/** Process graphs whose results are compared with numpy's (`expected.py`): by name. */

type Arguments = Readonly<Record<string, unknown>>;

interface Node {
  readonly process_id: string;
  readonly arguments: Arguments;
  readonly result?: true;
}

export type Graph = Readonly<Record<string, Node>>;

/** 800 × 600 m of the sandbox, 40 × 30 pixels of 20 m: land, water, clouds and shadow of 2024-07-06. */
export const EXTENT = { west: 380_600, south: 5_042_400, east: 381_400, north: 5_043_000, crs: 32_633 };
const YEARS = ["2021-01-01", "2025-01-01"];
export const JULY = ["2024-07-01", "2024-08-01"];

export const node = (id: string) => ({ from_node: id });
export const param = (name: string) => ({ from_parameter: name });
export const run = (process_id: string, args: Arguments, result?: true): Node => ({
  process_id,
  arguments: args,
  ...(result === undefined ? {} : { result }),
});

/** A process graph as an argument: of one process, or of several nodes of which the last one gives the result. */
export function callback(nodes: Readonly<Record<string, Node>>): { readonly process_graph: Graph } {
  const ids = Object.keys(nodes);
  const last = ids.at(-1) ?? "";
  return { process_graph: { ...nodes, [last]: { ...nodes[last]!, result: true } } };
}
export const reducer = (process_id: string, more: Arguments = {}) =>
  callback({ only: run(process_id, { data: param("data"), ...more }) });

export const load = (more: Arguments = {}): Node =>
  run("load_collection", {
    id: "sentinel-2-l2a",
    spatial_extent: EXTENT,
    temporal_extent: YEARS,
    bands: ["B04", "B8A"],
    ...more,
  });

export const save = (data: string, format = "GTiff"): Node => run("save_result", { data: node(data), format }, true);
const red = load({ bands: ["B04"] });

/** The red band with a process applied to each pixel. */
const applied = (nodes: Readonly<Record<string, Node>>): Graph => ({
  load: red,
  apply: run("apply", { data: node("load"), process: callback(nodes) }),
  save: save("apply"),
});
/** The red band with t reduced. */
const reduced = (nodes: Readonly<Record<string, Node>>): Graph => ({
  load: red,
  reduce: run("reduce_dimension", { data: node("load"), dimension: "t", reducer: callback(nodes) }),
  save: save("reduce"),
});

/** Corners in degrees of polygons and a point in the extent. */
export const TRIANGLE = {
  type: "Polygon",
  coordinates: [
    [
      [13.4725, 45.526],
      [13.4795, 45.526],
      [13.476, 45.53],
      [13.4725, 45.526],
    ],
  ],
};
const SQUARE = {
  type: "Polygon",
  coordinates: [
    [
      [13.473, 45.5265],
      [13.477, 45.5265],
      [13.477, 45.5295],
      [13.473, 45.5295],
      [13.473, 45.5265],
    ],
  ],
};
const POINT = { type: "Point", coordinates: [13.4761, 45.5272] };
const feature = (geometry: unknown) => ({ type: "Feature", properties: {}, geometry });
const AREAS = { type: "FeatureCollection", features: [feature(TRIANGLE), feature(SQUARE)] };

const x = param("x");

export const GRAPHS: Readonly<Record<string, Graph>> = {
  "load_collection of two bands": { load: load(), save: save("load") },
  "filter_temporal and filter_bands by common name": {
    load: load(),
    time: run("filter_temporal", { data: node("load"), extent: ["2024-07-01", null] }),
    bands: run("filter_bands", { data: node("time"), bands: ["nir08"] }),
    save: save("bands"),
  },
  filter_bbox: {
    load: red,
    box: run("filter_bbox", {
      data: node("load"),
      extent: { west: 380_700, south: 5_042_500, east: 381_100, north: 5_042_900, crs: 32_633 },
    }),
    save: save("box"),
  },
  filter_spatial: {
    load: load({ bands: ["B04"], temporal_extent: JULY }),
    area: run("filter_spatial", { data: node("load"), geometries: TRIANGLE }),
    save: save("area"),
  },
  "mask by classes": {
    load: load({ temporal_extent: JULY }),
    classes: load({ temporal_extent: JULY, bands: ["SCL"] }),
    // the class of cloud shadow, and those of clouds
    bad: run("apply", {
      data: node("classes"),
      process: callback({
        shadow: run("eq", { x, y: 3 }),
        cloud: run("between", { x, min: 7, max: 10, exclude_max: true }),
        either: run("or", { x: node("shadow"), y: node("cloud") }),
      }),
    }),
    flat: run("drop_dimension", { data: node("bad"), name: "bands" }),
    mask: run("mask", { data: node("load"), mask: node("flat") }),
    save: save("mask"),
  },
  "mask with a replacement": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    classes: load({ temporal_extent: JULY, bands: ["SCL"] }),
    bad: run("reduce_dimension", {
      data: node("classes"),
      dimension: "bands",
      reducer: callback({
        scl: run("array_element", { data: param("data"), index: 0 }),
        high: run("gte", { x: node("scl"), y: 8 }),
      }),
    }),
    mask: run("mask", { data: node("load"), mask: node("bad"), replacement: -1 }),
    save: save("mask"),
  },
  "mask_polygon outside": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    mask: run("mask_polygon", { data: node("load"), mask: AREAS }),
    save: save("mask"),
  },
  "mask_polygon inside": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    mask: run("mask_polygon", { data: node("load"), mask: feature(SQUARE), replacement: 9, inside: true }),
    save: save("mask"),
  },
  "ndvi and mean": {
    load: load(),
    ndvi: run("ndvi", { data: node("load") }),
    mean: run("reduce_dimension", { data: node("ndvi"), dimension: "t", reducer: reducer("mean") }),
    save: save("mean"),
  },
  "ndvi as a band": {
    load: load({ temporal_extent: JULY }),
    ndvi: run("ndvi", { data: node("load"), nir: "B8A", red: "B04", target_band: "NDVI" }),
    save: save("ndvi"),
  },
  "normalized_difference over bands": {
    load: load(),
    index: run("reduce_dimension", {
      data: node("load"),
      dimension: "bands",
      reducer: callback({
        nir: run("array_element", { data: param("data"), label: "nir08" }),
        red: run("array_element", { data: param("data"), label: "B04" }),
        index: run("normalized_difference", { x: node("nir"), y: node("red") }),
      }),
    }),
    median: run("reduce_dimension", { data: node("index"), dimension: "t", reducer: reducer("median") }),
    save: save("median"),
  },
  "sum, product, min and max": reduced({
    sum: run("sum", { data: param("data") }),
    product: run("product", { data: param("data") }),
    min: run("min", { data: param("data") }),
    max: run("max", { data: param("data") }),
    ratio: run("divide", { x: node("product"), y: node("sum") }),
    range: run("subtract", { x: node("max"), y: node("min") }),
    all: run("add", { x: node("ratio"), y: node("range") }),
  }),
  "sd and variance": reduced({
    sd: run("sd", { data: param("data") }),
    variance: run("variance", { data: param("data") }),
    product: run("multiply", { x: node("sd"), y: node("variance") }),
  }),
  "first and last": reduced({
    first: run("first", { data: param("data") }),
    last: run("last", { data: param("data") }),
    difference: run("subtract", { x: node("first"), y: node("last") }),
  }),
  "count, and mean that does not ignore no data": {
    load: red,
    dark: run("apply", {
      data: node("load"),
      process: callback({
        isDark: run("lt", { x, y: 0.06 }),
        value: run("if", { value: node("isDark"), accept: null, reject: x }),
      }),
    }),
    reduce: run("reduce_dimension", {
      data: node("dark"),
      dimension: "t",
      reducer: callback({
        count: run("count", { data: param("data") }),
        mean: run("mean", { data: param("data"), ignore_nodata: false }),
        isMissing: run("is_nodata", { x: node("mean") }),
        both: run("if", { value: node("isMissing"), accept: node("count"), reject: node("mean") }),
      }),
    }),
    save: save("reduce"),
  },
  "count with a condition": reduced({
    bright: run("count", {
      data: param("data"),
      condition: callback({ above: run("gt", { x, y: 0.1 }) }),
    }),
    all: run("count", { data: param("data"), condition: true }),
    share: run("divide", { x: node("bright"), y: node("all") }),
  }),
  "quantiles along t": {
    load: red,
    quantiles: run("apply_dimension", {
      data: node("load"),
      dimension: "t",
      target_dimension: "quantile",
      process: reducer("quantiles", { probabilities: [0.1, 0.5, 0.75] }),
    }),
    save: save("quantiles"),
  },
  "quartiles by the number of intervals": {
    load: red,
    quantiles: run("apply_dimension", {
      data: node("load"),
      dimension: "t",
      process: reducer("quantiles", { probabilities: 4 }),
    }),
    save: save("quantiles"),
  },
  "powers and logarithms": applied({
    root: run("sqrt", { x }),
    square: run("power", { base: x, p: 2 }),
    natural: run("ln", { x }),
    decadic: run("log", { x, base: 10 }),
    binary: run("log", { x, base: 3 }),
    positive: run("absolute", { x: node("natural") }),
    e: run("exp", { p: node("decadic") }),
    one: run("add", { x: node("root"), y: node("square") }),
    two: run("multiply", { x: node("positive"), y: node("e") }),
    three: run("subtract", { x: node("one"), y: node("two") }),
    four: run("divide", { x: node("three"), y: node("binary") }),
  }),
  "clip and linear_scale_range": applied({
    clipped: run("clip", { x, min: 0.05, max: 0.12 }),
    scaled: run("linear_scale_range", {
      x: node("clipped"),
      inputMin: 0.04,
      inputMax: 0.11,
      outputMin: 10,
      outputMax: 20,
    }),
  }),
  comparisons: applied({
    a: run("lte", { x, y: 0.09 }),
    b: run("gte", { x, y: 0.05 }),
    both: run("and", { x: node("a"), y: node("b") }),
    c: run("neq", { x, y: 0.07, delta: 0.01 }),
    d: run("eq", { x: 1, y: 1 }),
    e: run("and", { x: node("c"), y: node("d") }),
    f: run("not", { x: node("e") }),
    either: run("or", { x: node("both"), y: node("f") }),
    value: run("if", { value: node("either"), accept: 1, reject: 0 }),
  }),
  "no data in comparisons": applied({
    dark: run("lt", { x, y: 0.06 }),
    value: run("if", { value: node("dark"), accept: null, reject: x }),
    above: run("gt", { x: node("value"), y: 0.1 }),
    missing: run("is_nan", { x: node("value") }),
    any: run("or", { x: node("above"), y: node("missing") }),
    number: run("if", { value: node("any"), accept: 2 }),
  }),
  aggregate_temporal: {
    load: red,
    aggregate: run("aggregate_temporal", {
      data: node("load"),
      intervals: [
        ["2021-01-01", "2022-01-01"],
        ["2022-01-01", "2023-01-01"],
        ["2021-07-01", "2024-07-05"],
      ],
      labels: ["2021", "2022", "both"],
      reducer: reducer("max"),
    }),
    save: save("aggregate"),
  },
  "aggregate_temporal_period by year": {
    load: load(),
    aggregate: run("aggregate_temporal_period", { data: node("load"), period: "year", reducer: reducer("mean") }),
    save: save("aggregate"),
  },
  "merge_cubes of bands": {
    red,
    nir: load({ bands: ["B8A"] }),
    merge: run("merge_cubes", { cube1: node("red"), cube2: node("nir") }),
    save: save("merge"),
  },
  "merge_cubes with a resolver": {
    load: load(),
    latest: run("filter_temporal", { data: node("load"), extent: ["2024-01-01", "2025-01-01"] }),
    merge: run("merge_cubes", {
      cube1: node("load"),
      cube2: node("latest"),
      overlap_resolver: callback({ sum: run("add", { x, y: param("y") }) }),
    }),
    save: save("merge"),
  },
  "merge_cubes without bands into each band": {
    load: load({ temporal_extent: JULY }),
    mean: run("reduce_dimension", { data: node("load"), dimension: "bands", reducer: reducer("mean") }),
    merge: run("merge_cubes", {
      cube1: node("load"),
      cube2: node("mean"),
      overlap_resolver: callback({ difference: run("subtract", { x, y: param("y") }) }),
    }),
    save: save("merge"),
  },
  "resample_spatial to 100 m": {
    load: load({ temporal_extent: JULY }),
    resample: run("resample_spatial", { data: node("load"), resolution: 50, projection: 32_633 }),
    save: save("resample"),
  },
  "resample_spatial to degrees": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    resample: run("resample_spatial", {
      data: node("load"),
      resolution: [0.0005, 0.0004],
      projection: 4326,
      method: "near",
    }),
    save: save("resample"),
  },
  "rename_labels and array_element": {
    load: load(),
    rename: run("rename_labels", {
      data: node("load"),
      dimension: "bands",
      target: ["a", "b"],
      source: ["B04", "B8A"],
    }),
    element: run("reduce_dimension", {
      data: node("rename"),
      dimension: "bands",
      reducer: reducer("array_element", { label: "b" }),
    }),
    last: run("reduce_dimension", {
      data: node("element"),
      dimension: "t",
      reducer: reducer("array_element", { index: 3 }),
    }),
    save: save("last"),
  },
  "add_dimension and merge_cubes": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    double: run("apply", { data: node("load"), process: callback({ double: run("multiply", { x, y: 2 }) }) }),
    one: run("add_dimension", { data: node("load"), name: "version", label: "one" }),
    two: run("add_dimension", { data: node("double"), name: "version", label: "two", type: "other" }),
    merge: run("merge_cubes", { cube1: node("one"), cube2: node("two") }),
    save: save("merge"),
  },
  dimension_labels: {
    load: load(),
    labels: run("dimension_labels", { data: node("load"), dimension: "t" }, true),
  },
  "scenes by cloud cover": {
    load: load({
      bands: ["B04"],
      temporal_extent: JULY,
      properties: { "eo:cloud_cover": callback({ clear: run("lte", { x: param("value"), y: 5 }) }) },
    }),
    save: save("load"),
  },
  "aggregate_spatial of two polygons": {
    load: load(),
    aggregate: run("aggregate_spatial", { data: node("load"), geometries: AREAS, reducer: reducer("mean") }),
    save: save("aggregate", "JSON"),
  },
  "aggregate_spatial of several numbers": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    aggregate: run("aggregate_spatial", {
      data: node("load"),
      geometries: TRIANGLE,
      reducer: callback({
        sd: run("sd", { data: param("data") }),
        variance: run("variance", { data: param("data") }),
        sum: run("sum", { data: param("data") }),
        count: run("count", { data: param("data") }),
        min: run("min", { data: param("data") }),
        max: run("max", { data: param("data") }),
        median: run("median", { data: param("data") }),
        quantiles: run("quantiles", { data: param("data"), probabilities: [0.2, 0.9] }),
        high: run("array_element", { data: node("quantiles"), index: 1 }),
        total: run("sum", {
          data: [
            node("sd"),
            node("variance"),
            node("sum"),
            node("count"),
            node("min"),
            node("max"),
            node("median"),
            node("high"),
          ],
        }),
      }),
    }),
    save: save("aggregate", "JSON"),
  },
  "aggregate_spatial of a point as CSV": {
    load: load(),
    ndvi: run("ndvi", { data: node("load"), target_band: "NDVI" }),
    aggregate: run("aggregate_spatial", { data: node("ndvi"), geometries: POINT, reducer: reducer("mean") }),
    save: save("aggregate", "CSV"),
  },
  "years of means of polygons": {
    load: red,
    aggregate: run("aggregate_spatial", { data: node("load"), geometries: AREAS, reducer: reducer("mean") }),
    years: run("aggregate_temporal_period", { data: node("aggregate"), period: "year", reducer: reducer("max") }),
    save: save("years", "JSON"),
  },
  "surface temperature in kelvin": {
    load: run("load_collection", {
      id: "landsat-ot-l2",
      spatial_extent: EXTENT,
      temporal_extent: ["2024-07-05", "2024-07-06"],
      bands: ["ST_B10"],
    }),
    save: save("load"),
  },
  "grey values": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    mean: run("reduce_dimension", { data: node("load"), dimension: "t", reducer: reducer("mean") }),
    scale: run("apply", {
      data: node("mean"),
      process: callback({
        scale: run("linear_scale_range", { x, inputMin: 0, inputMax: 0.4, outputMin: 0, outputMax: 255 }),
      }),
    }),
    save: save("scale", "PNG"),
  },
};
