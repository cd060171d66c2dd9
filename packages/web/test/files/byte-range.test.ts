import { expect, test } from "vitest";
import { parseRange } from "../../src/files/byte-range.ts";

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
