import type { Item } from "@swath/catalog";
import { describe, expect, test } from "vitest";
import type { AngleReader } from "../../src/metadata/angle-reader.ts";
import { sceneFactorsOf } from "../../src/metadata/scene-factors.ts";
import { readMetadata, scenesToRead } from "../../src/read/read-metadata.ts";
import { NUMBERS, readProgram } from "../../src/what/band-program.ts";
import { itemOf } from "../items/items.ts";
import { fixtures, recorded } from "../items/recorded.ts";
import { matchOf } from "../what/registry.ts";

const { signal } = new AbortController();
const LEVEL_1 = matchOf("landsat-ot-l1");
const S2 = matchOf("sentinel-2-l2a");
const MTL =
  "cog/landsat-c2-l2/LC08_L2SP_001062_20201031_20201106_02_T2/LC08_L2SP_001062_20201031_20201106_02_T2_MTL.json";

/** An item of level 1 with a document of its factors at an address of its own. */
function levelOne(id: string): Item {
  const item = itemOf(LEVEL_1.collection, { id });
  const files = Object.keys(item.assets).map((name) => [name, { href: `https://example.org/${id}_${name}.TIF` }]);
  return {
    ...item,
    assets: { ...Object.fromEntries(files), "MTL.json": { href: `https://example.org/${id}_MTL.json` } },
  };
}

/** Readers that write down what is read of them. */
function readers(document: unknown = {}) {
  const read: string[] = [];
  const angles: AngleReader = {
    async read(href) {
      read.push(href);
      return undefined;
    },
  };
  const sceneDocuments = {
    async read(href: string) {
      read.push(href);
      return document;
    },
  };
  return { read, angles, sceneDocuments };
}

describe("documents are read", () => {
  const items = ["a", "b"].map(levelOne);

  test.skipIf(fixtures === undefined)("of collections whose factors are there, one for each scene", async () => {
    const product = readProgram(LEVEL_1, { bands: ["red"] }, NUMBERS);
    const { read, ...own } = readers(recorded(MTL));
    const { complete } = await readMetadata([scenesToRead(items, product)], own, signal);
    expect(read.sort()).toEqual(["https://example.org/a_MTL.json", "https://example.org/b_MTL.json"]);
    for (const item of items) {
      expect(sceneFactorsOf(item)).toBeUndefined();
      expect(sceneFactorsOf(complete(item))?.B4?.offset).toBeCloseTo(-0.110_838_262_759, 9);
    }
    // an item that was not asked for stays as it is
    const other = levelOne("c");
    expect(complete(other)).toBe(other);
  });

  test("not for digital numbers, which need no factors", async () => {
    const product = readProgram(LEVEL_1, { bands: ["red"], units: "DN" }, NUMBERS);
    const { read, ...own } = readers();
    const { complete, factors } = await readMetadata([scenesToRead(items, product)], own, signal);
    expect([read, factors.size]).toEqual([[], 0]);
    expect(complete(items[0]!)).toBe(items[0]);
  });

  test("not of collections whose items carry their factors", async () => {
    const item = itemOf(S2.collection);
    const product = readProgram(S2, { index: "ndvi" }, NUMBERS);
    const { read, ...own } = readers();
    const { complete } = await readMetadata([scenesToRead([item], product)], own, signal);
    expect(read).toEqual([]);
    expect(complete(item)).toEqual(item);
  });

  test("where the service has no reader of them scenes have no factors", async () => {
    const product = readProgram(LEVEL_1, { bands: ["red"] }, NUMBERS);
    const { angles } = readers();
    const { complete } = await readMetadata([scenesToRead(items, product)], { angles }, signal);
    expect(sceneFactorsOf(complete(items[0]!))).toEqual({});
  });

  test("a scene without an address of its document is read without one", async () => {
    const { "MTL.json": _, ...assets } = items[0]!.assets;
    const product = readProgram(LEVEL_1, { bands: ["red"] }, NUMBERS);
    const { read, ...own } = readers({});
    await readMetadata([scenesToRead([{ ...items[0]!, assets }], product)], own, signal);
    expect(read).toEqual([]);
  });
});

test("angles are read at nbar alone", async () => {
  const item = itemOf(S2.collection);
  const placed = { ...item, assets: { ...item.assets, granule_metadata: { href: "https://example.org/MTD_TL.xml" } } };
  const at = async (harmonize: string) => {
    const { read, ...own } = readers();
    const scenes = scenesToRead([placed], readProgram(S2, { bands: ["red"], harmonize }, NUMBERS));
    await readMetadata([scenes], own, signal).catch(() => undefined);
    return read;
  };
  expect(await at("bandpass_adjusted")).toEqual([]);
  expect(await at("nbar")).toEqual(["https://example.org/MTD_TL.xml"]);
});

test("what an item says too little for is refused before a document is read", () => {
  const product = readProgram(S2, { bands: ["red"], harmonize: "nbar" }, NUMBERS);
  expect(() => scenesToRead([itemOf(S2.collection)], product)).toThrow(
    expect.objectContaining({ name: "Refusal", code: "harmonize-unavailable" }) as Error,
  );
});
