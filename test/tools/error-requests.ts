import type { ErrorExample } from "../../apps/docs/scripts/content/errors.ts";

type ErrorRequest = Omit<ErrorExample, "answer">;

const KEY = { "X-API-Key": "$KEY" };
const JSON_BODY = { ...KEY, "Content-Type": "application/json" };

/** A body of `POST /v1/process` for a small area, changed in some members. */
function processBody(changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const data = [
    {
      type: "sentinel-2-l2a",
      dataFilter: { timeRange: { from: "2024-07-01T00:00:00Z", to: "2024-07-31T00:00:00Z" } },
    },
  ];
  return {
    input: { bounds: { bbox: [13.2, 45.4, 13.4, 45.6] }, data },
    bands: ["red", "nir"],
    output: { resx: 100, resy: 100, crs: "EPSG:32633" },
    ...changes,
  };
}

const processing = (changes: Readonly<Record<string, unknown>>): ErrorRequest => ({
  method: "POST",
  path: "/v1/process",
  headers: JSON_BODY,
  body: processBody(changes),
});

/** A request that the service answers with each code, where one request alone can bring it about. */
export const ERROR_REQUESTS: Readonly<Record<string, ErrorRequest>> = {
  "invalid-parameter": { method: "GET", path: "/v1/search?bbox=13.2,45.4,13.4&limit=0", headers: KEY },
  "invalid-body": {
    method: "POST",
    path: "/v1/search",
    headers: JSON_BODY,
    body: { collections: ["sentinel-2-l2a"], limit: "ten", dateTime: "2024-07-01/.." },
  },
  "invalid-filter": { method: "GET", path: "/v1/search?filter=eo:cloud_cover%20%3C%3C%2010", headers: KEY },
  "zoom-out-of-range": { method: "GET", path: "/v1/tiles/true-color/WebMercatorQuad/22/0/0.png", headers: KEY },
  "invalid-process-graph": {
    method: "POST",
    path: "/v1/openeo/result",
    headers: JSON_BODY,
    body: {
      process: {
        process_graph: {
          save: {
            process_id: "save_result",
            arguments: { data: { from_node: "nothing" }, format: "GTiff" },
            result: true,
          },
        },
      },
    },
  },
  "invalid-key": { method: "GET", path: "/v1/search?limit=1", headers: { "X-API-Key": "an-old-key" } },
  "not-found": { method: "GET", path: "/v1/collections/sentinel-2-l2a/items/none", headers: KEY },
  "unknown-collection": { method: "GET", path: "/v1/search?collections=sentinel-2-l2", headers: KEY },
  "method-not-allowed": { method: "DELETE", path: "/v1/search", headers: KEY },
  "output-too-large": processing({ output: { resx: 0.1, resy: 0.1, crs: "EPSG:32633" } }),
  "unsupported-media-type": {
    method: "POST",
    path: "/v1/search",
    headers: { ...KEY, "Content-Type": "text/plain" },
    body: "limit=1",
  },
  "unknown-band": processing({ bands: ["red", "infrared"] }),
  "area-too-large": {
    method: "POST",
    path: "/v1/timeseries",
    headers: JSON_BODY,
    body: {
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [13, 45],
            [14, 45],
            [14, 46],
            [13, 45],
          ],
        ],
      },
      datetime: "2024-01-01/2024-12-31",
      index: "ndvi",
    },
  },
  "pixel-too-large": processing({ output: { resx: 100, resy: 100, crs: "EPSG:4326" } }),
};
