import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openArchive } from "../../src/node.ts";
import { search } from "../catalog-suite.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";

const directory = await mkdtemp(join(tmpdir(), "swath-catalog-"));
afterAll(() => rm(directory, { recursive: true }));

test("an archive is opened from its directory, with hrefs that say so", async () => {
  const items = upstreamItems(20);
  await mkdir(join(directory, "items"));
  for (const collection of ["sentinel-2-c1-l2a", "landsat-c2-l2"]) {
    const lines = items.filter((item) => item.collection === collection).map((item) => JSON.stringify(item));
    await writeFile(join(directory, "items", `${collection}.ndjson`), `${lines.join("\n")}\n`);
  }
  const archive = await openArchive(directory);
  expect(archive.directory).toBe(directory);
  const page = await archive.search(search({ limit: 100 }));
  expect(page.items.length).toBeGreaterThan(5);
  for (const item of page.items) {
    for (const asset of Object.values(item.assets)) expect(asset.href).toMatch(/^archive:assets\/\d+\/.*\.tif$/i);
  }
});

test("a directory without items is an unavailable catalogue", async () => {
  await expect(openArchive(join(directory, "nothing"))).rejects.toMatchObject({ code: "unavailable" });
});

test("a broken line is an unavailable catalogue that names it", async () => {
  await writeFile(join(directory, "items", "x.ndjson"), "{}\n{\n");
  await expect(openArchive(directory)).rejects.toThrow("Line 2 of x.ndjson is not JSON.");
});
