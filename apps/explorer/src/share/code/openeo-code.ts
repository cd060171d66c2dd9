import { addDays } from "../../view/days.ts";
import type { ShareView } from "../share-view.ts";
import { bandsRead, type Graph, mathGraph } from "./graph-math.ts";
import { readableJson } from "./quote.ts";

const from = (node: string) => ({ from_node: node });

function loadNode(view: ShareView, bands: readonly string[]): Graph[string] {
  const { collection, bbox, ring, datetime, scene, from: first, to, cloud } = view;
  const [west, south, east, north] = bbox;
  const day = scene === undefined ? undefined : datetime.slice(0, 10);
  const limit = { process_id: "lte", arguments: { x: { from_parameter: "value" }, y: cloud }, result: true };
  return {
    process_id: "load_collection",
    arguments: {
      id: collection,
      spatial_extent: ring === undefined ? { west, south, east, north } : { type: "Polygon", coordinates: [ring] },
      // an interval of openEO leaves out its end
      temporal_extent: [day ?? first, addDays(day ?? to, 1)],
      bands,
      ...(cloud === 100 || day !== undefined ? {} : { properties: { "eo:cloud_cover": { process_graph: { limit } } } }),
    },
  };
}

/** Nodes that compute expressions of the bands: one cube, whose bands they are. */
function mathNodes(graphs: readonly Graph[]): { readonly nodes: Graph; readonly last: string } {
  if (graphs.length === 1) {
    const reducer = { process_graph: graphs[0] };
    const args = { data: from("pixels"), dimension: "bands", reducer };
    return { nodes: { math: { process_id: "reduce_dimension", arguments: args } }, last: "math" };
  }
  const nodes: Graph = {};
  let last = "";
  graphs.forEach((graph, i) => {
    const name = `b${i + 1}`;
    const reducer = { process_graph: graph };
    nodes[`math${i + 1}`] = {
      process_id: "reduce_dimension",
      arguments: { data: from("pixels"), dimension: "bands", reducer },
    };
    nodes[name] = {
      process_id: "add_dimension",
      arguments: { data: from(`math${i + 1}`), name: "bands", label: name, type: "bands" },
    };
    if (i > 0) nodes[`merged${i}`] = { process_id: "merge_cubes", arguments: { cube1: from(last), cube2: from(name) } };
    last = i === 0 ? name : `merged${i}`;
  });
  return { nodes, last };
}

/** The process graph of the values in view; of each pixel the median of the days, since openEO has no mosaic. */
export function processGraph(view: ShareView): Graph {
  const texts = view.expression?.split(";") ?? [];
  const read = bandsRead(texts, view.names);
  const bands = read.length > 0 ? read : view.bands;
  const graphs = texts.map((text) => mathGraph(text, view.names, bands));
  const isSaid = graphs.length > 0 && graphs.every((graph) => graph !== undefined);
  const { nodes, last } = isSaid ? mathNodes(graphs) : { nodes: {}, last: "pixels" };
  const reducer = {
    process_graph: {
      median: { process_id: "median", arguments: { data: { from_parameter: "data" } }, result: true },
    },
  };
  return {
    load: loadNode(view, bands),
    // before all else, so that no more pixels are read than the file has
    pixels: {
      process_id: "resample_spatial",
      arguments: { data: from("load"), resolution: view.resolution, projection: view.epsg, method: "near" },
    },
    ...nodes,
    days: { process_id: "reduce_dimension", arguments: { data: from(last), dimension: "t", reducer } },
    save: { process_id: "save_result", arguments: { data: from("days"), format: "GTiff" }, result: true },
  };
}

/** The body of `POST /v1/openeo/result`. */
export const openEoCode = (view: ShareView): string =>
  `${readableJson({ process: { process_graph: processGraph(view) } })}\n`;
