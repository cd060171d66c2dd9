import { expect, test } from "vitest";
import { collectionsOf } from "../../src/when/collections.ts";
import { refusalOf, registry } from "../what/registry.ts";

test("where a request names no collection, what is meant is taken, or said where it is not served", () => {
  const [match] = collectionsOf({}, registry, ["landsat-ot-l2"]);
  expect(match?.collection.id).toBe("landsat-ot-l2");
  const { code, path, detail } = refusalOf(() => collectionsOf({ collections: [] }, registry, ["of-nobody"]));
  expect([code, path]).toEqual(["unknown-collection", ["when", "collections"]]);
  expect(detail).toBe(
    'Expected names of collections: without them "of-nobody" is meant, which is not served here. The collections are listed at /v1/collections.',
  );
});
