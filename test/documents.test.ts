import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./workspace.ts";

const DOCUMENTS = ["*.md", "docs/**/*.md", "{packages,apps,examples,test}/*/README.md"];
/** Code that is the path of a file from the checkout's root. */
const PATH = /`((?:apps|deploy|docs|examples|packages)\/[\w@./-]+\.(?:ts|tsx|mjs|json|py|md|yaml))`/g;

test("files that documents name by their whole path are there", () => {
  const named = globSync(DOCUMENTS, { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(PATH)].map(([, path = ""]) => ({ file, path })),
  );
  expect(named.length).toBeGreaterThan(30);
  // the notes of a release to come
  const missing = named.filter(({ path }) => path !== "docs/releases/VERSION.md" && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});
