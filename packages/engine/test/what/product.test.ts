import { describe, expect, test } from "vitest";
import { nodataTag, productOf } from "../../src/what/product.ts";
import { matchOf, refusalOf } from "./registry.ts";

const S2 = matchOf("sentinel-2-l2a");

describe("the narrowest sample type holds every value", () => {
  test.each([
    [{ bands: ["B04"] }, "float32", Number.NaN],
    [{ bands: ["B04"], units: "DN" }, "int16", -32_768],
    [{ bands: ["B04"], units: "DN", harmonize: "none" }, "uint16", 0],
    [{ bands: ["B04", "CLD"], units: "DN", harmonize: "none" }, "uint16", undefined],
    [{ bands: ["CLD"], units: "DN" }, "uint16", undefined],
    [{ bands: ["mask", "dataMask"], units: "DN" }, "uint8", undefined],
  ])("%j is %s, and its tag %s", (what, sampleType, nodata) => {
    expect(productOf(S2, what)).toMatchObject({ sampleType, ...(nodata === undefined ? {} : { nodata }) });
    expect(productOf(S2, what).nodata).toEqual(nodata);
  });

  test("stored floats stay floats: heights and backscatter as they are in their files", () => {
    const { collection } = matchOf("dem");
    const bands = collection.bands.map((band) => ({ ...band, kind: "ancillary" as const, nodata: null }));
    const match = { ...matchOf("dem"), collection: { ...collection, bands, processUnits: ["DN" as const] } };
    const what = { units: "DN", harmonize: "none" };
    expect(productOf(match, what)).toMatchObject({ sampleType: "float32", nodata: Number.NaN });
    expect(refusalOf(() => productOf(match, what, { sampleType: "UINT16" }))).toMatchObject({
      path: ["into", "sampleType"],
      detail: "UINT16 cannot hold these values: expected FLOAT32.",
    });
  });

  test("another is taken where it holds them", () => {
    const what = { bands: ["B04"], units: "DN" };
    expect(productOf(S2, what, { sampleType: "FLOAT32" })).toMatchObject({ sampleType: "float32", nodata: Number.NaN });
    expect(refusalOf(() => productOf(S2, what, { sampleType: "UINT16" }))).toMatchObject({
      code: "invalid",
      path: ["into", "sampleType"],
      detail: expect.stringMatching(/expected INT16 or FLOAT32\.$/),
    });
    const masks = { bands: ["mask"], units: "DN" };
    expect(productOf(S2, masks, { sampleType: "INT16" }).sampleType).toBe("int16");
  });
});

test("pseudo bands say what stands where no scene holds data", () => {
  expect(productOf(S2, { bands: ["B04", "mask", "dataMask"], units: "DN" }).fills).toEqual([undefined, 1, 0]);
  expect(productOf(S2, { bands: ["B04"] })).not.toHaveProperty("fills");
});

test("a file of some of the bands has the tag that suits these", () => {
  const product = productOf(S2, { bands: ["B04", "CLD"], units: "DN", harmonize: "none" });
  expect(product.bands.map((band) => nodataTag(product, [band]))).toEqual([0, undefined]);
});
