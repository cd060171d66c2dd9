import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cog, memorySource, openCog, readWindow } from "@swath/cog";
import type { Samples } from "@swath/raster";
import { createRegistry, resolveCollection } from "@swath/schema";
import { BUILT_IN_FILES, BUILT_IN_PRESETS, isVirtualFile, parseCollectionFile } from "@swath/schema/files";
import { openResultFolder } from "@swath/store/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CLASS, HIDDEN, landsat, SCL } from "../../../../test/tools/mask-classes.ts";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { type TestService, testService } from "../tools/harness.ts";

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-pseudo-"));
  service = await testService({ results: openResultFolder(join(folder, "results")) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ask {
  readonly type?: string;
  readonly ids: readonly string[];
  readonly bands: readonly string[];
  readonly bbox?: readonly number[];
  readonly geometry?: unknown;
  readonly processing?: Record<string, unknown>;
  readonly output?: Record<string, unknown>;
}

/** The eastern edge of the scenes of tile 33TUL lies within the box, and so does the tile to the east. */
const EDGE: readonly number[] = [396_000, 5_050_000, 456_000, 5_080_000];

function post({ type = "sentinel-2-l2a", ids, bands, bbox = EDGE, geometry, processing, output }: Ask) {
  const where = geometry === undefined ? { bbox } : { geometry };
  return service.post("/v1/process", {
    input: {
      bounds: { ...where, properties: { crs: "EPSG:32633" } },
      data: [{ type, dataFilter: { ids }, processing: { units: "DN", ...processing } }],
    },
    bands,
    output: { width: 150, height: 75, crs: "EPSG:32633", ...output },
  });
}

interface File {
  readonly cog: Cog;
  readonly type: string;
  /** By name. */
  readonly bands: Readonly<Record<string, Samples>>;
}

async function fileOf(ask: Ask): Promise<File> {
  const response = await post(ask);
  if (response.status !== 200) throw new Error(await response.text());
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { width, height } = cog.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height }, { nodata: null });
  return {
    cog,
    type: (bands[0] as Samples).constructor.name,
    bands: Object.fromEntries(cog.bands.map(({ name }, i) => [name, bands[i] as Samples])),
  };
}

describe.each([
  {
    type: "sentinel-2-l2a",
    scene: S2.cloudy,
    east: S2.east,
    // the eastern half of the upper scene holds no data
    pair: { ids: [S2.east, S2.cloudyEast], bbox: [440_000, 4_995_000, 509_000, 5_095_000] },
  },
  {
    type: "landsat-ot-l2",
    scene: LANDSAT.july,
    east: LANDSAT.east,
    pair: { ids: [LANDSAT.july, LANDSAT.east], bbox: EDGE },
  },
])("$type", ({ type, scene, east, pair }) => {
  const advertised = resolveCollection(type).pseudoBands;
  const source = type === "sentinel-2-l2a" ? "SCL" : "QA_PIXEL";
  const numbersOf = (sample: number): readonly number[] => {
    if (type === "sentinel-2-l2a") {
      const its = SCL[sample] ?? CLASS.unclassified;
      return [Number(HIDDEN.includes(its)), its, Number(sample !== 0)];
    }
    // outside of the scene the file of QA_PIXEL has 0, which is no sample of the product
    const its = sample === 0 ? { hidden: true, class: 0 } : landsat(sample);
    return [Number(its.hidden), its.class, Number(its.class !== CLASS.nodata)];
  };

  test("each pseudo band that the collection advertises is a band of uint8 without nodata", {
    tags: ["X41"],
  }, async () => {
    const listed = (await (await service.get(`/v1/collections/${type}`)).json()) as { "svc:pseudo_bands": string[] };
    expect(listed["svc:pseudo_bands"]).toEqual(advertised);
    for (const name of advertised) {
      const { cog, type: samples } = await fileOf({ type, ids: [scene], bands: [name] });
      expect([cog.bands.map((band) => band.name), cog.nodata, samples]).toEqual([[name], undefined, "Uint8Array"]);
    }
  });

  test.each(["one scene", "a mosaic"])(
    "mask, mask_class and dataMask follow from the stored classes of %s",
    { tags: ["X41"] },
    async (of) => {
      const which = of === "one scene" ? { ids: [scene] } : pair;
      const stored = (await fileOf({ type, ...which, bands: [source], processing: { harmonize: "none" } })).bands[
        source
      ];
      const { bands } = await fileOf({ type, ...which, bands: ["mask", "mask_class", "dataMask"] });
      const seen = new Set<number>();
      const wrong: number[] = [];
      for (const [i, sample] of (stored ?? []).entries()) {
        const expected = numbersOf(sample);
        seen.add(expected[1] ?? -1);
        const found = [bands.mask?.[i], bands.mask_class?.[i], bands.dataMask?.[i]];
        if (found.some((number, band) => number !== expected[band])) wrong.push(i);
      }
      expect(wrong).toEqual([]);
      expect(seen.size, "classes in the box").toBeGreaterThan(2);
    },
  );

  test("beside a band of reflectance as DN they keep their numbers, with one sample type", async () => {
    const band = type === "sentinel-2-l2a" ? "B04" : "SR_B4";
    const ids = [scene];
    const alone = await fileOf({ type, ids, bands: ["mask", "dataMask"] });
    const mixed = await fileOf({ type, ids, bands: [band, "mask", "dataMask"] });
    expect([...(mixed.bands.mask ?? [])]).toEqual([...(alone.bands.mask ?? [])]);
    expect([...(mixed.bands.dataMask ?? [])]).toEqual([...(alone.bands.dataMask ?? [])]);
    const data = mixed.bands.dataMask ?? [];
    const { nodata = 0 } = mixed.cog;
    expect(mixed.bands[band]?.some((value, i) => data[i] === 1 && value !== nodata)).toBe(true);
  });

  test("outside of a polygon there is no data: dataMask 0, mask 1, mask_class 0", async () => {
    const [minX = 0, minY = 0, maxX = 0] = EDGE;
    const triangle = [
      [
        [minX, minY],
        [maxX, minY],
        [minX, 5_080_000],
        [minX, minY],
      ],
    ];
    const { bands } = await fileOf({
      type,
      ids: [scene, east],
      geometry: { type: "Polygon", coordinates: triangle },
      bands: ["mask", "mask_class", "dataMask"],
    });
    const corner = 149; // the upper right one
    expect([bands.mask?.[corner], bands.mask_class?.[corner], bands.dataMask?.[corner]]).toEqual([1, 0, 0]);
    expect(bands.dataMask).toContain(1);
  });

  test("they have no REFLECTANCE, and a name that is none is refused with the nearest", { tags: ["X41"] }, async () => {
    const refused = await post({ type, ids: [scene], bands: ["mask"], processing: { units: "REFLECTANCE" } });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: "units-unavailable", errors: [{ pointer: "/bands/0" }] },
    ]);
    const unknown = await post({ type, ids: [scene], bands: ["datamask"] });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      422,
      { code: "unknown-band", detail: expect.stringContaining("dataMask") },
    ]);
  });
});

test("cloud_probability is what CLD stores", { tags: ["X41"] }, async () => {
  const ask = { ids: [S2.cloudy] };
  const { bands } = await fileOf({ ...ask, bands: ["CLD", "cloud_probability"], processing: { harmonize: "none" } });
  expect(new Set(bands.CLD).size).toBeGreaterThan(2);
  expect([...(bands.cloud_probability ?? [])]).toEqual([...(bands.CLD ?? [])]);
  const landsat = await post({ type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["cloud_probability"] });
  expect([landsat.status, await landsat.json()]).toMatchObject([422, { code: "unknown-band" }]);
});

describe("bands without nodata", () => {
  test.each([
    { type: "sentinel-2-l2a", ids: [S2.cloudy], bands: ["CLD"] },
    { type: "sentinel-2-l2a", ids: [S2.cloudy], bands: ["SNW"] },
    { type: "sentinel-2-l2a", ids: [S2.cloudy], bands: ["CLD", "SNW"] },
    { type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["QA_RADSAT"] },
    { type: "sentinel-2-l2a", ids: [S2.cloudy], bands: ["B04", "CLD"], processing: { harmonize: "none" } },
    { type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["SR_B4", "QA_RADSAT"] },
  ])("$bands of $type: 0 is a value and no tag says otherwise", { tags: ["X42"] }, async (ask) => {
    const { cog, type, bands } = await fileOf(ask);
    expect([cog.nodata, type]).toEqual([undefined, "Uint16Array"]);
    expect(bands[ask.bands.at(-1) ?? ""]).toContain(0);
  });

  test("beside bands whose nodata is -32768 or NaN they keep every 0", { tags: ["X42"] }, async () => {
    const stored = await fileOf({ ids: [S2.cloudy], bands: ["CLD"], bbox: [370_000, 5_040_000, 400_000, 5_055_000] });
    for (const sampleType of ["INT16", "FLOAT32"]) {
      const mixed = await fileOf({
        ids: [S2.cloudy],
        bands: ["B04", "CLD"],
        bbox: [370_000, 5_040_000, 400_000, 5_055_000],
        output: { sampleType },
      });
      expect(mixed.cog.nodata).toBe(sampleType === "INT16" ? -32768 : Number.NaN);
      expect([...(mixed.bands.CLD ?? [])]).toEqual([...(stored.bands.CLD ?? [])]);
    }
  });

  test("in a mosaic a pixel is of the scene that has data there, though CLD stores numbers everywhere", {
    tags: ["X42"],
  }, async () => {
    // the eastern half of the upper scene holds no data, and its CLD is 0 there
    const ids = [S2.east, S2.cloudyEast];
    const ask = { bbox: [460_000, 4_995_000, 509_000, 5_095_000], processing: { harmonize: "none" } };
    const [top, below] = await Promise.all(
      ids.map(async (id) => (await fileOf({ ...ask, ids: [id], bands: ["SCL", "CLD", "B04"] })).bands),
    );
    const expected = (band: "SCL" | "B04"): number[] =>
      [...(top?.CLD ?? [])].map((value, i) => (top?.[band]?.[i] === 0 ? (below?.CLD?.[i] ?? 0) : value));
    expect(expected("SCL")).not.toEqual([...(top?.CLD ?? [])]);
    const alone = await fileOf({ ...ask, ids, bands: ["CLD"] });
    expect([...(alone.bands.CLD ?? [])]).toEqual(expected("SCL"));
    const beside = await fileOf({ ...ask, ids, bands: ["B04", "CLD"] });
    expect([...(beside.bands.CLD ?? [])]).toEqual(expected("B04"));
  });
});

test("a file of a collection cannot advertise a pseudo band that nothing gives", () => {
  const [first] = BUILT_IN_FILES.filter(({ id }) => id === "landsat-ot-l2");
  const file = { ...first, pseudoBands: ["dataMask", "cloud_probability"] };
  expect(() => parseCollectionFile(JSON.stringify(file), "landsat.json")).toThrow(/cloud_probability/);
});

test("without a mask, dataMask says where the first band with a nodata value has data", async () => {
  const files = BUILT_IN_FILES.map((file) => {
    if (isVirtualFile(file) || file.id !== "sentinel-2-l2a") return file;
    const { mask: _, ...without } = file;
    return { ...without, pseudoBands: ["dataMask" as const] };
  });
  const presets = BUILT_IN_PRESETS.map(({ cloudMask: _, ...preset }) => preset);
  const own = await testService({
    registry: createRegistry(files, presets),
    results: openResultFolder(join(folder, "results")),
  });
  const response = await own.post("/v1/process", {
    input: {
      bounds: { bbox: [440_000, 4_995_000, 519_000, 5_095_000], properties: { crs: "EPSG:32633" } },
      data: [
        { type: "sentinel-2-l2a", dataFilter: { ids: [S2.east] }, processing: { units: "DN", harmonize: "none" } },
      ],
    },
    bands: ["dataMask", "B01"],
    output: { width: 100, height: 100, crs: "EPSG:32633" },
  });
  expect(response.status).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: 100 }, { nodata: null });
  const stored = [...(bands[1] as Samples)];
  expect([...(bands[0] as Samples)]).toEqual(stored.map((value) => (value === 0 ? 0 : 1)));
  expect(new Set(bands[0])).toEqual(new Set([0, 1]));
});
