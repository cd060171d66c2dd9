import { resolveCollection } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { displayScene } from "../../src/read/display-scene.ts";
import { extractScenes } from "../../src/read/extract-scenes.ts";
import { checkBands, planGroups } from "../../src/read/item-groups.ts";
import { NUMBERS, readProgram } from "../../src/what/band-program.ts";
import { productOf } from "../../src/what/product.ts";
import { itemOf } from "../items/items.ts";
import { refusalOf, registry } from "../what/registry.ts";

const S2 = { collection: resolveCollection("sentinel-2-l2a") };
const FOOTPRINT = [
  [
    [13, 45],
    [14, 45],
    [14, 46],
    [13, 45],
  ],
];

describe("a scene is read by what it is read for", () => {
  const item = itemOf(S2.collection, { properties: { "s2:processing_baseline": "05.10" } });

  test("to be looked at: smooth, with the newest product's offset, as it is stored", () => {
    const recipe = registry.recipeOf("ndvi", "sentinel-2-l2a")!;
    const preset = registry.resolvePreset("ndvi");
    const scene = displayScene(item, S2.collection, recipe, { ...preset, cloudMask: undefined })!;
    expect(scene).toMatchObject({
      resampling: "bilinear",
      overviews: "display",
      validWhere: "every-file",
      footprint: FOOTPRINT,
    });
    expect(scene).not.toHaveProperty("output");
    expect(scene.files.map(({ conversion }) => conversion)).toEqual([undefined, undefined]);
    const old = itemOf(S2.collection, { properties: { "s2:processing_baseline": "02.14" } });
    const shifted = displayScene(old, S2.collection, recipe, preset)!;
    expect(shifted.files[0]?.conversion).toEqual({ kind: "shift", shift: 1000 });
    const untouched = displayScene(old, S2.collection, recipe, { ...preset, harmonize: "none" })!;
    expect(untouched.files[0]).not.toHaveProperty("conversion");
  });

  test("for a file: the samples of gdalwarp, whatever its footprint says", () => {
    const [scene] = extractScenes([item], productOf(S2, { bands: ["B04"], units: "DN" }));
    expect(scene?.read).toMatchObject({
      resampling: "nearest",
      overviews: "gdal",
      validWhere: "any-file",
      footprint: [],
      output: { sampleType: "int16", nodata: -32_768 },
      files: [{ href: "archive:B04.tif", nodata: 0, conversion: { kind: "offset-removed", dnOffset: 1000 } }],
    });
    expect(scene?.scales).toEqual([{ scale: 0.0001, offset: 0 }]);
  });

  test("for numbers: the same samples in double precision, and the mask", () => {
    const program = readProgram(S2, { index: "ndvi" }, NUMBERS);
    const [group] = planGroups([{ id: "0", items: [item] }], program, { exclude: ["cloud"] });
    expect(group?.scenes).toMatchObject([
      {
        resampling: "nearest",
        overviews: "gdal",
        validWhere: "every-file",
        footprint: FOOTPRINT,
        output: { sampleType: "float64", nodata: Number.NaN },
        mask: { href: "archive:SCL.tif", drop: { kind: "values", values: expect.arrayContaining([8, 9]) } },
      },
    ]);
    const [bare] = planGroups([{ id: "0", items: [item] }], program, undefined);
    expect(bare?.scenes[0]).not.toHaveProperty("mask");
  });
});

describe("in a mosaic", () => {
  const items = ["a", "b"].map((id) => itemOf(S2.collection, { id }));
  const filesOf = (bands: readonly string[]) => {
    const scenes = extractScenes(items, productOf(S2, { bands, units: "DN", harmonize: "none" }));
    return scenes[0]!.read;
  };

  test("bands of data everywhere leave the pixel to those that say where the scene has data", () => {
    expect(filesOf(["B04", "CLD"]).files).toMatchObject([{ nodata: 0 }, { nodata: null, claims: false }]);
    expect(filesOf(["B04", "CLD"])).not.toHaveProperty("mask");
  });

  test("of such bands alone the collection's mask says where the scene has data", () => {
    expect(filesOf(["CLD"]).mask).toMatchObject({ href: "archive:SCL.tif" });
    const [alone] = extractScenes([items[0]!], productOf(S2, { bands: ["CLD"], units: "DN" }));
    expect(alone?.read).not.toHaveProperty("mask");
  });

  test("pseudo bands leave pixels without data to the next scene", () => {
    expect(filesOf(["mask"]).files).toMatchObject([{ nodata: null, yields: 0, conversion: { kind: "classes" } }]);
  });
});

describe("an item that lacks something", () => {
  const [whole, partial] = [
    itemOf(S2.collection, { id: "whole" }),
    itemOf(S2.collection, { id: "partial", without: ["B08", "SCL"] }),
  ];

  test("is left out of an image", () => {
    const preset = registry.resolvePreset("ndvi");
    const recipe = registry.recipeOf("ndvi", "sentinel-2-l2a")!;
    expect(displayScene(partial, S2.collection, recipe, preset)).toBeUndefined();
    const masked = { ...preset, cloudMask: { exclude: ["cloud"] as const } };
    const noMask = itemOf(S2.collection, { without: ["SCL"] });
    expect(displayScene(noMask, S2.collection, recipe, masked as never)).toBeUndefined();
    expect(displayScene(noMask, S2.collection, recipe, { ...masked, cloudMask: undefined })).toBeDefined();
  });

  test("ends the making of a file, which names each band", () => {
    const product = productOf(S2, { bands: ["B04", "B08", "SCL"], units: "DN" });
    expect(refusalOf(() => extractScenes([whole, partial], product))).toMatchObject({
      code: "unknown-band",
      faults: [
        { path: ["what", "bands", 1], detail: "Scene partial has no band B08." },
        { path: ["what", "bands", 2], detail: "Scene partial has no band SCL." },
      ],
    });
  });

  test("without factors ends it too, and each band is named once", () => {
    const level1 = { collection: resolveCollection("landsat-ot-l1") };
    const items = ["a", "b"].map((id) => itemOf(level1.collection, { id }));
    const product = productOf(level1, { bands: ["red", "nir08"] });
    const refused = refusalOf(() => extractScenes(items, product));
    expect(refused).toMatchObject({ code: "units-unavailable", path: ["what", "bands", 0] });
    expect(refused.faults.map(({ detail }) => detail)).toEqual([
      "Scene a has no factors of B4: ask for DN.",
      "Scene a has no factors of B5: ask for DN.",
    ]);
  });

  test("is named beside the numbers of the others", () => {
    const program = readProgram(S2, { index: "ndvi" }, NUMBERS);
    const [group] = planGroups([{ id: "0", items: [whole, partial] }], program, undefined);
    expect(group?.scenes.map(({ id }) => id)).toEqual(["whole"]);
    expect(group?.missing).toEqual([{ id: "partial", reason: "it has no band B08", lacksBand: true }]);
    const noMask = itemOf(S2.collection, { id: "unmasked", without: ["SCL"] });
    const [masked] = planGroups([{ id: "0", items: [noMask] }], program, { exclude: ["cloud"] });
    expect(masked?.missing).toEqual([{ id: "unmasked", reason: "it has no file of its cloud mask" }]);
  });

  test("where every item lacks a band it is a fault of the request", () => {
    const program = readProgram(S2, { index: "ndvi" }, NUMBERS);
    const groups = (items: Parameters<typeof planGroups>[0][number]["items"]) =>
      planGroups([{ id: "0", items }], program, undefined);
    expect(refusalOf(() => checkBands(groups([partial, partial]), program.path))).toMatchObject({
      code: "unknown-band",
      path: ["what", "index"],
      detail: "Scene partial cannot be read, it has no band B08, nor can one of the other 1.",
    });
    expect(() => checkBands(groups([whole, partial]), program.path)).not.toThrow();
    expect(() => checkBands(groups([]), program.path)).not.toThrow();
  });

  test("of a platform without coefficients is refused at a level that needs them", () => {
    const strange = itemOf(S2.collection, { properties: { platform: "sentinel-2x" } });
    const what = { bands: ["B04"], harmonize: "bandpass_adjusted" };
    for (const work of [
      () => extractScenes([strange], productOf(S2, what)),
      () => planGroups([{ id: "0", items: [strange] }], readProgram(S2, what, NUMBERS), undefined),
    ]) {
      const { code, detail } = refusalOf(work);
      expect([code, detail]).toEqual(["harmonize-unavailable", expect.stringContaining("sentinel-2x")]);
    }
  });
});
