import fc from "fast-check";
import { expect, test } from "vitest";
import { applyFields, parseFields } from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";

const body = { in: "body", pointer: "/fields" } as const;
const item = {
  type: "Feature",
  stac_version: "1.1.0",
  stac_extensions: [],
  id: "a",
  collection: "c",
  geometry: { type: "Point", coordinates: [0, 0] },
  bbox: [0, 0, 0, 0],
  properties: {
    datetime: "2024-04-22T17:53:02Z",
    "eo:cloud_cover": 5,
    platform: "landsat-8",
    nested: { deep: { x: 1, y: 2 } },
  },
  assets: { red: { href: "r.tif", title: "Red" }, "mtl.json": { href: "m.json" } },
  links: [],
};
const fixed = { type: "Feature", stac_version: "1.1.0", id: "a", collection: "c" };
const { stac_extensions: _, ...base } = item;
const defaults = { ...base, properties: { datetime: item.properties.datetime } };
const { geometry: __, ...noGeometry } = defaults;
const { geometry: ___, ...wholeButGeometry } = item;

test.each([
  { text: "", object: {}, shown: defaults },
  { text: "id", object: { include: ["id"] }, shown: fixed },
  { text: "+id", object: { include: ["id"] }, shown: fixed },
  {
    text: " id, properties.eo:cloud_cover",
    object: { include: ["id", "properties.eo:cloud_cover"] },
    shown: { ...fixed, properties: { "eo:cloud_cover": 5 } },
  },
  {
    text: "eo:cloud_cover",
    object: { include: ["eo:cloud_cover"] },
    shown: { ...fixed, properties: { "eo:cloud_cover": 5 } },
  },
  {
    text: "properties.foo,foo,toString,__proto__",
    object: { include: ["properties.foo", "foo", "toString", "__proto__"] },
    shown: fixed,
  },
  {
    text: "id,-geometry,properties",
    object: { include: ["id", "properties"], exclude: ["geometry"] },
    shown: { ...fixed, properties: item.properties },
  },
  {
    text: "properties,-properties.nested,-platform",
    object: { include: ["properties"], exclude: ["properties.nested", "platform"] },
    shown: { ...fixed, properties: { datetime: "2024-04-22T17:53:02Z", "eo:cloud_cover": 5 } },
  },
  {
    text: "properties.nested.deep.x,properties.platform",
    object: { include: ["properties.nested.deep.x", "properties.platform"] },
    shown: { ...fixed, properties: { platform: "landsat-8", nested: { deep: { x: 1 } } } },
  },
  {
    text: "properties,properties.nested.deep.x,-properties.nested.deep.y",
    object: { include: ["properties", "properties.nested.deep.x"], exclude: ["properties.nested.deep.y"] },
    shown: { ...fixed, properties: { ...item.properties, nested: { deep: { x: 1 } } } },
  },
  {
    text: "assets.mtl.json.href,assets.red.title",
    object: { include: ["assets.mtl.json.href", "assets.red.title"] },
    shown: { ...fixed, assets: { "mtl.json": { href: "m.json" }, red: { title: "Red" } } },
  },
  {
    text: "id,-id,-type,-stac_version,-collection",
    object: { include: ["id"], exclude: ["id", "type", "stac_version", "collection"] },
    shown: fixed,
  },
  {
    // rule 5.1: the more specific path decides, whichever list it is in
    text: "properties.datetime,-properties",
    object: { include: ["properties.datetime"], exclude: ["properties"] },
    shown: { ...fixed, properties: { datetime: "2024-04-22T17:53:02Z" } },
  },
  {
    text: "properties,-properties.nested,properties.nested.deep.x",
    object: { include: ["properties", "properties.nested.deep.x"], exclude: ["properties.nested"] },
    shown: { ...fixed, properties: { ...item.properties, nested: { deep: { x: 1 } } } },
  },
  {
    text: "properties.nested,-properties.nested.deep,properties.nested.deep.y",
    object: { include: ["properties.nested", "properties.nested.deep.y"], exclude: ["properties.nested.deep"] },
    shown: { ...fixed, properties: { nested: { deep: { y: 2 } } } },
  },
  {
    // the same path in both: include
    text: "assets.red,-assets.red,geometry,-geometry",
    object: { include: ["assets.red", "geometry"], exclude: ["assets.red", "geometry"] },
    shown: { ...fixed, geometry: item.geometry, assets: { red: item.assets.red } },
  },
  {
    // a property by both of its names
    text: "platform,-properties.platform,-nested",
    object: { include: ["platform"], exclude: ["properties.platform", "nested"] },
    shown: { ...fixed, properties: { platform: "landsat-8" } },
  },
])("fields=$text shows the same as its JSON form", { tags: ["S23"] }, ({ text, object, shown }) => {
  const before = structuredClone(item);
  expect(applyFields(item, parseFields(text))).toEqual(shown);
  expect(applyFields(item, parseFields(object, body))).toEqual(shown);
  expect(item).toEqual(before);
});

test.each([
  { object: { exclude: ["geometry"] }, shown: wholeButGeometry },
  { object: { include: null, exclude: ["geometry"] }, shown: wholeButGeometry },
  { object: { include: [], exclude: ["geometry"] }, shown: wholeButGeometry },
  { object: { include: null, exclude: null }, shown: defaults },
  { object: { include: [], exclude: null }, shown: defaults },
  { object: { include: ["id"], exclude: null }, shown: fixed },
  { object: { include: ["id"], exclude: [] }, shown: fixed },
  { object: { include: [], exclude: [] }, shown: defaults },
])(
  "in a body $object takes an exclude from the whole item and nothing as the default",
  { tags: ["S23"] },
  ({ object, shown }) => {
    expect(applyFields(item, parseFields(object, body))).toEqual(shown);
  },
);

test.each([
  { text: "-geometry", shown: noGeometry },
  {
    text: "-properties",
    shown: { ...fixed, geometry: item.geometry, bbox: item.bbox, assets: item.assets, links: [] },
  },
  {
    text: "-properties.datetime,-assets.red",
    shown: { ...defaults, properties: undefined, assets: { "mtl.json": item.assets["mtl.json"] } },
  },
])("the text $text takes away from the default set", ({ text, shown }) => {
  expect(applyFields(item, parseFields(text))).toEqual(shown);
});

test("in a body an exclude takes a member out of the whole item, and an include inside it puts a part back", () => {
  const { assets: _, ...rest } = item;
  expect(applyFields(item, { exclude: ["assets"] })).toEqual(rest);
  expect(applyFields(item, { exclude: ["properties.nested.deep"] })).toEqual({
    ...item,
    properties: { ...item.properties, nested: {} },
  });
});

test.each([
  { input: null, pointer: "/fields" },
  { input: "id", pointer: "/fields" },
  { input: ["id"], pointer: "/fields" },
  { input: { includes: ["id"] }, pointer: "/fields/includes" },
  { input: { include: "id" }, pointer: "/fields/include" },
  { input: { include: ["id", 5] }, pointer: "/fields/include/1" },
  { input: { exclude: [""] }, pointer: "/fields/exclude/0" },
  { input: { exclude: ["a".repeat(201)] }, pointer: "/fields/exclude/0" },
  { input: { include: Array.from({ length: 501 }, () => "id") }, pointer: "/fields/include" },
])("the body value $input is refused at $pointer", ({ input, pointer }) => {
  expect(queryErrorOf(() => parseFields(input, body))).toMatchObject({ code: "invalid-body", pointer });
});

test.each([",", "id,", "-", "+", "a".repeat(201), "a,".repeat(600)])("the text %j is refused at fields", (text) => {
  expect(queryErrorOf(() => parseFields(text))).toMatchObject({ code: "invalid-parameter", pointer: "fields" });
});

test("fields survive being written and read", () => {
  const path = fc.stringMatching(/^[a-z][a-z0-9:_.]{0,20}$/);
  const fields = fc.record({ include: fc.array(path), exclude: fc.array(path, { minLength: 1 }) });
  fc.assert(
    fc.property(fields, (value) => {
      const text = [...value.include, ...value.exclude.map((each) => `-${each}`)].join(",");
      expect(parseFields(text)).toEqual(value);
    }),
  );
});

test("of paths of nothing but dots over keys of dots each rest is looked up once in each object", () => {
  const [depth, paths, dots] = [30, 50, 41];
  // a rest of a path is cut at each of its dots
  const most = paths * (depth + 3) * dots * (dots + 1);
  let lookups = 0;
  const counted = <T extends object>(object: T): T =>
    new Proxy(object, {
      getOwnPropertyDescriptor: (target, key) => {
        lookups += 1;
        if (lookups > most) throw new Error(`More than ${most} members are looked up.`);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  let nest: Record<string, unknown> = counted({ end: 1 });
  for (let i = 0; i < depth; i++) nest = counted({ a: nest, "a.a": nest, "a.a.a": nest });
  const item = counted({ properties: nest });
  const path = `properties.${"a.".repeat(40)}b`;
  expect(applyFields(item, parseFields(Array.from({ length: paths }, () => path).join(",")))).toEqual({});
  expect(lookups).toBeGreaterThan(paths * depth);
});
