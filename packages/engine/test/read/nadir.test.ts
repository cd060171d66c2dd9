import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "@swath/catalog";
import { itemKey } from "@swath/catalog/overpasses";
import { resolveCollection } from "@swath/schema";
import { describe, expect, test } from "vitest";
import type { AngleReader } from "../../src/metadata/angle-reader.ts";
import { readGranuleMetadata } from "../../src/metadata/granule-metadata.ts";
import { nadirFactorsOf, nadirPart, nadirScenes } from "../../src/read/nadir.ts";
import type { Refusal } from "../../src/refusal.ts";
import { NUMBERS, readProgram } from "../../src/what/band-program.ts";
import { itemOf } from "../items/items.ts";
import { fixtures } from "../items/recorded.ts";
import { refusalOf } from "../what/registry.ts";

const [S2, LANDSAT, OPTICAL] = ["sentinel-2-l2a", "landsat-ot-l2", "optical-sr"].map((id) => ({
  collection: resolveCollection(id),
})) as [
  { collection: ReturnType<typeof resolveCollection> },
  { collection: ReturnType<typeof resolveCollection> },
  { collection: ReturnType<typeof resolveCollection> },
];
const nbar = (match: typeof S2, ...bands: string[]) => readProgram(match, { bands, harmonize: "nbar" }, NUMBERS);
const { signal } = new AbortController();
const HREF = "s3://archive/granule/MTD_TL.xml";

const sentinel = (more: Parameters<typeof itemOf>[1] = {}): Item => {
  const item = itemOf(S2.collection, more);
  return { ...item, assets: { ...item.assets, granule_metadata: { href: HREF } } };
};
/** Places and times of the recorded scene LC08_L2SP_033032_20231008_02_T1. */
const PLACED = {
  datetime: "2023-10-08T17:37:26.656958Z",
  "landsat:wrs_path": "033",
  "proj:epsg": 32_613,
  "proj:shape": [7791, 7651],
  "proj:transform": [30, 0, 449_085, 0, -30, 4_581_915],
};
const landsat = (properties: object = {}, more = {}): Item =>
  itemOf(LANDSAT.collection, { ...more, properties: { ...PLACED, ...properties } });

/** A reader that no test may need. */
const NO_READER: AngleReader = { read: () => Promise.reject(new Error("Nothing is to be read.")) };

describe("the bands that change", () => {
  test("are none at other levels, whatever the items lack", () => {
    const item = { ...itemOf(S2.collection), properties: { datetime: null } };
    for (const harmonize of ["none", "offset_removed", "bandpass_adjusted"]) {
      expect(nadirScenes([item], readProgram(S2, { bands: ["red"], harmonize }, NUMBERS))).toEqual([]);
    }
  });

  /** Weights by Roy et al. 2016, table 5: iso, geo and vol of red, the narrow near infrared and the first short wave band. */
  test("have the weights of Roy et al. 2016, by their own names and by those of the product", () => {
    const [scene] = nadirScenes([sentinel()], nbar(S2, "red", "nir08", "swir16"));
    expect(scene?.bands).toEqual([
      { name: "B04", native: "B04", weights: { iso: 0.169, geo: 0.0227, vol: 0.0574 } },
      { name: "B8A", native: "B8A", weights: { iso: 0.3093, geo: 0.033, vol: 0.1535 } },
      { name: "B11", native: "B11", weights: { iso: 0.343, geo: 0.0453, vol: 0.1154 } },
    ]);
    const member = landsat({ "svc:source_collection": "landsat-ot-l2" });
    const [optical] = nadirScenes([member], nbar(OPTICAL, "red"));
    expect(optical?.bands).toEqual([
      { name: "red", native: "SR_B4", weights: { iso: 0.169, geo: 0.0227, vol: 0.0574 } },
    ]);
  });

  test("are not those of heat, nor those that an item lacks: who reads it says so", () => {
    const [scene] = nadirScenes([landsat({}, { without: ["SR_B4"] })], nbar(LANDSAT, "red", "lwir11", "nir08"));
    expect(scene?.bands.map(({ name }) => name)).toEqual(["SR_B5"]);
    const [thermal] = nadirScenes([landsat({ "landsat:wrs_path": undefined })], nbar(LANDSAT, "lwir11"));
    expect(thermal).toEqual({ item: expect.anything(), bands: [] });
  });
});

describe("an item that says too little is refused before anything is read", () => {
  test.each<[string, Item, string]>([
    ["no metadata file", itemOf(S2.collection), "it has no asset granule_metadata"],
    ["no time", landsat({ datetime: null }), "it has no time"],
    ["no orbit", landsat({ "landsat:wrs_path": undefined }), "it has no landsat:wrs_path"],
    ["an orbit that there is not", landsat({ "landsat:wrs_path": "234" }), "it has no landsat:wrs_path"],
    ["no place", landsat({ "proj:transform": undefined }), "it does not say where its pixels are"],
    ["a place in a CRS that is not known", landsat({ "proj:epsg": 999_999 }), "it does not say where its pixels are"],
    ["a shape of one number", landsat({ "proj:shape": [7791] }), "it does not say where its pixels are"],
    ["a shape of words", landsat({ "proj:shape": ["a", "b"] }), "it does not say where its pixels are"],
    ["no pixels", landsat({ "proj:shape": [0, 7651] }), "it has no pixels"],
  ])("%s", (_, item, reason) => {
    const match = item.collection === "sentinel-2-l2a" ? S2 : LANDSAT;
    const refusal = refusalOf(() => nadirScenes([item], nbar(match, "red")));
    expect(refusal).toMatchObject({ code: "harmonize-unavailable", path: [] });
    expect(refusal.detail).toContain(`Scene ${item.id} cannot be given at nbar: ${reason}`);
  });
});

describe.skipIf(fixtures === undefined)("by recorded angles of Sentinel-2", () => {
  const granule = readGranuleMetadata(
    readFileSync(join(fixtures ?? "", "stac/stactools/sentinel-2/T34LBP_20220401.MTD_TL.xml"), "utf8"),
  );
  const reads: string[] = [];
  const angles: AngleReader = {
    async read(href) {
      reads.push(href);
      return granule;
    },
  };

  /*
   * Python, from the same document at nodes that one detector saw: RossThick and LiSparseReciprocal (h/b 2, b/r 1), the sun's
   * zenith by the polynomial of HLS v1.4 at the latitude that pyproj gives the node, c = BRDF(nadir) / BRDF(observed).
   */
  const [RED, NARROW] = [
    { 13: 0.945_257_146, 16: 0.948_776_467, 20: 0.944_779_781, 38: 0.947_931_811, 68: 0.948_078_198 },
    { 13: 0.948_684_204, 16: 0.952_415_593, 20: 0.944_332_047, 38: 0.951_510_576, 68: 0.947_785_431 },
  ];

  test("factors are those of the published formulas, and each document is read once for all bands", async () => {
    const item = sentinel({ id: "T34LBP" });
    const factors = await nadirFactorsOf(nadirScenes([item], nbar(S2, "red", "nir08")), { angles, signal });
    expect(reads).toEqual([HREF]);
    const own = factors.get(itemKey(item))!;
    for (const [name, expected] of [
      ["B04", RED],
      ["B8A", NARROW],
    ] as const) {
      const grid = own.get(name)!;
      expect([grid.crs, grid.width, grid.height]).toEqual(["EPSG:32734", 23, 23]);
      for (const [node, factor] of Object.entries(expected)) expect(grid.factors[Number(node)]).toBeCloseTo(factor, 6);
    }
    expect(nadirPart(factors, item, "B04")).toEqual({ factors: own.get("B04") });
    expect(nadirPart(factors, item, "SCL")).toEqual({});
  });

  test("a document without a band's angles is refused, with the band", async () => {
    const views = new Map([...granule.views].filter(([id]) => id !== 3));
    const some: AngleReader = { read: async () => ({ ...granule, views }) };
    const none: AngleReader = { read: async () => undefined };
    for (const reader of [some, none]) {
      const scenes = nadirScenes([sentinel()], nbar(S2, "red"));
      await expect(nadirFactorsOf(scenes, { angles: reader, signal })).rejects.toMatchObject({
        code: "harmonize-unavailable",
        detail: expect.stringContaining("its metadata has no angles of B04"),
      } satisfies Partial<Record<keyof Refusal, unknown>>);
    }
  });
});

test("angles of Landsat are computed over the pixels of the scene, and nothing is read", async () => {
  const item = landsat();
  const factors = await nadirFactorsOf(nadirScenes([item], nbar(LANDSAT, "red", "nir08")), {
    angles: NO_READER,
    signal,
  });
  const { crs, transform, width, height, factors: red } = nadirPart(factors, item, "SR_B4").factors!;
  expect(crs).toBe("EPSG:32613");
  // from corner to corner: 7,651 × 7,791 pixels of 30 m
  const [a, , x, , e, y] = transform;
  expect([x, y]).toEqual([449_085, 4_581_915]);
  expect(a * (width - 1)).toBeCloseTo(30 * 7651, 6);
  expect(e * (height - 1)).toBeCloseTo(-30 * 7791, 6);
  // in October the sun is lower than what is prescribed: nadir values are higher. Roy et al. 2016 find some percent for red
  for (const factor of red) expect(factor > 0.85 && factor < 1.2).toBe(true);
});

test("factors of an item that was not asked for are a fault of the program", () => {
  expect(() => nadirPart(new Map(), landsat(), "SR_B4")).toThrow(TypeError);
});
