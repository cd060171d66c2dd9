import { expect, test } from "vitest";
import { findTimeIn } from "../../src/folder/dates-in-paths.ts";

test.each([
  ["fields/17.05.2024.tif", "2024-05-17T00:00:00Z"],
  ["maps/1850-01-01.tif", "1850-01-01T00:00:00Z"],
  ["scan_2024_05_17_112108.tif", "2024-05-17T11:21:08Z"],
  ["2019/S2A_20200219.tif", "2020-02-19T00:00:00Z"],
  ["dem_20190704T101112.tif", "2019-07-04T10:11:12Z"],
])("%s has the date %s", (path, datetime) => {
  expect(findTimeIn(path)).toEqual({ datetime });
});

test.each([
  ["dem_2019.tif", "2019-01-01T00:00:00Z", "2019-12-31T23:59:59Z"],
  ["2018/tile_0007.tif", "2018-01-01T00:00:00Z", "2018-12-31T23:59:59Z"],
  ["normals_1991-2020.tif", "1991-01-01T00:00:00Z", "2020-12-31T23:59:59Z"],
  ["ndvi-2024-02.tif", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59Z"],
  ["swissalti3d_2019_2617-1091_0.5_2056.tif", "2019-01-01T00:00:00Z", "2019-12-31T23:59:59Z"],
])("%s is of a stretch of time", (path, start, end) => {
  expect(findTimeIn(path, 2056)).toEqual({ interval: [start, end] });
});

test.each([
  "dem_epsg2056.tif",
  "dem_EPSG_2056.tif",
  "dem_2056.tif",
  "tile_1950_2000.tif",
  "b2019x.tif",
  "0.2019.tif",
  "17.13.2024x.tif",
])("%s has no date", (path) => {
  expect(findTimeIn(path, 2056)).toBeUndefined();
});
