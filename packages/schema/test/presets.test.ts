import fc from "fast-check";
import { expect, test } from "vitest";
import { BUILT_IN_FILES, BUILT_IN_PRESETS } from "../src/files.ts";
import {
  attributionFor,
  collections,
  createRegistry,
  defaultRegistry,
  findBand,
  resolveBand,
  toNativeAsset,
} from "../src/index.ts";
import { commonIndices, INDEX_PRESETS, indices, Preset } from "../src/presets.ts";

test("the presets are there and fit their model", { tags: ["R1", "R2"] }, () => {
  const indices = ["ndvi", "ndwi", "moisture"];
  const others = ["hillshade", "elevation", "thermal", "vv-vh"];
  expect(defaultRegistry.presets.map(({ id }) => id)).toEqual(["true-color", "false-color", ...indices, ...others]);
  for (const preset of defaultRegistry.presets) expect(Preset.strict().parse(preset)).toEqual(preset);
  expect(defaultRegistry.findPreset("winter")).toBeUndefined();
});

test("the recipes are the display settings of the specification", { tags: ["R3"] }, () => {
  const recipes = (id: string) => defaultRegistry.resolvePreset(id)["svc:recipes"] ?? {};
  expect(recipes("true-color")).toMatchObject({
    "sentinel-2-l2a": { assets: ["visual"] },
    "landsat-ot-l2": { assets: ["red", "green", "blue"], rescale: [7273, 18182] },
  });
  expect(recipes("false-color")).toMatchObject({
    "sentinel-2-l2a": { assets: ["nir", "red", "green"], rescale: [1000, 5000] },
    "landsat-ot-l2": { assets: ["nir08", "red", "green"], rescale: [7273, 21818] },
  });
  expect(recipes("ndvi")).toMatchObject({
    "sentinel-2-l2a": { assets: ["nir", "red"], expression: "(b1-b2)/(b1+b2-2000)", rescale: [-0.2, 0.8] },
    "landsat-ot-l2": { assets: ["nir08", "red"], expression: "(b1-b2)/(b1+b2-14545.45)", rescale: [-0.2, 0.8] },
  });
});

test("every preset resolves in each of its collections", { tags: ["R2"] }, () => {
  for (const preset of defaultRegistry.presets) {
    expect(preset.collections).toContain(preset.collection);
    for (const [id, recipe] of Object.entries(preset["svc:recipes"] ?? {})) {
      expect(preset.collections).toContain(id);
      for (const name of preset.bands) expect(findBand(id, name), `${id} ${name}`).toBeDefined();
      for (const key of recipe.assets) expect(toNativeAsset(id, key) ?? findBand(id, key)).toBeDefined();
      expect(recipe.minzoom).toBeGreaterThanOrEqual(preset.minzoom);
      expect(recipe.maxzoom).toBeLessThanOrEqual(preset.maxzoom);
    }
  }
});

test("recipe ranges in digital numbers are the preset's range in physical units", () => {
  for (const preset of defaultRegistry.presets) {
    for (const [id, recipe] of Object.entries(preset["svc:recipes"] ?? {})) {
      if (recipe.rescale === undefined || recipe.expression !== undefined) continue;
      const { scale, offset } = resolveBand(id, preset.bands[0] ?? "");
      for (const [at, dn] of recipe.rescale.entries()) {
        // the nearest digital number is at most half a step off
        expect(Math.abs(scale * dn + offset - (preset.rescale?.[at] ?? Number.NaN))).toBeLessThanOrEqual(scale / 2);
      }
    }
  }
});

test("recipes of normalized differences give the index of the reflectances, from digital numbers of the newest product", {
  tags: ["R4"],
}, () => {
  const recipes = defaultRegistry.presets
    .filter(({ id }) => indices.some((index) => index.id === id))
    .flatMap((preset) =>
      Object.entries(preset["svc:recipes"] ?? {}).map(([id, recipe]) => ({ id, recipe, names: preset.bands })),
    );
  expect(recipes.length).toBeGreaterThanOrEqual(12);
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 0.6, noNaN: true }),
      fc.double({ min: 0.02, max: 0.4, noNaN: true }),
      (first, second) => {
        for (const { id, recipe, names } of recipes) {
          const [form, constant = 0] = /^\(b1-b2\)\/\(b1\+b2(?:-([\d.]+))?\)$/.exec(recipe.expression ?? "") ?? [];
          expect(form, id).toBeDefined();
          const [b1 = 0, b2 = 0] = [first, second].map((reflectance, i) => {
            const { scale, offset } = resolveBand(id, names[i] ?? "");
            return (reflectance - offset) / scale;
          });
          expect((b1 - b2) / (b1 + b2 - Number(constant))).toBeCloseTo((first - second) / (first + second), 4);
        }
      },
    ),
  );
});

test("index presets have the expression and the range of their index", () => {
  for (const { id, expression, bands, rescale } of defaultRegistry.presets) {
    const index = indices.find((each) => each.id === id);
    if (index === undefined) continue;
    expect({ expression, bands, rescale }).toEqual({
      expression: index.expression,
      bands: index.bands,
      rescale: index.range,
    });
  }
});

test("an index reads exactly the bands it lists, and they resolve on Sentinel-2", () => {
  for (const { expression, bands } of indices) {
    const names = [...expression.matchAll(/\b[a-z]\w*\b(?!\()/g)].map(([name]) => name);
    expect([...new Set(names)]).toEqual([...bands]);
    for (const name of bands) expect(findBand("sentinel-2-l2a", name), name).toBeDefined();
  }
  const ids: readonly string[] = indices
    .filter(({ bands }) => bands.every((name) => findBand("landsat-ot-l2", name) !== undefined))
    .map(({ id }) => id);
  expect(commonIndices.map(({ id }) => id).filter((id) => !ids.includes(id))).toEqual(["ndre"]);
});

test("every index is a preset: the common ones are listed, the others are further ones", () => {
  const registry = createRegistry(BUILT_IN_FILES, [...BUILT_IN_PRESETS, ...INDEX_PRESETS]);
  const listed = registry.presets.map(({ id }) => id).filter((id) => id.startsWith("index-"));
  expect(listed).toEqual(commonIndices.map(({ id }) => `index-${id}`));
  const further = registry.furtherPresets.map(({ id }) => id);
  expect([...listed, ...further]).toEqual(indices.map(({ id }) => `index-${id}`));
  for (const preset of registry.furtherPresets) {
    expect(registry.resolvePreset(preset.id)).toBe(preset);
    expect(Preset.strict().parse(preset)).toEqual(preset);
    expect(preset.collections).toContain("sentinel-2-l2a");
  }
});

test.each([
  { years: [2024], expected: "Contains modified Copernicus Sentinel data 2024" },
  { years: [2024, 2022, 2024], expected: "Contains modified Copernicus Sentinel data 2022, 2024" },
  { years: [2020, 2021, 2022, 2024], expected: "Contains modified Copernicus Sentinel data 2020-2022, 2024" },
  { years: [], expected: "Contains modified Copernicus Sentinel data" },
])("the credit line for $years", { tags: ["C7"] }, ({ years, expected }) => {
  expect(attributionFor(collections["sentinel-2-l2a"], years)).toBe(expected);
});

test("the credit line of Landsat loses its comma with its years", () => {
  const line = "Landsat imagery courtesy of the U.S. Geological Survey";
  expect(attributionFor(collections["landsat-ot-l2"], [])).toBe(line);
  expect(attributionFor(collections["landsat-ot-l2"], [2023, 2024])).toBe(`${line}, 2023, 2024`);
});
