import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "../../src/node.ts";

test("many callers make the same folder and those above it at once", async () => {
  const root = await mkdtemp(join(tmpdir(), "swath-make-folder-"));
  try {
    for (let i = 0; i < 20; i++) {
      const path = join(root, String(i), "results", "spool");
      await Promise.all(Array.from({ length: 10 }, () => makeFolder(path)));
      expect((await stat(path)).isDirectory()).toBe(true);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
