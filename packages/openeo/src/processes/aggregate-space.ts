import { checkedCells, cubeOf, type Dimension } from "../cube/cube.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import type { Value } from "../interpreter/values.ts";
import { DEGREES, geometriesOf } from "./geometries.ts";

/** One number for each geometry and combination of labels, of the pixels whose centres are in the geometry. */
export function aggregateSpatial(given: Arguments, compilation: Compilation): Value {
  const data = given.rasterCube("data");
  const geometries = geometriesOf(given, "geometries", compilation);
  const reducer = given.callback("reducer");
  const context = given.value("context");
  for (const { type } of geometries) {
    if (type === "Point" || type === "Polygon" || type === "MultiPolygon") continue;
    throw given.invalid("geometries", "Points, Polygons and MultiPolygons", type);
  }
  checkedCells(data.cells.length * geometries.length);
  const { grid } = data;
  if (grid.extents.length === 0) {
    compilation.loads.need(
      grid.loads,
      geometries.map((geometry) => ({ geometry, crs: DEGREES })),
    );
  }
  const first = compilation.areas.length;
  compilation.areas.push(...geometries.map((geometry) => ({ geometry, grid })));
  const cells = data.cells.flatMap((of) =>
    geometries.map((_, i) => {
      const values = { kind: "pixels" as const, of, area: first + i };
      return given.scalar("reducer", compilation.call(reducer, { data: values, context }));
    }),
  );
  const dimension: Dimension = { name: "geometry", type: "geometry", labels: geometries.map((_, i) => i) };
  return cubeOf([...data.dimensions, dimension], cells, { bands: data.bands });
}
