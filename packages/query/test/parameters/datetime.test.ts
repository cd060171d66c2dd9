import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costRatio } from "../../../../test/tools/cost.ts";
import {
  compareInstants,
  findInstant,
  formatDatetime,
  formatInstant,
  type Instant,
  matchesInterval,
  parseDatetime,
} from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";

/** The date-times that stac-api-validator sends and wants accepted. */
const VALID = [
  "1985-04-12T23:20:50.52Z",
  "1996-12-19T16:39:57-00:00",
  "1996-12-19T16:39:57+00:00",
  "1996-12-19T16:39:57-08:00",
  "1996-12-19T16:39:57+08:00",
  "../1985-04-12T23:20:50.52Z",
  "1985-04-12T23:20:50.52Z/..",
  "/1985-04-12T23:20:50.52Z",
  "1985-04-12T23:20:50.52Z/",
  "1985-04-12T23:20:50.52Z/1986-04-12T23:20:50.52Z",
  "1985-04-12T23:20:50.52+01:00/1986-04-12T23:20:50.52+01:00",
  "1985-04-12T23:20:50.52-01:00/1986-04-12T23:20:50.52-01:00",
  "1937-01-01T12:00:27.87+01:00",
  "1937-01-01T12:00:27.8710+01:00",
  "1937-01-01T12:00:27.8+01:00",
  "1937-01-01T12:00:27.8Z",
  "2020-07-23T00:00:00.000+03:00",
  "2020-07-23T00:00:00+03:00",
  "1985-04-12t23:20:50.000z",
  "2020-07-23T00:00:00Z",
  "2020-07-23T00:00:00.0Z",
  "2020-07-23T00:00:00.01Z",
  "2020-07-23T00:00:00.012Z",
  "2020-07-23T00:00:00.0123Z",
  "2020-07-23T00:00:00.01234Z",
  "2020-07-23T00:00:00.012345Z",
  "2020-07-23T00:00:00.0123456Z",
  "2020-07-23T00:00:00.01234567Z",
  "2020-07-23T00:00:00.012345678Z",
];
/** Values that it wants refused (except `1985-04-12`, which our specification allows), and more of their kind. */
const INVALID = [
  "/",
  "../..",
  "/..",
  "../",
  "..",
  "",
  "/1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z",
  "1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z/",
  "/1984-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z/",
  "1937-01-01T12:00:27.87+0100",
  "37-01-01T12:00:27.87Z",
  "1985-12-12T23:20:50.52",
  "21985-12-12T23:20:50.52Z",
  "1985-13-12T23:20:50.52Z",
  "1985-12-32T23:20:50.52Z",
  "1985-12-01T25:20:50.52Z",
  "1985-12-01T00:60:50.52Z",
  "1985-12-01T00:06:61.52Z",
  "1985-04-12T23:20:50.Z",
  "1985-04-12T23:20:50,Z",
  "1990-12-31T23:59:61Z",
  "1986-04-12T23:20:50.52Z/1985-04-12T23:20:50.52Z",
  "1985-04-12T23:20:50,52Z",
  "1985-00-01",
  "1985-02-29",
  "1900-02-29",
  "1985-4-1",
  "1985-04",
  "1985",
  "1985-102",
  "19850412T232050Z",
  "1985-04-12T24:00:00Z",
  "1985-04-12T23:20Z",
  "1985-04-12 23:20:50Z",
  "1985-04-12T23:20:50.1234567890Z",
  "1985-04-12T23:20:50+24:00",
  "1985-04-12T23:20:50+00:60",
  "1985-04-12T23:59:60Z",
  "1990-12-31T12:59:60Z",
  "1985-04-12/1985-04-11",
  "1985-04-12/1985-04-11T23:59:59Z",
  "P1D/1985-04-12",
  "0000-01-01T00:00:00+00:01",
  "9999-12-31T23:59:59-00:01",
  "٢٠٢٠-07-23T00:00:00Z",
  "2020-07-23T00:00:00Z\n",
  " 2020-07-23",
  "now",
];

test.each(VALID)("%s is read, and again from its own text form", { tags: ["S12", "S17"] }, (text) => {
  const interval = parseDatetime(text);
  expect(parseDatetime(formatDatetime(interval))).toEqual(interval);
  expect(parseDatetime(text, { in: "body", pointer: "/datetime" })).toEqual(interval);
});

test.each(INVALID)("%j is refused at datetime", { tags: ["S14", "S17"] }, (text) => {
  expect(queryErrorOf(() => parseDatetime(text))).toMatchObject({ code: "invalid-parameter", pointer: "datetime" });
  const inBody = queryErrorOf(() => parseDatetime(text, { in: "body", pointer: "/datetime" }));
  expect(inBody).toMatchObject({ code: "invalid-body", pointer: "/datetime" });
});

test.each([null, 5, ["2020-07-23"], {}])("the body value %j is refused", (input) => {
  expect(queryErrorOf(() => parseDatetime(input, { in: "body", pointer: "/datetime" })).code).toBe("invalid-body");
});

test.each([
  { text: "1985-04-12", form: "1985-04-12T00:00:00Z/1985-04-12T23:59:59.999999999Z" },
  { text: "2024-02-29/2024-03-01", form: "2024-02-29T00:00:00Z/2024-03-01T23:59:59.999999999Z" },
  { text: "1985-04-12/..", form: "1985-04-12T00:00:00Z/.." },
  { text: "../1985-04-12", form: "../1985-04-12T23:59:59.999999999Z" },
  { text: "1985-04-12/1985-04-12", form: "1985-04-12T00:00:00Z/1985-04-12T23:59:59.999999999Z" },
  { text: "1996-12-19T16:39:57-08:00", form: "1996-12-20T00:39:57Z" },
  { text: "1937-01-01T12:00:27.8710+01:00", form: "1937-01-01T11:00:27.8710Z" },
  {
    text: "0000-01-01T00:00:00Z/9999-12-31T23:59:59.999999999Z",
    form: "0000-01-01T00:00:00Z/9999-12-31T23:59:59.999999999Z",
  },
  { text: "0001-01-01", form: "0001-01-01T00:00:00Z/0001-01-01T23:59:59.999999999Z" },
  { text: "1990-12-31T23:59:60Z", form: "1990-12-31T23:59:59.999999999Z" },
  { text: "1990-12-31T15:59:60-08:00", form: "1990-12-31T23:59:59.999999999Z" },
  { text: "2016-12-31T23:59:60.5Z/..", form: "2016-12-31T23:59:59.999999999Z/.." },
])("$text means $form", { tags: ["S13"] }, ({ text, form }) => {
  expect(formatDatetime(parseDatetime(text))).toBe(form);
});

const FIRST = findInstant("0000-01-01T00:00:00Z")?.nanoseconds ?? 0n;
const LAST = findInstant("9999-12-31T23:59:59.999999999Z")?.nanoseconds ?? 0n;
const instants: fc.Arbitrary<Instant> = fc
  .tuple(fc.bigInt({ min: FIRST, max: LAST }), fc.integer({ min: 0, max: 9 }))
  .map(([nanoseconds, digits]) => {
    const unit = 10n ** BigInt(9 - digits);
    return { nanoseconds: (nanoseconds / unit) * unit, digits };
  });

test("an instant survives being written and read", () => {
  fc.assert(
    fc.property(instants, (instant) => {
      expect(findInstant(formatInstant(instant))).toEqual(instant);
    }),
  );
});

test("Date agrees on every instant to the millisecond", () => {
  const dates = fc.date({
    min: new Date("0000-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(dates, (date) => {
      expect(findInstant(date.toISOString())?.nanoseconds).toBe(BigInt(date.getTime()) * 1_000_000n);
    }),
  );
});

test("an interval survives being written and read", () => {
  fc.assert(
    fc.property(fc.option(instants), fc.option(instants), (a, b) => {
      fc.pre(a !== null || b !== null);
      const [start, end] = a !== null && b !== null && compareInstants(a, b) > 0 ? [b, a] : [a, b];
      const interval = { ...(start === null ? {} : { start }), ...(end === null ? {} : { end }) };
      fc.pre(start === null || end === null || compareInstants(start, end) < 0);
      expect(parseDatetime(formatDatetime(interval))).toEqual(interval);
    }),
  );
});

test.each([
  { name: "slashes", of: (length: number) => "/".repeat(length) },
  { name: "digits", of: (length: number) => "1".repeat(length) },
  { name: "digits of a second", of: (length: number) => `2020-07-23T00:00:00.${"0".repeat(length)}Z` },
])("a megabyte of $name is refused with about eight times the work of an eighth of it", async ({ of }) => {
  const refuse = (text: string) => () => {
    expect(queryErrorOf(() => parseDatetime(text)).message.length).toBeLessThan(300);
  };
  // of work that grows with the square of the length it would be 64 times
  expect(await costRatio(refuse(of(1e6)), refuse(of(125_000)))).toBeLessThan(24);
});

describe("matchesInterval", () => {
  test.each([
    { query: "2024-04-22T17:53:02.036Z", datetime: "2024-04-22T17:53:02.036Z", matches: true },
    { query: "2024-04-22T17:53:02.036Z", datetime: "2024-04-22T17:53:02.036000Z", matches: true },
    { query: "2024-04-22T17:53:02.036000Z", datetime: "2024-04-22T17:53:02.036Z", matches: true },
    { query: "2024-04-22T19:53:02.036+02:00", datetime: "2024-04-22T17:53:02.036Z", matches: true },
    { query: "2024-04-22T17:53:02.036000001Z", datetime: "2024-04-22T17:53:02.036Z", matches: true },
    { query: "2024-04-22T17:53:02Z", datetime: "2024-04-22T17:53:02.036Z", matches: false },
    { query: "2024-04-22T17:53:02.036Z", datetime: "2024-04-22T17:53:02.036000001Z", matches: false },
    { query: "2024-04-22", datetime: "2024-04-22T23:59:59.999999999Z", matches: true },
    { query: "2024-04-22", datetime: "2024-04-23T00:00:00Z", matches: false },
    { query: "2024-04-22", datetime: "2024-04-22T00:00:00Z", matches: true },
    { query: "2024-04-22/..", datetime: "2024-04-21T23:59:59.999999999Z", matches: false },
    { query: "../2024-04-22T12:00:00Z", datetime: "2024-04-22T12:00:00Z", matches: true },
    { query: "../2024-04-22T12:00:00Z", datetime: "2024-04-22T12:00:00.000000001Z", matches: false },
    { query: "2024-04-22", datetime: null, matches: undefined },
    { query: "2024-04-22", datetime: "yesterday", matches: undefined },
  ])("$query and an item of $datetime: $matches", ({ query, datetime, matches }) => {
    expect(matchesInterval(parseDatetime(query), { datetime })).toBe(matches);
  });

  test.each([
    { query: "2024-04-01/2024-04-10", matches: true },
    { query: "2024-03-01/2024-04-05", matches: true },
    { query: "2024-04-06T00:00:00Z", matches: true },
    { query: "2024-04-08/..", matches: false },
    { query: "../2024-04-04", matches: false },
  ])("$query and an item of a stretch from the 5th to the 7th: $matches", ({ query, matches }) => {
    const properties = { datetime: null, start_datetime: "2024-04-05T00:00:00Z", end_datetime: "2024-04-07T00:00:00Z" };
    expect(matchesInterval(parseDatetime(query), properties)).toBe(matches);
  });
});

test("a zone whose plus sign arrived as a space is refused with the way to write it in an address, not in a body", () => {
  const text = "2024-04-22T12:00:00 02:00";
  expect(() => parseDatetime(text)).toThrow('In an address "+" is written %2B.');
  expect(() => parseDatetime(text, { in: "body", pointer: "/datetime" })).toThrow(/got "2024-04-22T12:00:00 02:00"\.$/);
});
