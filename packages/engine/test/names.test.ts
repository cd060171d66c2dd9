import { expect, test } from "vitest";
import { collectionNamed, indexNamed, presetNamed } from "../src/names.ts";
import { refusalOf, registry } from "./what/registry.ts";

test("ids and aliases name collections", () => {
  expect(collectionNamed("landsat-ot-l2", registry, []).collection.id).toBe("landsat-ot-l2");
  const [alias] = registry.names.filter((name) => registry.listed.every(({ id }) => id !== name));
  expect(registry.listed).toContain(collectionNamed(alias!, registry, []).collection);
});

test("what names nothing is refused where it stands, with what may have been meant", () => {
  const path = ["when", "collections", 1];
  expect(refusalOf(() => collectionNamed("sentinel-2-l2", registry, path))).toMatchObject({
    code: "unknown-collection",
    path,
    detail: 'No collection is called "sentinel-2-l2". Did you mean "sentinel-2-l2a"?',
  });
  expect(refusalOf(() => presetNamed("true-colour", registry))).toMatchObject({
    code: "not-found",
    path: ["what", "preset"],
    detail: expect.stringMatching(/Did you mean "true-color"\?$/),
  });
  expect(refusalOf(() => indexNamed("ndvl", ["what", "index"]))).toMatchObject({
    code: "invalid",
    path: ["what", "index"],
    detail: expect.stringContaining('"ndvi"'),
  });
});

test("of an index that resembles none, those whose titles have its words come first", () => {
  const { detail } = refusalOf(() => indexNamed("snow index of my own", ["what", "index"]));
  expect(detail).toMatch(/There are ndsi \(/);
});
