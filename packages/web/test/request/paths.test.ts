import { expect, test } from "vitest";
import { PathTable } from "../../src/request/paths.ts";

test("a path template gives its values back, endings apart", () => {
  const table = new PathTable();
  const tiles = table.add("/v1/tiles/{z}/{x}/{y}.{format}", ["GET", "HEAD"]);
  expect(tiles.read("/v1/tiles/1/2/3.png")).toEqual({ z: "1", x: "2", y: "3", format: "png" });
  expect(tiles.read("/v1/tiles/1/2/3.5.png")).toMatchObject({ y: "3.5", format: "png" });
  expect(() => tiles.read("/v1/tiles/1/2/3")).toThrow("Nothing is served");
});

test("an unknown path takes no method and a known one says which it takes", () => {
  const table = new PathTable();
  table.add("/v1/search", ["GET", "HEAD"]);
  table.add("/v1/search", ["POST"]);
  expect(table.methods("/v1/search/")).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
  expect(table.methods("/v1/nothing")).toEqual([]);
});
