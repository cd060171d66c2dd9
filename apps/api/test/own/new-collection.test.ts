import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createMergedCatalog, createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { encodeGeoTiff } from "@swath/encode";
import { inlineRenderer } from "@swath/engine/node";
import { applyAffine, gridFromBounds, type Raster, resolveCrs, tileGrid, transformer } from "@swath/raster";
import { createStacHandler, type UpstreamItem } from "@swath/sandbox";
import sharp from "sharp";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openRegistry } from "../../src/open/collection-files.ts";
import { type TestService, testService } from "../tools/harness.ts";

// A collection that no code names: one JSON file, items behind a second upstream STAC API, four bands in one file.
const ID = "aerial-rgbn";
const [SIDE, PIXEL, WEST, NORTH] = [512, 2, 420_000, 5_100_000];
const GRID = gridFromBounds(
  resolveCrs("EPSG:32633"),
  [WEST, NORTH - SIDE * PIXEL, WEST + SIDE * PIXEL, NORTH],
  SIDE,
  SIDE,
);
const toDegrees = transformer(GRID.crs, resolveCrs("EPSG:4326"));
const [LON, LAT] = toDegrees(WEST + (SIDE * PIXEL) / 2, NORTH - (SIDE * PIXEL) / 2);

/** Sample of a band, 0 among them, at a pixel. */
const sampleAt = (band: number, column: number, row: number): number => (column + row * (band + 2)) % 251;

let server: Server;
let service: TestService;

function bands(): Uint8Array[] {
  return [0, 1, 2, 3].map((band) =>
    Uint8Array.from({ length: SIDE * SIDE }, (_, i) => sampleAt(band, i % SIDE, Math.floor(i / SIDE))),
  );
}

function itemsAt(origin: string): UpstreamItem[] {
  const corner = (right: number, down: number) => [
    ...toDegrees(WEST + right * SIDE * PIXEL, NORTH - down * SIDE * PIXEL),
  ];
  const ring = [corner(0, 1), corner(1, 1), corner(1, 0), corner(0, 0), corner(0, 1)];
  const [lons, lats] = [ring.map(([lon = 0]) => lon), ring.map(([, lat = 0]) => lat)];
  return ["or", "ca"].map((state, i) => ({
    type: "Feature",
    stac_version: "1.0.0",
    id: `${state}_m_${4200000 + i}_ne`,
    collection: "naip",
    geometry: { type: "Polygon", coordinates: [ring] },
    bbox: [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)],
    properties: {
      datetime: `2024-06-0${1 + i}T00:00:00Z`,
      gsd: 2,
      "aerial:flight": String(1007 + i),
      "proj:epsg": 32633,
    },
    assets: {
      image: { href: `${origin}/image.tif`, type: "image/tiff; application=geotiff; profile=cloud-optimized" },
      metadata: { href: `${origin}/metadata.txt`, type: "text/plain" },
    },
    links: [],
  })) as unknown as UpstreamItem[];
}

beforeAll(async () => {
  const raster: Raster = { grid: GRID, bands: bands(), valid: new Uint8Array(SIDE * SIDE).fill(1) };
  const file = await encodeGeoTiff(raster, { blockSize: 256, overviews: [2, 4] });
  let stac: ReturnType<typeof createStacHandler> | undefined;
  server = createServer(async (request, response) => {
    const { headers, method = "GET", url = "/" } = request;
    if (url.startsWith("/image.tif")) {
      const [start = 0, last = file.length - 1] = (/(\d+)-(\d+)/.exec(headers.range ?? "") ?? []).slice(1).map(Number);
      const end = Math.min(last + 1, file.length);
      const range = { "content-range": `bytes ${start}-${end - 1}/${file.length}`, "content-length": end - start };
      response.writeHead(206, range).end(file.subarray(start, end));
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
    const asked = new Request(`http://${headers.host}${url}`, {
      method,
      headers: { "Content-Type": "application/json" },
      ...body,
    });
    const answer = await stac!(asked);
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/v1`;
  stac = createStacHandler({ baseUrl: url, items: itemsAt(`http://${host}`) });
  const registry = openRegistry({
    profile: "lean",
    collectionsDir: join(import.meta.dirname, "collections"),
    upstreams: { aerial: url },
  });
  const directory = inject("sandbox");
  const catalog = createMergedCatalog({
    registry,
    catalogs: {
      default: await openArchive(directory, { registry: registry.withUpstreams(["default"]) }),
      aerial: createUpstreamCatalog({ url, registry, name: "aerial", retries: 0 }),
    },
  });
  service = await testService({
    registry,
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer: inlineRenderer({
      blockCacheBytes: 16 << 20,
      sources: { archiveDirectory: directory, assetHosts: [host], s3: { region: "us-west-2" } },
    }),
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const json = async <T = Record<string, unknown>>(response: Response): Promise<T> => {
  expect(response.status).toBe(200);
  return (await response.json()) as T;
};

test("is listed, described, and offered by the presets that it has recipes for", async () => {
  const { collections } = await json<{ collections: { id: string }[] }>(await service.get("/v1/collections"));
  expect(collections.map(({ id }) => id)).toEqual(["sentinel-2-l2a", "landsat-ot-l2", ID]);
  const collection = await json(await service.get("/v1/collections/naip-like"));
  expect(collection).toMatchObject({
    id: ID,
    item_assets: { image: { bands: [{ name: "R" }, { name: "G" }, { name: "B" }, { name: "N" }] } },
    "svc:harmonize_levels": ["none"],
    "svc:mask_source": "none",
    extent: { temporal: { interval: [["2024-06-01T00:00:00Z", "2024-06-02T00:00:00Z"]] } },
  });
  expect(collection.summaries).not.toHaveProperty("platform");
  expect(collection.summaries).not.toHaveProperty("eo:cloud_cover");
  const { presets } = await json<{
    presets: { id: string; collections: string[] }[];
  }>(await service.get("/v1/presets"));
  const offering = presets.filter(({ collections: of }) => of.includes(ID)).map(({ id }) => id);
  expect(offering.sort()).toEqual(["ndvi", "true-color"]);
  const schema = await json<{ bands: Record<string, { name: string }[]> }>(await service.get("/v1/schema"));
  expect(schema.bands[ID]?.map(({ name }) => name)).toEqual(["R", "G", "B", "N"]);
});

test("is searched alone, by an alias, by what it adds, and together with the others", async () => {
  const find = async (body: object): Promise<string[]> => {
    const { features } = await json<{ features: { id: string }[] }>(await service.post("/v1/search", body));
    return features.map(({ id }) => id);
  };
  expect(await find({ collections: [ID] })).toEqual(["ca_m_4200001_ne", "or_m_4200000_ne"]);
  expect(await find({ collections: ["aerial-oregon"] })).toEqual(["or_m_4200000_ne"]);
  expect(await find({ collections: [ID], query: { "aerial:flight": { eq: "1008" } } })).toEqual(["ca_m_4200001_ne"]);
  expect(await find({ collections: [ID], bbox: [LON - 0.001, LAT - 0.001, LON + 0.001, LAT + 0.001] })).toHaveLength(2);
  expect(await find({ collections: [ID], bbox: [LON + 1, LAT, LON + 2, LAT + 1] })).toEqual([]);
  const together = await find({ datetime: "2024-06-01T00:00:00Z/2024-07-31T00:00:00Z", limit: 100 });
  expect(together).toEqual(expect.arrayContaining(["ca_m_4200001_ne", "or_m_4200000_ne"]));
  expect(together.length).toBeGreaterThan(2);
  const unknown = await service.post("/v1/search", { query: { "aerial:height": { eq: 1 } } });
  expect(unknown.status).toBe(400);
});

test("has items whose one file holds its four bands", async () => {
  const item = await json(await service.get(`/v1/collections/${ID}/items/or_m_4200000_ne`));
  expect(item).toMatchObject({
    collection: ID,
    properties: { "aerial:state": "or", "svc:harmonization": "none" },
    assets: {
      image: {
        bands: [
          { name: "R", "eo:common_name": "red", "raster:scale": 0.004 },
          { name: "G" },
          { name: "B" },
          { name: "N", "eo:common_name": "nir" },
        ],
      },
    },
  });
  const listed = await json<{ features: unknown[] }>(await service.get(`/v1/collections/${ID}/items`));
  expect(listed.features).toHaveLength(2);
});

test("is drawn as tiles and previews from the right bands of its file", async () => {
  const z = 16;
  const [x, y] = [
    Math.floor(((LON + 180) / 360) * 2 ** z),
    Math.floor(((1 - Math.asinh(Math.tan((LAT * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z),
  ];
  const path = `/WebMercatorQuad/${z}/${x}/${y}.png?collection=${ID}&datetime=2024-06-01/2024-06-03`;
  const response = await service.get(`/v1/tiles/true-color${path}`);
  expect([response.status, response.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
  expect(response.headers.get("X-Attribution")).toBe("Aerial images 2024");
  const { data, info } = await sharp(await response.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.channels]).toEqual([256, 3]);
  // the middle of a pixel of the tile, in pixels of the file: bilinear of a slope that does not wrap is the slope
  const grid = tileGrid("WebMercatorQuad", z, x, y);
  const toFile = transformer(grid.crs, GRID.crs);
  let compared = 0;
  for (let row = 0; row < 256; row += 5) {
    for (let column = 0; column < 256; column += 5) {
      const [east, north] = toFile(...applyAffine(grid.transform, column + 0.5, row + 0.5));
      const [fileColumn, fileRow] = [(east - WEST) / PIXEL - 0.5, (NORTH - north) / PIXEL - 0.5];
      for (const band of [0, 1, 2]) {
        const at = [0, 1].flatMap((down) =>
          [0, 1].map((right) => sampleAt(band, Math.floor(fileColumn) + right, Math.floor(fileRow) + down)),
        );
        if (Math.max(...at) - Math.min(...at) > 10) continue;
        const expected = (fileColumn + fileRow * (band + 2)) % 251;
        const found = data[(row * 256 + column) * 3 + band] ?? Number.NaN;
        expect({ row, column, band, isClose: Math.abs(found - expected) <= 1 }).toEqual({
          row,
          column,
          band,
          isClose: true,
        });
        compared += 1;
      }
    }
  }
  expect(compared).toBeGreaterThan(5000);
  const ndvi = await service.get(`/v1/tiles/ndvi${path}`);
  expect([ndvi.status, ndvi.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
  const preview = await service.get(`/v1/collections/${ID}/items/or_m_4200000_ne/preview.png?max_size=256`);
  expect(preview.status).toBe(200);
  expect(await sharp(await preview.arrayBuffer()).metadata()).toMatchObject({ width: 256, height: 256 });
  const tileJson = await json(await service.get(`/v1/tiles/ndvi/WebMercatorQuad/tilejson.json?collection=${ID}`));
  expect(tileJson).toMatchObject({ minzoom: 10, maxzoom: 16 });
});

test("is extracted as stored and as reflectance; 0 is data, since its file says that every value is", async () => {
  const bounds = [WEST + 100, NORTH - 164, WEST + 228, NORTH - 100];
  const body = (units: string) => ({
    input: {
      bounds: { bbox: bounds, properties: { crs: "EPSG:32633" } },
      data: [{ type: ID, dataFilter: { ids: ["or_m_4200000_ne"] }, processing: { units } }],
    },
    bands: ["nir", "R"],
    output: { width: 64, height: 32, crs: "EPSG:32633" },
  });
  const open = async (units: string) => {
    const response = await service.post("/v1/process", body(units));
    expect(response.status).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    return { cog, raster: await readWindow(cog, 0, { x: 0, y: 0, width: 64, height: 32 }) };
  };
  const stored = await open("DN");
  const expected = [3, 0].map((band) =>
    Array.from({ length: 64 * 32 }, (_, i) => sampleAt(band, 50 + (i % 64), 50 + Math.floor(i / 64))),
  );
  expect(stored.raster.bands.map((band) => [...band])).toEqual(expected);
  expect(expected.flat()).toContain(0);
  expect(stored.raster.valid.every((value) => value === 1)).toBe(true);
  const reflectance = await open("REFLECTANCE");
  expect(reflectance.raster.bands.map((band) => [...band])).toEqual(
    expected.map((band) => band.map((value) => Math.fround(value * 0.004))),
  );
});
