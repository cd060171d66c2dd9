import { describe, expect, test } from "vitest";
import { alignedData, inOrder, markAt } from "../src/charts/marks.ts";
import { axisLabel, type Curve, marksOf, pointsOf, sensorsOf, validText } from "../src/series/curves.ts";
import { bandNames, measuresOf, type SchemaDocument } from "../src/series/measures.ts";
import {
  fieldsCsv,
  type Observation,
  type Series,
  seriesCsv,
  summaryOf,
  valueText,
} from "../src/series/observations.ts";
import { type SeriesQuestion, seriesRequest, spanDays } from "../src/series/request.ts";
import { hasTooMany, statisticsBody } from "../src/statistics/request.ts";
import {
  fieldStatisticsCsv,
  type IntervalRow,
  rowsOf,
  rowToShow,
  type Statistics,
  statisticsCsv,
} from "../src/statistics/rows.ts";
import { parseMeasure } from "../src/view/analysis-view.ts";

const row = (datetime: string, value: number | null, more: Partial<Observation> = {}): Observation => ({
  datetime,
  itemId: `item of ${datetime}`,
  collection: "sentinel-2-l2a",
  platform: "sentinel-2b",
  value,
  validFraction: value === null ? 0 : 1,
  harmonization: "bandpass_adjusted",
  ...more,
});
const series = (...rows: readonly Observation[]): Series => ({
  index: "ndvi",
  series: rows,
  undetectable: {},
});
const polygon = {
  type: "Polygon",
  coordinates: [
    [
      [13, 45],
      [13.01, 45],
      [13, 45.01],
      [13, 45],
    ],
  ],
} as const;
const question: SeriesQuestion = {
  geometry: { type: "Point", coordinates: [13.21, 45.46] },
  collection: "optical-sr",
  measure: { kind: "index", id: "ndvi" },
  from: "2024-01-01",
  to: "2024-12-31",
  cloud: 100,
  keepsClouds: false,
  reducer: "median",
};

describe("the request of a series", () => {
  test("at a point is an address, which browsers keep", () => {
    expect(seriesRequest(question)).toEqual({
      method: "GET",
      path: "v1/timeseries?lon=13.21&lat=45.46&datetime=2024-01-01%2F2024-12-31&collections=optical-sr&index=ndvi",
    });
  });

  test("of a polygon has a body with the reducer, the cloud ceiling and band math", () => {
    const measure = { kind: "expression", text: "nir08 / red" } as const;
    expect(seriesRequest({ ...question, geometry: polygon, measure, cloud: 40 })).toEqual({
      method: "POST",
      path: "v1/timeseries",
      body: {
        geometry: polygon,
        datetime: "2024-01-01/2024-12-31",
        collections: ["optical-sr"],
        expression: "nir08 / red",
        maxCloudCoverage: 40,
        reducer: "median",
      },
    });
  });

  test("drops pixels without values alone where clouds are kept", () => {
    const classes = ["nodata", "saturated_defective"];
    const { path } = seriesRequest({ ...question, keepsClouds: true });
    expect(new URLSearchParams(path.split("?")[1]).get("exclude")).toBe(classes.join());
    expect(seriesRequest({ ...question, geometry: polygon, keepsClouds: true })).toMatchObject({
      body: { cloudMask: { exclude: classes } },
    });
    const asked = { ...question, geometry: polygon, interval: "P1M", keepsClouds: true } as const;
    expect(statisticsBody(asked).cloudMask).toEqual({ exclude: classes });
  });

  test("spans end with the last day in view", () => {
    const view = { from: "2024-07-01", to: "2024-07-31" };
    expect(spanDays("view", view)).toEqual(view);
    expect(spanDays("P2Y", view)).toEqual({ from: "2022-08-01", to: "2024-07-31" });
  });
});

describe("a series", () => {
  const mixed = [
    row("2024-07-04T10:02:11Z", 0.71),
    row("2024-07-05T09:51:00Z", null, { platform: "landsat-8", collection: "landsat-ot-l2" }),
    row("2024-07-05T09:51:00Z", 0.4, { platform: null, collection: "hls" }),
    row("2024-07-06T10:02:11Z", 0.12, { validFraction: 0.25 }),
  ];

  test("is drawn with a mark for each observation, its sensor in the order of names", () => {
    const curve: Curve = { id: "place", name: "here", number: 0, series: series(...mixed) };
    const points = pointsOf([curve]);
    expect(sensorsOf(points)).toEqual(["Landsat-8", "Sentinel-2B", "hls"]);
    const marks = inOrder(marksOf([curve], points, { sensors: sensorsOf(points), hidden: new Set() }));
    expect(marks.map(({ kind, value, source }) => [kind, value, source])).toEqual([
      [1, 0.71, 0],
      [0, null, 1],
      [2, 0.4, 2],
      [1, 0.12, 3],
    ]);
    expect(marks[0]?.time).toBe(1_720_087_331);
    expect(marks.every(({ time }, i) => i === 0 || time > (marks[i - 1]?.time as number))).toBe(true);
    expect(
      marksOf([curve], points, { sensors: [], hidden: new Set(["Sentinel-2B"]) }).map(({ source }) => source),
    ).toEqual([1, 2]);
  });

  test("beside others is a line of its own, in the color of its place", () => {
    const curves = [
      { id: "7", name: "a", number: 6, series: series(mixed[0] as Observation) },
      { id: "9", name: "b", number: 8, series: series(mixed[0] as Observation, mixed[1] as Observation) },
    ];
    const marks = inOrder(marksOf(curves, pointsOf(curves), { sensors: [], hidden: new Set() }));
    expect(marks.map(({ line, kind }) => [line, kind])).toEqual([
      [0, 6],
      [1, 8],
      [1, 8],
    ]);
    // values stand in the column of their line; a line has no entry where another one has
    expect(alignedData(marks, 2).slice(1)).toEqual([
      [0.71, undefined, undefined],
      [undefined, 0.71, null],
    ]);
    expect(marksOf(curves, pointsOf(curves), { sensors: [], hidden: new Set(["9"]) }).map(({ line }) => line)).toEqual([
      0,
    ]);
  });

  test.each([
    { pointer: { x: 12, y: 50 }, mark: 0, why: "the nearest by time" },
    { pointer: { x: 99, y: 80 }, mark: 2, why: "of two at nearly the same time the nearest by value" },
    { pointer: { x: 99, y: 10 }, mark: 1, why: "of two at nearly the same time the nearest by value" },
    { pointer: { x: 900, y: 10 }, mark: 3, why: "the last one for a pointer far behind it" },
  ])("is pointed at: $why", ({ pointer, mark }) => {
    const places = [
      { x: 10, y: 300 },
      { x: 100, y: 10 },
      { x: 103, y: 90 },
      { x: 200, y: 10 },
    ];
    expect(markAt(places, pointer)).toBe(mark);
    expect(markAt([], pointer)).toBeUndefined();
  });

  test("says how much of an area was seen", () => {
    expect([1, 0.9999, 0.5, 0.0123, 0, null].map(validText)).toEqual([
      undefined,
      undefined,
      "50 % of the area is free of cloud",
      "1.2 % of the area is free of cloud",
      "0 % of the area is free of cloud",
      "no scene could be read",
    ]);
  });

  test.each([
    [{ index: "ndvi", unit: "1" }, "NDVI"],
    [{ index: null, expression: "lwir11", unit: "KELVIN" }, "lwir11, kelvin"],
    [{ index: null, expression: "(nir08 - swir16) / (nir08 + swir16)" }, "(nir08 - swir16) / (nir08 + sw …"],
  ])("of %j has the axis %s", (of, label) => {
    expect(axisLabel(of)).toBe(label);
  });

  test("has a least and a largest value, and counts what is masked", () => {
    expect(summaryOf(mixed)).toEqual({ observations: 4, masked: 1, least: mixed[3], largest: mixed[0] });
    expect(summaryOf([mixed[1] as Observation])).toEqual({ observations: 1, masked: 1 });
  });

  test("as a table has empty fields for what is masked", () => {
    const problem = {
      type: "urn:x",
      status: 503,
      title: "Upstream unavailable",
      detail: 'Scene A was left out: "gone", twice.',
    };
    expect(seriesCsv(series(row("2024-07-05T09:51:00Z", null, { platform: null, validFraction: null, problem })))).toBe(
      "datetime,itemId,collection,platform,value,validFraction,harmonization\r\n" +
        "2024-07-05T09:51:00Z,item of 2024-07-05T09:51:00Z,sentinel-2-l2a,,,,bandpass_adjusted\r\n",
    );
  });

  test("of several fields names the field first", () => {
    const text = fieldsCsv([
      { name: "Long, acre", series: series(mixed[0] as Observation) },
      { name: "Meadow", series: series() },
    ]);
    expect(text.split("\r\n")).toEqual([
      "feature,datetime,itemId,collection,platform,value,validFraction,harmonization,problem",
      expect.stringMatching(/^"Long, acre",2024-07-04T10:02:11Z,.*,0\.71,1,bandpass_adjusted,$/),
      "",
    ]);
  });

  test("has values with four digits", () => {
    expect([0.123456, 1, 288.0512, 12_345.6, -0.2, null].map(valueText)).toEqual([
      "0.1235",
      "1",
      "288.1",
      "12346",
      "-0.2",
      "no value",
    ]);
  });
});

const SCHEMA: SchemaDocument = {
  collections: {
    "sentinel-2-l2a": { title: "S2", index_bands: {} },
    "landsat-ot-l2": { title: "L8", index_bands: {} },
    "optical-sr": { title: "All", index_bands: {}, bands_common: ["red", "nir08"] },
    "sentinel-1-rtc": { title: "S1", index_bands: {} },
  },
  bands: {
    "sentinel-2-l2a": [
      { name: "B04", common_name: "red", unit: "REFLECTANCE" },
      { name: "B05", common_name: "rededge071", unit: "REFLECTANCE" },
      { name: "B08", common_name: "nir", unit: "REFLECTANCE" },
      { name: "SCL", unit: "DN" },
    ],
    "landsat-ot-l2": [
      { name: "SR_B4", common_name: "red", unit: "REFLECTANCE" },
      { name: "SR_B5", common_name: "nir08", unit: "REFLECTANCE" },
    ],
    "sentinel-1-rtc": [{ name: "VV", unit: "LINEAR_POWER" }],
  },
  indices: [
    { id: "ndvi", title: "Vegetation", bands: ["nir", "red"], expression: "", range: [-0.2, 0.8] },
    { id: "ndre", title: "Red edge", bands: ["nir08", "rededge071"], expression: "", range: [-0.2, 0.8] },
  ],
};

describe("what can be computed", () => {
  test.each([
    ["sentinel-2-l2a", ["ndvi"], ["red", "rededge071", "nir"]],
    ["landsat-ot-l2", ["ndvi"], ["red", "nir08"]],
    ["optical-sr", ["ndvi"], ["red", "nir08"]],
    ["sentinel-1-rtc", [], ["VV"]],
    ["unknown", [], []],
  ])("of %s are the indices %j and the bands %j", (collection, indices, bands) => {
    const found = measuresOf(SCHEMA, collection);
    expect(found.indices.map(({ value }) => value)).toEqual(indices);
    expect(found.bands.map(({ title }) => title)).toEqual(bands);
    expect(bandNames(SCHEMA, collection)).toEqual(bands);
  });

  test("is written in an address as an index, a band or an expression", () => {
    expect(parseMeasure("ndvi")).toEqual({ kind: "index", id: "ndvi" });
    expect(parseMeasure("band:swir16")).toEqual({ kind: "expression", text: "swir16" });
    expect(parseMeasure("=nir / red")).toEqual({ kind: "expression", text: "nir / red" });
    expect(["", "=", "a b", `=${"x".repeat(501)}`].map(parseMeasure)).toEqual(Array(4).fill(undefined));
  });
});

const numbers = (mean: number | null): IntervalRow["outputs"][string]["stats"] => ({
  ...{ min: mean, max: mean, mean, stDev: mean === null ? null : 0, sampleCount: 8 },
  noDataCount: mean === null ? 8 : 2,
  percentiles: { "5.0": mean, "50.0": mean },
});
const interval = (from: string, mean: number | null): IntervalRow => ({
  interval: { from, to: "2024-12-31" },
  outputs: { ndvi: { unit: "1", stats: numbers(mean) } },
  itemIds: mean === null ? [] : ["a", "b"],
});
const statistics = (...data: readonly IntervalRow[]): Statistics => ({
  ...{ data, undetectable: {} },
});

describe("statistics", () => {
  test("are asked for with percentiles and a histogram, whole or by interval", () => {
    const asked = { ...question, geometry: polygon, collection: "sentinel-2-l2a", interval: "P1M" } as const;
    expect(statisticsBody(asked)).toEqual({
      input: { bounds: { geometry: polygon }, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: {
        timeRange: { from: "2024-01-01", to: "2024-12-31" },
        aggregationInterval: { of: "P1M" },
      },
      index: "ndvi",
      calculations: { default: { percentiles: [5, 25, 50, 75, 95], histogram: { nBins: 30 } } },
    });
    expect(statisticsBody({ ...asked, interval: "all" }).aggregation).toEqual({
      timeRange: { from: "2024-01-01", to: "2024-12-31" },
    });
  });

  test.each([
    ["P1M", "2023-05-01"],
    ["P3M", "2023-05-01"],
    ["P1Y", "2023-01-01"],
    ["P10D", "2023-05-17"],
    ["all", "2023-05-17"],
  ] as const)("by %s from 17 May 2023 begin on %s", (interval, from) => {
    const asked = { ...question, geometry: polygon, from: "2023-05-17", interval };
    expect(statisticsBody(asked).aggregation.timeRange.from).toBe(from);
  });

  test("of more than 400 intervals are not asked for", () => {
    const years = { from: "2022-01-01", to: "2024-12-31" };
    expect((["all", "P1D", "P10D", "P1M"] as const).map((each) => hasTooMany(each, years))).toEqual([
      ...[false, true, false, false],
    ]);
    expect(hasTooMany("P1D", { from: "2024-01-01", to: "2025-02-03" })).toBe(false);
  });

  test("show the last interval that has values first", () => {
    const rows = rowsOf(statistics(interval("a", 0.2), interval("b", 0.4), interval("c", null)));
    expect(rows.map(({ from, valid }) => [from, valid])).toEqual([
      ["a", 0.75],
      ["b", 0.75],
      ["c", 0],
    ]);
    expect([rowToShow(rows), rowToShow(rows.slice(2)), rowToShow([])]).toEqual([1, 0, -1]);
  });

  test("as a table have a column for each percentile", () => {
    const header = "from,to,output,unit,min,max,mean,stDev,sampleCount,noDataCount,p5.0,p50.0,itemIds,problem";
    const one = statistics(interval("2024-01-01", 0.5), interval("2024-02-01", null));
    const lines = [
      "2024-01-01,2024-12-31,ndvi,1,0.5,0.5,0.5,0,8,2,0.5,0.5,a b,",
      "2024-02-01,2024-12-31,ndvi,1,,,,,8,8,,,,",
    ];
    expect(statisticsCsv(one).split("\r\n")).toEqual([header, ...lines, ""]);
    expect(fieldStatisticsCsv([{ name: "Meadow", statistics: one }]).split("\r\n")).toEqual([
      `feature,${header}`,
      ...lines.map((line) => `Meadow,${line}`),
      "",
    ]);
  });
});
