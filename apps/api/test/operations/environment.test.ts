import { expect, test } from "vitest";
import { EnvironmentError, parseEnvironment } from "../../src/open/environment/environment.ts";

test("an empty environment gives the defaults", () => {
  const environment = parseEnvironment({});
  expect(environment).toMatchObject({ port: 8080, host: "127.0.0.1", apiKeys: [], profile: "full" });
  expect(environment).not.toHaveProperty("upstreamUrl");
});

test("lists are split at commas and trimmed", () => {
  expect(parseEnvironment({ SWATH_API_KEYS: " a, b ,,c" }).apiKeys).toEqual(["a", "b", "c"]);
});

test.each([
  { name: "PORT", value: "eighty" },
  { name: "PORT", value: "70000" },
  { name: "SWATH_UPSTREAM_URL", value: "ftp://example.org" },
  { name: "SWATH_WORKERS", value: "-1" },
  { name: "SWATH_PROFILE", value: "fat" },
  { name: "SWATH_LOG_LEVEL", value: "loud" },
])("$name=$value stops the start with one line that names it", ({ name, value }) => {
  const attempt = (): unknown => parseEnvironment({ [name]: value });
  expect(attempt).toThrow(EnvironmentError);
  expect(attempt).toThrow(new RegExp(`^${name}="${value}": [^\n]+$`));
});

test("the line says what is expected in the service's own words", () => {
  const messages = { SWATH_WORKERS: "two", PORT: "70000", SWATH_ACCOUNTS: "maybe", SWATH_TRUST_PROXY: "1.5" };
  expect(() => parseEnvironment(messages)).toThrow(
    'PORT="70000": Expected at most 65535, got 70000; SWATH_ACCOUNTS="maybe": Expected one of "on", "off"; got "maybe"; SWATH_TRUST_PROXY="1.5": Expected a whole number, got 1.5',
  );
});

test("half a pair of credentials is refused", () => {
  expect(() => parseEnvironment({ AWS_ACCESS_KEY_ID: "id" })).toThrow("AWS_SECRET_ACCESS_KEY");
});

test("the names of the legacy hosts are read, and must be names", () => {
  const variables = { SWATH_LEGACY_STAC_HOST: "stac.old.example", SWATH_LEGACY_TILES_HOST: "tiles.old.example:8443" };
  expect(parseEnvironment(variables).legacyHosts).toEqual({
    stac: "stac.old.example",
    tiles: "tiles.old.example:8443",
  });
  expect(parseEnvironment({}).legacyHosts).toEqual({});
  expect(() => parseEnvironment({ SWATH_LEGACY_STAC_HOST: "https://stac.old.example" })).toThrow(
    /^SWATH_LEGACY_STAC_HOST="https/,
  );
});

test("the embedded archive has limits that let an API be tested as a whole; an upstream has those of the contract", () => {
  expect(parseEnvironment({}).limits.key).toEqual({ perSecond: 1000, burst: 2000 });
  const upstream = { SWATH_UPSTREAM_URL: "https://stac.example/v1" };
  expect(parseEnvironment(upstream).limits).toEqual({
    key: { perSecond: 50, burst: 100 },
    service: { perSecond: 100, burst: 200 },
    keyMonthly: 100_000,
  });
  expect(parseEnvironment({ SWATH_LIMIT_KEY_RPS: "5" }).limits.key).toEqual({ perSecond: 5, burst: 2000 });
});

test("a base map is the address of a style or of tiles, with further origins, and a credit", () => {
  const style = {
    SWATH_BASEMAP: "https://maps.example/style.json?key=a, https://tiles.example, https://maps.example/",
  };
  expect(parseEnvironment(style).baseMap).toEqual({
    url: "https://maps.example/style.json?key=a",
    origins: ["https://maps.example", "https://tiles.example"],
  });
  const tiles = { SWATH_BASEMAP: "https://maps.example/{z}/{x}/{y}.png", SWATH_BASEMAP_CREDIT: "© Maps" };
  expect(parseEnvironment(tiles).baseMap).toEqual({
    url: "https://maps.example/{z}/{x}/{y}.png",
    origins: ["https://maps.example"],
    credit: "© Maps",
  });
  expect(parseEnvironment({ SWATH_BASEMAP: "http://127.0.0.1:8000/style.json" }).baseMap?.origins).toEqual([
    "http://127.0.0.1:8000",
  ]);
  expect(parseEnvironment({})).not.toHaveProperty("baseMap");
});

test.each([
  "http://maps.example/style.json",
  "maps.example/style.json",
  "file:///style.json",
  "https://user:password@maps.example/style.json",
  "https://maps.example;script-src/style.json",
  "https://*.example/style.json",
  "https://maps.example/{z}/{x}.png",
  "https://maps.example/style.json,tiles.example",
  "https://maps.example/style.json,https://tiles.example/fonts",
  "https://maps.example/style.json,https://*.example",
  "https://maps.example/style.json,http://tiles.example",
  "https://maps.example/style.json,'unsafe-inline'",
])("the base map %s stops the start with one line that names the variable", (SWATH_BASEMAP) => {
  expect(() => parseEnvironment({ SWATH_BASEMAP })).toThrow(/^SWATH_BASEMAP=[^\n]+: Expected [^\n]+$/);
});

test("raster tiles need a credit, and a credit a base map", () => {
  const tiles = { SWATH_BASEMAP: "https://maps.example/{z}/{x}/{y}.png" };
  expect(() => parseEnvironment(tiles)).toThrow(/^SWATH_BASEMAP needs SWATH_BASEMAP_CREDIT: /);
  expect(() => parseEnvironment({ SWATH_BASEMAP_CREDIT: "© Maps" })).toThrow(/^SWATH_BASEMAP_CREDIT needs /);
});
