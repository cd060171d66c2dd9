import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeFolder, replaceFile } from "../src/index.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "swath-files-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

describe("a folder", () => {
  test("is made with those above it, and stays where it is there", async () => {
    const path = join(root, "a", "b", "c");
    await makeFolder(path);
    await writeFile(join(path, "x"), "");
    await Promise.all([makeFolder(path), makeFolder(join(path, "d"))]);
    expect((await readdir(path)).sort()).toEqual(["d", "x"]);
  });

  test("that cannot be made is an error with the path", async () => {
    await writeFile(join(root, "file"), "");
    await expect(makeFolder(join(root, "file", "a"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(makeFolder(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  });

  test.skipIf(process.platform !== "linux")("is not waited for where the system has none, as in /proc", async () => {
    await expect(makeFolder("/proc/swath/a")).rejects.toMatchObject({ code: "ENOENT", path: "/proc/swath" });
  });
});

describe("a file that is replaced", () => {
  test("has its name when all of it is there", async () => {
    const path = join(root, "x");
    await writeFile(path, "before");
    await replaceFile(path, async (part) => {
      await writeFile(part, "af");
      expect(await readFile(path, "utf8")).toBe("before");
      await writeFile(part, "after");
    });
    expect([await readFile(path, "utf8"), await readdir(root)]).toEqual(["after", ["x"]]);
  });

  test("stays as it was where its writer fails, and nothing else remains", async () => {
    const path = join(root, "x");
    await writeFile(path, "before");
    const replaced = replaceFile(path, async (part) => {
      await writeFile(part, "af");
      throw new Error("no more");
    });
    await expect(replaced).rejects.toThrow("no more");
    expect([await readFile(path, "utf8"), await readdir(root)]).toEqual(["before", ["x"]]);
    await expect(replaceFile(root, (part) => writeFile(part, "a"))).rejects.toThrow();
    expect((await stat(root)).isDirectory()).toBe(true);
  });
});
