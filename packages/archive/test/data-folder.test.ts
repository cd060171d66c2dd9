import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openOwnArchive } from "../src/index.ts";

test.skipIf(process.platform !== "linux")(
  "a folder of data that takes no index is an error, and not waited for",
  async () => {
    const path = await mkdtemp(join(tmpdir(), "swath-archive-"));
    try {
      const opened = openOwnArchive({ path, dataDir: "/proc/self", secret: "a secret of tests" });
      await expect(opened).rejects.toMatchObject({ code: "ENOENT", path: "/proc/self/archive" });
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  },
);
