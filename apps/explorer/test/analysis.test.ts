import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boxOf } from "../src/analysis/places/overlay.ts";
import { placeOf, sizeText } from "../src/analysis/places/places.ts";
import { undetectableText } from "../src/analysis/results/result-words.ts";
import { stepsOf } from "../src/charts/bars.ts";
import { areaOfShape } from "../src/draw/shapes.ts";
import { markAfterKey } from "../src/series/curves.ts";
import { analysisFields, parseAnalysis, SPANS } from "../src/view/analysis-view.ts";

describe("the address of an analysis", () => {
  const parse = (text: string) => parseAnalysis(new URLSearchParams(text));

  test("comes back as it was written", () => {
    const measure = fc.oneof(
      fc.constantFrom("ndvi", "band:swir16"),
      fc.string({ minLength: 1, maxLength: 80 }).map((text) => `=${text}`),
    );
    const degrees = (limit: number) => fc.integer({ min: -limit * 1e5, max: limit * 1e5 }).map((value) => value / 1e5);
    const view = fc.record(
      {
        point: fc.tuple(degrees(180), degrees(90)),
        measure,
        sensors: fc.constantFrom("optical-sr", "sentinel-1-rtc"),
        span: fc.constantFrom(...SPANS),
        numbers: fc.constant("statistics" as const),
        clouds: fc.constant("kept" as const),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(view, (given) => {
        const fields = analysisFields(given).filter((field): field is [string, string] => field[1] !== undefined);
        const read = parseAnalysis(new URLSearchParams(fields));
        expect({ ...read, point: read.point?.map((value) => value + 0) }).toEqual({
          ...given,
          point: given.point?.map((value) => value + 0),
        });
      }),
    );
  });

  test.each(["point=200,45", "point=13", "point=,45", "span=P3Y", "sensors=a b", "measure=A%20b", "numbers=series"])(
    "ignores %s",
    (text) => {
      expect(parse(text)).toEqual({});
    },
  );
});

describe("a place", () => {
  const box = { kind: "box", bbox: [13, 45, 13.01, 45.01] } as const;

  test("is the point, else the area of the view", () => {
    expect(placeOf([13.5, 45.25], box)).toMatchObject({
      name: "45.2500° N, 13.5000° E",
      geometry: { type: "Point", coordinates: [13.5, 45.25] },
    });
    const area = placeOf(undefined, box);
    expect(area).toMatchObject({ name: "The box", geometry: { type: "Polygon" } });
    // by GeographicLib's Planimeter: 876,163.4 m²
    expect(area?.areaKm2).toBeCloseTo(0.8762, 3);
    expect(area === undefined ? "" : sizeText(area)).toBe("87.6 ha");
    expect(placeOf(undefined, undefined)).toBeUndefined();
  });

  test("of a file has a box with all others", () => {
    const point = { id: "1", name: "a", geometry: { type: "Point", coordinates: [12, 46] }, areaKm2: 0 } as const;
    const area = placeOf(undefined, box);
    expect(boxOf(area === undefined ? [] : [point, area])).toEqual([12, 45, 13.01, 46]);
    expect(boxOf([])).toBeUndefined();
  });
});

test.each([
  {
    kind: "box",
    corners: [
      [2, 1],
      [0, 3],
    ],
    area: { kind: "box", bbox: [0, 1, 2, 3] },
  },
  {
    kind: "box",
    corners: [
      [2, 1],
      [2, 3],
    ],
    area: undefined,
  },
  {
    kind: "polygon",
    corners: [
      [0, 0],
      [1, 0],
      [0, 1],
    ],
    area: {
      kind: "polygon",
      corners: [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
    },
  },
] as const)("a $kind by $corners is the area $area", ({ kind, corners, area }) => {
  expect(areaOfShape(kind, corners)).toEqual(area);
});

test("classes that masks do not know are told once, with the sensors", () => {
  expect(
    undetectableText([
      { undetectable: { hls: ["cirrus"], "landsat-etm-l2": ["cirrus", "saturated_defective"] } },
      { undetectable: { hls: ["cirrus"] } },
    ]),
  ).toBe(
    "Not left out, since masks do not mark it: cirrus (hls, landsat-etm-l2); saturated defective (landsat-etm-l2).",
  );
  expect(undetectableText([{ undetectable: {} }])).toBe("");
});

test("a histogram has a step for each bin, and ends with its last edge", () => {
  const bars = [
    { lowEdge: 0, highEdge: 0.5, count: 3 },
    { lowEdge: 0.5, highEdge: 1, count: 7 },
  ];
  expect(stepsOf(bars)).toEqual([
    [0, 0.5, 1],
    [3, 7, 7],
  ]);
  expect(stepsOf([])).toEqual([[], []]);
});

test.each([
  ["Home", 3, 0],
  ["End", undefined, 4],
  ["ArrowRight", undefined, 0],
  ["ArrowRight", 4, 4],
  ["ArrowLeft", undefined, 4],
  ["ArrowLeft", 1, 0],
  ["Tab", 1, undefined],
])("on a curve of five marks %s goes from %s to %s", (key, at, next) => {
  expect(markAfterKey(key, at, 5)).toBe(next);
  expect(markAfterKey(key, undefined, 0)).toBeUndefined();
});
