import { describe, expect, test } from "vitest";
import {
  type CollectionSchema,
  collections,
  defaultBands,
  defaultRegistry,
  namesOfBand,
  PATH_ID,
  toNativeAsset,
  toUpstreamAsset,
} from "../../src/index.ts";
import { toAlias } from "../../src/models.ts";
import { DATA_TYPES, MASK_CLASSES } from "../../src/vocabulary.ts";
import { fixtureItems, fixtures } from "../fixtures.ts";

const all: readonly CollectionSchema[] = Object.values(collections);

describe.each(all)("collection $id", (collection) => {
  test("no two bands share a name", { tags: ["B1"] }, () => {
    const names = collection.bands.flatMap(namesOfBand);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const pseudo of collection.pseudoBands) expect(names).not.toContain(pseudo);
  });

  test("band facts are within their ranges", { tags: ["B4"] }, () => {
    for (const band of collection.bands) {
      expect(DATA_TYPES).toContain(band.dataType);
      expect(band.gsd).toBeGreaterThan(0);
      expect(band.scale).toBeGreaterThan(0);
      if (band.kind === "spectral" || band.kind === "thermal") {
        expect(band.centerWavelength).toBeGreaterThan(0.4);
        expect(band.fullWidthHalfMax).toBeLessThan(band.centerWavelength ?? 0);
        // the second gain of a band has no common name of its own
        if (band.name !== "B6_VCID_2") expect(band.commonName).toBeDefined();
      }
    }
  });

  test("defaults, mask source and zooms fit each other", { tags: ["C8", "C9", "C12"] }, () => {
    expect(collection.units).toContain(collection.defaultUnits);
    expect(collection.harmonizeLevels).toContain(collection.defaultHarmonize);
    if (collection.maskSource === "none") expect(collection.mask).toBeUndefined();
    else expect(collection.bands.map(({ name }) => name)).toContain(collection.maskBand);
    for (const name of collection.maskCapabilities) expect(MASK_CLASSES).toContain(name);
    expect(collection.zoom.min).toBeLessThan(collection.zoom.max);
    // elevation has no acquisition years
    if (collection.id !== "dem") expect(collection.attribution).toContain("{years}");
    expect(collection.licenseLink.href).toMatch(/^https:/);
  });

  test("every band comes from exactly one upstream asset, and back", () => {
    for (const band of collection.bands) {
      const { assetsByCollection = {} } = collection.upstream;
      const own = Object.entries(assetsByCollection).flatMap(([id, assets]) =>
        Object.entries(assets).flatMap(([key, name]) => (name === band.name ? [{ id, key }] : [])),
      );
      for (const { id, key } of own) expect(toNativeAsset(collection, key, id)).toBe(band.name);
      const key = toUpstreamAsset(collection, band.name);
      // a key of some upstream collections alone means nothing without theirs
      expect(key === undefined).toBe(own.length > 0);
      if (key !== undefined) expect(toNativeAsset(collection, key)).toBe(band.name);
    }
    const shown = Object.values(collection.upstream.assets);
    expect(new Set(shown).size).toBe(shown.length);
    expect(toNativeAsset(collection, "toString")).toBeUndefined();
  });
});

test("no alias is an id or another alias", { tags: ["A3"] }, () => {
  const names = all.flatMap((collection) => [collection.id, ...collection.aliases.map(({ id }) => id)]);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test("the aliases that the specification names lead to their collections", { tags: ["A3"] }, () => {
  for (const id of ["S2L2A", "sentinel-2-c1-l2a", "SENTINEL2_L2A"]) {
    expect(defaultRegistry.find(id)?.collection.id).toBe("sentinel-2-l2a");
  }
  for (const id of ["landsat-c2-l2", "LOTL2"]) expect(defaultRegistry.find(id)?.collection.id).toBe("landsat-ot-l2");
});

test("an alias that means fewer scenes says so as CQL2 text and as a query", { tags: ["A2"] }, () => {
  const alias = defaultRegistry.find("LANDSAT/LC09/C02/T1_L2")?.alias;
  expect(alias?.query).toEqual({ platform: { eq: "landsat-9" }, "landsat:collection_category": { eq: "T1" } });
  expect(alias === undefined ? "" : toAlias(alias).filter).toBe(
    `platform = 'landsat-9' AND "landsat:collection_category" = 'T1'`,
  );
  expect(PATH_ID.test("LANDSAT/LC09/C02/T1_L2")).toBe(false);
  expect(PATH_ID.test("SENTINEL2_L2A")).toBe(true);
});

test("bands read by default are those with physical units in native order", { tags: ["X20"] }, () => {
  expect(defaultBands("sentinel-2-l2a").map(({ name }) => name)).toEqual(
    "B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B11 B12".split(" "),
  );
  expect(defaultBands("landsat-ot-l2").map(({ name }) => name)).toEqual(
    "SR_B1 SR_B2 SR_B3 SR_B4 SR_B5 SR_B6 SR_B7 ST_B10".split(" "),
  );
  for (const id of ["landsat-etm-l2", "landsat-tm-l2"]) {
    expect(defaultBands(id).map(({ name }) => name)).toEqual("SR_B1 SR_B2 SR_B3 SR_B4 SR_B5 SR_B7 ST_B6".split(" "));
  }
  expect(defaultBands("dem").map(({ name }) => name)).toEqual(["elevation"]);
});

test("bands across sensors are those that both collections name alike", { tags: ["B2"] }, () => {
  const [first, second] = all.map((each) =>
    each.bands.filter(({ crossSensor }) => crossSensor).map(({ commonName }) => commonName),
  );
  expect(first).toEqual(["coastal", "blue", "green", "red", "nir08", "swir16", "swir22"]);
  expect(second).toEqual(first);
});

describe.skipIf(fixtures === undefined)("against recorded Earth Search items", () => {
  const recorded = [
    { collection: collections["sentinel-2-l2a"], path: "sentinel-2-c1-l2a.T13TDE-10-items.json" },
    { collection: collections["landsat-ot-l2"], path: "search-two-collections-page1.body.json" },
  ];

  test.each(recorded)("every asset of $path is known and its facts agree", ({ collection, path }) => {
    const items = fixtureItems("stac", "earth-search", "v1", path).filter(
      (item) => item.collection === collection.upstream.collection,
    );
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) {
      for (const [key, asset] of Object.entries(item.assets)) {
        const name = toNativeAsset(collection, key);
        expect(name, key).toBeDefined();
        const band = collection.bands.find((each) => each.name === name);
        if (band === undefined) continue;
        expect(asset.href.replace(/_20m\.tif$/, ".tif")).toMatch(new RegExp(`[/_]${band.name}\\.TIF$`, "i"));
        const [raster] = asset["raster:bands"] ?? [];
        if (raster !== undefined) {
          expect(raster.data_type).toBe(band.dataType);
          if (band.name !== "CLD" && band.name !== "SNW") expect(raster.nodata ?? null).toBe(band.nodata);
          expect(raster.scale ?? 1).toBe(band.scale);
          expect(raster.offset ?? 0).toBe(band.offset);
        }
        if (asset.gsd !== undefined) expect(asset.gsd).toBe(band.gsd);
        const [eo] = asset["eo:bands"] ?? [];
        if (eo?.common_name !== undefined) {
          expect(band.commonName?.startsWith(eo.common_name)).toBe(true);
          expect(Math.abs((eo.center_wavelength ?? 0) - (band.centerWavelength ?? 0))).toBeLessThan(0.02);
        }
        if (eo?.name !== undefined) expect(namesOfBand(band)).toContain(eo.name);
      }
    }
  });
});
