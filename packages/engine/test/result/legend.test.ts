import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES, isVirtualFile } from "@swath/schema/files";
import type { Recipe } from "@swath/schema/presets";
import { expect, test } from "vitest";
import { readTileSet } from "../../src/chain/images/tile-set.ts";
import { legendOf } from "../../src/result/legend.ts";

/** The legend of a preset of a built-in collection whose file has other recipes. */
function legend(collection: string, preset: string, recipe?: Recipe) {
  const files = BUILT_IN_FILES.filter((file) => !isVirtualFile(file) && file.id === collection);
  const own = files.map((file) => ({ ...file, recipes: recipe === undefined ? file.recipes : { [preset]: recipe } }));
  const request = {
    where: { tileMatrixSet: "WebMercatorQuad" },
    when: { collections: [collection] },
    what: { preset },
  };
  return legendOf(readTileSet(createRegistry(own), request, new Date(0)));
}

test("the range of a legend is that of the recipe which draws", () => {
  const own = { assets: ["data"], rescale: [0, 1000], colormap: "terrain" };
  expect(legend("dem", "elevation", own)).toMatchObject({ range: [0, 1000], unit: "m" });
  expect(legend("dem", "elevation")).toMatchObject({ range: [0, 3000], unit: "m" });
});

test("the range of a recipe of stored numbers is written in the unit of the band", () => {
  expect(legend("landsat-ot-l2", "thermal")).toMatchObject({ range: [270, 320], unit: "K" });
  const own = { assets: ["lwir11"], rescale: [38_327, 44_178] };
  expect(legend("landsat-ot-l2", "thermal", own)).toMatchObject({ range: [280, 300], unit: "K" });
  expect(legend("sentinel-2-l2a", "ndvi")).toMatchObject({ range: [-0.2, 0.8] });
});
