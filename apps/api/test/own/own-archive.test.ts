import { copyFile, mkdir, mkdtemp, realpath, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { resolveCrs, transformer } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRegistry } from "../../src/open/collection-files.ts";
import { FleetNode } from "../operations/fleet/node.ts";
import { gdalPixels, gdalWarp, hasGdal } from "../tools/gdal.ts";
import { pixelsOf } from "../tools/images.ts";
import { folderOfScenes, type OwnService, openFolder, S2_SCENE, serviceOf } from "./own-folder.ts";

const fixtures = process.env.SWATH_FIXTURES;
const YEAR = "2020-01-01T00:00:00Z/2020-12-31T00:00:00Z";
const ITEM = "S2A_29RKH_20200219";

describe.skipIf(fixtures === undefined || !hasGdal)("a folder of 20 files", () => {
  let folder: string;
  let dataDir: string;
  let own: OwnService;

  beforeAll(async () => {
    folder = await folderOfScenes(fixtures ?? "");
    dataDir = await mkdtemp(join(tmpdir(), "swath-own-data-"));
    own = await serviceOf(folder, dataDir);
  });
  afterAll(async () => {
    own.archive.close();
    await rm(folder, { recursive: true, force: true });
    await rm(dataDir, { recursive: true, force: true });
  });

  test("is searched: files of one date and tile are one item", { tags: ["AF16"] }, async () => {
    const found = await (await own.service.get(`/v1/search?bbox=-12,24,-10,26&datetime=${YEAR}`)).json();
    expect(found.numberMatched).toBe(1);
    const [item] = found.features;
    expect(item).toMatchObject({
      id: ITEM,
      collection: "our-sentinel-2",
      properties: { datetime: "2020-02-19T00:00:00Z", platform: "sentinel-2a", "proj:code": "EPSG:32629" },
      assets: { B04: { "proj:shape": [1098, 1098], "svc:band": "B04" } },
    });
    expect(Object.keys(item.assets)).toHaveLength(16);
    // addresses of documents do not hold the signature of the file's own
    expect(JSON.stringify(item)).not.toContain("~");
    const landsat = await (await own.service.get("/v1/collections/our-landsat/items")).json();
    expect(landsat.features.map(({ id }: { id: string }) => id)).toEqual(["001062_20201031"]);
  });

  test("has the collections of its files, and no others", async () => {
    const { collections } = await (await own.service.get("/v1/collections")).json();
    expect(collections.map(({ id }: { id: string }) => id)).toEqual(["our-landsat", "our-sentinel-2"]);
  });

  test("gives tiles and previews that are like GDAL's", { tags: ["AF16"] }, async () => {
    const tile = await own.service.get(
      `/v1/tiles/true-color/WebMercatorQuad/9/239/219.png?collection=our-sentinel-2&datetime=${YEAR}`,
    );
    expect(tile.status).toBe(200);
    const { data } = await pixelsOf(tile);
    const size = (2 * 20_037_508.342789244) / 2 ** 9;
    const [west, north] = [239 * size - 20_037_508.342789244, 20_037_508.342789244 - 219 * size];
    const target = { crs: "EPSG:3857", bounds: [west, north - size, west + size, north], width: 256, height: 256 };
    const expected = await gdalWarp(join(folder, S2_SCENE, "TCI.tif"), target, dataDir);
    const sum = [...expected].reduce((total, value, i) => total + Math.abs(value - (data[i * 4] ?? 0)), 0);
    // the service resamples bilinearly, GDAL takes the nearest
    expect(sum / expected.length).toBeLessThan(4);
    expect((await own.service.get(`/v1/collections/our-sentinel-2/items/${ITEM}/preview.png`)).status).toBe(200);
  });

  test("gives the stored numbers by process", { tags: ["AF16"] }, async () => {
    const bounds = [220_000, 2_760_000, 245_000, 2_785_000];
    const response = await own.service.post("/v1/process", {
      input: {
        bounds: { bbox: bounds, properties: { crs: "http://www.opengis.net/def/crs/EPSG/0/32629" } },
        data: [{ type: "our-sentinel-2", dataFilter: { ids: [ITEM] }, processing: { units: "DN", harmonize: "none" } }],
      },
      bands: ["B04"],
      output: { width: 250, height: 250, crs: "EPSG:32629", sampleType: "UINT16" },
    });
    expect(response.status, await response.clone().text().catch(String)).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    const raster = await readWindow(cog, 0, { x: 0, y: 0, width: 250, height: 250 });
    const expected = await gdalWarp(
      join(folder, S2_SCENE, "B04.tif"),
      { crs: "EPSG:32629", bounds, width: 250, height: 250 },
      dataDir,
    );
    expect([...(raster.bands[0] as ArrayLike<number> as Uint16Array)]).toEqual([...expected]);
  });

  test("gives the series that GDAL's numbers give", { tags: ["AF16"] }, async () => {
    const [red, nir] = await Promise.all(
      ["B04", "B08"].map(async (band) => (await gdalPixels(join(folder, S2_SCENE, `${band}.tif`), dataDir))[0]),
    );
    const [column, row] = [400, 600];
    const toDegrees = transformer(resolveCrs("EPSG:32629"), resolveCrs("EPSG:4326"));
    const [lon, lat] = toDegrees(199_980 + (column + 0.5) * 100, 2_800_020 - (row + 0.5) * 100);
    const query = `lon=${lon}&lat=${lat}&datetime=2020-01-01/2020-12-31&collections=our-sentinel-2&index=ndvi`;
    const response = await own.service.get(`/v1/timeseries?${query}`);
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const [a, b] = [Number(nir?.[row * 1098 + column]), Number(red?.[row * 1098 + column])];
    const values = [...text.matchAll(/"value":\s*(-?[\d.]+)/g)].map(([, value]) => Number(value));
    expect(values).toHaveLength(1);
    expect(values[0]).toBeCloseTo((a - b) / (a + b), 5);
  });

  test("is opened from its index the second time, and read again where files change", async () => {
    const second = await openFolder(folder, dataDir);
    try {
      expect(second.first).toMatchObject({ items: 2, opened: 0, written: 0, removed: 0 });
      const scene = join(folder, "S2A_29RKJ_20200220_0_L2A.json");
      await writeFile(scene, "{");
      const item = { ...JSON.parse('{"type":"Feature","id":"x","properties":{}}') };
      await writeFile(join(folder, "other.json"), JSON.stringify(item));
      const report = await second.scan();
      expect(report.refused.join("\n")).toMatch(/"S2A_29RKJ_20200220_0_L2A.json": not JSON/);
      expect(report.refused.join("\n")).toMatch(/"other.json": an item without a collection/);
      await unlink(scene);
      await unlink(join(folder, "other.json"));
    } finally {
      second.close();
    }
  });

  test("leaves out a file that is damaged or gone, and no other", async () => {
    const work = await mkdtemp(join(tmpdir(), "swath-own-damage-"));
    const copy = await folderOfScenes(fixtures ?? "");
    await truncate(join(copy, S2_SCENE, "B02.tif"), 100);
    const { archive, service } = await serviceOf(copy, work);
    try {
      expect(archive.first.refused).toHaveLength(1);
      expect(archive.first.refused[0]).toMatch(/B02.tif/);
      const item = await (await service.get(`/v1/collections/our-sentinel-2/items/${ITEM}`)).json();
      expect(Object.keys(item.assets)).not.toContain("B02");
      expect(Object.keys(item.assets)).toContain("B04");
      await unlink(join(copy, S2_SCENE, "B04.tif"));
      expect(await archive.scan()).toMatchObject({ written: 1, opened: 0 });
      const later = await (await service.get(`/v1/collections/our-sentinel-2/items/${ITEM}`)).json();
      expect(Object.keys(later.assets)).not.toContain("B04");
    } finally {
      archive.close();
      await rm(copy, { recursive: true, force: true });
      await rm(work, { recursive: true, force: true });
    }
  });

  test("is served by one command with nothing else set", { tags: ["AF16"] }, async () => {
    const data = await mkdtemp(join(tmpdir(), "swath-own-start-"));
    const node = new FleetNode("own", {
      SWATH_ARCHIVE: folder,
      SWATH_DATA_DIR: data,
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
    });
    try {
      await node.start();
      const found = (await (await fetch(`${node.url}/v1/search`)).json()) as { numberMatched: number };
      expect(found.numberMatched).toBe(2);
    } finally {
      await node.stop();
      await rm(data, { recursive: true, force: true });
    }
  });
});

describe.skipIf(fixtures === undefined)("a folder that nothing describes", () => {
  test("has a collection for each folder at the top, with the values that are stored", async () => {
    const work = await realpath(await mkdtemp(join(tmpdir(), "swath-own-bare-")));
    const folder = join(work, "Photos");
    const from = (path: string): string => join(fixtures ?? "", path);
    await mkdir(join(folder, "Colours 2021"), { recursive: true });
    await copyFile(from("tiff/encodings/cog-jpeg-ycbcr-128.tif"), join(folder, "Colours 2021", "a_20210704.tif"));
    await copyFile(from("tiff/encodings/tiny-51px.tif"), join(folder, "Colours 2021", "b_20210705.tif"));
    await copyFile(from("cog/landsat-c2-l2/utm17-true-colour-900m/red.tif"), join(folder, "red_2020-08-09.tif"));
    await copyFile(from("tiff/georeferencing/gcps-only.tif"), join(folder, "gcps.tif"));
    const { archive, service } = await serviceOf(folder, join(work, "data"));
    try {
      const refused = archive.first.refused.join("\n");
      expect(refused).toMatch(/"gcps.tif": it has no usable georeference/);
      expect(archive.collections.map(({ id }) => id).sort()).toEqual(["colours-2021", "photos"]);
      const { features } = await (await service.get("/v1/collections/photos/items")).json();
      expect(features).toMatchObject([
        { id: "red_2020-08-09", properties: { datetime: "2020-08-09T00:00:00Z" }, assets: { data: { bands: [{}] } } },
      ]);
      const colours = await (await service.get("/v1/collections/colours-2021/items")).json();
      const preview = await service.get(`/v1/collections/colours-2021/items/${colours.features[0].id}/preview.png`);
      expect(preview.status, await preview.clone().text()).toBe(200);
    } finally {
      archive.close();
      await rm(work, { recursive: true, force: true });
    }
  });

  test("is served beside upstreams, whose collections stay theirs", async () => {
    const work = await realpath(await mkdtemp(join(tmpdir(), "swath-own-beside-")));
    const folder = join(work, "dem");
    await mkdir(folder);
    await copyFile(join(fixtures ?? "", "tiff/encodings/tiny-51px.tif"), join(folder, "a.tif"));
    const upstreams = { lpcloud: "https://upstream.example" };
    const archive = await openFolder(folder, join(work, "data"), upstreams);
    try {
      const environment = { archive: { path: folder, pollSeconds: 0 }, upstreams, profile: "full" as const };
      const { ids } = openRegistry(environment, archive.collections);
      expect(ids).toContain("hls");
      expect(ids).toContain("dem");
      expect(ids).not.toContain("sentinel-2-l2a");
    } finally {
      archive.close();
      await rm(work, { recursive: true, force: true });
    }
  });
});
