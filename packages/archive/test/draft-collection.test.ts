import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { draftCollection } from "../src/draft-collection.ts";

const fixtures = process.env.SWATH_FIXTURES;
const FILE = join(fixtures ?? "", "field/extract-float-as-uint16/scenes/ndvi/2024-05-01.tif");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-draft-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.skipIf(fixtures === undefined)("a first collection file", () => {
  test.each([
    ["2024-05-01.tif", "**/{date}.tif", "2024-05-01T00:00:00Z"],
    ["field_17_20240501T101112_v2.TIF", "**/{name}_{date}_v2.TIF", "2024-05-01T10:11:12Z"],
    ["S2-2024122.tiff", "**/{name}-{date}.tiff", "2024-05-01T00:00:00Z"],
    ["orthophoto.tif", "**/{name}.tif", "1970-01-01T00:00:00Z"],
  ])("has a path for names like %s", async (name, path, start) => {
    await copyFile(FILE, join(folder, name));
    const { upstream, start: first, bands } = await draftCollection(join(folder, name));
    expect([upstream.files, first]).toEqual([[{ path }], start]);
    expect(bands).toMatchObject([{ name: "b1", dataType: "float32", gsd: 10, nodata: -9999 }]);
  });
});
