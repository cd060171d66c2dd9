import { type Asked, get, post, query } from "./asked.ts";
import { BOW, FIELDS, JULY, TINY, TRIANGLE } from "./scenes.ts";

const STATISTICS = "/v1/statistics";
const SERIES = "/v1/timeseries";

const RANGE = { from: "2024-05-01", to: "2024-07-31" };
const MONTHS = { timeRange: RANGE, aggregationInterval: { of: "P1M" } };
const BOX = { bounds: { bbox: FIELDS }, data: [{ type: "sentinel-2-l2a" }] };
const base = { input: BOX, aggregation: MONTHS, index: "ndvi" };
const input = (more: object, bounds: object = { bbox: FIELDS }): object => ({
  input: { bounds, data: [{ type: "sentinel-2-l2a", ...more }] },
});
const times = (more: object): object => ({ aggregation: { ...MONTHS, ...more } });
const calculated = (calculations: object): object => ({ calculations: { default: calculations } });
const histogram = (settings: object): object => calculated({ histogram: settings });
const METRES = { bbox: [380_600, 5_042_400, 382_600, 5_043_900], properties: { crs: "EPSG:32633" } };

const COMPUTED: Readonly<Record<string, object>> = {
  "months of an index": {},
  percentiles: calculated({ percentiles: [0, 5, 50, 95, 100] }),
  "bins by number": histogram({ nBins: 6 }),
  "bins by width": histogram({ binWidth: 0.1, lowEdge: 0, highEdge: 0.6 }),
  "bins by edges": histogram({ bins: [0, 0.2, 0.4, 1] }),
  "two bands": { index: undefined, bands: ["red", "B08"] },
  "an expression": { index: undefined, expression: "(nir - red) / (nir + red + 0.5)" },
  "one interval": { aggregation: { timeRange: RANGE } },
  "ten days": times({ aggregationInterval: { of: "P10D" } }),
  "on a grid of degrees": times({ resx: 0.001, resy: 0.001 }),
  "by size": times({ width: 30, height: 20 }),
  "in metres": { ...input({}, METRES), ...times({ resx: 20, resy: 20 }) },
  "in a polygon": input({}, { geometry: TRIANGLE }),
  "in a polygon without a centre": input({}, { geometry: TINY }),
  "least cloudy on top": input({ dataFilter: { mosaickingOrder: "leastCC" } }),
  "of clear scenes": input({ dataFilter: { maxCloudCoverage: 20 } }),
  "stored numbers": { index: undefined, bands: ["B04", "SCL"], ...input({ processing: { units: "DN" } }) },
  "seen from above": { index: undefined, bands: ["red", "nir08"], harmonize: "nbar" },
  "as for Landsat": { index: undefined, expression: "nir08 / red", harmonize: "bandpass_adjusted" },
  "nothing dropped": { cloudMask: { exclude: [] } },
  "clouds grown": { cloudMask: { exclude: ["cloud", "cloud_shadow"], dilate_m: 120, scl7: "cloud" } },
  "Landsat in degrees Celsius": {
    index: undefined,
    bands: ["lwir11"],
    ...input({ type: "landsat-ot-l2", processing: { units: "CELSIUS" } }),
  },
  "all optical sensors": input({ type: "optical-sr" }),
  heights: {
    index: undefined,
    bands: ["elevation"],
    ...input({ type: "dem" }),
    aggregation: { timeRange: { from: "2000-01-01", to: "2024-12-31" } },
  },
  radar: { index: undefined, bands: ["vv", "vh"], ...input({ type: "sentinel-1-rtc" }) },
};

const NOT_COMPUTED: Readonly<Record<string, object>> = {
  "an unknown member": { sum: 1 },
  "an unknown collection": input({ type: "sentinel-9" }),
  "bands and index": { bands: ["red"] },
  neither: { index: undefined },
  "an unknown index": { index: "ndiv" },
  "an unknown band": { index: undefined, bands: ["red", "purple"] },
  "an expression that does not parse": { index: undefined, expression: "red /" },
  "an expression with an unknown band": { index: undefined, expression: "red / purple" },
  "an expression without bands": { index: undefined, expression: "1 + 1" },
  "no duration": times({ aggregationInterval: { of: "monthly" } }),
  "times that are none": times({ timeRange: { from: "May", to: "2024" } }),
  "a range backwards": times({ timeRange: { from: "2024-02-01", to: "2024-01-01" } }),
  "resx alone": times({ resx: 1 }),
  "resx and width": times({ resx: 1, resy: 1, width: 5, height: 5 }),
  "a pixel larger than the box": times({ resx: 5, resy: 5 }),
  "too many pixels": times({ width: 2501, height: 5 }),
  "too many intervals": times({
    timeRange: { from: "2020-01-01", to: "2024-12-31" },
    aggregationInterval: { of: "PT12H" },
  }),
  "too many bins": histogram({ binWidth: 1e-9 }),
  "units that the collection lacks": input({ processing: { units: "KELVIN" } }),
  "an index of stored numbers": input({ processing: { units: "DN" } }),
  "classes as reflectance": { index: undefined, bands: ["SCL"] },
  "an unknown mask class": { cloudMask: { exclude: ["fog"] } },
  "a dilation beyond the range": { cloudMask: { dilate_m: 601 } },
  "an unknown level": { harmonize: "all" },
  "a calculation of no output": { calculations: { evi: {} } },
  "a percentile of 101": calculated({ percentiles: [101] }),
  "a polygon that crosses itself": input({}, { geometry: BOW }),
  "no area": input({}, {}),
};

const POINT = { lon: 13.21, lat: 45.46 };
const series = (more: Readonly<Record<string, string | number>>, headers?: Readonly<Record<string, string>>): Asked => {
  const asked: Record<string, string | number> = {
    ...POINT,
    datetime: "2021-01-01/2024-12-31",
    index: "ndvi",
    ...more,
  };
  if ("expression" in asked) delete asked.index;
  return get(`${SERIES}?${query(asked)}`, headers === undefined ? {} : { headers });
};
const drawn = { geometry: TRIANGLE, datetime: "2021-01-01/2024-12-31", index: "ndvi", collections: ["sentinel-2-l2a"] };

export const NUMBERS: readonly Asked[] = [
  ...Object.entries(COMPUTED).map(([name, more]) => post(STATISTICS, name, { ...base, ...more })),
  post(STATISTICS, "as a table", base, { headers: { Accept: "text/csv" } }),
  series({}),
  series({ collections: "sentinel-2-l2a" }),
  series({ collections: "sentinel-2-l2a,landsat-ot-l2", expression: "(nir08 - swir16) / (nir08 + swir16)" }),
  series({ collections: "landsat-ot-l2", expression: "lwir11" }),
  series({ collections: "sentinel-2-l2a", exclude: "" }),
  series({ collections: "sentinel-2-l2a", exclude: "nodata,cloud", maxCloudCoverage: 50 }),
  series({ collections: "sentinel-2-l2a", harmonize: "nbar", expression: "nir08 - red" }),
  series({ collections: "sentinel-1-rtc", expression: "vv" }),
  series({ format: "csv" }),
  series({ format: "png" }),
  { ...series({ index: "moisture" }, { Accept: "text/csv" }), name: `GET ${SERIES} by Accept` },
  post(SERIES, "a point", { ...drawn, geometry: { type: "Point", coordinates: [POINT.lon, POINT.lat] } }),
  ...["mean", "median", "min", "max"].map((reducer) => post(SERIES, reducer, { ...drawn, reducer })),
  post(SERIES, "a polygon without a centre", { ...drawn, geometry: TINY }),
  post(SERIES, "all sensors", { ...drawn, collections: undefined }),
  post(SERIES, "clouds grown", { ...drawn, cloudMask: { exclude: ["nodata", "cloud"], dilate_m: 60 } }),
  post(SERIES, "as a table", { ...drawn, format: "csv" }),
  post(SERIES, "as a chart", { ...drawn, format: "png" }),
];

export const REFUSED_NUMBERS: readonly Asked[] = [
  ...Object.entries(NOT_COMPUTED).map(([name, more]) => post(STATISTICS, name, { ...base, ...more })),
  post(STATISTICS, "no key", base, { as: "nobody" }),
  series({ expression: "red", index: "ndvi", lat: 95 }),
  series({ index: "ndvl" }),
  series({ datetime: "2001-01-01/2024-12-31" }),
  series({ datetime: "yesterday" }),
  series({ exclude: "clouds" }),
  series({ collections: "sentinel-2-l2a", expression: "lwir11 / red" }),
  series({ collections: "sentinel-9" }),
  series({ collections: "dem" }),
  series({ harmonize: "best" }),
  series({ lon: "east" }),
  series({ format: "tiff" }),
  get(`${SERIES}?${query({ ...POINT, datetime: JULY, index: "ndvi", expression: "red" })}`),
  get(`${SERIES}?${query({ datetime: JULY, index: "ndvi" })}`),
  post(SERIES, "a polygon that crosses itself", { ...drawn, geometry: BOW }),
  post(SERIES, "a line", { ...drawn, geometry: { type: "LineString", coordinates: TRIANGLE.coordinates[0] } }),
  post(SERIES, "more than 25 km²", {
    ...drawn,
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
  }),
  post(SERIES, "an unknown reducer", { ...drawn, reducer: "mode" }),
  post(SERIES, "an unknown band", { ...drawn, index: undefined, expression: "purple" }),
  get(`${SERIES}?${query({ ...POINT, datetime: JULY, index: "ndvi" })}`, { profile: "lean" }),
];
