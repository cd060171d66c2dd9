import { DEFAULT_LIMITS } from "@swath/accounts";
import { expect, test } from "vitest";
import { parseEnvironment } from "../../src/open/environment/environment.ts";

test("state is embedded and limits are those of the specification unless the environment says otherwise", {
  tags: ["M7"],
}, () => {
  const environment = parseEnvironment({});
  expect(environment).not.toHaveProperty("databaseUrl");
  expect(parseEnvironment({ SWATH_UPSTREAM_URL: "https://stac.example/v1" }).limits).toEqual(DEFAULT_LIMITS);
  expect(DEFAULT_LIMITS).toEqual({
    key: { perSecond: 50, burst: 100 },
    service: { perSecond: 100, burst: 200 },
    keyMonthly: 100_000,
  });
});

test("each limit has its variable", () => {
  const { limits } = parseEnvironment({
    SWATH_LIMIT_KEY_RPS: "0.5",
    SWATH_LIMIT_KEY_BURST: "2",
    SWATH_LIMIT_KEY_MONTHLY: "3",
    SWATH_LIMIT_SERVICE_RPS: "4",
    SWATH_LIMIT_SERVICE_BURST: "5",
  });
  expect(limits).toEqual({ key: { perSecond: 0.5, burst: 2 }, service: { perSecond: 4, burst: 5 }, keyMonthly: 3 });
});

test.each(["postgres://u:p@db.example/swath", "postgresql://db.example:6432/swath?sslmode=require"])(
  "%s names a database",
  (url) => {
    expect(parseEnvironment({ DATABASE_URL: url }).databaseUrl).toBe(url);
  },
);

test.each(["mysql://db.example/swath", "db.example", "sqlite:///x"])("%s is refused as a database", (url) => {
  expect(() => parseEnvironment({ DATABASE_URL: url })).toThrow(/^DATABASE_URL: /);
});

test("a refused address does not show its password", () => {
  expect(() => parseEnvironment({ DATABASE_URL: "mysql://root:hunter2@db.example/x" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test.each([
  "SWATH_LIMIT_KEY_RPS=0",
  "SWATH_LIMIT_KEY_BURST=0",
  "SWATH_LIMIT_KEY_MONTHLY=-1",
  "SWATH_LIMIT_SERVICE_RPS=x",
])("%s stops the start", (assignment) => {
  const [name = "", value] = assignment.split("=");
  expect(() => parseEnvironment({ [name]: value })).toThrow(name);
});
