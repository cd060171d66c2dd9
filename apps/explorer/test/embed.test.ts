import { describe, expect, test } from "vitest";
import { readServiceAddress, serviceAddress } from "../src/api/service-address.ts";
import { quantityText, readCurve, spanOf, takeCurve } from "../src/embed/curve/curve-request.ts";
import { readPlace, readSwipe } from "../src/embed/swipe/swipe-request.ts";

type Given = Readonly<Record<string, string>>;
const attributesOf = (given: Given) => (name: string) => given[name] ?? null;

describe("the address of a service", () => {
  test.each([
    ["https://maps.example", "https://maps.example/"],
    ["https://maps.example/swath", "https://maps.example/swath/"],
    ["http://localhost:8080/", "http://localhost:8080/"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/"],
  ])("%s is %s", (text, href) => expect(readServiceAddress(text).href).toBe(href));

  test.each([
    "maps.example",
    "//maps.example/",
    "http://maps.example/",
    "http://localhost.example/",
    "http://127.0.0.1.example/",
    "https://user:pass@maps.example/",
    "https://maps.example/?a=b",
    "https://maps.example/#a",
    "javascript:alert(1)",
    "data:text/html,x",
  ])("%s is refused", (text) => expect(() => readServiceAddress(text)).toThrow(/is not taken/));

  test("a page that a service serves shows that one, a static one what its address or its build names", () => {
    const page = "https://pages.example/map/?api=https://maps.example/";
    expect(serviceAddress(page, undefined).href).toBe("https://pages.example/");
    expect(serviceAddress(page, "https://other.example/").href).toBe("https://maps.example/");
    expect(serviceAddress("https://pages.example/map/", "https://other.example/").href).toBe("https://other.example/");
    expect(() => serviceAddress("https://pages.example/map/", "")).toThrow(/add \?api=/);
  });
});

describe("a swipe", () => {
  const given: Given = {
    map: "https://maps.example/v1/m/TOKEN/",
    preset: "ndvi",
    left: "2023-05-06",
    right: "2023-05-10/2023-05-16",
  };

  test("is read from attributes", () => {
    expect(readSwipe(attributesOf(given))).toEqual({
      map: "https://maps.example/v1/m/TOKEN",
      preset: "ndvi",
      collection: undefined,
      left: { from: "2023-05-06", to: "2023-05-06" },
      right: { from: "2023-05-10", to: "2023-05-16" },
    });
  });

  test.each([
    ["map", "https://maps.example/"],
    ["map", "javascript:alert(1)//v1/m/TOKEN"],
    ["preset", "../../other"],
    ["left", ""],
    ["left", "2023-02-30"],
    ["right", "2023-05-16/2023-05-10"],
  ])("%s cannot be %s", (name, value) =>
    expect(() => readSwipe(attributesOf({ ...given, [name]: value }))).toThrow(new RegExp(`^${name}: expected`)),
  );

  test("has a place where attributes name one", () => {
    expect(readPlace(attributesOf({ center: "12.25, 45.75", zoom: "13" }))).toEqual({
      lon: 12.25,
      lat: 45.75,
      zoom: 13,
    });
    expect(readPlace(attributesOf({ zoom: "0" }))).toEqual({ zoom: 0 });
    expect(readPlace(attributesOf({}))).toEqual({});
    for (const center of ["", "12", "12,95", "181,0", "12,45,3", "a,b"])
      expect(() => readPlace(attributesOf({ center }))).toThrow(/^center: expected/);
    expect(() => readPlace(attributesOf({ zoom: "deep" }))).toThrow(/^zoom: expected a number from 0 to 22/);
  });
});

describe("a curve", () => {
  const page = "https://pages.example/a/";
  const asks: Given = {
    api: "https://maps.example",
    lon: "12.25",
    lat: "45.75",
    dates: "2023-05-01/2023-05-31",
    index: "ndvi",
  };
  const row = { datetime: "2023-05-06T10:00:00Z", value: 0.5, validFraction: 1, platform: null, collection: "a" };

  test("is a file, or what a service answers", () => {
    expect(readCurve(attributesOf({ src: "curve.json" }), page)).toEqual({ url: "https://pages.example/a/curve.json" });
    const { api, url, days } = readCurve(attributesOf(asks), page);
    expect([api, days]).toEqual(["https://maps.example/", { from: "2023-05-01", to: "2023-05-31" }]);
    expect([...new URL(url).searchParams.keys()]).toEqual(["lon", "lat", "datetime", "collections", "index"]);
    // a file gets no key, also where a service is named beside it
    expect(readCurve(attributesOf({ ...asks, src: "curve.json" }), page)).not.toHaveProperty("api");
  });

  test.each([
    ["api", "http://maps.example/", /is not taken/],
    ["lon", "181", /^lon: expected a number/],
    ["lat", "", /^lon, lat: expected degrees/],
    ["index", "", /^index: expected/],
    ["dates", "2023", /^dates: expected/],
    ["src", "javascript:alert(1)", /^src: expected/],
  ])("%s cannot be %s", (name, value, words) =>
    expect(() => readCurve(attributesOf({ ...asks, [name]: value }), page)).toThrow(words),
  );

  test("needs something that is asked for", () => {
    expect(() => readCurve(attributesOf({}), page)).toThrow(/^src: expected/);
  });

  test("takes answers of one place and one value alone", () => {
    const answer = takeCurve({ index: "ndvi", unit: "1", series: [row, { ...row, value: null }], undetectable: {} });
    expect([answer.attribution, spanOf(answer)]).toEqual([[], { from: "2023-05-06", to: "2023-05-06" }]);
    expect(quantityText(answer)).toBe("NDVI, no unit");
    expect(spanOf(takeCurve({ index: "ndvi", series: [] }))).toBeUndefined();
    const { value: _, ...several } = row;
    const others = [null, "text", [], {}, { series: {} }, { series: [1] }, { series: [several] }];
    for (const other of [...others, { series: [{ ...row, datetime: "yesterday" }] }])
      expect(() => takeCurve(other)).toThrow(/Expected an answer/);
  });
});
