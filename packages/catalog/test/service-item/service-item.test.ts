import { describe, expect, test } from "vitest";
import { stacFaults } from "../../../../test/tools/stac-validator.ts";
import { toServiceItem } from "../../src/index.ts";
import { type Document, fixtures, recordedItems, schemas } from "../fixtures.ts";
import { withLinks } from "./with-links.ts";

const EARTH_SEARCH = [
  "earth-search/v1/sentinel-2-c1-l2a.T13TDE-10-items.json",
  "earth-search/v1/search-two-collections-page1.body.json",
  "earth-search/v1/search-duplicate-scenes-page1.body.json",
  "earth-search/v1/search-duplicate-scenes-page2.body.json",
  "earth-search/v1/item-sentinel-2-l2a-baseline-02.14.body.json",
  "earth-search/v1/item-sentinel-2-l2a-baseline-05.00.body.json",
  "earth-search/v1/sentinel-2-l2a.S2A_28QCH_20200714_0_L2A.json",
];
const OTHERS = [
  "earth-search/v0/S2A_28QCH_20200714_0_L2A.json",
  "earth-search/v0/search-sentinel-s2-l2a-cogs.body.json",
  "stac-1.1/earth-search-next.S2B_T01LAC_20260830.trimmed.json",
  "stac-1.1/antimeridian-S2A_T01WCS_20230625.json",
  "stac-1.1/antimeridian-S2A_T01KAB_20230821.json",
  "stac-1.1/pair-a.before-1.0.0-beta.2.json",
  "stac-1.1/pair-a.after-1.1.0.json",
  "planetary-computer/sentinel-2-l2a.items.json",
  "usgs/search-landsat-c2l2-sr.body.json",
  "usgs/landsat-c2-l2.LC09_L2SP_010065_20220129_02_T1.json",
  "../cog/landsat-c2-l2/LC08_L2SP_001062_20201031_20201106_02_T2/LC08_L2SP_001062_20201031_20201106_02_T2_SR_stac.json",
  "../cog/landsat-c2-l2/LC08_L2SP_001062_20201031_20201106_02_T2/LC08_L2SP_001062_20201031_20201106_02_T2_ST_stac.json",
  "../cog/landsat-c2-l2/LC08_L2SP_008059_20191201_20200825_02_T1/LC08_L2SP_008059_20191201_20200825_02_T1_SR_stac.json",
  "../cog/landsat-c2-l2/LC08_L2SR_099120_20191129_20201016_02_T2/LC08_L2SR_099120_20191129_20201016_02_T2_SR_stac.json",
];

interface Shown {
  readonly id: string;
  readonly collection: string;
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, Record<string, unknown> & { bands?: Record<string, unknown>[] }>;
  readonly stac_extensions: string[];
}

function shown(upstream: Document | undefined): Shown {
  const item = toServiceItem(upstream);
  if (item === undefined) throw new Error("Expected an item of the service.");
  return item as unknown as Shown;
}

describe.skipIf(fixtures === undefined)("a recorded item", () => {
  test.skipIf(schemas === undefined).each([...EARTH_SEARCH, ...OTHERS])(
    "of %s comes out valid",
    { tags: ["G3", "I2"] },
    async (path) => {
      const items = recordedItems(path);
      expect(items.length).toBeGreaterThan(0);
      for (const upstream of items) expect(await stacFaults(withLinks(shown(upstream) as never))).toEqual([]);
    },
  );

  test.skipIf(schemas === undefined)("is found invalid when it is spoilt", { tags: ["I2"] }, async () => {
    const item = shown(recordedItems(EARTH_SEARCH[0] as string)[0]);
    const spoilt = { ...item, properties: { ...item.properties, "eo:cloud_cover": 101 } };
    expect((await stacFaults(withLinks(spoilt))).join()).toContain("eo/v2.0.0");
  });

  test("of Sentinel-2 has native band names as keys, and what is no band keeps its key", { tags: ["I10"] }, () => {
    const item = shown(recordedItems(EARTH_SEARCH[0] as string)[0]);
    expect(Object.keys(item.assets).sort()).toMatchInlineSnapshot(`
      [
        "AOT",
        "B01",
        "B02",
        "B03",
        "B04",
        "B05",
        "B06",
        "B07",
        "B08",
        "B09",
        "B11",
        "B12",
        "B8A",
        "CLD",
        "SCL",
        "SNW",
        "WVP",
        "granule_metadata",
        "preview",
        "product_metadata",
        "thumbnail",
        "tileinfo_metadata",
        "visual",
      ]
    `);
    expect(item.assets.B8A).toMatchObject({
      "svc:band": "B8A",
      roles: ["data", "reflectance"],
      type: "image/tiff; application=geotiff; profile=cloud-optimized",
      "proj:shape": [5490, 5490],
      bands: [{ name: "B8A", "eo:common_name": "nir08", "raster:scale": 0.0001, "raster:offset": -0.1, nodata: 0 }],
    });
    expect(item.assets.visual).not.toHaveProperty("svc:band");
    expect(item.assets.visual?.bands?.map((band) => band.name)).toEqual(["B04", "B03", "B02"]);
  });

  test("of Sentinel-2 says which tile, baseline, mask and harmonization it has", { tags: ["I7", "I9"] }, () => {
    const item = shown(recordedItems(EARTH_SEARCH[0] as string)[0]);
    expect(item.collection).toBe("sentinel-2-l2a");
    expect(item.properties).toMatchObject({
      "s2:mgrs_tile": "13TDE",
      "s2:processing_baseline": "05.10",
      "svc:source_collection": "sentinel-2-l2a",
      "svc:mask_source": "scl",
      "svc:harmonization": "offset_removed",
      "proj:code": "EPSG:32613",
      "proj:epsg": 32613,
    });
    expect(item.properties["svc:mask_capabilities"]).toContain("cloud_shadow");
    expect(Object.keys(item.properties).filter((key) => key.startsWith("storage:"))).toEqual([]);
  });

  test.each([
    { path: "item-sentinel-2-l2a-baseline-02.14.body.json", offset: 0, why: "baselines under 04.00 have no offset" },
    { path: "item-sentinel-2-l2a-baseline-05.00.body.json", offset: 0, why: "its pixels have the offset taken out" },
  ])("of $path has offset $offset: $why", ({ path, offset }) => {
    const item = shown(recordedItems(`earth-search/v1/${path}`)[0]);
    expect(item.assets.B04?.bands?.[0]).toMatchObject({ "raster:scale": 0.0001, "raster:offset": offset });
    expect(Object.keys(item.assets).filter((key) => key.endsWith("jp2"))).toEqual([]);
  });

  test("of Landsat keeps its s3 hrefs and says who pays", { tags: ["G4"] }, () => {
    const item = shown(
      recordedItems(EARTH_SEARCH[1] as string).find(({ collection }) => collection === "landsat-c2-l2"),
    );
    expect(item.collection).toBe("landsat-ot-l2");
    expect(Object.keys(item.assets).sort()).toMatchInlineSnapshot(`
      [
        "QA_PIXEL",
        "QA_RADSAT",
        "SR_B1",
        "SR_B2",
        "SR_B3",
        "SR_B4",
        "SR_B5",
        "SR_B6",
        "SR_B7",
        "SR_QA_AEROSOL",
        "ST_ATRAN",
        "ST_B10",
        "ST_CDIST",
        "ST_DRAD",
        "ST_EMIS",
        "ST_EMSD",
        "ST_QA",
        "ST_TRAD",
        "ST_URAD",
        "ang",
        "mtl.json",
        "mtl.txt",
        "mtl.xml",
        "reduced_resolution_browse",
        "thumbnail",
      ]
    `);
    expect(item.assets.SR_B4?.href).toMatch(/^s3:\/\/usgs-landsat\/.*_SR_B4\.TIF$/);
    expect(item.assets.SR_B4).toMatchObject({
      "storage:refs": ["aws"],
      "proj:shape": [7831, 7711],
      "proj:transform": [30, 0, 449085, 0, -30, 4581915],
      bands: [{ name: "SR_B4", "eo:common_name": "red", "raster:scale": 0.0000275, "raster:offset": -0.2 }],
    });
    expect(item.assets.ST_B10?.bands?.[0]).toMatchObject({ unit: "kelvin", "raster:offset": 149 });
    expect(item.assets.QA_PIXEL?.roles).toEqual([
      "data",
      "classification",
      "cloud",
      "cloud-shadow",
      "snow-ice",
      "water-mask",
    ]);
    expect(item.properties).toMatchObject({
      platform: "landsat-8",
      "svc:mask_source": "qa_pixel",
      "svc:harmonization": "none",
      "storage:schemes": { aws: { type: "aws-s3", bucket: "usgs-landsat", region: "us-west-2", requester_pays: true } },
    });
    expect(item.stac_extensions).toContain("https://stac-extensions.github.io/landsat/v2.0.0/schema.json");
  });

  test("of USGS shows the s3 href where there is a choice", { tags: ["G4"] }, () => {
    const item = shown(recordedItems("usgs/search-landsat-c2l2-sr.body.json")[0]);
    expect(item.assets.SR_B4?.href).toMatch(/^s3:\/\/usgs-landsat\//);
    expect(item.properties).toMatchObject({ platform: "landsat-8", instruments: ["oli", "tirs"] });
    expect(item.assets).not.toHaveProperty("index");
  });

  test("with a bare date, old eo fields and short path numbers is brought to the one form", { tags: ["I5"] }, () => {
    const item = shown(recordedItems(OTHERS.at(-1) as string)[0]);
    expect(item.properties).toMatchObject({
      datetime: "2019-11-29T00:00:00Z",
      platform: "landsat-8",
      instruments: ["oli", "tirs"],
      "landsat:wrs_path": "099",
      "landsat:wrs_row": "120",
      "landsat:correction": "L2SR",
      "view:sun_elevation": 20.49329425,
    });
    expect(Object.keys(item.assets)).toContain("SR_B4");
    expect(item.assets).not.toHaveProperty("ST_B10");
  });

  test("of the next Earth Search pipeline is read though its bands are hoisted onto the assets", () => {
    const item = shown(recordedItems("stac-1.1/earth-search-next.S2B_T01LAC_20260830.trimmed.json")[0]);
    expect(item.assets.B04).not.toHaveProperty("name");
    expect(item.assets.B04?.bands).toHaveLength(1);
    expect(item.assets.B04?.bands?.[0]).toMatchObject({ name: "B04", "eo:common_name": "red", "raster:offset": -0.1 });
    expect(item.properties).toMatchObject({ "proj:code": "EPSG:32701", "proj:epsg": 32701, "s2:mgrs_tile": "01LAC" });
    expect(item.properties["storage:schemes"]).toHaveProperty("local");
  });

  test("of Earth Search v0 gets its tile from the id, zone padded", () => {
    expect(shown(recordedItems(OTHERS[0] as string)[0]).properties["s2:mgrs_tile"]).toBe("28QCH");
  });
});

test.each([
  {
    why: "a platform that no collection has",
    item: {
      type: "Feature",
      id: "LX10_L2SP_033032_20331008_02_T1",
      collection: "landsat-c2-l2",
      properties: { platform: "landsat-10" },
    },
  },
  { why: "another collection", item: { type: "Feature", id: "x", collection: "naip", properties: {} } },
  { why: "a collection document", item: { type: "Collection", id: "sentinel-2-c1-l2a" } },
  { why: "no object", item: null },
])("toServiceItem leaves out $why", { tags: ["I16"] }, ({ item }) => {
  expect(toServiceItem(item)).toBeUndefined();
});

test.each([
  { properties: { "grid:code": "MGRS-5CNL" }, tile: "05CNL" },
  { properties: { "mgrs:utm_zone": 5, "mgrs:latitude_band": "C", "mgrs:grid_square": "NL" }, tile: "05CNL" },
  { properties: { "s2:mgrs_tile": "13TDE" }, tile: "13TDE" },
])("the tile of $properties is $tile", { tags: ["I7"] }, ({ properties, tile }) => {
  const item = {
    type: "Feature",
    id: "S2A_X_L2A",
    collection: "sentinel-2-c1-l2a",
    properties: { ...properties, platform: "sentinel-2a" },
  };
  expect(shown(item).properties["s2:mgrs_tile"]).toBe(tile);
});
