import { allocateSamples, resolveCrs } from "@swath/raster";
import { SamplePool } from "@swath/raster/kernels";
import { findBand, resolveCollection } from "@swath/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BandFile, bandFile, type Lack, type Wanted } from "../../src/read/band-file.ts";
import { convertSamples } from "../../src/run/scene/convert.ts";
import { FILE, readProgram } from "../../src/what/band-program.ts";
import { itemOf } from "../items/items.ts";

const fileOf = (found: BandFile | Lack): BandFile => {
  if ("kind" in found) throw new Error(found.reason);
  return found;
};

/** Returns the function from stored samples of an item's band to values, in double precision. */
function valueFrom(
  collection: string,
  what: { readonly bands: readonly string[]; readonly units?: string; readonly harmonize?: string },
  properties: Readonly<Record<string, unknown>>,
  sample: number,
): number {
  const program = readProgram({ collection: resolveCollection(collection) }, what, FILE);
  const { file } = fileOf(
    bandFile(itemOf(collection, { properties }), program.bands[0]!, program, { factors: new Map() }),
  );
  const grid = { crs: resolveCrs("EPSG:32633"), transform: [10, 0, 0, 0, -10, 0] as const, width: 1, height: 1 };
  const stored = allocateSamples("uint16", 1).fill(sample);
  const target = { sampleType: "float64", nodata: Number.NaN, pool: new SamplePool() } as const;
  const read = { grid, valid: Uint8Array.of(1) };
  return convertSamples(stored, read, file, target)[0]!;
}

const sample = fc.integer({ min: 1, max: 30_000 });

describe("values are those of the products' own handbooks", () => {
  test("Sentinel-2: (DN + offset) / 10,000, with an offset of -1000 from processing baseline 04.00 on", () => {
    fc.assert(
      fc.property(sample, fc.constantFrom("02.14", "03.01", "04.00", "05.10"), (dn, baseline) => {
        const properties = { "s2:processing_baseline": baseline };
        const offset = Number(baseline) >= 4 ? -1000 : 0;
        expect(valueFrom("sentinel-2-l2a", { bands: ["red"] }, properties, dn)).toBe((dn + offset) / 10_000);
        const removed = { bands: ["red"], units: "DN", harmonize: "offset_removed" };
        expect(valueFrom("sentinel-2-l2a", removed, properties, dn)).toBe(dn + offset);
        const stored = { bands: ["red"], units: "DN", harmonize: "none" };
        expect(valueFrom("sentinel-2-l2a", stored, properties, dn)).toBe(dn);
      }),
    );
  });

  test("Landsat Collection 2: 0.0000275 DN - 0.2, and 0.00341802 DN + 149 kelvin", () => {
    fc.assert(
      fc.property(sample, (dn) => {
        const of = (band: string, units: string) =>
          valueFrom("landsat-ot-l2", { bands: [band], units }, { platform: "landsat-8" }, dn);
        expect(of("red", "REFLECTANCE")).toBeCloseTo(0.0000275 * dn - 0.2, 12);
        expect(of("lwir11", "REFLECTANCE")).toBeCloseTo(0.00341802 * dn + 149, 9);
        expect(of("lwir11", "CELSIUS")).toBeCloseTo(0.00341802 * dn + 149 - 273.15, 9);
      }),
    );
  });
});

describe("what an item lacks is said, not thrown", () => {
  const collection = resolveCollection("sentinel-2-l2a");
  const wanted: Wanted = readProgram({ collection }, { bands: ["red"] }, FILE);
  const red = findBand(collection, "red")!;

  test("a file", () => {
    const item = itemOf(collection, { without: ["B04"] });
    expect(bandFile(item, red, wanted, { factors: new Map() })).toEqual({ kind: "band", reason: "it has no band B04" });
  });

  test("an asset that is no band", () => {
    const untouched = { ...wanted, conversion: "untouched" } as const;
    const item = itemOf(collection);
    expect(bandFile(item, "visual", untouched, { factors: new Map() })).toMatchObject({ kind: "band" });
    const image = { ...item, assets: { visual: { href: "archive:visual.tif" } } };
    expect(bandFile(image, "visual", untouched, { factors: new Map() })).toEqual({
      file: { href: "archive:visual.tif" },
      scale: 1,
      offset: 0,
    });
    // an image has no physical values
    expect(bandFile(image, "visual", wanted, { factors: new Map() })).toMatchObject({ kind: "band" });
  });

  test("the factors of its document", () => {
    const level1 = resolveCollection("landsat-ot-l1");
    const program = readProgram({ collection: level1 }, { bands: ["red"] }, FILE);
    const found = bandFile(itemOf(level1), program.bands[0]!, program, { factors: new Map() });
    expect(found).toMatchObject({ kind: "factors", reason: expect.stringContaining("factors of") });
  });

  test("coefficients for its platform", () => {
    const program = readProgram({ collection }, { bands: ["red"], harmonize: "bandpass_adjusted" }, FILE);
    const found = (platform: unknown) =>
      bandFile(itemOf(collection, { properties: { platform } }), red, program, { factors: new Map() });
    expect(found("sentinel-2x")).toMatchObject({
      kind: "coefficients",
      reason: expect.stringContaining("sentinel-2x"),
    });
    const { conversion } = fileOf(found("sentinel-2a")).file;
    expect(conversion).toMatchObject({ kind: "physical", adjust: { slope: expect.any(Number) } });
  });
});

test("a band of a virtual collection is the member's of the same common name", () => {
  const collection = resolveCollection("optical-sr");
  const program = readProgram({ collection }, { bands: ["red"] }, FILE);
  const source = { "svc:source_collection": "landsat-ot-l2", platform: "landsat-8" };
  const { file } = fileOf(
    bandFile(itemOf("landsat-ot-l2", { properties: source }), program.bands[0]!, program, { factors: new Map() }),
  );
  expect(file.href).toBe("archive:SR_B4.tif");
});
