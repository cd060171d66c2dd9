import { execFileSync } from "node:child_process";
import { createTruth, VALLEY } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { hasScipy } from "../tools/gdal.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

interface Answer {
  readonly series: readonly {
    readonly datetime: string;
    readonly value: number | null;
    readonly validFraction: number | null;
    readonly reducers?: Readonly<Record<string, number | null>>;
  }[];
  readonly smooth?: { readonly values: readonly (number | null)[]; readonly [member: string]: unknown };
  readonly trend?: {
    readonly slope: number;
    readonly intercept: number;
    readonly confidence: readonly number[];
    readonly origin: string;
    readonly mannKendall: { readonly s: number; readonly p: number };
  };
  readonly season?: {
    readonly seasons: readonly {
      readonly start: string | null;
      readonly peak: string;
      readonly end: string | null;
      readonly base: number;
      readonly amplitude: number;
    }[];
  };
}

const DAY = 86_400_000;
const [LON, LAT] = VALLEY.places.maize;
const YEARS = VALLEY.years.join("/");
const QUERY = `lon=${LON}&lat=${LAT}&datetime=${YEARS}&index=ndvi`;
const DESCRIBED = `${QUERY}&smooth=whittaker:100&trend=theil-sen&season=0.5`;
const BODY = { geometry: { type: "Point", coordinates: [LON, LAT] }, datetime: YEARS, index: "ndvi" };
/** Some 100 m around the place. */
const FIELD = {
  type: "Polygon",
  coordinates: [
    [
      [LON - 0.0007, LAT - 0.0005],
      [LON + 0.0007, LAT - 0.0005],
      [LON + 0.0007, LAT + 0.0005],
      [LON - 0.0007, LAT + 0.0005],
      [LON - 0.0007, LAT - 0.0005],
    ],
  ],
};

type Stats = Readonly<Record<"mean" | "stDev" | "min" | "max" | "sampleCount" | "noDataCount", number>> & {
  readonly percentiles: Readonly<Record<string, number>>;
};

/** Says of the rows of an answer what numpy and scipy do. */
const SCIPY = `
import json, sys, datetime
import numpy as np, scipy.stats
rows = json.load(sys.stdin)
t = np.array([datetime.datetime.fromisoformat(r["datetime"].replace("Z", "+00:00")).timestamp() * 1000 for r in rows])
w = np.array([r["value"] is not None for r in rows], float)
y = np.array([r["value"] or 0 for r in rows])
first, last = np.flatnonzero(w)[[0, -1]]
inside = slice(first, last + 1)
d = np.diff(np.eye(last + 1 - first), 2, axis=0)
z = np.linalg.solve(np.diag(w[inside]) + 100 * d.T @ d, (w * y)[inside])
seen = w > 0
line = scipy.stats.theilslopes(y[seen], (t[seen] - t[seen][0]) / (365.25 * 86400000))
n = int(seen.sum())
s = int(np.sign(np.subtract.outer(y[seen], y[seen]))[np.tril_indices(n, -1)].sum())
print(json.dumps({"first": int(first), "smooth": z.tolist(), "line": list(map(float, line)), "s": s}))
`;
const PYTHON = "/usr/bin/python3";

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

async function answered(response: Response): Promise<Answer> {
  const answer = (await response.json()) as Answer;
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
}

const get = async (query: string): Promise<Answer> => answered(await service.get(`/v1/timeseries?${query}`));
const post = async (body: object): Promise<Answer> => answered(await service.post("/v1/timeseries", body));

describe("a described series", () => {
  test("has its rows as without, and beside them each description with method and reference", {
    tags: ["TS15"],
  }, async () => {
    const [plain, described] = [await get(QUERY), await get(DESCRIBED)];
    const { smooth, trend, season, ...rest } = described;
    expect(rest).toEqual(plain);
    const cited = { method: expect.any(String), reference: expect.stringMatching(/ \d{4}, .*https:\/\/doi\.org\//) };
    expect(smooth).toMatchObject({ ...cited, method: "whittaker", lambda: 100 });
    expect(trend).toMatchObject({ ...cited, method: "theil-sen", mannKendall: { ...cited, method: "mann-kendall" } });
    expect(season).toMatchObject({ ...cited, method: "threshold", threshold: 0.5 });
    expect(smooth?.values).toHaveLength(plain.series.length);
  });

  test("is the same by GET and by POST", { tags: ["TS15"] }, async () => {
    const asked = { smooth: { method: "whittaker", lambda: 100 }, trend: "theil-sen", season: { threshold: 0.5 } };
    expect(await post({ ...BODY, ...asked })).toEqual(await get(DESCRIBED));
  });

  test.skipIf(!hasScipy)("has the numbers of numpy and scipy to 1e-9", { tags: ["TS16"] }, async () => {
    const { series, smooth, trend } = await get(DESCRIBED);
    const found = execFileSync(PYTHON, ["-c", SCIPY], { input: JSON.stringify(series), encoding: "utf8" });
    const expected = JSON.parse(found) as { first: number; smooth: number[]; line: number[]; s: number };
    for (const [i, value] of expected.smooth.entries()) {
      expect(Math.abs((smooth?.values[expected.first + i] ?? Number.NaN) - value)).toBeLessThan(1e-9);
    }
    const line = [trend?.slope, trend?.intercept, ...(trend?.confidence ?? [])];
    for (const [i, value] of expected.line.entries()) expect(Math.abs((line[i] ?? 0) - value)).toBeLessThan(1e-9);
    expect(trend?.mannKendall.s).toBe(expected.s);
  });

  test("finds the maize of 2022 and the wheat of 2023 on the days on which the truth crosses the threshold", {
    tags: ["TS16"],
  }, async () => {
    const { season } = await get(DESCRIBED);
    expect(season?.seasons.map(({ peak }) => peak.slice(0, 4))).toEqual(["2022", "2023"]);
    const truth = createTruth(await readArchiveInfo(inject("sandbox")));
    for (const { start, peak, end, base, amplitude } of season?.seasons ?? []) {
      const level = base + 0.5 * amplitude;
      const ndvi = (time: number): number => truth(LON, LAT, new Date(time).toISOString().slice(0, 10)).ndvi;
      const crossing = (step: number): number => {
        let time = Date.parse(peak);
        while (ndvi(time) > level) time += step;
        return time;
      };
      // scenes are some five days apart, and clouds hide every third
      expect(Math.abs(Date.parse(start ?? "") - crossing(-DAY))).toBeLessThan(8 * DAY);
      expect(Math.abs(Date.parse(end ?? "") - crossing(DAY))).toBeLessThan(8 * DAY);
    }
  });

  test("has another ETag than without, and CSV with a column for each description behind the others", {
    tags: ["TS15", "TS12"],
  }, async () => {
    const [plain, described] = [
      await service.get(`/v1/timeseries?${QUERY}&format=csv`),
      await service.get(`/v1/timeseries?${DESCRIBED}&format=csv`),
    ];
    expect(described.headers.get("ETag")).not.toBe(plain.headers.get("ETag"));
    const rows = (text: string): string[][] =>
      text
        .trim()
        .split("\r\n")
        .map((line) => line.split(","));
    const [head = [], ...body] = rows(await described.text());
    const [plainHead = [], ...plainBody] = rows(await plain.text());
    expect(head).toEqual([...plainHead, "smoothed", "trend", "season"]);
    expect(body.map((row) => row.slice(0, 7))).toEqual(plainBody.map((row) => row.slice(0, 7)));
    const { smooth, season } = await get(DESCRIBED);
    expect(body.map((row) => (row[7] === "" ? null : Number(row[7])))).toEqual(smooth?.values);
    expect(Math.max(...body.map((row) => Number(row[9])))).toBe(season?.seasons.length);
  });

  test("draws its curve into the chart", { tags: ["TS15"] }, async () => {
    const image = async (query: string) => (await service.get(`/v1/timeseries?${query}&format=png`)).arrayBuffer();
    expect(Buffer.from(await image(DESCRIBED)).equals(Buffer.from(await image(QUERY)))).toBe(false);
  });

  test.each([
    ["smooth=lowess", "smooth"],
    ["smooth=savitzky-golay:8", "smooth"],
    ["smooth=savitzky-golay:5:5", "smooth"],
    ["smooth=whittaker:0", "smooth"],
    ["trend=ols", "trend"],
    ["season=1", "season"],
    ["season=x", "season"],
  ])("%s is 400 and names the parameter", { tags: ["TS17"] }, async (asked, pointer) => {
    const response = await service.get(`/v1/timeseries?${QUERY}&${asked}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid-parameter", errors: [{ pointer }] });
  });

  test.each([
    [{ smooth: { method: "savitzky-golay", window: 4 } }, "/smooth/window"],
    [{ smooth: { method: "linear", order: 1 } }, "/smooth/order"],
    [{ season: { threshold: 0 } }, "/season/threshold"],
    [{ reducers: ["mean", "mean"] }, "/reducers/1"],
    [{ reducers: ["majority"] }, "/reducers/0"],
    [{ expression: "scl", collections: ["sentinel-2-l2a"], trend: "theil-sen", index: undefined }, "/trend"],
    [{ expression: "scl", collections: ["sentinel-2-l2a"], reducers: ["mean"], index: undefined }, "/reducers/0"],
  ])("%o is 400 and names the member", { tags: ["TS17"] }, async (asked, pointer) => {
    const response = await service.post("/v1/timeseries", { ...BODY, geometry: FIELD, ...asked });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid-body", errors: [{ pointer }] });
  });
});

describe("reducers of a polygon", () => {
  const body = { ...BODY, geometry: FIELD, datetime: "2023-06-01/2023-08-31" };
  const REDUCERS = ["mean", "median", "stdDev", "min", "max", "count", { percentile: 90 }] as const;

  test("stand beside the value, which stays as it is, and are each the value of their own series", {
    tags: ["TS18"],
  }, async () => {
    const [plain, reduced] = [await post(body), await post({ ...body, reducers: REDUCERS })];
    expect(reduced.series.map(({ reducers: _, ...row }) => row)).toEqual(plain.series);
    for (const reducer of ["mean", "median", "min", "max"]) {
      const { series } = await post({ ...body, reducer });
      expect(reduced.series.map(({ reducers }) => reducers?.[reducer])).toEqual(series.map(({ value }) => value));
    }
    const names = ["mean", "median", "stdDev", "min", "max", "count", "p90"];
    expect(Object.keys(reduced.series[0]?.reducers ?? {})).toEqual(names);
    const csv = await (await service.post("/v1/timeseries", { ...body, reducers: REDUCERS, format: "csv" })).text();
    expect(csv.split("\r\n")[0]).toBe(
      `datetime,itemId,collection,platform,value,validFraction,harmonization,${names.join(",")}`,
    );
  });

  test("are the numbers of statistics of the same day", { tags: ["TS18"] }, async () => {
    const collections = ["sentinel-2-l2a"];
    const { series } = await post({ ...body, collections, reducers: [...REDUCERS, { percentile: 2.5 }] });
    const clear = series.filter(({ value }) => value !== null);
    expect(clear.length).toBeGreaterThan(1);
    for (const { datetime, reducers } of clear) {
      const day = datetime.slice(0, 10);
      const response = await service.post("/v1/statistics", {
        input: { bounds: { geometry: FIELD }, data: [{ type: "sentinel-2-l2a" }] },
        aggregation: { timeRange: { from: day, to: day } },
        index: "ndvi",
        calculations: { default: { percentiles: [2.5, 50, 90] } },
      });
      const { data } = (await response.json()) as { data: [{ outputs: { ndvi: { stats: Stats } } }] };
      const { mean, stDev, min, max, percentiles, sampleCount, noDataCount } = data[0].outputs.ndvi.stats;
      const [low, median, high] = Object.values(percentiles);
      const count = sampleCount - noDataCount;
      expect(reducers).toEqual({ mean, median, stdDev: stDev, min, max, count, p90: high, "p2.5": low });
    }
  });

  test("of classes are their majority and the shares of each", { tags: ["TS19"] }, async () => {
    const { index: _, ...rest } = body;
    const classes = Array.from({ length: 12 }, (_, scl) => ({ share: [scl] }));
    const asked = { ...rest, expression: "scl", collections: ["sentinel-2-l2a"], cloudMask: { exclude: ["nodata"] } };
    const { series } = await post({ ...asked, reducers: ["count", "majority", ...classes, { share: [4, 5] }] });
    expect(series.length).toBeGreaterThan(5);
    const seen = new Set<number>();
    for (const { value, validFraction, reducers = {} } of series) {
      const shares = classes.map(({ share: [scl] }) => reducers[`share_${scl}`] ?? 0);
      expect(validFraction).toBe(1);
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(value).toBe(shares.indexOf(Math.max(...shares)));
      expect(reducers.majority).toBe(value);
      expect(reducers.share_4_5).toBeCloseTo((shares[4] ?? 0) + (shares[5] ?? 0), 12);
      seen.add(value ?? -1);
    }
    // plants, and clouds on some days
    expect(seen.has(4)).toBe(true);
    expect(seen.size).toBeGreaterThan(1);
  });

  test("shares of numbers are of the pixels that have just these", { tags: ["TS18"] }, async () => {
    const { index: _, ...rest } = body;
    const { series } = await post({ ...rest, expression: "red * 0", reducers: [{ share: [0] }, { share: [1, -2] }] });
    const clear = series.filter(({ value }) => value !== null);
    expect(clear.length).toBeGreaterThan(0);
    for (const { reducers } of clear) expect(reducers).toEqual({ share_0: 1, "share_1_-2": 0 });
    for (const { value, reducers } of series) if (value === null) expect(reducers?.share_0).toBeNull();
    const compared = await post({ ...rest, expression: "red > 10", reducers: [{ share: [0] }, { share: [1] }] });
    const seen = compared.series.filter(({ value }) => value !== null);
    expect(seen).toHaveLength(clear.length);
    for (const { reducers } of seen) expect(reducers).toEqual({ share_0: 1, share_1: 0 });
  });
});

test("the tool says the trend in words, and has the description of the route", { tags: ["MC9"] }, async () => {
  const { trend } = await get(DESCRIBED);
  const session = await startSession(service);
  const { result } = await session.request("tools/call", {
    name: "timeseries",
    arguments: { ...BODY, trend: "theil-sen" },
  });
  expect(result.structuredContent).toMatchObject({ trend });
  const [{ text }] = result.content as [{ text: string }];
  expect(text).toMatch(/^Trend: [+-][\d.]+ a year .*Mann-Kendall p /m);
});
