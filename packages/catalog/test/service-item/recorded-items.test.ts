import { describe, expect, test } from "vitest";
import { stacFaults } from "../../../../test/tools/stac-validator.ts";
import { type Item, toServiceItem } from "../../src/index.ts";
import { type Document, fixtures, type RecordedFile, recordedFiles, schemas } from "../fixtures.ts";
import { withLinks } from "./with-links.ts";

const S2 = "B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B11 B12 SCL AOT WVP".split(" ");
/** Bands of Earth Search's second collection, and of its first since 2025, there in JPEG 2000. */
const S2_C1 = [...S2, "CLD", "SNW"];
const S2_L1C = "B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B10 B11 B12".split(" ");
const SR = "SR_B1 SR_B2 SR_B3 SR_B4 SR_B5 SR_B6 SR_B7 QA_PIXEL QA_RADSAT SR_QA_AEROSOL".split(" ");
const ST = "ST_B10 ST_QA ST_ATRAN ST_CDIST ST_DRAD ST_URAD ST_TRAD ST_EMIS ST_EMSD".split(" ");
const SR_TM = "SR_B1 SR_B2 SR_B3 SR_B4 SR_B5 SR_B7 QA_PIXEL QA_RADSAT SR_ATMOS_OPACITY SR_CLOUD_QA".split(" ");
const ST_TM = ST.map((name) => name.replace("B10", "B6"));
const MSS = "Green Red NIR_1 NIR_2 QA_PIXEL QA_RADSAT".split(" ");
const ANGLES = "SZA SAA VZA VAA".split(" ");
const L30 = "CoastalAerosol Blue Green Red NIR_Narrow SWIR1 SWIR2 Cirrus ThermalInfrared1 ThermalInfrared2 Fmask".split(
  " ",
);
const S30 =
  "CoastalAerosol Blue Green Red RedEdge1 RedEdge2 RedEdge3 NIR_Broad NIR_Narrow WaterVapor Cirrus SWIR1 SWIR2 Fmask".split(
    " ",
  );

/** A recorded file, and the items that this service makes of it. */
interface Row {
  /** Below the fixtures; what follows a folder's name is matched from its beginning. */
  readonly file: string;
  /** Upstream collection to ours; those that are not named are none of ours. */
  readonly becomes: Readonly<Record<string, string>>;
  /** Native names of the bands found; those of several lists where items differ. */
  readonly bands: readonly (readonly string[])[];
  /** Whether the files of bands are JPEG 2000 alone; those of Level-1C always are. */
  readonly isJpeg2000?: true;
}

const sentinel2 = { "sentinel-2-l2a": "sentinel-2-l2a" };
const level1 = { "sentinel-2-l1c": "sentinel-2-l1c" };
const landsat = (id: string) => ({ "landsat-c2l2-sr": id, "landsat-c2-l2": id, "landsat-8-c2-l2": id });
const row = (file: string, becomes: Row["becomes"], ...bands: Row["bands"]): Row => ({ file, becomes, bands });
const none = (file: string): Row => row(file, {});

const ROWS: readonly Row[] = [
  { ...row("live/cdse/item-sentinel-2", sentinel2, S2), isJpeg2000: true },
  none("live/cdse/search-answer-sentinel-2-global-mosaics"),
  { ...row("live/cdse/search-answer-sentinel-2c", sentinel2, S2), isJpeg2000: true },
  { ...row("live/cdse/search-sentinel-2-l2a", sentinel2, S2), isJpeg2000: true },
  row("live/digital-earth-africa/item-sentinel-2", { s2_l2a_c1: "sentinel-2-l2a" }, S2_C1),
  none("live/digital-earth-australia/item-ga_ls5t_geomedian"),
  none("live/digital-earth-australia/item-ga_ls8c_ard_3"),
  none("live/digital-earth-australia/item-ga_s2am_ard_3"),
  row("live/earth-search/item-sentinel-2-l2a-static", sentinel2, S2),
  row("live/earth-search/item-v0", { "sentinel-s2-l2a-cogs": "sentinel-2-l2a" }, S2),
  row("live/earth-search/items-16-v0", { "sentinel-s2-l2a-cogs": "sentinel-2-l2a" }, S2),
  row("live/earth-search/items-sentinel-2-l1c", level1, S2_L1C),
  row("live/earth-search/search-cop-dem", { "cop-dem-glo-30": "dem" }, ["elevation"]),
  row(
    "live/earth-search/search-cql2",
    { ...sentinel2, ...level1, "sentinel-2-c1-l2a": "sentinel-2-l2a" },
    S2_C1,
    S2_L1C,
  ),
  none("live/earth-search/search-empty-body"),
  row("live/nasa-cmr-stac/item-HLSL30", { "HLSL30_2.0": "hls" }, [...L30, ...ANGLES]),
  none("live/other/"),
  row("live/planetary-computer/body-sentinel-2", sentinel2, S2),
  none("live/planetary-computer/item-io-lulc"),
  row("live/planetary-computer/item-landsat-c2-l1", { "landsat-c2-l1": "landsat-mss-l1" }, MSS),
  none("live/planetary-computer/item-sentinel-1-grd"),
  row("live/planetary-computer/item-sentinel-2", sentinel2, S2),
  row("live/planetary-computer/items-13-sentinel-2", sentinel2, S2),
  row("live/planetary-computer/items-4-cop-dem", { "cop-dem-glo-30": "dem" }, ["elevation"]),
  none("live/planetary-computer/items-4-io-lulc"),
  row("live/planetary-computer/items-4-landsat-c2-l1", { "landsat-c2-l1": "landsat-mss-l1" }, MSS),
  row("live/planetary-computer/items-4-landsat-c2-l2", landsat("landsat-ot-l2"), [...SR, ...ST]),
  none("live/planetary-computer/items-4-naip"),
  row("live/planetary-computer/items-4-sentinel-2", sentinel2, S2),
  row("live/planetary-computer/items-9-sentinel-2", sentinel2, S2),
  row("live/planetary-computer/items-cop-dem", { "cop-dem-glo-30": "dem" }, ["elevation"]),
  row("live/planetary-computer/items-landsat-c2-l2-page", landsat("landsat-ot-l2"), SR, [...SR, ...ST]),
  row("live/planetary-computer/items-sentinel-1-rtc", { "sentinel-1-rtc": "sentinel-1-rtc" }, ["VV", "VH"]),
  row("live/planetary-computer/items-sentinel-2", sentinel2, S2),
  none("live/planetary-computer/items-"),
  row("live/planetary-computer/search-landsat-8", landsat("landsat-ot-l2"), SR),
  row("live/planetary-computer/search-sentinel-2", sentinel2, S2),
  none("live/planetary-computer/search-"),
  row("live/usgs/item-landsat-c2l2-sr-etm", landsat("landsat-etm-l2"), SR_TM),
  row("live/usgs/", landsat("landsat-ot-l2"), SR),
  row("stac/earth-search/v0/", { "sentinel-s2-l2a-cogs": "sentinel-2-l2a" }, S2),
  row("stac/earth-search/v1/item-", sentinel2, S2),
  row("stac/earth-search/v1/search-duplicate", sentinel2, S2),
  // searched with `fields`, without assets
  row("stac/earth-search/v1/search-fields-exclude", { "sentinel-2-c1-l2a": "sentinel-2-l2a" }, []),
  row("stac/earth-search/v1/search-two-collections", { ...sentinel2, ...landsat("landsat-ot-l2") }, S2, [...SR, ...ST]),
  row("stac/earth-search/v1/sentinel-2-c1", { "sentinel-2-c1-l2a": "sentinel-2-l2a" }, S2_C1),
  row("stac/earth-search/v1/sentinel-2-l2a", sentinel2, S2),
  row("stac/planetary-computer/", sentinel2, S2),
  { ...row("stac/stac-1.1/antimeridian", { "": "sentinel-2-l2a" }, S2), isJpeg2000: true },
  { ...row("stac/stac-1.1/cdse", sentinel2, S2), isJpeg2000: true },
  row("stac/stac-1.1/earth-search-next", { "sentinel-2-c1-l2a": "sentinel-2-l2a" }, ["B04", "SCL", "B01", "SNW"]),
  row("stac/stac-1.1/pair-a", { "sentinel-s2-l2a-cogs": "sentinel-2-l2a" }, S2),
  none("stac/stac-1.1/pair-b"),
  row("stac/stactools/dem", { "cop-dem-glo-30": "dem" }, ["elevation"]),
  row("stac/stactools/hls/HLS.L30", { hls: "hls" }, [...L30, ...ANGLES]),
  row("stac/stactools/hls/HLS.S30", { hls: "hls" }, [...S30, ...ANGLES]),
  row("stac/stactools/landsat-l1", { "landsat-c2-l1": "landsat-mss-l1", "landsat-c2l1": "landsat-mss-l1" }, MSS),
  row("stac/stactools/landsat-l2/LC08_L2SP_047027_20201204.SR", landsat("landsat-ot-l2"), SR),
  row("stac/stactools/landsat-l2/LC", landsat("landsat-ot-l2"), [...SR, ...ST]),
  row("stac/stactools/landsat-l2/LE07_L2SP_021030_20100109.SR", landsat("landsat-etm-l2"), SR_TM),
  row("stac/stactools/landsat-l2/LE", landsat("landsat-etm-l2"), [...SR_TM, ...ST_TM]),
  row("stac/stactools/landsat-l2/LT", landsat("landsat-tm-l2"), [...SR_TM, ...ST_TM]),
  // the public archive of Amazon, which has other bands
  none("stac/stactools/sentinel-1-rtc"),
  row("stac/stactools/sentinel-2/T07HFE", { "": "sentinel-2-l2a" }, S2),
  { ...row("stac/stactools/sentinel-2/T34", { "": "sentinel-2-l2a" }, S2_C1), isJpeg2000: true },
  none("stac/stactools/sentinel-2/l1c"),
  row("stac/usgs/search", landsat("landsat-ot-l2"), SR),
  row("stac/usgs/", landsat("landsat-ot-l2"), [...SR, ...ST]),
];

const rowOf = (path: string): Row | undefined =>
  ROWS.filter(({ file }) => path.startsWith(file)).sort((a, b) => b.file.length - a.file.length)[0];

const files = recordedFiles().filter(({ items }) => items.length > 0);
const shownIn = ({ items }: RecordedFile) =>
  items.flatMap((raw) => {
    const item = toServiceItem(raw);
    return item === undefined ? [] : [{ raw, item, properties: raw.properties as Document }];
  });
const bandsOf = ({ assets }: Item): string[] =>
  Object.entries(assets).flatMap(([key, asset]) => (asset["svc:band"] === undefined ? [] : [key]));

describe.skipIf(fixtures === undefined)("every recorded item", () => {
  test("is in the table", () => {
    expect(files.length).toBeGreaterThan(70);
    expect(files.filter(({ path }) => rowOf(path) === undefined).map(({ path }) => path)).toEqual([]);
    const used = new Set(files.map(({ path }) => rowOf(path)?.file));
    expect(ROWS.filter(({ file }) => !used.has(file)).map(({ file }) => file)).toEqual([]);
  });

  test.each(files)("of $path becomes what the table says, with all its bands", (file) => {
    const { becomes, bands, isJpeg2000 } = rowOf(file.path) as Row;
    for (const raw of file.items) {
      const item = toServiceItem(raw);
      const id = String(raw.id);
      expect([id, item?.collection]).toEqual([id, becomes[String(raw.collection ?? "")]]);
      if (item === undefined) continue;
      const found = bandsOf(item).sort();
      const lists = bands.map((names) => [...names].sort().join());
      const expected = bands.length === 0 ? [""] : lists;
      // the first collection of Earth Search has cloud and snow since 2025 alone
      const plain = found.filter((name) => name !== "CLD" && name !== "SNW");
      expect([id, [...expected, plain.join()]]).toEqual([id, expect.arrayContaining([found.join()])]);
      const isAlone = isJpeg2000 === true || item.collection === "sentinel-2-l1c";
      expect([id, item.properties["svc:band_format"]]).toEqual([id, isAlone ? "image/jp2" : undefined]);
    }
  });

  describe("of ours", () => {
    const shown = files.flatMap(shownIn);

    test("has bands in the files of these bands", () => {
      for (const { item } of shown) {
        for (const name of bandsOf(item)) {
          const file = String(item.assets[name]?.href).split("/").at(-1) ?? "";
          expect([item.id, name, file]).toEqual([item.id, name, expect.stringMatching(filePattern(item, name))]);
        }
      }
    });

    test("has the platform and the instruments that its id stands for", { tags: ["I18"] }, () => {
      for (const { item } of shown) {
        const [platform, instruments] = sensorOfId(item.id);
        expect([item.id, item.properties.platform]).toEqual([item.id, platform]);
        expect([item.id, instruments]).toEqual([
          item.id,
          expect.stringContaining(String(item.properties.instruments ?? "")),
        ]);
      }
    });

    test("has its own time, and a box within the world", { tags: ["I17"] }, () => {
      for (const { raw, item, properties } of shown) {
        for (const name of ["datetime", "start_datetime", "end_datetime"]) {
          const [time, own] = [item.properties[name], properties[name]].map(String);
          expect([item.id, name, Date.parse(time as string)]).toEqual([item.id, name, Date.parse(own as string)]);
          if (time !== "undefined") expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        }
        if (item.geometry === null) continue;
        const [west, south, east, north] = item.bbox ?? [Number.NaN, 0, 0, 0];
        for (const longitude of [west, east]) expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
        expect(south).toBeLessThan(north);
        expect(west > east ? east + 360 - west : east - west).toBeLessThan(60);
        const own = (raw.bbox ?? []) as number[];
        const isPlain = own.length === 4 && (own[0] as number) >= -180 && (own[2] as number) <= 180;
        if (isPlain && (own[2] as number) - (own[0] as number) < 180) expect(item.bbox).toEqual(own);
      }
      const byId = (id: string) =>
        shown
          .find(({ item }) => item.id === id)
          ?.item.bbox?.slice(0, 3)
          .filter((_, i) => i !== 1);
      // recorded as -180.0014 to -179.0014
      expect(byId("Copernicus_DSM_COG_10_S90_00_W180_00_DEM")?.map((each) => Math.round(each * 1e4) / 1e4)).toEqual([
        179.9986, -179.0014,
      ]);
      expect(byId("S2A_T01WCS_20230625T234624_L2A")).toEqual([179.0059, -179.197]);
    });

    test("has the codes and grids of its catalog where they can be those of its files, and none else", {
      tags: ["I17"],
    }, () => {
      const wrong = new Set<string>();
      for (const { item, raw, properties } of shown) {
        const code = properties["proj:epsg"] ?? Number(/\d+/.exec(String(properties["proj:code"]))?.[0] ?? Number.NaN);
        const known = Number.isNaN(code) ? undefined : (code ?? undefined);
        if (item.properties["proj:epsg"] !== known) wrong.add(`${known}`);
        expect(item.properties["proj:code"]).toBe(
          item.properties["proj:epsg"] === undefined ? undefined : `EPSG:${item.properties["proj:epsg"]}`,
        );
        for (const name of bandsOf(item)) {
          const transform = item.assets[name]?.["proj:transform"] as number[] | undefined;
          const size = transform === undefined ? 10 : Math.abs(transform[4] as number);
          expect([item.id, name, size < 0.001 || (size >= 10 && size <= 60)]).toEqual([item.id, name, true]);
        }
        expect(raw.id).toBe(item.id);
      }
      expect([...wrong]).toEqual(["3271"]);
      const polar = shown.find(({ item }) => item.id === "LC08_L2SR_081119_20200101_20200823_02_T2")?.item;
      expect(polar?.properties["proj:epsg"]).toBe(3031);
      // recorded are the 200 by 200 pixels of its picture
      expect(polar?.assets.SR_B4).not.toHaveProperty("proj:transform");
    });

    test("has the scale and offset of its product and processing, and the nodata of its files", () => {
      const seen = new Set<string>();
      for (const { item, properties } of shown) {
        for (const name of bandsOf(item)) {
          const [band = {}] = item.assets[name]?.bands ?? [];
          const expected = scalingOf(item, name, properties);
          if (expected === undefined) continue;
          seen.add(item.collection);
          const { scale, offset, nodata } = expected;
          const { "raster:scale": ownScale, "raster:offset": ownOffset, nodata: ownNodata } = band;
          expect([item.id, name, ownScale, ownOffset, ownNodata]).toEqual([item.id, name, scale, offset, nodata]);
        }
      }
      expect([...seen].sort()).toEqual([
        "dem",
        "hls",
        "landsat-etm-l2",
        "landsat-mss-l1",
        "landsat-ot-l2",
        "landsat-tm-l2",
        "sentinel-1-rtc",
        "sentinel-2-l1c",
        "sentinel-2-l2a",
      ]);
    });

    test("has the file of its mask, and says which it is", () => {
      const masks = {
        "sentinel-2-l2a": ["scl", "SCL"],
        hls: ["fmask", "Fmask"],
        dem: ["none"],
        "sentinel-1-rtc": ["none"],
        "sentinel-2-l1c": ["none"],
      };
      for (const { item } of shown) {
        const [source, band] = (masks as Record<string, string[]>)[item.collection] ?? ["qa_pixel", "QA_PIXEL"];
        expect(item.properties["svc:mask_source"]).toBe(source);
        if (band !== undefined && bandsOf(item).length > 0) expect(bandsOf(item)).toContain(band);
      }
    });

    test("has no file twice, and none at the address that the archive's own readers use", () => {
      for (const { item } of shown) {
        expect(Object.keys(item.assets).filter((key) => key.startsWith("s3_"))).toEqual([]);
        const hrefs = bandsOf(item).map((name) => item.assets[name]?.href);
        expect(new Set(hrefs).size).toBe(hrefs.length);
      }
    });

    // one of each file: the validator takes a quarter of a second for an item; others are in service-item.test.ts
    const checked = files.filter(({ path }) => /^live|hls/.test(path));
    const first = checked.flatMap((file) =>
      shownIn(file)
        .slice(0, 1)
        .map(({ item }) => ({ path: file.path, item })),
    );
    test.skipIf(schemas === undefined).each(first)("of $path is valid STAC 1.1.0", async ({ item }) => {
      if (Object.values(item.assets).some(({ href }) => /^\.{1,2}\//.test(href))) return;
      expect(await stacFaults(withLinks(item as never))).toEqual([]);
    });
  });
});

/** Ends of the names of a band's file, by the producer's names. */
function filePattern({ id, collection }: Item, name: string): RegExp {
  const l30 = {
    CoastalAerosol: "B01",
    NIR_Narrow: "B05",
    SWIR1: "B06",
    SWIR2: "B07",
    Cirrus: "B09",
    ThermalInfrared1: "B10",
    ThermalInfrared2: "B11",
  };
  const s30 = {
    CoastalAerosol: "B01",
    RedEdge1: "B05",
    RedEdge2: "B06",
    RedEdge3: "B07",
    NIR_Broad: "B08",
    NIR_Narrow: "B8A",
    WaterVapor: "B09",
    Cirrus: "B10",
    SWIR1: "B11",
    SWIR2: "B12",
  };
  const shared = { Blue: "B02", Green: "B03", Red: "B04" };
  // Landsat 1 to 3 number the bands of MSS from 4 on
  const mss = /^LM0[123]/.test(id)
    ? { Green: 4, Red: 5, NIR_1: 6, NIR_2: 7 }
    : { Green: 1, Red: 2, NIR_1: 3, NIR_2: 4 };
  const of = (table: object): string => String((table as Record<string, unknown>)[name] ?? name);
  switch (collection) {
    case "hls":
      return new RegExp(`^HLS.*\\.${of(id.includes("L30") ? { ...shared, ...l30 } : { ...shared, ...s30 })}\\.tif$`);
    case "landsat-mss-l1":
      return new RegExp(`_${name.startsWith("QA") ? name : `B${of(mss)}`}\\.TIF$`);
    case "dem":
      return /^Copernicus_DSM_COG_10_.*_DEM\.tif$/;
    case "sentinel-1-rtc":
      return new RegExp(`-${name.toLowerCase()}\\.rtc\\.tiff$`);
    case "sentinel-2-l1c":
      return new RegExp(`(^|_)${name}\\.jp2$`);
    case "sentinel-2-l2a": {
      const finest = /^(B02|B03|B04|B08)$/.test(name) ? 10 : /^(B01|B09)$/.test(name) ? 60 : 20;
      return new RegExp(`(^|_)${name}(_(${finest}|${name === "AOT" || name === "WVP" ? 10 : finest})m)?\\.(tif|jp2)$`);
    }
    default:
      // one of them was published with smaller files
      return new RegExp(`_${name}(_small)?\\.TIF$`);
  }
}

function sensorOfId(id: string): [platform: string | undefined, instruments: string] {
  const [, sensor = "", number] = /^L([COTEM])0(\d)/.exec(id) ?? [];
  const landsat = { C: "oli,tirs", O: "oli", E: "etm+", T: "tm", M: "mss" }[sensor];
  if (landsat !== undefined) return [`landsat-${number}`, landsat];
  const sentinel = /^S2([ABC])/.exec(id)?.[1]?.toLowerCase();
  if (sentinel !== undefined) return [`sentinel-2${sentinel}`, "msi"];
  if (id.startsWith("S1A")) return ["sentinel-1a", "c-sar"];
  if (id.startsWith("Copernicus")) return ["tandem-x", ""];
  // by the metadata of these granules; stactools writes "tiirs"
  if (id.startsWith("HLS.L30.T13TGF")) return ["landsat-8", "oli,tirs"];
  return id.startsWith("HLS.L30") ? ["landsat-9", "oli,tiirs"] : ["sentinel-2a", "msi"];
}

interface Scaling {
  readonly scale?: number;
  readonly offset?: number;
  readonly nodata?: number;
}

/** By the producers' handbooks; `undefined` for what no calculation reads. */
function scalingOf({ id, collection }: Item, name: string, raw: Document): Scaling | undefined {
  switch (collection) {
    case "sentinel-2-l1c":
    case "sentinel-2-l2a": {
      if (!/^B/.test(name)) return undefined;
      const texts = [raw["s2:processing_baseline"], raw["sentinel:processing_baseline"], raw["processing:version"]];
      const inName = /_N(\d\d)(\d\d)_/.exec(`${raw["s2:product_uri"]} ${raw["sentinel:product_id"]} ${id}`);
      const baseline = texts.find((text) => text !== undefined) ?? (inName && `${inName[1]}.${inName[2]}`);
      const isTakenOut = raw["earthsearch:boa_offset_applied"] === true || raw["sentinel:boa_offset_applied"] === true;
      expect([id, Number(baseline) > 2]).toEqual([id, true]);
      return { scale: 0.0001, offset: Number(baseline) >= 4 && !isTakenOut ? -0.1 : 0, nodata: 0 };
    }
    case "hls":
      if (/Fmask|A$/.test(name)) return undefined;
      return name.startsWith("Thermal")
        ? { scale: 0.01, offset: 273.15, nodata: -9999 }
        : { scale: 0.0001, offset: 0, nodata: -9999 };
    case "landsat-mss-l1":
      // at-sensor reflectance is by the scene's own document
      return name.startsWith("QA") ? undefined : { nodata: 0 };
    case "dem":
      return { scale: 1, offset: 0 };
    case "sentinel-1-rtc":
      return { scale: 1, offset: 0, nodata: -32_768 };
    default:
      if (/^SR_B/.test(name)) return { scale: 0.0000275, offset: -0.2, nodata: 0 };
      return /^ST_B/.test(name) ? { scale: 0.00341802, offset: 149, nodata: 0 } : undefined;
  }
}
