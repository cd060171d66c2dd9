import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkCurveOptions } from "../src/describe.ts";
import { CurveError } from "../src/index.ts";
import { CURVE_MEMBERS, CURVE_PARAMETERS, curveDocument, curveOptionsOf } from "../src/models.ts";
import { parseSmooth } from "../src/options.ts";

test("a method and its settings are read from text", () => {
  expect(parseSmooth("whittaker")).toEqual({ method: "whittaker", lambda: 10 });
  expect(parseSmooth("whittaker:0.5")).toEqual({ method: "whittaker", lambda: 0.5 });
  expect(parseSmooth("savitzky-golay:9")).toEqual({ method: "savitzky-golay", window: 9, order: 2 });
  expect(parseSmooth("savitzky-golay:9:3")).toEqual({ method: "savitzky-golay", window: 9, order: 3 });
  expect(parseSmooth("linear")).toEqual({ method: "linear" });
});

test.each([
  "",
  "lowess",
  "whittaker:",
  "whittaker:-1",
  "whittaker:1:2",
  "linear:1",
  "savitzky-golay:7:2:1",
  "whittaker:NaN",
])("%o is no method", (text) => {
  expect(() => parseSmooth(text)).toThrow(CurveError);
});

const body = z.strictObject(CURVE_MEMBERS);
const faultOf = (asked: unknown): string => {
  const { error } = body.safeParse(asked);
  const issue = error?.issues[0];
  return `${issue?.path.join("/")}: ${issue?.message}`;
};

describe("models of options", () => {
  test("name the option that does not fit, and what was expected", () => {
    expect(faultOf({ smooth: { method: "savitzky-golay", window: 8 } })).toBe(
      "smooth/window: Expected an odd number of observations, got 8.",
    );
    expect(faultOf({ smooth: { method: "savitzky-golay", window: 3, order: 3 } })).toBe(
      "smooth/order: Expected a whole number less than the window of 3, got 3.",
    );
    expect(faultOf({ smooth: { method: "linear", lambda: 3 } })).toBe("smooth/lambda: Method linear has no lambda.");
    expect(faultOf({ smooth: { method: "whittaker", lambda: 0 } })).toMatch(/^smooth\/lambda: /);
    expect(faultOf({ smooth: {} })).toMatch(/^smooth\/method: /);
    expect(faultOf({ trend: "ols" })).toMatch(/^trend: /);
    expect(faultOf({ season: { threshold: 1 } })).toMatch(/^season\/threshold: /);
  });

  test("of a query are the same options", () => {
    const query = z.strictObject(CURVE_PARAMETERS);
    const { data } = query.safeParse({ smooth: "whittaker:20", trend: "theil-sen", season: "0.5" });
    const options = curveOptionsOf(data ?? {});
    expect(options).toEqual({
      smooth: { method: "whittaker", lambda: 20 },
      trend: "theil-sen",
      season: { threshold: 0.5 },
    });
    expect(() => checkCurveOptions(options)).not.toThrow();
    expect(query.safeParse({ smooth: "whittaker:0" }).error?.issues[0]).toMatchObject({
      path: ["smooth"],
      message: "Expected 0.001 to 1000000, got 0.",
    });
    expect(query.safeParse({ season: "0" }).success).toBe(false);
    expect(curveOptionsOf({})).toEqual({});
  });

  test("checking options refuses what a model would", () => {
    expect(() => checkCurveOptions({ season: { threshold: 0 } })).toThrow(CurveError);
    expect(() => checkCurveOptions({ smooth: { method: "whittaker", lambda: 1e7 } })).toThrow(
      "Expected 0.001 to 1000000",
    );
  });
});

test("a document has times as RFC 3339 has them, and nothing that was not asked for", () => {
  const season = { start: null, peak: 0, end: 1.4, peakValue: 2, base: 1, amplitude: 1 };
  const cited = { method: "threshold", reference: "", threshold: 0.5, prominence: 0.25 } as const;
  expect(curveDocument({ season: { ...cited, seasons: [{ ...season, reach: [0, 2] }] } })).toEqual({
    season: {
      ...cited,
      seasons: [{ ...season, peak: "1970-01-01T00:00:00.000Z", end: "1970-01-01T00:00:00.001Z" }],
    },
  });
  expect(curveDocument({})).toEqual({});
});
