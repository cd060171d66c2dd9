import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  type Bbox,
  bboxGeometry,
  bboxShape,
  footprintShape,
  type Geometry,
  geometriesIntersect,
  shapeBbox,
  shapesIntersect,
  toShape,
} from "../src/index.ts";

const judged = JSON.parse(readFileSync(new URL("./fixtures/relations.json", import.meta.url), "utf8")) as {
  near: [Geometry, Geometry, boolean][];
  across: { continuous: Geometry; jumping: Geometry; cut: Geometry; bbox: Bbox; intersects: boolean }[];
};

test("agrees with GEOS on 300 pairs that touch or miss each other by the last bits", () => {
  for (const [a, b, intersects] of judged.near) {
    expect({ a, b, intersects: geometriesIntersect(a, b) }).toEqual({ a, b, intersects });
    expect(geometriesIntersect(b, a)).toBe(intersects);
  }
});

test("agrees with GEOS on 200 footprints about 180 degrees, whether continuous, jumping or cut", () => {
  for (const row of judged.across) {
    for (const form of ["continuous", "jumping", "cut"] as const) {
      const shape = footprintShape(row[form]);
      const found = [bboxShape(row.bbox), toShape(bboxGeometry(row.bbox))].map((box) => shapesIntersect(shape, box));
      expect({ form, row, found }).toEqual({ form, row, found: [row.intersects, row.intersects] });
    }
    expect(shapeBbox(footprintShape(row.jumping))).toEqual(shapeBbox(footprintShape(row.cut)));
    expect(shapeBbox(footprintShape(row.continuous))).toEqual(shapeBbox(footprintShape(row.cut)));
  }
});
