import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CollectionFile, parseCollectionFile } from "../src/files.ts";
import { bandAdjustment, isAdjustable, nadirAdjustment, PRESCRIBED_SUN_ZENITH } from "../src/harmonization.ts";
import { defaultRegistry, type HarmonizeLevel, resolveBand, resolveCollection } from "../src/index.ts";
import { collectionFileFaults } from "../src/parse/parse.ts";

/** HLS Product User Guide v2.0, bandpass adjustment: slope and offset of Sentinel-2A and Sentinel-2B by common name. */
const PUBLISHED = {
  coastal: [0.9959, -0.0002, 0.9959, -0.0002],
  blue: [0.9778, -0.004, 0.9778, -0.004],
  green: [1.0053, -0.0009, 1.0075, -0.0008],
  red: [0.9765, 0.0009, 0.9761, 0.001],
  nir08: [0.9983, -0.0001, 0.9966, 0],
  swir16: [0.9987, -0.0011, 1, -0.0003],
  swir22: [1.003, -0.0012, 0.9867, 0.0004],
} as const;

const adjustment = (collection: string, band: string, platform: string) =>
  bandAdjustment(resolveCollection(collection), resolveBand(collection, band), { platform });

test("the coefficients of Sentinel-2 are the published ones, those of Sentinel-2C those of Sentinel-2B", {
  tags: ["OS1"],
}, () => {
  for (const [band, [slopeA, offsetA, slopeB, offsetB]] of Object.entries(PUBLISHED)) {
    expect(adjustment("sentinel-2-l2a", band, "sentinel-2a"), band).toEqual({ slope: slopeA, offset: offsetA });
    expect(adjustment("sentinel-2-l2a", band, "sentinel-2b"), band).toEqual({ slope: slopeB, offset: offsetB });
    expect(adjustment("sentinel-2-l2a", band, "sentinel-2c"), band).toEqual({ slope: slopeB, offset: offsetB });
  }
  const { bandpass } = defaultRegistry.schemaData().harmonization;
  const third = bandpass?.tables.find(({ platforms }) => platforms?.includes("sentinel-2c"));
  expect(third?.notes).toMatch(/Sentinel-2B are used/);
});

test("the coefficients of ETM+ are those of Roy et al. 2016, and TM has them too", { tags: ["OS1"] }, () => {
  const published = {
    blue: { slope: 0.8474, offset: 0.0003 },
    green: { slope: 0.8483, offset: 0.0088 },
    red: { slope: 0.9047, offset: 0.0061 },
    nir08: { slope: 0.8462, offset: 0.0412 },
    swir16: { slope: 0.8937, offset: 0.0254 },
    swir22: { slope: 0.9071, offset: 0.0172 },
  };
  for (const [band, expected] of Object.entries(published)) {
    expect(adjustment("landsat-etm-l2", band, "landsat-7"), band).toEqual(expected);
    for (const platform of ["landsat-4", "landsat-5"]) {
      expect(adjustment("landsat-tm-l2", band, platform), band).toEqual(expected);
    }
  }
});

test("OLI is the reference: its reflectance and temperature stay", { tags: ["OS1"] }, () => {
  for (const platform of ["landsat-8", "landsat-9"]) {
    for (const band of [...Object.keys(PUBLISHED), "lwir11"]) {
      expect(adjustment("landsat-ot-l2", band, platform), `${platform} ${band}`).toEqual({ slope: 1, offset: 0 });
    }
  }
});

test("bands and platforms without coefficients have none", () => {
  for (const band of ["B05", "B06", "B07", "B08", "B09", "SCL", "AOT"]) {
    expect(adjustment("sentinel-2-l2a", band, "sentinel-2a"), band).toBeUndefined();
    expect(isAdjustable(resolveCollection("sentinel-2-l2a"), resolveBand("sentinel-2-l2a", band))).toBe(false);
  }
  expect(adjustment("sentinel-2-l2a", "red", "sentinel-2d")).toBeUndefined();
  expect(adjustment("sentinel-2-l2a", "red", "toString")).toBeUndefined();
  const properties = {};
  expect(bandAdjustment(resolveCollection("sentinel-2-l2a"), resolveBand("sentinel-2-l2a", "red"), properties)).toBe(
    undefined,
  );
});

test("every coefficient is in the schema document with its source", { tags: ["OS2"] }, () => {
  const { bandpass, rules } = defaultRegistry.schemaData().harmonization;
  for (const { id, bands, platforms, harmonizeLevels } of defaultRegistry.collections) {
    if (!harmonizeLevels.includes("bandpass_adjusted" satisfies HarmonizeLevel)) continue;
    expect(rules.some(({ collection, level }) => collection === id && level === "bandpass_adjusted")).toBe(true);
    for (const platform of platforms) {
      const table = bandpass?.tables.find((each) => each.collection === id && each.platforms?.includes(platform));
      expect(table?.source.length).toBeGreaterThan(20);
      for (const { name, kind, crossSensor } of bands) {
        if (!crossSensor || kind !== "spectral") continue;
        expect(table?.bands[name], `${id} ${name}`).toEqual(adjustment(id, name, platform));
      }
    }
  }
});

/** Roy et al. 2016, doi:10.1016/j.rse.2016.01.023: f_iso, f_geo, f_vol. */
const WEIGHTS = {
  blue: [0.0774, 0.0079, 0.0372],
  green: [0.1306, 0.0178, 0.058],
  red: [0.169, 0.0227, 0.0574],
  nir08: [0.3093, 0.033, 0.1535],
  swir16: [0.343, 0.0453, 0.1154],
  swir22: [0.2658, 0.0387, 0.0639],
} as const;

test("the kernel weights of nbar are the published ones, for each band that has coefficients of bandpass_adjusted too", {
  tags: ["OS12"],
}, () => {
  const of = (id: string, band: string) => nadirAdjustment(resolveCollection(id), resolveBand(id, band));
  for (const id of ["sentinel-2-l2a", "landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2"]) {
    for (const [band, [iso, geo, vol]] of Object.entries(WEIGHTS)) {
      expect(of(id, band), `${id} ${band}`).toEqual({ kind: "kernels", weights: { iso, geo, vol } });
    }
  }
  for (const band of ["B01", "B05", "B08", "SCL"]) expect(of("sentinel-2-l2a", band)).toBeUndefined();
  expect(of("landsat-ot-l2", "coastal")).toBeUndefined();
  expect(of("landsat-ot-l2", "lwir11")).toEqual({ kind: "unchanged" });
  // the product is given at nadir view
  expect(of("hls", "red")).toEqual({ kind: "unchanged" });
  expect(of("hls", "Fmask")).toBeUndefined();
});

test("the schema document gives weights, angles and solar zenith of nbar with their sources", {
  tags: ["OS15"],
}, () => {
  const { nbar, rules } = defaultRegistry.schemaData().harmonization;
  expect(nbar?.view_zenith).toBe(0);
  expect(nbar?.sun_zenith).toEqual(PRESCRIBED_SUN_ZENITH);
  // Zhang et al. 2016 at the equator and at 45 degrees north
  const at = (latitude: number) =>
    PRESCRIBED_SUN_ZENITH.coefficients.reduce((sum, coefficient, power) => sum + coefficient * latitude ** power, 0);
  expect([at(0), at(45)]).toEqual([31.0076, expect.closeTo(47.7708, 4)]);
  for (const { id, harmonizeLevels } of defaultRegistry.collections) {
    const table = nbar?.tables.find(({ collection }) => collection === id);
    expect(table !== undefined, id).toBe(harmonizeLevels.includes("nbar"));
    expect(rules.some(({ collection, level }) => collection === id && level === "nbar")).toBe(table !== undefined);
    if (table !== undefined) expect(table.source.length).toBeGreaterThan(20);
  }
  expect(nbar?.tables.map(({ collection, angles }) => [collection, angles.kind])).toEqual([
    ["sentinel-2-l2a", "granule-metadata"],
    ["landsat-ot-l2", "computed"],
    ["landsat-etm-l2", "computed"],
    ["landsat-tm-l2", "computed"],
    ["hls", "normalized"],
  ]);
  expect(resolveCollection("optical-sr").harmonizeLevels).toContain("nbar");
});

test("a virtual collection has the bands that all its members have, by common name", { tags: ["OS5"] }, () => {
  const { virtual, bands, harmonizeLevels, defaultHarmonize, units } = resolveCollection("optical-sr");
  expect(bands).toEqual([]);
  expect([harmonizeLevels.includes(defaultHarmonize), defaultHarmonize]).toEqual([true, "bandpass_adjusted"]);
  expect(units).toEqual(["REFLECTANCE"]);
  expect(virtual?.bands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["blue", "green", "red", "nir08", "swir16", "swir22"]),
  );
  for (const member of virtual?.members ?? []) {
    for (const { name } of virtual?.bands ?? []) expect(resolveBand(member, name).commonName).toBe(name);
  }
  expect(resolveBand("optical-sr", "nir").name).toBe("nir08");
  for (const name of ["B04", "SR_B4", "rededge071", "lwir11", "SCL"]) {
    expect(() => resolveBand("optical-sr", name)).toThrow("has no band called");
  }
});

test("a virtual collection is there with its members, and no search without collections is about it", () => {
  expect(defaultRegistry.ids).not.toContain("optical-sr");
  expect(defaultRegistry.listed.map(({ id }) => id)).toContain("optical-sr");
  expect(defaultRegistry.withUpstreams([]).find("optical-sr")).toBeUndefined();
  expect(defaultRegistry.findByUpstream("optical-sr")).toEqual([]);
});

type Harmonize = CollectionFile["harmonize"];

function sentinel(): CollectionFile {
  const path = join(import.meta.dirname, "..", "collections", "sentinel-2-l2a.json");
  return parseCollectionFile(readFileSync(path, "utf8"), "sentinel-2-l2a.json");
}

test.each([
  {
    name: "a level without coefficients",
    change: (harmonize) => delete harmonize.bandpass,
    pointer: "/harmonize/bandpass",
  },
  {
    name: "coefficients without the level",
    change: (harmonize) => delete harmonize.levels.bandpass_adjusted,
    pointer: "/harmonize/levels",
  },
  {
    name: "a band that is none",
    change: ({ bandpass }) => {
      for (const { bands } of bandpass ?? []) bands.B4A = { slope: 1, offset: 0 };
    },
    pointer: "/harmonize/bandpass/0/bands/B4A",
  },
  {
    name: "a table that lacks a band",
    change: ({ bandpass }) => delete bandpass?.[1]?.bands.B04,
    pointer: "/harmonize/bandpass/1/bands",
  },
  {
    name: "a platform that is given twice",
    change: ({ bandpass }) => bandpass?.[1]?.platforms?.push("sentinel-2a"),
    pointer: "/harmonize/bandpass/1/platforms/1",
  },
  {
    name: "a platform of another collection",
    change: ({ bandpass }) => bandpass?.[1]?.platforms?.push("landsat-8"),
    pointer: "/harmonize/bandpass/1/platforms/1",
  },
  {
    name: "a platform without a table",
    change: ({ bandpass }) => bandpass?.pop(),
    pointer: "/harmonize/bandpass",
  },
  {
    name: "nbar without weights",
    change: (harmonize) => delete harmonize.nbar,
    pointer: "/harmonize/nbar",
  },
  {
    name: "weights without the level nbar",
    change: (harmonize) => delete harmonize.levels.nbar,
    pointer: "/harmonize/levels",
  },
  {
    name: "weights of a band that has no coefficients",
    change: ({ nbar }) => Object.assign(nbar?.bands ?? {}, { B05: { iso: 0.2, vol: 0.1, geo: 0.02 } }),
    pointer: "/harmonize/nbar/bands/B05",
  },
  {
    name: "weights of reflectance that is given at nadir",
    change: (harmonize) => Object.assign(harmonize.nbar ?? {}, { angles: { kind: "normalized" } }),
    pointer: "/harmonize/nbar/bands",
  },
  {
    name: "angles in an asset that items do not have",
    change: ({ nbar }) => Object.assign(nbar?.angles ?? {}, { asset: "granule_metadat" }),
    pointer: "/harmonize/nbar/angles/asset",
  },
  {
    name: "a band without a number in the granule metadata",
    change: ({ nbar }) => Object.assign(nbar?.angles ?? {}, { bandIds: { B02: 1 } }),
    pointer: "/harmonize/nbar/angles/bandIds",
  },
] satisfies { name: string; change: (harmonize: Harmonize) => unknown; pointer: string }[])(
  "a collection file is refused for $name",
  ({ change, pointer }) => {
    const changed = sentinel();
    change(changed.harmonize);
    expect(collectionFileFaults(changed).map((fault) => fault.pointer)).toContain(pointer);
    expect(collectionFileFaults(sentinel())).toEqual([]);
  },
);
