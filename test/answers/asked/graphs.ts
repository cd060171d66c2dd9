import { GRAPHS, load, node, run, save } from "../../../apps/api/test/openeo/graphs.ts";
import { MORE_GRAPHS } from "../../../apps/api/test/openeo/more-graphs.ts";
import { type Asked, get, post } from "./asked.ts";

const RESULT = "/v1/openeo/result";
const process = (graph: unknown): object => ({ process: { process_graph: graph } });

/** As images and tables, beside the files of the graphs that are compared with numpy. */
const MONTH = load({ temporal_extent: ["2024-07-01", "2024-07-05"], bands: ["B04", "B03", "B02"] });
const series = (format: string, geometries: object, reducer: string): object => ({
  load: load({ spatial_extent: null }),
  ndvi: run("ndvi", { data: node("load") }),
  areas: run("aggregate_spatial", {
    data: node("ndvi"),
    geometries,
    reducer: {
      process_graph: { only: { process_id: reducer, arguments: { data: { from_parameter: "data" } }, result: true } },
    },
  }),
  save: save("areas", format),
});
const AREA = {
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
const FORMATS: Readonly<Record<string, object>> = {
  "a PNG": {
    load: MONTH,
    scale: run("apply", {
      data: node("load"),
      process: {
        process_graph: {
          s: {
            process_id: "linear_scale_range",
            arguments: { x: { from_parameter: "x" }, inputMin: 0, inputMax: 0.3, outputMax: 255 },
            result: true,
          },
        },
      },
    }),
    save: save("scale", "PNG"),
  },
  "a JPEG": {
    load: MONTH,
    scale: run("apply", {
      data: node("load"),
      process: {
        process_graph: {
          s: {
            process_id: "linear_scale_range",
            arguments: { x: { from_parameter: "x" }, inputMin: 0, inputMax: 0.3, outputMax: 255 },
            result: true,
          },
        },
      },
    }),
    save: save("scale", "JPEG"),
  },
  "means of areas as JSON": series("JSON", AREA, "mean"),
  "medians of areas as CSV": series("CSV", AREA, "median"),
};

const WRONG: Readonly<Record<string, unknown>> = {
  "no node": {},
  "no result node": { load: load() },
  "an unknown node": { save: save("nowhere") },
  "an unknown process": { load: load(), udf: { process_id: "run_udf", arguments: {}, result: true } },
  "an unknown argument": { load: load({ band: [] }), save: save("load") },
  "a missing argument": { a: { process_id: "ndvi", arguments: {}, result: true } },
  "an unknown band": { load: load({ bands: ["B99"] }), save: save("load") },
  "an unknown collection": { load: load({ id: "none" }), save: save("load") },
  "an empty time": { load: load({ temporal_extent: ["2024-07-02", "2024-07-01"] }), save: save("load") },
  "no scenes": { load: load({ temporal_extent: ["2001-01-01", "2001-02-01"] }), save: save("load") },
  "no bounds": { load: load({ spatial_extent: null }), save: save("load") },
  "another format": { load: load(), save: save("load", "netCDF") },
  "a raster as CSV": { load: load(), save: save("load", "CSV") },
  "too large": {
    load: load({ spatial_extent: { west: 300_000, south: 5_000_000, east: 400_000, north: 5_100_000, crs: 32_633 } }),
    save: save("load"),
  },
};

export const RESULTS: readonly Asked[] = [
  ...Object.entries({ ...GRAPHS, ...MORE_GRAPHS }).map(([name, graph]) => post(RESULT, name, process(graph))),
  ...Object.entries(FORMATS).map(([name, graph]) => post(RESULT, name, process(graph))),
  post("/v1/openeo/validation", "a graph", process(GRAPHS["ndvi and mean"])),
  ...["", "/conformance", "/processes", "/file_formats", "/collections", "/collections/sentinel-2-l2a", "/me"].map(
    (path) => get(`/v1/openeo${path}`),
  ),
  get("/.well-known/openeo"),
];

export const REFUSED_RESULTS: readonly Asked[] = [
  ...Object.entries(WRONG).map(([name, graph]) => post(RESULT, name, process(graph))),
  post(RESULT, "a budget that is too small", { ...process(GRAPHS["ndvi and mean"]), budget: 0.000_001 }),
  post(RESULT, "no process", {}),
  post("/v1/openeo/validation", "a graph that is wrong", process(WRONG["an unknown band"])),
  get("/v1/openeo/collections/none"),
  post("/v1/openeo/jobs", "what is not served", {}),
];
