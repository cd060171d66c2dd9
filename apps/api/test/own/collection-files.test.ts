import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultRegistry } from "@swath/schema";
import { afterAll, expect, test } from "vitest";
import { openRegistry } from "../../src/open/collection-files.ts";
import { EnvironmentError } from "../../src/open/environment/environment.ts";

const FIXTURE = join(
  import.meta.dirname,
  "..",
  "..",
  "..",
  "..",
  "packages",
  "catalog",
  "test",
  "fixtures",
  "aerial-rgbn.json",
);
const text = await readFile(FIXTURE, "utf8");
const folder = await mkdtemp(join(tmpdir(), "swath-collections-"));
afterAll(() => rm(folder, { recursive: true }));

/** A folder with these files. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(folder, "case-"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return path;
}

/** Those that the synthetic archive has: all but Level-1 of Landsat, and Level-1C of Sentinel-2. */
const SANDBOX_IDS = defaultRegistry.collections
  .filter(({ id, upstream }) => upstream.name !== "usgs" && id !== "sentinel-2-l1c")
  .map(({ id }) => id);

const upstreams = { aerial: "https://aerial.example" };

test("without a folder and further upstreams the built-in collections are live", () => {
  expect(openRegistry({ profile: "full", upstreams: {} }).ids).toEqual(SANDBOX_IDS);
});

test("Level-1C of Sentinel-2, whose files are JPEG 2000, is live with an upstream", { tags: ["JP1"] }, () => {
  const upstreamUrl = "https://stac.example/v1";
  expect(openRegistry({ profile: "full", upstreams: {}, upstreamUrl }).ids).toContain("sentinel-2-l1c");
});

test("lean v1 serves two collections and three presets, and recipes of no other", () => {
  const registry = openRegistry({ profile: "lean", upstreams: {} });
  expect(registry.ids).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
  expect(registry.presets.map(({ id }) => id)).toEqual(["true-color", "false-color", "ndvi"]);
  for (const { recipes } of registry.collections)
    expect(Object.keys(recipes).sort()).toEqual(["false-color", "ndvi", "true-color"]);
});

test("a file of the folder joins the built-in ones where its upstream is there", async () => {
  const collectionsDir = await folderOf({ "aerial.json": text, "notes.txt": "no collection" });
  await mkdir(join(collectionsDir, "more"));
  expect(openRegistry({ profile: "full", collectionsDir, upstreams }).ids).toEqual([...SANDBOX_IDS, "aerial-rgbn"]);
  expect(openRegistry({ profile: "full", collectionsDir, upstreams }).assetHosts).toContain("files.aerial.example");
  expect(openRegistry({ profile: "full", collectionsDir, upstreams: {} }).ids).toEqual(SANDBOX_IDS);
});

test.each([
  {
    name: "a value that does not fit",
    content: text.replace('"gsd": 0.6', '"gsd": "60 cm"'),
    line: 'SWATH_COLLECTIONS_DIR: bad.json: /bands/0/gsd: expected a number, got "60 cm".',
  },
  { name: "no JSON", content: "{", line: /^SWATH_COLLECTIONS_DIR: bad\.json: the file: expected JSON, got / },
  {
    name: "an id that is taken",
    content: text.replace('"aerial-rgbn"', '"sentinel-2-l2a"'),
    line: 'SWATH_COLLECTIONS_DIR: The id or alias "sentinel-2-l2a" is given twice: in the built-in collection sentinel-2-l2a and in bad.json.',
  },
  {
    name: "a recipe of no preset",
    content: text.replace('"ndvi": {', '"ndvy": {'),
    line: /^SWATH_COLLECTIONS_DIR: aerial-rgbn has a recipe for the preset "ndvy".*"ndvi"\?$/,
  },
])("a file with $name stops the start with one line", async ({ content, line }) => {
  const collectionsDir = await folderOf({ "bad.json": content });
  const attempt = (): unknown => openRegistry({ profile: "full", collectionsDir, upstreams });
  expect(attempt).toThrow(EnvironmentError);
  expect(attempt).toThrow(line);
  expect(attempt).not.toThrow("\n");
});

test.each([
  { what: "id", name: "aerial-rgbn", twin: text },
  {
    what: "alias",
    name: "AERIAL/RGBN",
    twin: text.replace('"id": "aerial-rgbn"', '"id": "aerial-twin"'),
  },
])("an $what that two files give names both files", { tags: ["A12"] }, async ({ name, twin }) => {
  const first = withAlias(text, "AERIAL/RGBN");
  const collectionsDir = await folderOf({ "b.json": withAlias(twin, name), "a.json": first });
  const attempt = (): unknown => openRegistry({ profile: "full", collectionsDir, upstreams });
  expect(attempt).toThrow(EnvironmentError);
  expect(attempt).toThrow(`SWATH_COLLECTIONS_DIR: The id or alias "${name}" is given twice: in a.json and in b.json.`);
});

/** The file with one alias; none where the name is the collection's own. */
function withAlias(file: string, name: string): string {
  const collection = JSON.parse(file) as { id: string };
  const aliases = name === collection.id ? [] : [{ id: name, source: "tests", group: "tests" }];
  return JSON.stringify({ ...collection, aliases });
}

test("a folder that is not there stops the start with one line", () => {
  const attempt = (): unknown => openRegistry({ profile: "full", collectionsDir: join(folder, "nowhere"), upstreams });
  expect(attempt).toThrow(/^SWATH_COLLECTIONS_DIR: ENOENT/);
});
