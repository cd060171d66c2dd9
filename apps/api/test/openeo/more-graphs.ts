import { callback, EXTENT, type Graph, JULY, load, node, param, reducer, run, save, TRIANGLE } from "./graphs.ts";

/** Process graphs whose results are compared with numpy's and gdalwarp's (`more.py`): by name. */

const x = param("x");
const redOf = (more: Readonly<Record<string, unknown>> = {}) => load({ bands: ["B04"], ...more });
const reduced = (of: string, process: ReturnType<typeof callback>) =>
  run("reduce_dimension", { data: node(of), dimension: "t", reducer: process });

/** 5 m off the pixels to the east and 10 m, half a pixel, to the south. */
const OFF = { west: 380_605, south: 5_042_390, east: 381_405, north: 5_042_990, crs: 32_633 };
const DEGREES = { west: 13.473, south: 45.5265, east: 13.481, north: 45.531 };
const FINE = { west: 380_700, south: 5_042_500, east: 381_050, north: 5_042_900, crs: 32_633 };
export const LINE = {
  type: "LineString",
  coordinates: [
    [13.4731, 45.5264],
    [13.4772, 45.5297],
    [13.4775, 45.5266],
  ],
};
export const POINTS = {
  type: "MultiPoint",
  coordinates: [
    [13.4733, 45.5267],
    [13.4769, 45.5291],
    [13.4769, 45.5291],
  ],
};
const feature = (geometry: unknown) => ({ type: "Feature", properties: {}, geometry });
const THIN = { type: "FeatureCollection", features: [feature(LINE), feature(POINTS)] };
/** Half of it is outside of the extent. */
const BEYOND = {
  type: "Polygon",
  coordinates: [
    [
      [13.4705, 45.5262],
      [13.4755, 45.5262],
      [13.4755, 45.5291],
      [13.4705, 45.5291],
      [13.4705, 45.5262],
    ],
  ],
};

/** The red band of a July on other pixels. */
const resampled = (more: Readonly<Record<string, unknown>>, bands = ["B04"]): Graph => ({
  load: load({ temporal_extent: JULY, bands, spatial_extent: FINE }),
  resample: run("resample_spatial", { data: node("load"), ...more }),
  save: save("resample"),
});
const BLOCKS = { resolution: 35, projection: 32_633 };
const AS_DEGREES = { resolution: [0.0004, 0.0003], projection: 4326 };

export const MORE_GRAPHS: Readonly<Record<string, Graph>> = {
  "the number of dates, of which no pixel is needed": {
    load: redOf(),
    count: reduced("load", reducer("count", { condition: true })),
    save: save("count"),
  },
  "the sum of a constant over t": {
    load: redOf(),
    five: run("apply", { data: node("load"), process: callback({ five: run("if", { value: true, accept: 5 }) }) }),
    sum: reduced("five", reducer("sum")),
    save: save("sum"),
  },
  "dates by year": {
    load: redOf(),
    years: run("aggregate_temporal_period", {
      data: node("load"),
      period: "year",
      reducer: reducer("count", { condition: true }),
    }),
    save: save("years"),
  },
  "two summers as one series": {
    later: redOf({ temporal_extent: JULY }),
    earlier: redOf({ temporal_extent: ["2021-07-01", "2021-08-01"] }),
    merge: run("merge_cubes", { cube1: node("later"), cube2: node("earlier") }),
    save: save("merge"),
  },
  "two sensors as one series": {
    sentinel: redOf({ temporal_extent: JULY }),
    landsat: redOf({ id: "landsat-ot-l2", temporal_extent: ["2024-07-05", "2024-07-06"], bands: ["red"] }),
    one: run("rename_labels", { data: node("sentinel"), dimension: "bands", source: ["B04"], target: ["red"] }),
    two: run("rename_labels", { data: node("landsat"), dimension: "bands", source: ["SR_B4"], target: ["red"] }),
    merge: run("merge_cubes", { cube1: node("one"), cube2: node("two") }),
    save: save("merge"),
  },
  "an index of all bands": {
    load: load({ bands: null, temporal_extent: JULY }),
    ndvi: run("ndvi", { data: node("load") }),
    save: save("ndvi"),
  },
  "bands of a load that names none": {
    load: load({ bands: null, temporal_extent: JULY }),
    labels: run("dimension_labels", { data: node("load"), dimension: "bands" }, true),
  },
  "filter_bands by wavelengths": {
    load: load({ bands: null, temporal_extent: JULY }),
    filter: run("filter_bands", {
      data: node("load"),
      bands: ["B8A"],
      wavelengths: [
        [0.66, 0.67],
        [0.85, 0.87],
      ],
    }),
    save: save("filter"),
  },
  "quantiles by q": {
    load: redOf(),
    quantiles: run("apply_dimension", { data: node("load"), dimension: "t", process: reducer("quantiles", { q: 4 }) }),
    save: save("quantiles"),
  },
  "an extent off the pixels": { load: load({ spatial_extent: OFF, temporal_extent: JULY }), save: save("load") },
  "an extent in degrees": { load: load({ spatial_extent: DEGREES, temporal_extent: JULY }), save: save("load") },
  "a number of no data in an extent in degrees": {
    load: load({ spatial_extent: DEGREES, temporal_extent: JULY }),
    zero: run("apply", {
      data: node("load"),
      process: callback({
        missing: run("is_nodata", { x }),
        value: run("if", { value: node("missing"), accept: 0, reject: x }),
      }),
    }),
    save: save("zero"),
  },
  "filter_spatial of a line and points": {
    load: redOf({ temporal_extent: JULY }),
    filter: run("filter_spatial", { data: node("load"), geometries: THIN }),
    save: save("filter"),
  },
  "filter_spatial of a polygon after a filter of values": {
    load: redOf({ temporal_extent: JULY }),
    twice: run("apply", { data: node("load"), process: callback({ twice: run("multiply", { x, y: 2 }) }) }),
    filter: run("filter_spatial", { data: node("twice"), geometries: TRIANGLE }),
    save: save("filter"),
  },
  "aggregate_spatial of a line and points": {
    load: load({ temporal_extent: JULY }),
    aggregate: run("aggregate_spatial", { data: node("load"), geometries: THIN, reducer: reducer("mean") }),
    save: save("aggregate", "JSON"),
  },
  "aggregate_spatial with counts": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    dark: run("apply", {
      data: node("load"),
      process: callback({
        isDark: run("lt", { x, y: 0.06 }),
        value: run("if", { value: node("isDark"), accept: null, reject: x }),
      }),
    }),
    aggregate: run("aggregate_spatial", {
      data: node("dark"),
      geometries: BEYOND,
      reducer: reducer("mean"),
      target_dimension: "counted",
    }),
    save: save("aggregate", "JSON"),
  },
  "aggregate_spatial of what is computed of no data": {
    load: load({ temporal_extent: JULY, bands: ["B04"] }),
    zero: run("apply", {
      data: node("load"),
      process: callback({
        missing: run("is_nodata", { x }),
        value: run("if", { value: node("missing"), accept: 0, reject: x }),
      }),
    }),
    aggregate: run("aggregate_spatial", { data: node("zero"), geometries: BEYOND, reducer: reducer("mean") }),
    save: save("aggregate", "JSON"),
  },
  ...Object.fromEntries(
    ["bilinear", "cubic", "average", "rms", "sum", "min", "max", "q1", "med", "q3"].map((method) => [
      `resample_spatial by ${method}`,
      resampled({ ...BLOCKS, method }),
    ]),
  ),
  ...Object.fromEntries(
    ["bilinear", "cubic", "average", "max"].map((method) => [
      `resample_spatial to degrees by ${method}`,
      resampled({ ...AS_DEGREES, method }),
    ]),
  ),
  "resample_spatial by mode": resampled({ ...BLOCKS, method: "mode" }, ["SCL"]),
  "resample_spatial to finer pixels by cubic": resampled({ resolution: 4, projection: 32_633, method: "cubic" }),
  ...Object.fromEntries(
    ["lower-left", "lower-right", "upper-right"].map((align) => [
      `resample_spatial from the ${align}`,
      resampled({ ...BLOCKS, method: "average", align }),
    ]),
  ),
  "resample_spatial of a masked index by average": {
    load: load({ temporal_extent: JULY, spatial_extent: FINE }),
    classes: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["SCL"] }),
    bad: run("reduce_dimension", {
      data: node("classes"),
      dimension: "bands",
      reducer: callback({
        scl: run("array_element", { data: param("data"), index: 0 }),
        high: run("gte", { x: node("scl"), y: 8 }),
      }),
    }),
    mask: run("mask", { data: node("load"), mask: node("bad") }),
    ndvi: run("ndvi", { data: node("mask") }),
    resample: run("resample_spatial", { data: node("ndvi"), ...AS_DEGREES, method: "average" }),
    mean: reduced("resample", reducer("mean")),
    save: save("mean"),
  },
  "a mask of larger pixels": {
    load: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["B04"] }),
    classes: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["SCL"] }),
    high: run("apply", { data: node("classes"), process: callback({ high: run("gte", { x, y: 8 }) }) }),
    coarse: run("resample_spatial", { data: node("high"), resolution: 70, projection: 32_633, method: "max" }),
    flat: run("drop_dimension", { data: node("coarse"), name: "bands" }),
    mask: run("mask", { data: node("load"), mask: node("flat") }),
    save: save("mask"),
  },
  "merge_cubes of larger pixels": {
    fine: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["B04"] }),
    load: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["B8A"] }),
    coarse: run("resample_spatial", { data: node("load"), resolution: 70, projection: 32_633, method: "average" }),
    merge: run("merge_cubes", { cube1: node("fine"), cube2: node("coarse") }),
    save: save("merge"),
  },
  "resample_spatial twice": {
    load: load({ temporal_extent: JULY, spatial_extent: FINE, bands: ["B04"] }),
    first: run("resample_spatial", { data: node("load"), resolution: 20, projection: 32_633, method: "max" }),
    second: run("resample_spatial", { data: node("first"), resolution: 50, method: "near" }),
    save: save("second"),
  },
  "aggregate_spatial of larger pixels": {
    load: load({ temporal_extent: JULY, bands: ["B04"], spatial_extent: EXTENT }),
    coarse: run("resample_spatial", { data: node("load"), resolution: 40, projection: 32_633, method: "min" }),
    aggregate: run("aggregate_spatial", { data: node("coarse"), geometries: TRIANGLE, reducer: reducer("sum") }),
    save: save("aggregate", "JSON"),
  },
};
