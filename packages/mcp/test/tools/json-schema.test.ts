import { z } from "@hono/zod-openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { jsonSchemaOf, outlineOf, withNotes } from "../../src/tools/json-schema.ts";

interface Tree {
  readonly name: string;
  readonly children?: readonly Tree[] | undefined;
}
const Tree: z.ZodType<Tree> = z
  .strictObject({ name: z.string(), children: z.array(z.lazy(() => Tree)).optional() })
  .openapi("McpTree", { type: "object" });
const Point = z.strictObject({ x: z.number(), y: z.number() }).openapi("McpPoint", { description: "A point." });
const Input = z.strictObject({ at: Point, among: z.array(Point).max(2).optional(), tree: Tree.optional() });

test("a schema stands alone, and takes what the model takes", () => {
  const schema = jsonSchemaOf(Input);
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const [a, b] = [{ x: 1, y: 2 }, { x: 1 }];
  const tree = { name: "a", children: [{ name: "b", children: [] }] };
  for (const value of [
    { at: a },
    { at: b },
    { at: a, among: [a, a] },
    { at: a, among: [a, a, a] },
    { at: a, z: 1 },
    { at: a, tree },
  ]) {
    expect([value, validate(value)]).toEqual([value, Input.safeParse(value).success]);
  }
  expect(JSON.stringify(schema)).not.toContain("#/components");
});

test("a component of the service's own stands in place of the model's", () => {
  const own = { type: "object", description: "Short." };
  expect(jsonSchemaOf(Input, { McpPoint: own }).$defs).toMatchObject({ McpPoint: own });
});

test("notes replace descriptions where they are, and the schema is left as it was", () => {
  const schema = jsonSchemaOf(Input);
  const noted = withNotes(schema, { among: "Where else.", "McpPoint.x": "Metres east." });
  expect(noted).toMatchObject({
    properties: { among: { description: "Where else." } },
    $defs: { McpPoint: { properties: { x: { description: "Metres east." } } } },
  });
  expect(schema).toEqual(jsonSchemaOf(Input));
  expect(() => withNotes(schema, { nowhere: "a" })).toThrow(new TypeError("There is no argument nowhere."));
});

test("an outline has the members' names and types alone", () => {
  const schema = jsonSchemaOf(
    z.object({ a: z.string().openapi({ description: "An A." }), b: z.array(z.number()).optional() }),
  );
  expect(outlineOf(schema)).toEqual({ properties: { a: { type: "string" }, b: { type: "array" } }, required: ["a"] });
});
