import { expect, test } from "vitest";
import { chooseEncoding } from "../../src/answer/compress.ts";

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
