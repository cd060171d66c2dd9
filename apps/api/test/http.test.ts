import { expect, test } from "vitest";
import { parseRange } from "../../../packages/web/src/answer/byte-range.ts";
import { chooseEncoding } from "../../../packages/web/src/answer/compress.ts";
import { matchesEtag } from "../../../packages/web/src/answer/conditional.ts";
import { PathTable } from "../../../packages/web/src/request/paths.ts";

test.each([
  { header: undefined, expected: undefined },
  { header: "gzip, deflate, br", expected: "br" },
  { header: "gzip;q=1.0, br;q=0.5", expected: "gzip" },
  { header: "br;q=0, gzip", expected: "gzip" },
  { header: "*", expected: "br" },
  { header: "identity", expected: undefined },
  { header: "gzip;q=0", expected: undefined },
])("Accept-Encoding $header chooses $expected", ({ header, expected }) => {
  expect(chooseEncoding(header)).toBe(expected);
});

test.each([
  { header: undefined, expected: false },
  { header: '"r1-aa"', expected: true },
  { header: 'W/"r1-aa"', expected: true },
  { header: '"x", "r1-aa"', expected: true },
  { header: "*", expected: true },
  { header: '"r1-ab"', expected: false },
])("If-None-Match $header matches: $expected", { tags: ["H6"] }, ({ header, expected }) => {
  expect(matchesEtag(header, '"r1-aa"')).toBe(expected);
});

test.each([
  { header: undefined, expected: undefined },
  { header: "bytes=0-0", expected: { start: 0, end: 0 } },
  { header: "bytes=2-", expected: { start: 2, end: 9 } },
  { header: "bytes=-3", expected: { start: 7, end: 9 } },
  { header: "bytes=-30", expected: { start: 0, end: 9 } },
  { header: "bytes=4-99", expected: { start: 4, end: 9 } },
  { header: "bytes=10-", expected: "unsatisfiable" },
  { header: "bytes=-0", expected: "unsatisfiable" },
  { header: "bytes=5-3", expected: undefined },
  { header: "bytes=0-1,3-4", expected: undefined },
  { header: "pages=1-2", expected: undefined },
])("Range $header of ten bytes is $expected", ({ header, expected }) => {
  expect(parseRange(header, 10)).toEqual(expected);
});

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
