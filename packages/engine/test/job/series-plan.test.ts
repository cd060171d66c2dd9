import { resolveCrs, transformBounds } from "@swath/raster";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import { expect, test } from "vitest";
import { readTimeseries } from "../../src/job/series-plan.ts";
import type { AreaWhere } from "../../src/request.ts";

const registry = createRegistry(BUILT_IN_FILES);
const placeOf = (where: Omit<AreaWhere, "kind">) =>
  readTimeseries(
    {
      where: { kind: "area", ...where },
      when: { time: "2024-01-01/2024-12-31" },
      what: { index: "ndvi" },
      into: { kind: "overpasses" },
    },
    registry,
    new Date("2025-01-01"),
  ).place;

test("the curve of a box, and of one in metres, is that of its polygon in degrees", () => {
  const bbox = [13.2, 45.45, 13.21, 45.46] as const;
  const corners = [
    [13.2, 45.45],
    [13.21, 45.45],
    [13.21, 45.46],
    [13.2, 45.46],
    [13.2, 45.45],
  ];
  const polygon = placeOf({ geometry: { type: "Polygon", coordinates: [corners] } });
  const box = placeOf({ bbox });
  expect(box.area?.bounds).toEqual(polygon.area?.bounds);
  expect(box.bbox).toEqual(polygon.bbox);
  const mercator = transformBounds(bbox, resolveCrs("EPSG:4326"), resolveCrs("EPSG:3857"));
  const inMetres = placeOf({ bbox: mercator, crs: "EPSG:3857" });
  for (const [i, side] of bbox.entries()) expect(inMetres.bbox[i]).toBeCloseTo(side, 9);
  expect(inMetres.area?.crs.name).toBe("EPSG:4326");
});

test.each<[string, Omit<AreaWhere, "kind">, string, (string | number)[]]>([
  ["more than 25 km²", { bbox: [13, 45, 13.1, 45.1] }, "area-too-large", ["where", "geometry"]],
  [
    "a line",
    {
      geometry: {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    },
    "invalid",
    ["where", "geometry", "type"],
  ],
  ["nothing", {}, "invalid", ["where", "geometry"]],
  ["both", { bbox: [1, 2, 3, 4], geometry: { type: "Point", coordinates: [1, 2] } }, "invalid", ["where"]],
])("a curve of %s is refused where it stands", (_, where, code, path) => {
  expect(() => placeOf(where)).toThrow(expect.objectContaining({ name: "Refusal", code, path }) as Error);
});
