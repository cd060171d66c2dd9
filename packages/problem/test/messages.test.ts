import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { pointersFromZod, zodMessage } from "../src/index.ts";

function messages(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value, { error: zodMessage, reportInput: true });
  return pointersFromZod(error?.issues ?? [], { in: "body" }).map(({ detail }) => detail);
}

test.each<{ schema: z.ZodType; value: unknown; message: string }>([
  { schema: z.string(), value: undefined, message: "Missing: expected a string." },
  { schema: z.object({}), value: undefined, message: "Missing: expected an object." },
  { schema: z.strictObject({}), value: [], message: "Expected an object, got an array." },
  { schema: z.array(z.string()), value: {}, message: "Expected an array, got an object." },
  { schema: z.tuple([z.number()]), value: 1, message: "Expected an array, got 1." },
  { schema: z.string(), value: 7, message: "Expected a string, got 7." },
  { schema: z.string(), value: null, message: "Expected a string, got null." },
  { schema: z.number(), value: "7", message: 'Expected a number, got "7".' },
  { schema: z.number(), value: Number.NaN, message: "Expected a number, got NaN." },
  { schema: z.int(), value: 2.5, message: "Expected a whole number, got 2.5." },
  { schema: z.boolean(), value: "yes", message: 'Expected true or false, got "yes".' },
  { schema: z.record(z.string(), z.number()), value: 1, message: "Expected an object, got 1." },
  { schema: z.literal("Feature"), value: "Point", message: 'Expected "Feature"; got "Point".' },
  { schema: z.literal("Feature"), value: undefined, message: 'Missing: expected "Feature".' },
  { schema: z.enum(["png", "jpg"]), value: "gif", message: 'Expected one of "png", "jpg"; got "gif".' },
  { schema: z.enum(["png", "jpg"]), value: undefined, message: 'Missing: expected one of "png", "jpg".' },
  { schema: z.number().min(1), value: 0, message: "Expected at least 1, got 0." },
  { schema: z.number().max(90), value: 91, message: "Expected at most 90, got 91." },
  { schema: z.number().positive(), value: 0, message: "Expected more than 0, got 0." },
  { schema: z.number().negative(), value: 0, message: "Expected less than 0, got 0." },
  { schema: z.string().min(1), value: "", message: "Expected at least 1 character, got 0." },
  { schema: z.string().max(6), value: "x".repeat(9), message: "Expected at most 6 characters, got 9." },
  { schema: z.string().length(2), value: "abc", message: "Expected at most 2 characters, got 3." },
  { schema: z.array(z.int()).min(2), value: [1], message: "Expected at least 2 entries, got 1." },
  { schema: z.array(z.int()).max(1), value: [1, 2], message: "Expected at most 1 entry, got 2." },
  { schema: z.array(z.int()).length(1), value: [], message: "Expected at least 1 entry, got 0." },
  { schema: z.number().multipleOf(5), value: 7, message: "Expected a multiple of 5, got 7." },
  { schema: z.string().regex(/^\d+$/), value: "x", message: 'Expected text that matches /^\\d+$/, got "x".' },
  { schema: z.iso.datetime(), value: "today", message: 'Expected a date and time as RFC 3339 writes it, got "today".' },
  { schema: z.iso.date(), value: "today", message: 'Expected a date such as 2024-06-15, got "today".' },
  { schema: z.url(), value: "x", message: 'Expected an absolute URL, got "x".' },
  { schema: z.uuid(), value: "x", message: 'Expected a UUID, got "x".' },
  { schema: z.email(), value: "x", message: 'Expected an e-mail address, got "x".' },
  { schema: z.string().refine(() => false), value: "x", message: "This value is not taken here." },
  { schema: z.string().min(3, "Expected a name"), value: "x", message: 'Expected a name, got "x".' },
  { schema: z.union([z.string(), z.object({})]), value: 7, message: "Expected a string or an object, got 7." },
  { schema: z.strictObject({}), value: { nmae: 1 }, message: 'Unknown: "nmae".' },
  { schema: z.string().max(2), value: "x", message: "" },
  { schema: z.enum(["a"]), value: "y".repeat(60), message: `Expected "a"; got "${"y".repeat(39)}….` },
])("$message", ({ schema, value, message }) => {
  expect(messages(schema, value)).toEqual(message === "" ? [] : [message]);
});

test("one fault gives one error: of several checks that a value fails the first speaks", () => {
  expect(messages(z.string().min(3, "Too short.").regex(/a/, "No a."), "x")).toEqual(["Too short."]);
  expect(messages(z.object({ a: z.number(), b: z.number() }), {})).toEqual([
    "Missing: expected a number.",
    "Missing: expected a number.",
  ]);
});

test("no value brings out the schema library's own words", () => {
  const schema = z.strictObject({
    a: z.union([z.string().max(3), z.array(z.int().min(2)).max(2), z.strictObject({ b: z.boolean() })]),
    c: z.enum(["x", "y"]).optional(),
    d: z.record(z.string().regex(/^k/), z.number()).optional(),
  });
  fc.assert(
    fc.property(fc.record({ a: fc.jsonValue(), c: fc.jsonValue(), d: fc.jsonValue() }), (value) => {
      for (const message of messages(schema, value)) expect(message).not.toMatch(/Invalid|Too (big|small)|received/);
    }),
  );
});

test("of thousands of unknown keys a hundred are looked at", () => {
  const body = Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`x${i}`, i]));
  const parsed = z.strictObject({}).safeParse(body);
  let asked = 0;
  const unknownKey = (): string => {
    asked += 1;
    return "Unknown.";
  };
  expect(pointersFromZod(parsed.error?.issues ?? [], { in: "body", unknownKey })).toHaveLength(100);
  expect(asked).toBe(100);
});
