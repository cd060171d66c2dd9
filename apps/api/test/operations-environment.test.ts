import { expect, test } from "vitest";
import { parseEnvironment } from "../src/environment.ts";

const CREDENTIALS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };

test("one process does everything, keeps results beside its data and spends without bound unless configured", () => {
  const environment = parseEnvironment({});
  expect(environment).toMatchObject({ role: "all", results: { isPublic: false }, spending: {} });
  expect(environment.results).not.toHaveProperty("url");
  expect(environment.spending).toEqual({});
  expect(environment).not.toHaveProperty("metrics");
});

test.each(["file:///srv/results", "s3://results", "s3://results.example/a/prefix/"])("%s takes results", (url) => {
  expect(parseEnvironment({ SWATH_RESULTS_URL: url, ...CREDENTIALS }).results.url).toBe(url);
});

test("spending is bounded in requests and in gigabytes of 10⁹ bytes", () => {
  const variables = { SWATH_SPENDING_MAX_REQUESTS: "1000", SWATH_SPENDING_MAX_GB: "1.5" };
  expect(parseEnvironment(variables).spending).toEqual({ maxRequests: 1000, maxBytes: 1_500_000_000 });
});

test("metrics are for this machine alone unless an address is named", () => {
  expect(parseEnvironment({ SWATH_METRICS_PORT: "9100" }).metrics).toEqual({ host: "127.0.0.1", port: 9100 });
  expect(parseEnvironment({ SWATH_METRICS_PORT: "9100", SWATH_METRICS_HOST: "0.0.0.0" }).metrics?.host).toBe("0.0.0.0");
});

test.each([
  ["SWATH_ROLE", "boss"],
  ["SWATH_RESULTS_URL", "file:results"],
  ["SWATH_RESULTS_URL", "https://example.org/results"],
  ["SWATH_RESULTS_URL", "s3://A_bucket"],
  ["SWATH_RESULTS_PUBLIC", "yes"],
  ["SWATH_SPENDING_MAX_GB", "0"],
  ["SWATH_SPENDING_MAX_REQUESTS", "1.5"],
  ["SWATH_METRICS_PORT", "0"],
  ["SWATH_UPSTREAMS", "pc"],
  ["SWATH_UPSTREAMS", "pc=ftp://pc.example"],
  ["SWATH_UPSTREAMS", "PC=https://pc.example"],
  ["SWATH_UPSTREAMS", "default=https://pc.example"],
  ["SWATH_UPSTREAMS", "pc=https://a.example,pc=https://b.example"],
])("%s=%s stops the start with a line that names it", (name, value) => {
  expect(() => parseEnvironment({ [name]: value })).toThrow(new RegExp(`^${name}="`));
});

test("further upstreams are read by name", () => {
  const upstreams = { pc: "https://pc.example/stac/v1", usgs: "https://usgs.example" };
  const variable = "pc=https://pc.example/stac/v1/, usgs=https://usgs.example";
  expect(parseEnvironment({ SWATH_UPSTREAMS: variable }).upstreams).toEqual(upstreams);
  expect(parseEnvironment({}).upstreams).toEqual({});
});

test("a bucket for results needs credentials", () => {
  expect(() => parseEnvironment({ SWATH_RESULTS_URL: "s3://results" })).toThrow(/^SWATH_RESULTS_URL names a bucket/);
});
