import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages } from "./workspace.ts";

test("the drawing of the packages has an arrow for each dependency, and no other", () => {
  const document = readFileSync(join(import.meta.dirname, "..", "docs", "architecture.md"), "utf8");
  const drawing = /```mermaid\nflowchart TD\n([\s\S]*?)```/.exec(document)?.[1] ?? "";
  const drawn = [...drawing.matchAll(/^ *([\w-]+) --> (.+)$/gm)].flatMap(([, from = "", to = ""]) =>
    to.split(" & ").map((other) => `${from}-${other}`),
  );
  const depended = packages.flatMap(({ name, manifest }) =>
    Object.keys(manifest.dependencies ?? {}).flatMap((other) => {
      const sibling = /^@swath\/([\w-]+)$/.exec(other)?.[1];
      return sibling === undefined ? [] : [`${name}-${sibling}`];
    }),
  );
  expect(drawn.sort()).toEqual(depended.sort());
});
