import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, createArchiveCatalog } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import type { inlineRenderer } from "@swath/engine/node";
import type { ExtractJob } from "@swath/engine/node/jobs";
import type { Raster } from "@swath/raster";
import { openResultFolder } from "@swath/store/node";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { upstreamItems } from "../tools/fixture-archive.ts";
import { sandboxServices, testService } from "../tools/harness.ts";
import { S2 } from "./process-cases.ts";

const JULY = { from: "2024-07-01T00:00:00Z", to: "2024-07-31T23:59:59Z" };
const UTM33 = "EPSG:32633";
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-process-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const service = async (parts: Parameters<typeof testService>[0] = {}) =>
  testService({ results: openResultFolder(join(folder, "results")), ...parts });

function request(
  filter: object,
  output: object,
  more: { bbox?: number[]; crs?: string; bands?: string[]; processing?: object } = {},
) {
  const { bbox = [12.6, 45.2, 12.9, 45.4], crs, bands = ["B04"], processing } = more;
  return {
    input: {
      bounds: { bbox, ...(crs === undefined ? {} : { properties: { crs } }) },
      data: [{ type: "sentinel-2-l2a", dataFilter: filter, ...(processing === undefined ? {} : { processing }) }],
    },
    bands,
    output,
  };
}

async function pixelsOf(bytes: Uint8Array): Promise<Raster> {
  const cog = await openCog(memorySource(bytes));
  return readWindow(cog, 0, { x: 0, y: 0, width: cog.grid.width, height: cog.grid.height });
}

/** Every file below the result folder. */
async function leftovers(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a small area comes in the answer, with its name, its credit line and the number of scenes", {
  tags: ["X28", "X30"],
}, async () => {
  const response = await (await service()).post("/v1/process", request({ ids: [S2.july] }, { width: 100, height: 50 }));
  expect(response.status).toBe(200);
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    "content-type": "image/tiff; application=geotiff; profile=cloud-optimized",
    "content-disposition": 'attachment; filename="sentinel-2-l2a_2024-07-04.tif"',
    "x-attribution": "Contains modified Copernicus Sentinel data 2024",
    "x-scenes-used": "1",
    "cache-control": "no-store",
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(headers["content-length"]).toBe(String(bytes.byteLength));
  const cog = await openCog(memorySource(bytes));
  expect(cog.grid).toMatchObject({ width: 100, height: 50, crs: { name: "EPSG:3857" } });
  expect(cog.bands).toMatchObject([{ name: "B04" }]);
  expect(cog.metadata).toMatchObject({
    COLLECTION: "sentinel-2-l2a",
    ITEMS: S2.july,
    DATETIME: "2024-07-04T10:07:41.586000Z",
    UNITS: "REFLECTANCE",
    HARMONIZE: "offset_removed",
    ATTRIBUTION: "Contains modified Copernicus Sentinel data 2024",
  });
  expect(await leftovers()).toEqual([]);
});

test("without bands every spectral one comes, in native order", { tags: ["X20"] }, async () => {
  const { bands: _, ...body } = request({ ids: [S2.july] }, { width: 8, height: 8 });
  const response = await (await service()).post("/v1/process", body);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const names = "B01 B02 B03 B04 B05 B06 B07 B08 B8A B09 B11 B12".split(" ");
  expect(cog.bands.map(({ name }) => name)).toEqual(names);
});

test("the default size is 256 × 256 in EPSG:3857, and the box is the exact outer edge", { tags: ["X23"] }, async () => {
  const box = [1_402_000, 5_660_000, 1_420_000, 5_675_000];
  const response = await (await service()).post(
    "/v1/process",
    request({ ids: [S2.july] }, {}, { bbox: box, crs: "EPSG:3857" }),
  );
  const { grid } = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  expect([grid.width, grid.height]).toEqual([256, 256]);
  expect(grid.transform).toEqual([18_000 / 256, 0, 1_402_000, 0, -15_000 / 256, 5_675_000]);
});

test("resolutions are rounded to whole pixels that fill the box, at least one", { tags: ["X24"] }, async () => {
  const more = { bbox: [330_000, 5_000_000, 331_049, 5_000_100], crs: UTM33 };
  const response = await (await service()).post(
    "/v1/process",
    request({ ids: [S2.july] }, { resx: 100, resy: 100, crs: UTM33 }, more),
  );
  const { grid } = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  expect([grid.width, grid.height, grid.transform[0]]).toEqual([10, 1, 104.9]);
});

test("six numbers carry heights, which do not count", { tags: ["X2"] }, async () => {
  const flat = request({ ids: [S2.july] }, { width: 9, height: 9 });
  const high = request({ ids: [S2.july] }, { width: 9, height: 9 }, { bbox: [12.6, 45.2, 0, 12.9, 45.4, 900] });
  const served = await service();
  const [a, b] = await Promise.all(
    [flat, high].map(async (body) => (await served.post("/v1/process", body)).arrayBuffer()),
  );
  expect(b).toEqual(a);
});

test("pixels of products before and after the offset agree in one mosaic, each by its own baseline", {
  tags: ["B6", "X15"],
}, async () => {
  const grid = { crs: UTM33, resx: 100, resy: 100 };
  const more = { bbox: [380_000, 5_000_000, 440_000, 5_060_000], crs: UTM33, bands: ["B04"] };
  const served = await service();
  const draw = async (
    ids: string[],
    processing: object,
  ): Promise<{ raster: Raster; scale: number; offset: number }> => {
    const response = await served.post("/v1/process", request({ ids }, grid, { ...more, processing }));
    expect(response.status).toBe(200);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const [band] = (await openCog(memorySource(bytes))).bands;
    return { raster: await pixelsOf(bytes), scale: band?.scale ?? 1, offset: band?.offset ?? 0 };
  };
  const mixed = [S2.old, S2.east];
  const physical = await draw(mixed, { units: "REFLECTANCE" });
  const removed = await draw(mixed, { units: "DN" });
  const alone = await Promise.all(mixed.map((id) => draw([id], { units: "DN", harmonize: "none" })));
  expect(alone.map(({ offset }) => offset)).toEqual([0, -0.1]);
  const counted = [0, 0];
  const wrong = { validity: 0, physical: 0, removed: 0 };
  // one assertion for each of 360,000 pixels would take half a minute
  for (let i = 0; i < physical.raster.valid.length; i++) {
    const from = alone.findIndex(({ raster }) => raster.valid[i] === 1);
    if (physical.raster.valid[i] !== (from === -1 ? 0 : 1)) wrong.validity += 1;
    const source = alone[from];
    if (source === undefined) continue;
    counted[from] = (counted[from] ?? 0) + 1;
    const value = Number(source.raster.bands[0]?.[i]) * source.scale + source.offset;
    if (!(Math.abs(Number(physical.raster.bands[0]?.[i]) - value) < 5e-7)) wrong.physical += 1;
    const back = Number(removed.raster.bands[0]?.[i]) * removed.scale + removed.offset;
    if (!(Math.abs(back - value) < 5e-7)) wrong.removed += 1;
  }
  expect(wrong.validity).toBe(0);
  expect(wrong.physical).toBe(0);
  expect(wrong.removed).toBe(0);
  expect(Math.min(...counted)).toBeGreaterThan(10_000);
});

test("stored numbers of different offsets carry no common scale: the file has each scene's", {
  tags: ["X29"],
}, async () => {
  const more = { bbox: [13.4, 45.2, 14.4, 45.9], processing: { units: "DN", harmonize: "none" } };
  const response = await (await service()).post(
    "/v1/process",
    request({ ids: [S2.old, S2.east] }, { width: 64, height: 64 }, more),
  );
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  expect(cog.bands[0]).not.toHaveProperty("offset");
  expect(cog.metadata.SCALE_OFFSET_B04).toBe(`${S2.old}=0.0001,0 ${S2.east}=0.0001,-0.1`);
});

test.each([
  { order: undefined, top: S2.cloudy },
  { order: "mostRecent", top: S2.cloudy },
  { order: "leastRecent", top: S2.july },
  { order: "leastCC", top: S2.july },
])("mosaickingOrder $order puts $top on top", { tags: ["X10"] }, async ({ order, top }) => {
  const filter = { timeRange: JULY, ...(order === undefined ? {} : { mosaickingOrder: order }) };
  const body = request(filter, { width: 32, height: 32 }, { bbox: [13.2, 45.2, 13.4, 45.4] });
  const response = await (await service()).post("/v1/process", body);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  expect(cog.metadata.ITEMS?.split(",")[0]).toBe(top);
});

test("the ends of the time range belong to it", { tags: ["X8"] }, async () => {
  const served = await service();
  const at = "2024-07-04T10:07:41.586Z";
  const ask = (from: string, to: string) =>
    served.post("/v1/process", request({ timeRange: { from, to } }, { width: 4, height: 4 }));
  expect((await ask(at, at)).status).toBe(200);
  expect((await ask("2024-07-04T10:07:41.587Z", "2024-07-04T23:00:00Z")).status).toBe(404);
});

test.each([
  { alias: "landsat-ot-l2", platforms: ["landsat-8", "landsat-9"] },
  { alias: "ls8_sr", platforms: ["landsat-8"] },
  { alias: "ls9_sr", platforms: ["landsat-9"] },
])("by time, $alias is made of scenes of $platforms", { tags: ["A10"] }, async ({ alias, platforms }) => {
  // a box that both scenes of July reach, and that neither covers alone
  const body = request({ timeRange: JULY }, { width: 64, height: 64 }, { bbox: [12.6, 45.2, 14.9, 45.8] });
  const [data] = body.input.data;
  const asked = { ...body, bands: ["SR_B4"], input: { ...body.input, data: [{ ...data, type: alias }] } };
  const response = await (await service()).post("/v1/process", asked);
  expect(response.status, await response.clone().text()).toBe(200);
  const { metadata } = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const satellites = metadata.ITEMS?.split(",").map((id) => `landsat-${Number(id.slice(2, 4))}`);
  expect([...new Set(satellites)].sort()).toEqual(platforms);
  expect(response.headers.get("X-Scenes-Used")).toBe(String(satellites?.length));
});

/** A catalogue of copies of one scene, each moved so that it adds a strip of its own. */
async function copies(count: number): Promise<Catalog> {
  const items = await upstreamItems(inject("sandbox"));
  const model = items.get(S2.july) as unknown as { properties: object; geometry: unknown };
  const strips = Array.from({ length: count }, (_, i) => {
    const west = 12.5 + i * 0.1;
    const ring = [
      [west, 45.1],
      [west + 0.1, 45.1],
      [west + 0.1, 45.9],
      [west, 45.9],
      [west, 45.1],
    ];
    return {
      ...model,
      id: `strip-${i}`,
      bbox: [west, 45.1, west + 0.1, 45.9],
      geometry: { type: "Polygon", coordinates: [ring] },
      properties: { ...model.properties, datetime: `2024-07-0${i + 1}T10:00:00Z` },
    };
  });
  return createArchiveCatalog({ items: strips });
}

test("six scenes cover what six are needed for, and a seventh that would be needed is an error with both numbers", {
  tags: ["X12"],
}, async () => {
  const served = await service({ catalog: await copies(8) });
  const ask = (east: number) =>
    served.post(
      "/v1/process",
      request({ timeRange: JULY }, { width: 16, height: 16 }, { bbox: [12.5, 45.2, east, 45.8] }),
    );
  // hrefs of this catalogue are not those of the archive, so that the plan is all that is looked at
  expect((await ask(13.05)).status).not.toBe(422);
  const problem = await (await ask(13.15)).json();
  expect(problem).toMatchObject({ code: "too-many-scenes", limits: { maxScenes: 6, matchedScenes: 7 } });
});

/** The archive with one scene's file missing. */
async function withBroken(id: string): Promise<Catalog> {
  const items = [...(await upstreamItems(inject("sandbox"))).values()].map((item) => {
    const assets = Object.entries(item.assets).map(([key, asset]) => [
      key,
      { ...asset, href: item.id === id ? "archive:assets/missing.tif" : `archive:${asset.href}` },
    ]);
    return { ...item, assets: Object.fromEntries(assets) };
  });
  return createArchiveCatalog({ items });
}

test("a named scene that cannot be read fails the request and is named", { tags: ["X36"] }, async () => {
  const served = await service({ catalog: await withBroken(S2.july) });
  const response = await served.post("/v1/process", request({ ids: [S2.july] }, { width: 8, height: 8 }));
  const problem = (await response.json()) as { detail: string };
  expect(problem).toMatchObject({ status: 503, code: "upstream-unavailable" });
  expect(problem.detail).toContain(S2.july);
  expect(await leftovers()).toEqual([]);
});

test("by time, the next scene takes the place of one that cannot be read, and the answer says so", {
  tags: ["X36"],
}, async () => {
  const served = await service({ catalog: await withBroken(S2.cloudy) });
  const body = request({ timeRange: JULY }, { width: 16, height: 16 }, { bbox: [13.2, 45.2, 13.4, 45.4] });
  const response = await served.post("/v1/process", body);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Skipped")).toBe(S2.cloudy);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  expect(cog.metadata.ITEMS).toBe(S2.july);
});

/** A renderer that reads real pixels but whose every extraction takes `ms` longer. */
async function recorded(): Promise<{ jobs: ExtractJob[]; renderer: ReturnType<typeof inlineRenderer> }> {
  const { renderer } = await sandboxServices();
  const jobs: ExtractJob[] = [];
  return {
    jobs,
    renderer: {
      ...renderer,
      extract: (job, options) => {
        jobs.push(job);
        return renderer.extract(job, options);
      },
    },
  };
}

test("nothing is read of a request that is over a cap", { tags: ["X34"] }, async () => {
  const { jobs, renderer } = await recorded();
  const served = await service({ renderer });
  expect((await served.post("/v1/process", request({ ids: [S2.july] }, { width: 2501, height: 1 }))).status).toBe(413);
  expect(jobs).toEqual([]);
});

test("a request that is not done in time is answered 504 and its file is deleted", { tags: ["X35"] }, async () => {
  const deadlineMs = 27_001;
  const { deadline } = holdTimers({ deadline: deadlineMs });
  const { renderer } = await sandboxServices();
  const served = await service({
    http: { deadlineMs },
    renderer: {
      ...renderer,
      // the time is over as soon as a part of the file exists
      extract: (job, options) => renderer.extract(job, { ...options, onProgress: () => deadline.pass() }),
    },
  });
  const { bands: _, ...body } = request(
    { ids: [S2.july] },
    { width: 2400, height: 2400 },
    { bbox: [12.5, 45.1, 13.8, 46.0] },
  );
  const response = await served.post("/v1/process", body);
  expect(await response.json()).toMatchObject({ status: 504, code: "render-timeout" });
  expect(await leftovers()).toEqual([]);
});

test("a client that disconnects ends the work, and no file remains", { tags: ["X35", "E3"] }, async () => {
  const controller = new AbortController();
  const { renderer } = await sandboxServices();
  const ends: string[] = [];
  const served = await service({
    renderer: {
      ...renderer,
      extract: (job, options) => {
        // the client disconnects as soon as a part of the file exists
        const leaving = { ...options, onProgress: () => controller.abort() };
        const work = renderer.extract(job, leaving);
        work.then(
          () => ends.push("finished"),
          () => ends.push("broken off"),
        );
        return work;
      },
    },
  });
  const { bands: _, ...body } = request(
    { ids: [S2.july] },
    { width: 2400, height: 2400 },
    { bbox: [12.5, 45.1, 13.8, 46.0] },
  );
  const init = {
    method: "POST",
    headers: { "X-API-Key": "test-key", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = served.request("/v1/process", { ...init, signal: controller.signal }).catch(() => undefined);
  await answer;
  await expect.poll(() => ends).toEqual(["broken off"]);
  await expect.poll(leftovers).toEqual([]);
});

test("a folder that cannot be written to is a clear failure", async () => {
  await writeFile(join(folder, "results"), "a file where a folder should be");
  const response = await (await service()).post("/v1/process", request({ ids: [S2.july] }, { width: 8, height: 8 }));
  expect(response.status).toBeGreaterThanOrEqual(500);
});

test("a large area is answered 303 with a link that needs no key and serves ranges", { tags: ["X31"] }, async () => {
  const served = await service();
  const { bands: _, ...body } = request(
    { ids: [S2.july] },
    { width: 700, height: 700 },
    { bbox: [12.5, 45.1, 13.8, 46.0] },
  );
  const response = await served.post("/v1/process", body);
  expect(response.status).toBe(303);
  const location = response.headers.get("Location") ?? "";
  expect(location).toMatch(
    /^http:\/\/service\.test\/v1\/results\/[0-9a-f]{32}\/sentinel-2-l2a_2024-07-04\.tif\?expires=\d+&sig=[\w-]+$/,
  );
  expect(await response.json()).toMatchObject({
    links: [{ rel: "result", href: location, type: "image/tiff", title: "sentinel-2-l2a_2024-07-04.tif" }],
    expires: "2026-06-16T13:00:00.000Z",
  });
  const path = location.replace("http://service.test", "");
  const head = await served.request(path, { method: "HEAD" });
  const size = Number(head.headers.get("Content-Length"));
  expect({ status: head.status, ranges: head.headers.get("Accept-Ranges"), large: size > 4_194_304 }).toEqual({
    status: 200,
    ranges: "bytes",
    large: true,
  });
  const part = await served.request(path, { headers: { Range: "bytes=4-11" } });
  const whole = new Uint8Array(await (await served.request(path)).arrayBuffer());
  expect([part.status, part.headers.get("Content-Range")]).toEqual([206, `bytes 4-11/${size}`]);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.slice(4, 12));
  expect(whole).toHaveLength(size);
  const [name] = await leftovers();
  expect(name).toBe("sentinel-2-l2a_2024-07-04.tif");
  expect((await readFile(join(folder, "results", path.split("/")[3] ?? "", name ?? ""))).byteLength).toBe(size);
});
