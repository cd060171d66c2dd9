import { expect, test } from "vitest";
import { headerList } from "../../src/answer/header-list.ts";
import { chooseMediaType } from "../../src/answer/media-choice.ts";

test.each([
  { names: [], expected: undefined },
  { names: ["a", "b", "a"], expected: "a,b" },
  { names: ["a", "b", "c", "d"], expected: "a,b,+2 more" },
  { names: ["a,b", "ü", "\uD800\r\n"], expected: "a%2Cb,%C3%BC,+1 more" },
])("names $names are the header $expected", ({ names, expected }) => {
  expect(headerList(names, 2)).toBe(expected);
});

test.each([
  { accept: undefined, expected: undefined },
  { accept: "*/*", expected: undefined },
  { accept: "text/csv", expected: "text/csv" },
  { accept: "text/*;q=0.5, application/json;q=0.4", expected: "text/csv" },
  { accept: "application/json, text/csv;q=0.9", expected: "application/json" },
  { accept: "text/csv;q=0", expected: undefined },
])("Accept $accept chooses $expected", ({ accept, expected }) => {
  expect(chooseMediaType(accept, ["application/json", "text/csv"])).toBe(expected);
});
