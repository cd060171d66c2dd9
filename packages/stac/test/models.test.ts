import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Catalog, Collection, Item, LandingAnswer, Link, PartialItem } from "../src/index.ts";
import { SearchAnswer } from "../src/models.ts";
import { documents, stacFixtures } from "./fixtures.ts";

/** Pages and lists whose documents are whole. */
const ItemPage = SearchAnswer.extend({ links: z.array(Link), features: z.array(Item) });
const CollectionList = z.looseObject({ collections: z.array(Collection), links: z.array(Link).optional() });

const item = {
  type: "Feature",
  stac_version: "1.1.0",
  id: "a",
  geometry: null,
  properties: { datetime: null },
  assets: {},
  links: [],
};

describe.skipIf(stacFixtures === undefined)("recorded documents", () => {
  test.each(stacFixtures === undefined ? [] : documents())("$path is read without loss", ({ path, document }) => {
    const parts = Array.isArray(document) ? document : [document];
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) {
      const model = modelOf(part as Record<string, unknown>, path);
      if (model === undefined) {
        // an error's body, and the producer's own metadata beside the item made of it
        expect(path).toMatch(/not-found|\.MTL\.json$/);
        continue;
      }
      expect(model.parse(part)).toEqual(part);
    }
  });
});

function modelOf(document: Record<string, unknown>, path: string) {
  if (document.type === "Feature") return Item;
  if (document.type === "Collection") return Collection;
  if (document.type === "FeatureCollection") return path.includes("fields") ? SearchAnswer : ItemPage;
  if (document.type === "Catalog") return Catalog;
  if ("collections" in document) return CollectionList;
  return "links" in document ? LandingAnswer : undefined;
}

test.each([
  { name: "no id", change: { id: undefined } },
  { name: "an empty id", change: { id: "" } },
  { name: "another type", change: { type: "Collection" } },
  { name: "no properties", change: { properties: undefined } },
  { name: "no datetime", change: { properties: {} } },
  { name: "no assets", change: { assets: undefined } },
  { name: "an asset without href", change: { assets: { red: { title: "Red" } } } },
  { name: "a box of five numbers", change: { bbox: [0, 0, 0, 1, 1] } },
  { name: "a geometry without coordinates", change: { geometry: { type: "Point" } } },
  { name: "a version that is none", change: { stac_version: "one" } },
])("an item with $name is not an item", ({ change }) => {
  expect(Item.safeParse(item).success).toBe(true);
  expect(Item.safeParse({ ...item, ...change }).success).toBe(false);
});

test("a partial item needs only its type and id", () => {
  expect(PartialItem.parse({ type: "Feature", id: "a" })).toEqual({ type: "Feature", id: "a" });
  expect(PartialItem.safeParse({ type: "Feature" }).success).toBe(false);
});

test("unknown members survive everywhere", () => {
  const rich = {
    ...item,
    "x:y": 1,
    properties: { datetime: null, "x:y": 2 },
    links: [{ href: "a", rel: "b", "x:y": 3 }],
  };
  expect(Item.parse(rich)).toEqual(rich);
});

test("a link needs href and rel", () => {
  expect(Link.safeParse({ href: "a", rel: "next", method: "POST", body: { token: "t" }, merge: true }).success).toBe(
    true,
  );
  expect(Link.safeParse({ href: "a" }).success).toBe(false);
});
