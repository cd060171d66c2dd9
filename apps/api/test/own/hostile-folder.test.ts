import { execFileSync } from "node:child_process";
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CogError } from "@swath/cog";
import { createSources, type FolderFiles, folderHref } from "@swath/engine/node/files";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openArchiveOf } from "../../src/open/own-archive.ts";
import { openFolder } from "./own-folder.ts";

const fixtures = process.env.SWATH_FIXTURES;
let work: string;
let folder: string;
beforeEach(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), "swath-hostile-")));
  folder = join(work, "folder");
  await mkdir(folder);
});
afterEach(() => rm(work, { recursive: true, force: true }));

const item = (id: string, href: string, more: object = {}): Record<string, unknown> => ({
  type: "Feature",
  stac_version: "1.0.0",
  id,
  collection: "sentinel-2-c1-l2a",
  geometry: { type: "Point", coordinates: [10, 50] },
  bbox: [10, 50, 10, 50],
  properties: { datetime: "2024-05-01T10:00:00Z", platform: "sentinel-2a", ...more },
  assets: { red: { href, type: "image/tiff; application=geotiff" } },
  links: [],
});
const write = (path: string, document: unknown): Promise<void> =>
  writeFile(join(folder, path), typeof document === "string" ? document : JSON.stringify(document));

/** Ids of the items of the folder, or of a document of it, and what is refused. */
async function read(path = ""): Promise<{ readonly ids: readonly string[]; readonly refused: string }> {
  const archive = await openFolder(join(folder, path), join(work, "data"));
  try {
    const { items } = await archive.catalog.search({ collections: [], sortby: [], limit: 100 });
    return { ids: items.map(({ id }) => id).sort(), refused: archive.first.refused.join("\n") };
  } finally {
    archive.close();
  }
}

describe("a folder of items", () => {
  test("gives the items of documents, collections of features and lines", { tags: ["AF17"] }, async () => {
    await write("one.json", item("a", "a.tif"));
    await write("many.geojson", { type: "FeatureCollection", features: [item("b", "b.tif"), item("c", "c.tif")] });
    await write("lines.ndjson", `${JSON.stringify(item("d", "d.tif"))}\n\n${JSON.stringify(item("e", "e.tif"))}`);
    expect(await read()).toEqual({ ids: ["a", "b", "c", "d", "e"], refused: "" });
  });

  test("says which images no item names, at each look", async () => {
    await write("one.json", item("a", "a.tif"));
    await write("a.tif", "");
    await write("b.tif", "");
    const archive = await openFolder(folder, join(work, "data"));
    try {
      const expected = ['"b.tif": no item of the folder names it'];
      expect(archive.first.refused).toEqual(expected);
      expect((await archive.scan()).refused).toEqual(expected);
    } finally {
      archive.close();
    }
  });

  test.skipIf(fixtures === undefined)(
    "is not read again where nothing has changed, and its faults are still said",
    async () => {
      const outline = { type: "Feature", id: "f", geometry: null, properties: {} };
      const text = JSON.stringify({ type: "FeatureCollection", features: [outline, outline] });
      await write("fields.geojson", text);
      // beside an image, of which a collection is made
      await copyFile(join(fixtures ?? "", "tiff/encodings/tiny-51px.tif"), join(folder, "a_2024-05-01.tif"));
      const path = join(folder, "fields.geojson");
      await utimes(path, 1_700_000_000, 1_700_000_000);
      const archive = await openFolder(folder, join(work, "data"));
      try {
        expect(archive.first.refused).toHaveLength(2);
        // what is read now is no JSON
        await writeFile(path, "x".repeat(text.length));
        await utimes(path, 1_700_000_000, 1_700_000_000);
        expect((await archive.scan()).refused).toEqual(archive.first.refused);
      } finally {
        archive.close();
      }
    },
  );

  test("gives what the links of its catalog lead to, once, and says which links it does not follow", {
    tags: ["AF17"],
  }, async () => {
    await write("catalog.json", {
      type: "Catalog",
      links: [
        { rel: "child", href: "./catalog.json" },
        { rel: "child", href: "sub/collection.json" },
        { rel: "item", href: "https://elsewhere.example/item.json" },
        { rel: "item", href: "../outside.json" },
        { rel: "item", href: "missing.json" },
      ],
    });
    await mkdir(join(folder, "sub"));
    await write("sub/collection.json", {
      type: "Collection",
      links: [
        { rel: "child", href: "../catalog.json" },
        { rel: "item", href: "a.json" },
        { rel: "item", href: "./a.json" },
      ],
    });
    await write("sub/a.json", item("a", "a.tif"));
    await write("sub/unlinked.json", item("unlinked", "a.tif"));
    await writeFile(join(work, "outside.json"), JSON.stringify(item("outside", "a.tif")));
    const { ids, refused } = await read();
    expect(ids).toEqual(["a"]);
    expect(refused.split("\n")).toHaveLength(3);
    expect(refused).toMatch(/a link to another host, which is not followed/);
    expect(refused).toMatch(/an address outside of the folder: "..\/outside.json"/);
    expect(refused).toMatch(/"missing.json": a link leads there, but it is no regular file/);
  });

  test("leaves out what is broken, too long, linked, a pipe, or of no collection, and names it", {
    tags: ["AF17"],
  }, async () => {
    await write("good.json", item("good", "a.tif"));
    await write("broken.json", "{");
    await write("deep.json", `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    await write(
      "long.ndjson",
      `{"type":"Feature","id":"${"x".repeat(50 * 1_048_576)}"}\n${JSON.stringify(item("after", "a.tif"))}`,
    );
    await write("bad-id.json", item("a/b c", "a.tif"));
    await write("stranger.json", { ...item("stranger", "a.tif"), collection: "nobody-knows" });
    await write("bad-shape.json", { ...item("bad-shape", "a.tif"), geometry: { type: "Polygon", coordinates: 7 } });
    await symlink("/etc/passwd", join(folder, "passwd.json"));
    await symlink("/", join(folder, "root"));
    execFileSync("mkfifo", [join(folder, "pipe.tif"), join(folder, "pipe.json")]);
    const { ids, refused } = await read();
    expect(ids).toEqual(["after", "good"]);
    expect(refused).toMatch(/"broken.json": not JSON/);
    expect(refused).toMatch(/"bad-id.json": expected an id of at most 128 letters/);
    expect(refused).toMatch(/"bad-shape.json": (no usable item|an item whose footprint is no geometry)/);
    expect(refused).toMatch(/"long.ndjson": line 1: an item of more than 1048576 bytes/);
    expect(refused).toMatch(/"stranger.json": an item of the collection "nobody-knows", which no collection file/);
    expect(refused).toMatch(/"passwd.json": a link; links are not followed/);
    expect(refused).toMatch(/"root": a link/);
    expect(refused).toMatch(/"pipe.tif": no regular file/);
    expect(refused).toMatch(/"pipe.json": no regular file/);
  });

  test("names twenty files that it does not take, and counts the rest", async () => {
    await write("good.json", item("good", "a.tif"));
    await Promise.all(Array.from({ length: 50 }, (_, i) => write(`broken-${i}.json`, "{")));
    const { ids, refused } = await read();
    expect(ids).toEqual(["good"]);
    expect(refused.split("\n")).toHaveLength(21);
    expect(refused).toMatch(/\nand 30 more$/);
  });

  test("does not open assets outside of it, and keeps the item", { tags: ["AF17"] }, async () => {
    await write("a.json", item("a", "../../../../etc/passwd"));
    await write("b.json", item("b", "file:///etc/passwd"));
    await write("c.json", item("c", join(folder, "c.tif")));
    const { ids, refused } = await read();
    expect(ids).toEqual(["a", "b", "c"]);
    expect(refused.split("\n")).toHaveLength(2);
  });

  test("that is not there stops the start with one line", async () => {
    const environment = { dataDir: work, upstreams: {}, profile: "full" as const };
    const archive = { path: join(work, "nowhere"), pollSeconds: 0 };
    await expect(openArchiveOf({ ...environment, archive })).rejects.toThrow(/^SWATH_ARCHIVE="[^\n]+": ENOENT[^\n]+$/);
  });
});

describe("a document in place of a folder", () => {
  test("gives its own items alone, or those that it leads to", { tags: ["AF17"] }, async () => {
    await write("lines.ndjson", `${JSON.stringify(item("a", "a.tif"))}\n${JSON.stringify(item("b", "b.tif"))}`);
    await write("other.geojson", { type: "FeatureCollection", features: [item("c", "c.tif")] });
    await write("catalog.json", { type: "Catalog", links: [{ rel: "item", href: "linked.json" }] });
    await write("linked.json", item("d", "d.tif"));
    expect(await read("lines.ndjson")).toEqual({ ids: ["a", "b"], refused: "" });
    expect(await read("other.geojson")).toEqual({ ids: ["c"], refused: "" });
    expect(await read("catalog.json")).toEqual({ ids: ["d"], refused: "" });
    expect(await read("linked.json")).toEqual({ ids: ["d"], refused: "" });
  });

  test("that is a pipe is not opened, and stops the start with one line", async () => {
    const pipe = join(work, "pipe");
    execFileSync("mkfifo", [pipe]);
    const environment = { dataDir: work, upstreams: {}, profile: "full" as const };
    await expect(openArchiveOf({ ...environment, archive: { path: pipe, pollSeconds: 0 } })).rejects.toThrow(
      /^SWATH_ARCHIVE="[^\n]+": Expected a folder or a file\.$/,
    );
  });
});

describe("an address of a file of the folder", () => {
  const files = (): FolderFiles => ({ directory: folder, secret: "a secret" });

  test.each([
    "archive:a.tif",
    "archive:~AAAAAAAAAAAAAAAAAAAAAA/a.tif",
    "archive:../a.tif",
    "file:///etc/passwd",
    "a.tif",
  ])("%s, which an upstream may send, is not read", async (href) => {
    await writeFile(join(folder, "a.tif"), "II*");
    const sourceFor = createSources({ folder: files(), assetHosts: [], s3: { region: "us-west-2" } });
    expect(() => sourceFor(href)).toThrow(CogError);
  });

  test("that became a link or a pipe is not opened", async () => {
    await symlink("/etc/passwd", join(folder, "link.tif"));
    await symlink("/etc", join(folder, "etc"));
    execFileSync("mkfifo", [join(folder, "pipe.tif")]);
    const sourceFor = createSources({ folder: files(), assetHosts: [], s3: { region: "us-west-2" } });
    for (const path of ["link.tif", "etc/passwd", "pipe.tif", "../folder/x", "missing.tif"]) {
      await expect(sourceFor(folderHref(files(), path)).read(0, 8)).rejects.toMatchObject({ code: "not-found" });
    }
  });
});
