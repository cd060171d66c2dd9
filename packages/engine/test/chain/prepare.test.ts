import { existsSync } from "node:fs";
import type { Catalog, Item } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { parseQuery } from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { prepare } from "../../src/chain/prepare.ts";
import { keyOf } from "../../src/chain/prepared.ts";
import { type Engine, openEngine } from "../../src/open/open-engine.ts";
import { Refusal } from "../../src/refusal.ts";
import type { ExtractionRequest, Request, SeriesRequest, StatisticsRequest, TileRequest } from "../../src/request.ts";
import type { Renderer } from "../../src/run/job.ts";

const { signal } = new AbortController();
const S2 = "sentinel-2-l2a";
const BBOX = [13.2, 45.45, 13.22, 45.47];
const YEAR = "2024-01-01/2024-12-31";

const TILE: TileRequest = {
  where: { kind: "tile", tileMatrixSet: "WebMercatorQuad", z: 9, x: 275, y: 182 },
  when: { collections: [S2], time: YEAR },
  what: { preset: "ndvi" },
  into: { kind: "image", format: "png" },
};
const FILE: ExtractionRequest = {
  where: { kind: "area", bbox: BBOX, frame: { width: 64, height: 64 } },
  when: { collections: [S2], time: YEAR, order: "leastCC" },
  what: { bands: ["red"] },
  into: { kind: "geotiff" },
};
const MONTHS: StatisticsRequest = {
  where: { kind: "area", bbox: BBOX, frame: { width: 64, height: 64 } },
  when: { collections: [S2], time: YEAR, every: "P1M" },
  what: { index: "ndvi" },
  into: { kind: "intervals" },
};
const CURVE: SeriesRequest = {
  where: { kind: "point", lon: 13.21, lat: 45.46 },
  when: { collections: [S2], time: YEAR },
  what: { index: "ndvi" },
  into: { kind: "overpasses" },
};

let engine: Engine;
beforeAll(async () => {
  const directory = inject("sandbox");
  const catalog = await openArchive(directory, { registry: defaultRegistry });
  engine = await openEngine(
    { catalog, registry: defaultRegistry, sources: { archiveDirectory: directory } },
    { threads: 1, now: () => new Date("2026-01-01T00:00:00Z") },
  );
});
afterAll(() => engine.close());

const only = (id: string) => parseQuery({ platform: { eq: id } }, { in: "body", pointer: "" });

test("conditions of a request hold for images, files, statistics and series", async () => {
  const filter = only("sentinel-2a");
  const withFilter = <T extends Request>(request: T): T => ({ ...request, when: { ...request.when, filter } });
  const { planned } = await prepare(engine.parts, withFilter(TILE), { signal });
  const all = (await prepare(engine.parts, TILE, { signal })).planned.items.length;
  expect(planned.items.length).toBeGreaterThan(0);
  expect(planned.items.length).toBeLessThan(all);
  expect(new Set(planned.items.map(({ properties }) => properties.platform))).toEqual(new Set(["sentinel-2a"]));

  const file = await engine.run(withFilter(FILE));
  expect(file.plan.items.map(({ properties }) => properties.platform)).toEqual(["sentinel-2a"]);
  const { intervals } = await engine.run(withFilter(MONTHS));
  const used = intervals.flatMap(({ interval }) => interval.items.map(({ properties }) => properties.platform));
  expect(new Set(used)).toEqual(new Set(["sentinel-2a"]));
  const { observations } = await engine.run(withFilter(CURVE));
  expect(new Set(observations.map(({ platform }) => platform))).toEqual(new Set(["sentinel-2a"]));
});

test("a key is the JSON of what was asked, times of filters as text, and of the items", () => {
  const filter = parseQuery({ datetime: { gt: "2024-05-01T00:00:00Z" } }, { in: "body", pointer: "" });
  const request = { ...CURVE, when: { ...CURVE.when, filter } };
  const item = {
    ...{ type: "Feature", stac_version: "1.0.0", id: "a", collection: S2, geometry: null, bbox: null, links: [] },
    properties: { datetime: "2024-05-02T00:00:00Z" },
    assets: { red: { href: "https://example.org/red.tif", title: "Red" } },
  } as unknown as Item;
  const [asked, facts] = JSON.parse(keyOf(request, [item]));
  expect(JSON.stringify(asked)).toContain('"1714521600000000000"');
  expect({ ...asked, when: { ...asked.when, filter: undefined } }).toEqual({
    ...CURVE,
    when: { ...CURVE.when, filter: undefined },
  });
  expect(facts).toEqual([["a", S2, null, item.properties, [["red", "https://example.org/red.tif"]]]]);
});

test("what a request costs is known before a pixel is read, and equal requests have equal keys", async () => {
  const requests: readonly Request[] = [TILE, FILE, MONTHS, CURVE];
  for (const request of requests) {
    const [first, second] = [
      await prepare(engine.parts, request, { signal }),
      await prepare(engine.parts, structuredClone(request), { signal }),
    ];
    expect(first.units).toBeGreaterThan(0);
    expect(second.units).toBe(first.units);
    expect(second.key()).toBe(first.key());
    expect(first.isSettled).toBe(true);
    const fewer = { ...request, when: { ...request.when, filter: only("sentinel-2a") } };
    expect((await prepare(engine.parts, fewer, { signal })).key()).not.toBe(first.key());
  }
  expect((await prepare(engine.parts, FILE, { signal })).fileBytes).toBeGreaterThan(64 * 64 * 2);
});

test.each([
  { of: FILE, where: TILE.where, path: ["where", "kind"] },
  { of: CURVE, where: TILE.where, path: ["where", "kind"] },
  { of: TILE, where: CURVE.where, path: ["where", "kind"] },
  { of: FILE, where: { kind: "area", bbox: [1, 2, 3] }, path: ["where", "bbox"] },
  { of: TILE, where: { kind: "area", bbox: [1, 2, 3] }, path: ["where", "bbox"] },
  { of: TILE, where: { kind: "area", bbox: BBOX, crs: "EPSG:32633" }, path: ["where", "crs"] },
])("a place that a result cannot be made of is refused: $path of $where", async ({ of, where, path }) => {
  const asked = prepare(engine.parts, { ...of, where } as Request, { signal });
  const refusal = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "invalid", path });
});

test.each([
  { of: TILE, when: { order: "leastCC" } },
  { of: CURVE, when: { ids: ["a"] } },
  { of: CURVE, when: { every: "P1M" } },
  { of: MONTHS, when: { ids: ["a"] } },
  { of: FILE, when: { every: "P1M" } },
] as const)("what a result would leave out of account is refused: $when", async ({ of, when }) => {
  const [member] = Object.keys(when);
  const asked = prepare(engine.parts, { ...of, when: { ...of.when, ...when } } as Request, { signal });
  await expect(asked).rejects.toMatchObject({ code: "invalid", path: ["when", member] });
});

test.each([
  { of: MONTHS, frame: { exact: true } },
  { of: MONTHS, frame: { nativeCrs: true } },
  { of: MONTHS, frame: { size: 64 } },
] as const)("sizes that a result would leave out of account are refused: $frame", async ({ of, frame }) => {
  const [member] = Object.keys(frame);
  const asked = prepare(engine.parts, { ...of, where: { ...of.where, frame } }, { signal });
  await expect(asked).rejects.toMatchObject({ code: "invalid", path: ["where", "frame", member] });
});

test("a file for each band is a result of its own, with the band's name and share of valid pixels", async () => {
  const request: ExtractionRequest = {
    ...FILE,
    what: { bands: ["red", "nir"], units: "DN" },
    into: { kind: "geotiff", files: "per-band", bandNames: ["rouge", "a/b"] },
  };
  const parts: number[] = [];
  const done = await engine.run(request, { onProgress: (part) => parts.push(part) });
  const date = done.plan.filename.slice(0, -".tif".length);
  expect(done.files.map(({ filename }) => filename)).toEqual([`${date}_rouge.tif`, `${date}_a_b.tif`]);
  expect(done.files.map(({ path }) => path.endsWith(".tif") && existsSync(path))).toEqual([true, true]);
  expect(new Set(done.files.map(({ id }) => id)).size).toBe(2);
  expect(done.files.map(({ extraction }) => extraction.bands)).toEqual([
    [{ name: "rouge", scale: 0.0001, offset: 0, validFraction: 1 }],
    [{ name: "a/b", scale: 0.0001, offset: 0, validFraction: 1 }],
  ]);
  expect(done.id).toBe(done.files[0]?.id);
  expect(Math.max(...parts)).toBeLessThanOrEqual(1);
  const whole = await engine.run({ ...request, into: { ...request.into, files: "one" } });
  expect(whole.files.map(({ filename }) => filename)).toEqual([whole.plan.filename]);
  expect(whole.extraction.bands).toMatchObject([{ name: "rouge" }, { name: "a/b" }]);
});

test("a file of one platform is made of every scene that it took, whatever they cover", async () => {
  const request: ExtractionRequest = { ...FILE, when: { collections: [S2], time: "2024-07-01/2024-07-31" } };
  const platformsOf = async (samePlatform: boolean) => {
    const prepared = await prepare(engine.parts, { ...request, when: { ...request.when, samePlatform } }, { signal });
    return (await prepared.check({ signal })).items.map(({ properties }) => properties.platform);
  };
  // the clearest scene is of another platform than the newest
  expect(await platformsOf(false)).toEqual(["sentinel-2a"]);
  expect(await platformsOf(true)).toEqual(["sentinel-2b"]);
  const all = { ...request, when: { collections: [S2], time: "2015-01-01/2026-01-01", samePlatform: true } };
  const { search } = engine.parts.catalog;
  const crowded: Catalog["search"] = async (query, options) => {
    const { items } = await search({ ...query, limit: 1 }, options);
    return { items: Array.from({ length: 7 }, (_, i) => ({ ...items[0]!, id: `scene-${i}` })) };
  };
  const parts = { ...engine.parts, catalog: { ...engine.parts.catalog, search: crowded } };
  await expect(prepare(parts, all, { signal })).rejects.toMatchObject({
    code: "too-many-scenes",
    detail: expect.stringContaining("7 scenes of sentinel-2"),
    limits: { maxScenes: 6, matchedScenes: 7 },
  });
});

test("a scene that cannot be read is worked around for all files of a request, and no other file stays", async () => {
  const [first] = (await engine.run(FILE)).plan.items;
  const id = first?.id ?? "";
  const { renderer, results } = engine.parts;
  const extract: Renderer["extract"] = async (job, options) =>
    job.bands[0] === "B08" && job.scenes[0]?.read.id === id
      ? { kind: "unreadable", scene: id, reason: "a file is damaged" }
      : renderer.extract(job, options);
  const folders = new Set<string>();
  const parts = {
    ...engine.parts,
    renderer: { extract } as Renderer,
    results: {
      ...results,
      async allocate() {
        const place = await results.allocate();
        folders.add(place.id);
        return place;
      },
      async remove(folder: string) {
        folders.delete(folder);
        await results.remove(folder);
      },
    },
  };
  const request = { ...FILE, what: { bands: ["red", "nir"] }, into: { kind: "geotiff", files: "per-band" } } as const;
  const done = await (await prepare(parts, request, { signal })).run({ signal });
  expect(done.skipped).toEqual([id]);
  expect(done.files.flatMap(({ extraction }) => extraction.used)).not.toContain(id);
  expect([...folders].sort()).toEqual(done.files.map((file) => file.id).sort());
  folders.clear();
  const named = await prepare(parts, { ...request, when: { collections: [S2], ids: [id] } }, { signal });
  await expect(named.run({ signal })).rejects.toMatchObject({ code: "upstream-unavailable" });
  expect([...folders]).toEqual([]);
});

const AREA = FILE.where;
const CURVE_INTO = CURVE.into;
test.each([
  { of: undefined, path: [], got: "nothing" },
  { of: {}, path: ["where"], got: "nothing" },
  { of: { ...FILE, where: undefined }, path: ["where"], got: "nothing" },
  { of: { ...FILE, when: null }, path: ["when"], got: "null" },
  { of: { ...FILE, what: "red" }, path: ["what"], got: '"red"' },
  { of: { ...FILE, into: { ...FILE.into, caps: "now" } }, path: ["into", "caps"], got: '"now"' },
  { of: { ...FILE, into: { ...FILE.into, caps: { side: 9 } } }, path: ["into", "caps", "values"], got: "nothing" },
  { of: { ...FILE, into: { ...FILE.into, caps: {} } }, path: ["into", "caps", "side"], got: "nothing" },
  { of: { ...FILE, into: { ...FILE.into, files: 2 } }, path: ["into", "files"], got: "2" },
  { of: { ...FILE, into: { ...FILE.into, bandNames: "red" } }, path: ["into", "bandNames"], got: '"red"' },
  { of: { ...FILE, when: { ...FILE.when, samePlatform: 1 } }, path: ["when", "samePlatform"], got: "1" },
  {
    of: { ...FILE, where: { ...AREA, frame: { width: "all", height: 2 } } },
    path: ["where", "frame", "width"],
    got: '"all"',
  },
  { of: { ...FILE, into: { ...FILE.into, kind: "tiff" } }, path: ["into", "kind"], got: '"tiff"' },
  { of: { ...FILE, what: { bands: "red" } }, path: ["what", "bands"], got: '"red"' },
  { of: { ...FILE, what: { bands: ["red", 1] } }, path: ["what", "bands", 1], got: "1" },
  { of: { ...FILE, what: { expression: 3 } }, path: ["what", "expression"], got: "3" },
  { of: { ...FILE, when: { ...FILE.when, collections: S2 } }, path: ["when", "collections"], got: `"${S2}"` },
  { of: { ...FILE, when: { ...FILE.when, time: { from: YEAR } } }, path: ["when", "time", "to"], got: "nothing" },
  { of: { ...FILE, where: { bbox: BBOX } }, path: ["where", "kind"], got: "nothing" },
  {
    of: { ...FILE, where: { ...AREA, frame: { width: 1.5, height: 2 } } },
    path: ["where", "frame", "width"],
    got: "1.5",
  },
  { of: { ...TILE, into: { kind: "image" } }, path: ["into", "format"], got: "nothing" },
  { of: { ...MONTHS, where: { kind: "features" } }, path: ["where", "features"], got: "nothing" },
  {
    of: { ...MONTHS, into: { kind: "intervals", calculations: { default: 5 } } },
    path: ["into", "calculations", "default"],
    got: "5",
  },
  { of: { ...CURVE, where: { kind: "point", lon: "13" } }, path: ["where", "lon"], got: '"13"' },
  { of: { ...CURVE, into: { ...CURVE_INTO, reducers: [["mean"]] } }, path: ["into", "reducers", 0], got: "an array" },
  { of: { ...CURVE, into: { ...CURVE_INTO, reducers: [{}] } }, path: ["into", "reducers", 0, "share"], got: "nothing" },
])("a member that is missing or of another type is refused by its path: $path", async ({ of, path, got }) => {
  const refusal = await engine.run(of as unknown as Request<TileRequest["where"]>).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ code: "invalid", path });
  expect(refusal).toHaveProperty("message", expect.stringMatching(/^Expected .+, got .+\.$/));
  expect((refusal as Refusal).message.endsWith(`, got ${got}.`)).toBe(true);
});

test("a run that is given up says how far it came", async () => {
  const controller = new AbortController();
  const prepared = await prepare(engine.parts, MONTHS, { signal });
  controller.abort(new Error("The time is up."));
  await expect(prepared.run({ signal: controller.signal })).rejects.toMatchObject({
    code: "render-timeout",
    detail: expect.stringMatching(/^The time is up\. /),
  });
});

test("progress of statistics ends with the last interval", async () => {
  const done: number[] = [];
  await engine.run(MONTHS, { onProgress: (part) => done.push(part) });
  expect(done).toEqual([...done].sort((a, b) => a - b));
  expect(done.at(-1)).toBe(1);
});
