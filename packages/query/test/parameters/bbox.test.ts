import fc from "fast-check";
import { expect, test } from "vitest";
import { formatBbox, parseBbox } from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";

const body = { in: "body", pointer: "/bbox" } as const;

test.each([
  { text: "100.0,0.0,105.0,1.0", bbox: [100, 0, 105, 1] },
  { text: "100.0, 0.0, 105.0, 1.0", bbox: [100, 0, 105, 1] },
  { text: "100.0,0.0,0.0,105.0,1.0,1.0", bbox: [100, 0, 105, 1] },
  { text: "-180,-90,180,90", bbox: [-180, -90, 180, 90] },
  { text: "1e1,-2.5E-1,+11,.5", bbox: [10, -0.25, 11, 0.5] },
  { text: "9,47,9,47", bbox: [9, 47, 9, 47] },
  { text: "170,-45,-170,-40", bbox: [170, -45, -170, -40] },
  { text: "170,-45,190,-40", bbox: [170, -45, -170, -40] },
  { text: "-190,-45,-170,-40", bbox: [170, -45, -170, -40] },
  { text: "-200,0,200,1", bbox: [-180, 0, 180, 1] },
])("$text is the box $bbox, as text and as an array", { tags: ["S6", "S17"] }, ({ text, bbox }) => {
  expect(parseBbox(text)).toEqual(bbox);
  expect(parseBbox(text.split(",").map(Number), body)).toEqual(bbox);
});

test.each([
  "",
  "0",
  "0,0",
  "0,0,0",
  "0,0,0,1,1",
  "0,0,0,1,1,1,1",
  "0,0,0,0,0,0,0,0,0,0",
  "[100.0, 0.0, 105.0, 1.0]",
  "100,0,105,",
  "100,,105,1",
  "a,0,1,1",
  "NaN,0,1,1",
  "Infinity,0,1,1",
  "0x10,0,20,1",
  "1e999,0,1,1",
  "100.0, 1.0, 105.0, 0.0",
  "0,-91,1,1",
  "0,0,1,90.1",
  "0,0,5,1,1,4",
  "-361,0,1,1",
  "0,0,1e300,1",
])("the text %j is refused at bbox", { tags: ["S8", "S17"] }, (text) => {
  expect(queryErrorOf(() => parseBbox(text))).toMatchObject({ code: "invalid-parameter", pointer: "bbox" });
});

test.each([
  { input: "100.0, 0.0, 105.0, 1.0", pointer: "/bbox" },
  { input: [0], pointer: "/bbox" },
  { input: [0, 0, 0, 1, 1], pointer: "/bbox" },
  { input: [0, 0, 0, 1, 1, 1, 1], pointer: "/bbox" },
  { input: [0, 0, "1", 1], pointer: "/bbox/2" },
  { input: [0, null, 1, 1], pointer: "/bbox/1" },
  { input: [100, 1, 105, 0], pointer: "/bbox" },
  { input: { west: 0 }, pointer: "/bbox" },
  { input: null, pointer: "/bbox" },
])("the body value $input is refused at $pointer", { tags: ["S8"] }, ({ input, pointer }) => {
  expect(queryErrorOf(() => parseBbox(input, body))).toMatchObject({ code: "invalid-body", pointer });
});

test("a box in metres has any numbers, and its sides in order", () => {
  expect(parseBbox([380_600, 5_042_400, 380_700, 5_042_460], body, "planar")).toEqual([
    380_600, 5_042_400, 380_700, 5_042_460,
  ]);
  expect(parseBbox([-2e7, -1e7, 9, 2e7, 1e7, 5], body, "planar")).toEqual([-2e7, -1e7, 2e7, 1e7]);
  for (const input of [
    [5, 2, 1, 4],
    [1, 4, 5, 2],
    [1, 2, 3, 4, 5],
  ]) {
    const fault = queryErrorOf(() => parseBbox(input, body, "planar"));
    expect(fault).toMatchObject({ code: "invalid-body", pointer: "/bbox" });
  }
});

const longitude = fc.double({ min: -180, max: 180, noNaN: true });
const latitudes = fc
  .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true }))
  .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

test("a box survives being written and read", () => {
  fc.assert(
    fc.property(longitude, longitude, latitudes, (west, east, [south, north]) => {
      const bbox = [west + 0, south + 0, east + 0, north + 0] as const;
      expect(parseBbox(formatBbox(bbox))).toEqual(bbox.map((number) => Number(String(number))));
    }),
  );
});

test("any text is read or refused with a query error", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+0-9.,e ]{0,40}$/)), (text) => {
      try {
        const [west, south, east, north] = parseBbox(text);
        expect(south).toBeLessThanOrEqual(north);
        expect(Math.max(Math.abs(west), Math.abs(east))).toBeLessThanOrEqual(180);
      } catch (error) {
        expect(error).toMatchObject({ name: "QueryError", pointer: "bbox" });
      }
    }),
  );
});
