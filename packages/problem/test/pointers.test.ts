import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { pointersFromZod } from "../src/index.ts";

const Body = z.strictObject({
  input: z.strictObject({
    data: z.array(z.strictObject({ type: z.string(), ids: z.array(z.string()).max(6).optional() })).length(1),
  }),
  output: z.strictObject({ width: z.int().min(1).max(20_000).optional(), "a/b~c": z.string().optional() }).optional(),
});

function body(value: unknown, schema: z.ZodType = Body): [string, string][] {
  const result = schema.safeParse(value);
  return pointersFromZod(result.error?.issues ?? [], { in: "body" }).map(({ pointer, detail }) => [pointer, detail]);
}

test("a fault deep in a body is a JSON Pointer", { tags: ["P8"] }, () => {
  expect(body({ input: { data: [{ type: 7 }] } })).toEqual([
    ["/input/data/0/type", "Invalid input: expected string, received number."],
  ]);
});

test("each unknown member gets a pointer of its own", { tags: ["P8"] }, () => {
  expect(body({ input: { data: [{ type: "x" }] }, output: { foo: 1, evalscript: "" }, more: 1 })).toEqual([
    ["/output/foo", 'Unknown: "foo".'],
    ["/output/evalscript", 'Unknown: "evalscript".'],
    ["/more", 'Unknown: "more".'],
  ]);
});

test("a key with a slash or a tilde is escaped as RFC 6901 says", () => {
  expect(body({ input: { data: [{ type: "x" }] }, output: { "a/b~c": 1 } })[0]?.[0]).toBe("/output/a~1b~0c");
});

test("a body that is no object at all points to the whole", () => {
  expect(body(null)[0]?.[0]).toBe("");
});

test("a query names the parameter, however deep the fault is", () => {
  const Query = z.strictObject({ bbox: z.array(z.number()), limit: z.int().optional() });
  const issues = Query.safeParse({ bbox: [1, "x"], limt: 3, foo: 1 }).error?.issues ?? [];
  expect(pointersFromZod(issues, { in: "query" }).map(({ pointer }) => pointer)).toEqual(["bbox", "limt", "foo"]);
});

const Filter = z.union([
  z.string(),
  z.strictObject({ timeRange: z.strictObject({ from: z.string(), to: z.string() }) }),
  z.strictObject({ ids: z.array(z.string()).min(1) }),
]);

test("a union speaks through the branch with the fewest faults that takes the value's type", () => {
  expect(body({ timeRange: { from: "2024", to: 5 } }, Filter).map(([pointer]) => pointer)).toEqual(["/timeRange/to"]);
  expect(body({ ids: [] }, Filter).map(([pointer]) => pointer)).toEqual(["/ids"]);
});

test("a union that takes no such type says which types it takes", () => {
  expect(body(7, Filter)).toEqual([["", "Expected a string or an object."]]);
});

test("unions within unions lead to the innermost fault", () => {
  const Nested = z.object({ a: z.union([z.number(), z.object({ b: z.union([z.string(), z.array(z.int())]) })]) });
  expect(body({ a: { b: [1, 2.5] } }, Nested).map(([pointer]) => pointer)).toEqual(["/a/b/1"]);
});

test("a fault that two issues repeat is reported once", () => {
  const Twice = z.string().regex(/a/, "Wrong.").regex(/b/, "Wrong.");
  expect(body("x", Twice)).toEqual([["", "Wrong."]]);
});

test("every pointer of a refused body leads to an existing parent", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const [pointer, detail] of body(value)) {
        expect(detail).not.toBe("");
        const keys = pointer.split("/").slice(1, -1);
        let at: unknown = value;
        for (const key of keys) {
          expect(at).toBeTypeOf("object");
          at = (at as Record<string, unknown>)[key.replaceAll("~1", "/").replaceAll("~0", "~")];
        }
      }
    }),
  );
});

test("what is said of an unknown key may be worded by the caller, who is given its path", () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ name: z.string() })) });
  const parsed = schema.safeParse({ list: [{ name: "a", nmae: 1 }], lsit: 1 });
  const unknownKey = (path: readonly PropertyKey[]): string => `No ${path.map(String).join(".")}.`;
  expect(pointersFromZod(parsed.error?.issues ?? [], { in: "body", unknownKey })).toEqual([
    { pointer: "/list/0/nmae", detail: "No list.0.nmae." },
    { pointer: "/lsit", detail: "No lsit." },
  ]);
});

test.each([
  { schema: z.string().regex(/^m$/, "Expected a month"), value: "x", detail: 'Expected a month, got "x".' },
  { schema: z.number().min(64, "Expected 64 to 1024"), value: 3, detail: "Expected 64 to 1024, got 3." },
  {
    schema: z.string().refine(() => false, "Expected ä, got nothing."),
    value: "x",
    detail: "Expected ä, got nothing.",
  },
  { schema: z.array(z.int()).refine(() => false, "Expected 4 numbers"), value: [1], detail: "Expected 4 numbers." },
  { schema: z.string().refine(() => false, "The box has no area"), value: "x", detail: "The box has no area." },
])("a message of a schema's own says what came where that can be said: $detail", ({ schema, value, detail }) => {
  const issues = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  expect(pointersFromZod(issues, { in: "body" })).toEqual([{ pointer: "", detail }]);
});
