import { expect, test } from "vitest";
import { ownedContext } from "../../../src/context.ts";
import { type Bounds, gridFromBounds, resolveCrs, tileGrid } from "../../../src/index.ts";
import { findPixelIndices } from "../../../src/warp/coordinates/pixel-indices.ts";
import { overlapRegion, pixelMap } from "../../../src/warp/coordinates/pixel-map.ts";
import { onWholeTarget } from "../../whole-target.ts";

const grid = (crs: string, bounds: Bounds, width: number, height: number) =>
  gridFromBounds(resolveCrs(crs), bounds, width, height);

const sources = {
  world: grid("EPSG:4326", [-180, -90, 180, 90], 3600, 1800),
  "world from 0 to 360": grid("EPSG:4326", [0, -90, 360, 90], 3600, 1800),
  arctic: grid("EPSG:3413", [-4e6, -4e6, 4e6, 4e6], 800, 800),
  antarctic: grid("EPSG:3031", [-3e6, -3e6, 3e6, 3e6], 600, 600),
  "zone 60": grid("EPSG:32660", [0, 0, 1e6, 9e6], 500, 4500),
  europe: grid("EPSG:3035", [2e6, 1e6, 7e6, 6e6], 500, 500),
  "equal area": grid("EPSG:6933", [-17e6, -7e6, 17e6, 7e6], 3400, 1400),
};
const targets = {
  "the Mercator world": tileGrid("WebMercatorQuad", 0, 0, 0, 128),
  "a tile at 180°": tileGrid("WebMercatorQuad", 2, 3, 1, 128),
  "a tile at the pole": tileGrid("WorldCRS84Quad", 3, 15, 0, 128),
  arctic: grid("EPSG:3413", [-4e6, -4e6, 4e6, 4e6], 128, 128),
  "zone 60": grid("EPSG:32660", [1e5, 1e6, 9e5, 8e6], 100, 150),
  europe: grid("EPSG:3035", [0, 0, 7e6, 7e6], 128, 128),
};

test.each(Object.keys(sources) as (keyof typeof sources)[])("%s is found exactly, however large the area", (name) => {
  const source = sources[name];
  for (const target of Object.values(targets)) {
    const region = overlapRegion(source, target);
    const found = findPixelIndices(ownedContext(undefined), source, target, region, false, undefined);
    const { cols, rows, minCol, maxCol } = onWholeTarget(found, region, target);
    const map = pixelMap(source, target);
    const point = { x: 0, y: 0 };
    let wrong = 0;
    for (let k = 0; k < cols.length; k++) {
      point.x = (k % target.width) + 0.5;
      point.y = Math.floor(k / target.width) + 0.5;
      map(point);
      const col = Math.floor(point.x + 1e-10);
      const row = Math.floor(point.y + 1e-10);
      const inside = col >= 0 && col < source.width && row >= 0 && row < source.height;
      if (inside ? cols[k] !== col || rows[k] !== row || col < minCol || col > maxCol : cols[k] !== -1) wrong += 1;
    }
    expect(wrong).toBe(0);
  }
});
