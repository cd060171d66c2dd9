import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages } from "./workspace.ts";

test("the drawing of the packages has an arrow for each dependency, and no other", () => {
  const drawing = readFileSync(join(import.meta.dirname, "..", "docs", "images", "packages.svg"), "utf8");
  const drawn = [...drawing.matchAll(/<path id="([^"]+)"/g)].map(([, id = ""]) => id).filter((id) => !/^api-/.test(id));
  const depended = packages.flatMap(({ name, manifest }) =>
    Object.keys(manifest.dependencies ?? {}).flatMap((other) => {
      const sibling = /^@swath\/(\w+)$/.exec(other)?.[1];
      return sibling === undefined ? [] : [`${name}-${sibling}`];
    }),
  );
  expect(drawn.sort()).toEqual(depended.sort());
});
