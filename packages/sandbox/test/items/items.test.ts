import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { stacFaults } from "../../../../test/tools/stac-validator.ts";
import type { UpstreamItem } from "../../src/index.ts";
import { createUpstreamHandler } from "../../src/node.ts";
import { sharedArchive } from "../shared-archive.ts";

const fixtures = process.env.SWATH_FIXTURES;
const schemas = process.env.SWATH_SCHEMAS;
const baseUrl = "https://upstream.test/v1";
let features: UpstreamItem[] = [];
beforeAll(async () => {
  const handler = createUpstreamHandler(sharedArchive(), { baseUrl });
  features = (
    (await (await handler(new Request(`${baseUrl}/search?limit=500`))).json()) as { features: UpstreamItem[] }
  ).features;
}, 300_000);

test("ids, dates and baselines of the fixed scenes are those the README names", () => {
  const fixed = features.filter(({ id, properties }) => properties.datetime < "2025" && !/T33TTL|_192028_/.test(id));
  expect(
    fixed.map(({ id, properties }) => `${id} ${properties["s2:processing_baseline"] ?? ""}`.trim()),
  ).toMatchInlineSnapshot(`
    [
      "S2A_T33TUL_20240706T095331_L2A 05.10",
      "S2A_T33TVL_20240706T095331_L2A 05.10",
      "LC09_L2SP_190028_20240706_02_T1",
      "LC08_L2SP_191028_20240705_02_T1",
      "HLS.L30.T33TUL.2024187T095126.v2.0",
      "S2B_T33TUL_20240704T100211_L2A 05.10",
      "HLS.S30.T33TUL.2024186T100741.v2.0",
      "S2B_T33TVL_20240704T100211_L2A 05.10",
      "S1A_IW_GRDH_1SDV_20240703T051129_20240703T051154_054594_06A4F1_rtc",
      "LC08_L2SP_191028_20210713_02_T1",
      "LE07_L2SP_191028_20210706_02_T1",
      "S2A_T33TUL_20210705T100211_L2A 03.01",
      "S2A_T33TVL_20210705T100211_L2A 03.01",
      "Copernicus_DSM_COG_10_N46_00_E015_00_DEM",
      "Copernicus_DSM_COG_10_N46_00_E014_00_DEM",
      "Copernicus_DSM_COG_10_N46_00_E013_00_DEM",
      "Copernicus_DSM_COG_10_N46_00_E012_00_DEM",
      "Copernicus_DSM_COG_10_N45_00_E015_00_DEM",
      "Copernicus_DSM_COG_10_N45_00_E014_00_DEM",
      "Copernicus_DSM_COG_10_N45_00_E013_00_DEM",
      "Copernicus_DSM_COG_10_N45_00_E012_00_DEM",
      "S2B_T33TUL_20210319T095331_L2A 02.14",
      "S2B_T33TVL_20210319T095331_L2A 02.14",
      "LE07_L2SP_190028_20100709_02_T1",
      "LT05_L2SP_191028_20100708_02_T1",
    ]
  `);
});

describe.skipIf(schemas === undefined)("stac-node-validator", () => {
  test("finds an item of each kind valid STAC, extensions included", async () => {
    // not Sentinel-1's: Planetary Computer's times with a space are no times of STAC
    for (const start of ["S2", "LC", "HLS.L30", "Copernicus"]) {
      const item = features.find(({ id }) => id.startsWith(start))!;
      expect({ id: item.id, faults: await stacFaults(item) }).toEqual({ id: item.id, faults: [] });
    }
  });
});

describe.skipIf(fixtures === undefined)("beside recorded items", () => {
  const recorded = (file: string, collection: string): UpstreamItem =>
    itemsIn(JSON.parse(readFileSync(join(fixtures ?? "", file), "utf8"))).find((f) => f.collection === collection)!;
  // CMR-STAC has these since 2025; what was recorded is older
  const NEWER = /^(storage:(schemes|refs)|s3_.*)$/;
  const pairs = [
    { collection: "sentinel-2-c1-l2a", file: "stac/earth-search/v1/sentinel-2-c1-l2a.T13TDE-10-items.json" },
    { collection: "landsat-c2-l2", file: "stac/earth-search/v1/search-two-collections-page1.body.json" },
    { collection: "HLSL30_2.0", file: "live/nasa-cmr-stac/item-HLSL30_2.0-2021.json" },
    { collection: "cop-dem-glo-30", file: "live/earth-search/search-cop-dem-glo-30.json" },
    { collection: "sentinel-1-rtc", file: "live/planetary-computer/items-sentinel-1-rtc.json" },
  ];

  test.each(pairs)("$collection items have no member that real ones lack", ({ collection, file }) => {
    const real = recorded(file, collection);
    const ours = features.find((f) => f.collection === collection)!;
    expect(Object.keys(ours).filter((key) => !(key in real))).toEqual([]);
    expect(Object.keys(ours.properties).filter((key) => !(key in real.properties) && !NEWER.test(key))).toEqual([]);
    expect(Object.keys(ours.assets).filter((key) => !(key in real.assets) && !NEWER.test(key))).toEqual([]);
    for (const [key, asset] of Object.entries(ours.assets)) {
      const own = real.assets[key] ?? real.assets[key.replace("s3_", "")]!;
      expect(
        Object.keys(asset).filter((member) => !(member in own) && !NEWER.test(member)),
        key,
      ).toEqual([]);
      expect(asset["eo:bands"], key).toEqual(own["eo:bands"]);
      expect(asset.roles, key).toEqual(own.roles);
      expect(asset.type, key).toEqual(own.type);
    }
  });

  test.each(pairs)("$collection items lack only what the archive does not hold", ({ collection, file }) => {
    const real = recorded(file, collection);
    const ours = features.find((f) => f.collection === collection)!;
    const missing = Object.keys(real.properties).filter((key) => !(key in ours.properties));
    expect(
      missing.filter(
        (key) => !/^(storage:region|earthsearch:payload_id|sat:absolute_orbit|s1:.*|proj:bbox)$/.test(key),
      ),
    ).toEqual([]);
    const files = Object.keys(real.assets).filter((key) => !(key in ours.assets));
    expect(
      files.filter(
        (key) =>
          !/metadata|thumbnail|browse|preview|^mtl|^ang$|^qa(_aerosol)?$|^(atran|cdist|.rad|emis|emsd)$|tilejson|^(B09|B1[01]|[SV][AZ]A)$/.test(
            key,
          ),
      ),
    ).toEqual([]);
  });

  test("their files are where those of real ones are", () => {
    const item = (collection: string) => features.find((f) => f.collection === collection)!;
    const hls = item("HLSL30_2.0");
    expect(hls.assets.B04!.href).toBe(`${baseUrl}/assets/lp-prod-protected/HLSL30.020/${hls.id}/${hls.id}.B04.tif`);
    expect(hls.assets.s3_B04!.href).toBe(`s3://lp-prod-protected/HLSL30.020/${hls.id}/${hls.id}.B04.tif`);
    const dem = item("cop-dem-glo-30");
    expect(dem.assets.data!.href).toBe(`s3://copernicus-dem-30m/${dem.id}/${dem.id}.tif`);
    const rtc = /\/sentinel1-grd-rtc\/GRD\/\d{4}\/\d+\/\d+\/IW\/DV\/S1A_IW_GRDH_\w+\/measurement\/iw-vv\.rtc\.tiff$/;
    expect(recorded("live/planetary-computer/items-sentinel-1-rtc.json", "sentinel-1-rtc").assets.vv!.href).toMatch(
      rtc,
    );
    expect(item("sentinel-1-rtc").assets.vv!.href).toMatch(rtc);
  });
});

/** The items of an item, of a collection of them, and of a recorded answer with either. */
function itemsIn(document: { type?: string; features?: UpstreamItem[]; response?: { body: object } }): UpstreamItem[] {
  if (document.response !== undefined) return itemsIn(document.response.body);
  return document.features ?? [document as UpstreamItem];
}
