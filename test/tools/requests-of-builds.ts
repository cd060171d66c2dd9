/** The key of requests that tests send to each build of the service. */
export const KEY = "a-key-of-the-owner-0123456789";
/** A day of the synthetic archive with scenes of Sentinel-2. */
export const DAY = "datetime=2024-07-04/2024-07-04";
export const TILE = "/v1/tiles/true-color/WebMercatorQuad/11/1101/730";
/** An extraction of two bands there. */
export const PROCESS = {
  input: {
    bounds: { bbox: [13.2, 45.4, 13.5, 45.6] },
    data: [
      {
        type: "sentinel-2-l2a",
        dataFilter: { timeRange: { from: "2024-07-01T00:00:00Z", to: "2024-07-10T00:00:00Z" } },
      },
    ],
  },
  bands: ["B04", "B08"],
  output: { width: 100, height: 100 },
};
