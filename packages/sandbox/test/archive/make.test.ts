import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type MakeSandboxOptions, makeSandbox, readArchiveInfo } from "../../src/node.ts";

const root = mkdtempSync(join(tmpdir(), "swath-sandbox-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SMALL: MakeSandboxOptions = { now: new Date("2026-01-15"), frames: ["191028-native"] };

function digests(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(directory, name)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(join(directory, name)))
        .digest("hex"),
    ]),
  );
}

test("a seed and a day give the same bytes, on threads and on none", async () => {
  await makeSandbox(join(root, "threads"), { ...SMALL, threads: 2 });
  await makeSandbox(join(root, "inline"), { ...SMALL, threads: 0 });
  const bytes = digests(join(root, "threads"));
  expect(Object.keys(bytes).length).toBeGreaterThan(10);
  expect(digests(join(root, "inline"))).toEqual(bytes);
});

test("two makers that start at once end with one complete archive and no other files", async () => {
  const directory = join(root, "both", "archive");
  const [a, b] = await Promise.all([makeSandbox(directory, SMALL), makeSandbox(directory, SMALL)]);
  expect(a).toEqual(b);
  expect(readdirSync(join(root, "both"))).toEqual(["archive"]);
  expect(await readArchiveInfo(directory)).toEqual(a);
});

test("an existing archive is kept, one of another seed or a damaged one is made again", async () => {
  const directory = join(root, "again");
  await makeSandbox(directory, SMALL);
  const before = statSync(join(directory, "archive.json")).mtimeMs;
  await makeSandbox(directory, SMALL);
  expect(statSync(join(directory, "archive.json")).mtimeMs).toBe(before);

  const other = await makeSandbox(directory, { ...SMALL, seed: 7 });
  expect(other.seed).toBe(7);
  writeFileSync(join(directory, "archive.json"), '{"type": "swath-sandbox-arch');
  expect((await makeSandbox(directory, { ...SMALL, seed: 7 })).items).toBe(1);
});

test("an abort stops the work, throws the given reason, and leaves no files", async () => {
  const directory = join(root, "aborted", "archive");
  const controller = new AbortController();
  const reason = new Error("enough");
  let left = 0;
  const making = makeSandbox(directory, {
    ...SMALL,
    frames: ["191028-native", "33TUL-native"],
    signal: controller.signal,
    onProgress: (done, total) => {
      if (done === 0) return;
      left = total - done;
      controller.abort(reason);
    },
  });
  await expect(making).rejects.toBe(reason);
  expect(left).toBeGreaterThan(0);
  expect(readdirSync(join(root, "aborted"))).toEqual([]);
});
