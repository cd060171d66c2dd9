import { expect, test } from "vitest";
import { withoutBand } from "../../src/folder/bands-in-paths.ts";

test.each([
  ["scene/B04.tif", "scene/{band}.tif"],
  ["S2A_29RKH_20200219/B8A.tif", "S2A_29RKH_20200219/{band}.tif"],
  ["T33TUL_20240704_B08_10m.jp2", "T33TUL_20240704_{band}_10m.jp2"],
  ["LC08_001062_20201031_02_T2_SR_B5.TIF", "LC08_001062_20201031_02_T2_{band}.TIF"],
  ["2024-05-01/nir.tif", "2024-05-01/{band}.tif"],
  ["2024-05-01/vv.tif", "2024-05-01/{band}.tif"],
  ["plot band_3.tif", "plot {band}.tif"],
])("%s names a band", (path, rest) => {
  expect(withoutBand(path)).toBe(rest);
});

test.each(["dem_2019.tif", "redwood/2024-05-01.tif", "tile_B123.tif", "hv2/2024.tif"])("%s names no band", (path) => {
  expect(withoutBand(path)).toBeUndefined();
});
