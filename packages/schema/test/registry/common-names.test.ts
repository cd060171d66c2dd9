import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCollectionFile } from "../../src/files.ts";
import { createRegistry, defaultRegistry, findBand, toNativeAsset } from "../../src/index.ts";
import { indices } from "../../src/presets.ts";

const { collections, presets } = defaultRegistry;
const { common_names: named, indices: published } = defaultRegistry.schemaData();

const nativeName = (id: string, name: string): string | undefined => {
  return findBand(defaultRegistry.resolve(id), name)?.name;
};

const SURFACE = ["sentinel-2-l2a", "landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2", "hls"];
const AT_SENSOR = ["landsat-ot-l1", "landsat-etm-l1", "landsat-tm-l1"];
const OPTICAL = [...SURFACE, ...AT_SENSOR, "landsat-mss-l1", "sentinel-2-l1c"];
const SENTINEL = ["sentinel-2-l2a", "sentinel-2-l1c", "hls"];
/** Bands of MSS. */
const OF_MSS = ["green", "red", "nir", "nir08", "nir09"];

describe("common names", () => {
  test("of the schema document resolve to the bands that it gives, and to none where it gives none", {
    tags: ["B8"],
  }, () => {
    expect(Object.keys(named).length).toBeGreaterThan(10);
    for (const [name, bands] of Object.entries(named)) {
      for (const { id } of collections) expect([name, id, nativeName(id, name)]).toEqual([name, id, bands[id]]);
    }
  });

  test("that indices read are in the schema document, for each collection on which the index can be computed", () => {
    expect(published.map(({ id }) => id)).toEqual(indices.map(({ id }) => id));
    for (const { id: index, bands } of published) {
      const able = collections.filter(({ id }) => bands.every((name) => named[name]?.[id] !== undefined));
      // the red edge is of Sentinel-2 alone, also in HLS; the coastal band of it and OLI
      expect([index, able.map(({ id }) => id)]).toEqual([
        index,
        OPTICAL.filter((id) => {
          if (id === "landsat-mss-l1") return bands.every((name) => OF_MSS.includes(name));
          if (bands.some((name) => name.startsWith("rededge"))) return SENTINEL.includes(id);
          return !bands.includes("coastal") || [...SENTINEL, "landsat-ot-l2", "landsat-ot-l1"].includes(id);
        }),
      ]);
    }
  });

  test("that presets read are in the schema document, and are what the recipe of each collection reads", {
    tags: ["B8"],
  }, () => {
    let count = 0;
    for (const { id: preset, bands, collections: of = [], "svc:recipes": recipes = {} } of presets) {
      for (const id of of.filter((each) => OPTICAL.includes(each))) {
        const collection = defaultRegistry.resolve(id);
        const natives = bands.map((name) => named[collection.indexBands[name] ?? name]?.[id]);
        expect(natives).not.toContain(undefined);
        const read = recipes[id]?.assets.map((key) => toNativeAsset(collection, key) ?? key);
        // the true-colour image of Sentinel-2 holds red, green and blue
        // products of several sensors have the narrow near infrared in common
        const narrow = bands.map((name) => named[name === "nir" ? "nir08" : name]?.[id]);
        if (read?.length === natives.length) expect([natives, narrow], `${preset} of ${id}`).toContainEqual(read);
        else expect([preset, id, read?.length]).toEqual(["true-color", id, 1]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThanOrEqual(6);
  });

  test("nir and nir08 are bands of every collection: the same one on TM, ETM+ and OLI, two on Sentinel-2 and MSS", () => {
    expect([named.nir, named.nir08]).toEqual([
      {
        "sentinel-2-l2a": "B08",
        "landsat-ot-l2": "SR_B5",
        "landsat-etm-l2": "SR_B4",
        "landsat-tm-l2": "SR_B4",
        hls: "NIR_Broad",
        "landsat-ot-l1": "B5",
        "landsat-etm-l1": "B4",
        "landsat-tm-l1": "B4",
        "landsat-mss-l1": "NIR_2",
        "sentinel-2-l1c": "B08",
        "optical-sr": "nir08",
      },
      {
        "sentinel-2-l2a": "B8A",
        "landsat-ot-l2": "SR_B5",
        "landsat-etm-l2": "SR_B4",
        "landsat-tm-l2": "SR_B4",
        hls: "NIR_Narrow",
        "landsat-ot-l1": "B5",
        "landsat-etm-l1": "B4",
        "landsat-tm-l1": "B4",
        "landsat-mss-l1": "NIR_1",
        "sentinel-2-l1c": "B8A",
        "optical-sr": "nir08",
      },
    ]);
  });

  test("include what indices read where only a sensor without a broad near infrared is live", () => {
    const path = new URL("../../collections/landsat-ot-l2.json", import.meta.url);
    const alone = createRegistry([parseCollectionFile(readFileSync(path, "utf8"), "landsat-ot-l2.json")]);
    expect(alone.schemaData().common_names.nir).toEqual({ "landsat-ot-l2": "SR_B5" });
    expect(alone.schemaData().common_names).not.toHaveProperty("rededge071");
  });
});

test("a preset that masks clouds is offered on collections with a mask alone, and has a recipe there alone", () => {
  const path = new URL("../../collections/landsat-ot-l2.json", import.meta.url);
  const file = parseCollectionFile(readFileSync(path, "utf8"), "landsat-ot-l2.json");
  const { "true-color": trueColor } = file.recipes ?? {};
  const own = { ...file, recipes: trueColor === undefined ? {} : { "true-color": trueColor } };
  const { mask: _, ...unmasked } = own;
  const other = { ...unmasked, id: "no-mask", aliases: [], pseudoBands: [] };
  const preset = presets.find(({ id }) => id === "true-color");
  const { collections: _of, "svc:recipes": _recipes, links: _links, ...plain } = preset as NonNullable<typeof preset>;
  const files = Object.keys(file.recipes ?? {}).map((id) => ({
    ...plain,
    id,
    cloudMask: { exclude: ["cloud" as const] },
  }));
  const registry = createRegistry([file, other], files);
  expect(registry.findPreset("true-color")?.collections).toEqual(["landsat-ot-l2"]);
  expect(registry.recipeOf("true-color", "no-mask")).toBeUndefined();
  expect(registry.recipeOf("true-color", "landsat-ot-l2")).toBeDefined();
});
