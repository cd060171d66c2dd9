import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultRegistry, resolveCollection, toNativeAsset } from "../../src/index.ts";
import { ShownRecipe, shownRecipe } from "../../src/presets.ts";

const shown = (preset: string, id: string) => {
  const recipe = defaultRegistry.presets.find((each) => each.id === preset)?.["svc:recipes"]?.[id];
  return recipe && shownRecipe(resolveCollection(id), recipe);
};

test("recipes of real collections name assets by the upstream's keys, of each upstream collection its own", {
  tags: ["R8"],
}, () => {
  for (const preset of defaultRegistry.presets) {
    for (const [id, recipe] of Object.entries(preset["svc:recipes"] ?? {})) {
      const collection = resolveCollection(id);
      const document = shownRecipe(collection, recipe);
      expect(ShownRecipe.strict().parse(document)).toEqual(document);
      if (collection.virtual !== undefined) continue;
      const { upstream } = collection;
      const each = document.assetsByCollection ?? { [upstream.collection]: document.assets };
      for (const [upstreamId, keys] of Object.entries(each)) {
        const natives = keys.map((key) => toNativeAsset(id, key, upstreamId));
        // the recipe itself names assets by the upstream's keys or the bands
        expect(natives, `${preset.id} ${id} ${upstreamId}`).toEqual(
          recipe.assets.map((name) => toNativeAsset(id, name) ?? name),
        );
      }
    }
  }
});

test.each([
  ["ndvi", "sentinel-2-l2a", ["nir", "red"], "DN"],
  ["true-color", "landsat-ot-l2", ["red", "green", "blue"], "DN"],
  ["thermal", "landsat-ot-l2", ["lwir11"], "DN"],
  ["ndvi", "hls", ["B05", "B04"], "DN"],
  ["ndvi", "landsat-ot-l1", ["nir08", "red"], "REFLECTANCE"],
  ["ndvi", "optical-sr", ["nir08", "red"], "REFLECTANCE"],
  ["vv-vh", "sentinel-1-rtc", ["vv", "vh"], "LINEAR_POWER"],
  ["elevation", "dem", ["data"], "METERS"],
  ["hillshade", "dem", ["data"], "METERS"],
  ["true-color", "sentinel-2-l2a", ["visual"], undefined],
])("%s of %s reads %j, in %s", { tags: ["R8"] }, (preset, id, assets, units) => {
  expect(shown(preset, id)).toMatchObject({ assets, ...(units === undefined ? {} : { units }) });
  expect(shown(preset, id)?.units).toBe(units);
});

test("alternatives of a recipe are named by the upstream's keys too", { tags: ["R8"] }, () => {
  expect(shown("vv-vh", "sentinel-1-rtc")?.alternatives).toEqual([
    { assets: ["hh", "hv"] },
    { assets: ["vv", "vv"], factors: [1, 0.25] },
    { assets: ["hh", "hh"], factors: [1, 0.25] },
  ]);
});

test("the sensors of HLS have keys of their own", () => {
  expect(shown("ndvi", "hls")?.assetsByCollection).toEqual({
    "HLSL30_2.0": ["B05", "B04"],
    "HLSS30_2.0": ["B8A", "B04"],
  });
  expect(shown("true-color", "hls")).toMatchObject({ assets: ["B04", "B03", "B02"] });
  expect(shown("true-color", "hls")?.assetsByCollection).toBeUndefined();
});

const { SWATH_FIXTURES = "" } = process.env;

describe.skipIf(SWATH_FIXTURES === "")("recorded items", () => {
  test.each([
    ["hls", "HLSL30_2.0", "live/nasa-cmr-stac/item-HLSL30_2.0-2021.json"],
    ["sentinel-1-rtc", "sentinel-1-rtc", "live/planetary-computer/items-sentinel-1-rtc.json"],
  ])("of %s have the assets of all its recipes", { tags: ["R8"] }, (id, upstreamId, path) => {
    const document = JSON.parse(readFileSync(join(SWATH_FIXTURES, path), "utf8"));
    const { features } = document.response?.body ?? document;
    const items: readonly { assets: Record<string, unknown> }[] = features ?? [document.response?.body ?? document];
    const keys = new Set(items.flatMap(({ assets }) => Object.keys(assets)));
    const recipes = defaultRegistry.presets.flatMap((preset) => preset["svc:recipes"]?.[id] ?? []);
    expect(recipes.length).toBeGreaterThan(0);
    for (const recipe of recipes) {
      const { assets, assetsByCollection } = shownRecipe(resolveCollection(id), recipe);
      for (const key of assetsByCollection?.[upstreamId] ?? assets) expect([...keys]).toContain(key);
    }
  });
});
