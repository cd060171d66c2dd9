import { mkdir, mkdtemp, open, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeResult } from "../../../src/run/files/result-file.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "swath-result-file-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const folders = {
  async allocate() {
    const directory = join(root, "results", "a");
    await mkdir(join(root, "results"), { recursive: true });
    await mkdir(directory);
    return { id: "a", directory };
  },
  remove: (id: string) => rm(join(root, "results", id), { recursive: true }),
};
const unwritable = {
  name: "Refusal",
  code: "upstream-unavailable",
  detail: "The service cannot write output files now.",
  retryAfter: 60,
};

test("a folder that cannot be made is a refusal", async () => {
  await writeFile(join(root, "results"), "");
  await expect(writeResult(folders, async () => {})).rejects.toMatchObject(unwritable);
});

test("a folder that is gone while a file is written is a refusal, though it cannot be removed either", async () => {
  const written = writeResult(folders, async ({ directory }) => {
    await rm(join(root, "results"), { recursive: true });
    await open(join(directory, "a.tif"), "w");
  });
  await expect(written).rejects.toMatchObject(unwritable);
});

test("faults of other files stay as they are, and the folder is removed", async () => {
  const written = writeResult(folders, () => open(join(root, "input.tif")));
  await expect(written).rejects.toMatchObject({ code: "ENOENT", path: join(root, "input.tif") });
  expect(await readdir(join(root, "results"))).toEqual([]);
});
