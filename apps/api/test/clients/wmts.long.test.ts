import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openBrowser } from "../../../../test/tools/browser.ts";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, KEY } from "../tools/harness.ts";
import { type Served, servePages, serveSandbox } from "./served.ts";

/** Clients of WMTS that open the service's capabilities unchanged; a tile of each is compared with its own address. */
const run = promisify(execFile);
const PYTHON = "/usr/bin/python3";
const imports = (module: string): boolean => spawnSync(PYTHON, ["-c", `import ${module}`]).status === 0;
const WORLD = 20037508.342789244;
const TIME = "2024-07-01/2024-07-31";
const TILE = { set: "WebMercatorQuad", z: 9, x: 275, y: 182 } as const;

let service: Served;
let folder: string;
beforeAll(async () => {
  service = await serveSandbox(FULL);
  folder = mkdtempSync(join(tmpdir(), "swath-wmts-clients-"));
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function tile(path: string): Promise<Buffer> {
  const response = await fetch(`${service.url}${path}`, { headers: { "X-API-Key": KEY } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const rgba = (image: Buffer | string): Promise<Buffer> => sharp(image).ensureAlpha().raw().toBuffer();

/** West, south, east, north of the tile, metres. */
function extent(): [number, number, number, number] {
  const size = (2 * WORLD) / 2 ** TILE.z;
  const [west, north] = [TILE.x * size - WORLD, WORLD - TILE.y * size];
  return [west, north - size, west + size, north];
}

/** The window that the layer states as its default. */
async function defaultTime(layer: string): Promise<string> {
  const xml = await (await fetch(`${service.url}/v1/wmts/WMTSCapabilities.xml`)).text();
  const found = xml.split("<Layer>").find((each) => each.includes(`<ows:Identifier>${layer}</ows:Identifier>`));
  return /<Default>([^<]*)</.exec(found ?? "")?.[1] ?? "";
}

/** Requests for tiles that a client sent since, preflights aside; each had the key and was answered. */
function tilesSince(before: number): readonly string[] {
  const asked = service.requests
    .slice(before)
    .filter(({ path, status }) => status !== 204 && /\/\d+\/\d+\/\d+\.\w+|REQUEST=GetTile/i.test(path));
  expect(asked.filter(({ key, status }) => key !== KEY || status !== 200)).toEqual([]);
  return asked.map(({ path }) => path);
}

describe.skipIf(!hasGdal)("GDAL's WMTS driver", () => {
  test.each([
    { layer: "true-color", query: "" },
    { layer: "ndvi.landsat-ot-l2", query: "collection=landsat-ot-l2&" },
  ])("reads $layer pixel for pixel", { tags: ["WM6"] }, async ({ layer, query }) => {
    const capabilities = `WMTS:${service.url}/v1/wmts/WMTSCapabilities.xml,layer=${layer},tilematrixset=${TILE.set},tilematrix=${TILE.z}`;
    const env = { ...process.env, GDAL_HTTP_HEADERS: `X-API-Key: ${KEY}`, GDAL_DEFAULT_WMS_CACHE_PATH: folder };
    const before = service.requests.length;
    const [west, south, east, north] = extent();
    const out = join(folder, `${layer}.tif`);
    const window = ["-projwin", ...[west, north, east, south].map(String), "-outsize", "256", "256"];
    await run("gdal_translate", ["-q", ...window, capabilities, out], { env, cwd: folder });
    const time = await defaultTime(layer);
    const path = `/v1/tiles/${layer.split(".")[0]}/${TILE.set}/${TILE.z}/${TILE.x}/${TILE.y}.png?${query}datetime=${time}`;
    expect(tilesSince(before)).toContain(path);
    expect((await rgba(out)).equals(await rgba(await tile(path)))).toBe(true);
  });
});

const OWSLIB = `
import sys
from owslib.wmts import WebMapTileService
address, key, out = sys.argv[1:4]
wmts = WebMapTileService(address, headers={"X-API-Key": key})
layer = wmts["ndvi"]
assert set(layer.tilematrixsetlinks) == {"WebMercatorQuad", "WorldCRS84Quad"}, layer.tilematrixsetlinks
assert layer.formats == ["image/png", "image/jpeg", "image/webp"], layer.formats
place = dict(layer="ndvi", tilematrixset="WebMercatorQuad", tilematrix="9", row=182, column=275)
for name, more in [("default", {}), ("time", {"time": "2024-07-01/2024-07-31"})]:
    with open(f"{out}/{name}.png", "wb") as file:
        file.write(wmts.gettile(format="image/png", **place, **more).read())
`;

const hasOwslib = imports("owslib.wmts");
describe.skipIf(!hasOwslib)("OWSLib", () => {
  test("reads the capabilities and a tile, byte for byte", { tags: ["WM6"] }, async () => {
    const path = `/v1/tiles/ndvi/${TILE.set}/${TILE.z}/${TILE.x}/${TILE.y}.png`;
    const images = [await tile(path), await tile(`${path}?datetime=${TIME}`)];
    // it appends its key-value pairs to every address
    const addresses = ["/v1/wmts?SERVICE=WMTS&REQUEST=GetCapabilities", "/v1/wmts", "/v1/wmts/WMTSCapabilities.xml"];
    for (const capabilities of [...addresses, "/v1/tiles/ndvi/WMTSCapabilities.xml"]) {
      const before = service.requests.length;
      await run(PYTHON, ["-c", OWSLIB, service.url + capabilities, KEY, folder]);
      expect(tilesSince(before)).toHaveLength(2);
      const drawn = ["default.png", "time.png"].map((name) => readFileSync(join(folder, name)));
      expect(drawn.map((image, i) => image.equals(images[i] ?? Buffer.of()))).toEqual([true, true]);
    }
  });
});

interface Drawn {
  readonly url: string;
  readonly base64: string;
}

describe.skipIf(!hasChromium)("OpenLayers", () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof servePages>>;
  beforeAll(async () => {
    const ol = join(dirname(fileURLToPath(import.meta.resolve("ol/package.json"))), "dist", "ol.js");
    site = await servePages({
      "/": { type: "text/html", body: '<!doctype html><meta charset="utf-8"><script src="/ol.js"></script>' },
      "/ol.js": { type: "text/javascript", body: readFileSync(ol) },
    });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  test.each(["KVP", "REST"])(
    "reads the capabilities and asks for tiles by %s, byte for byte",
    { tags: ["WM6"] },
    async (encoding) => {
      const page = await browser.newPage();
      await page.goto(site.url);
      const before = service.requests.length;
      const drawn = await page.evaluate<Drawn>(`(async () => {
      const response = await fetch("${service.url}/v1/wmts/WMTSCapabilities.xml");
      const capabilities = new ol.format.WMTSCapabilities().read(await response.text());
      const options = ol.source.WMTS.optionsFromCapabilities(capabilities, {
        layer: "true-color", matrixSet: "${TILE.set}", ${encoding === "REST" ? 'requestEncoding: "REST",' : ""}
      });
      const source = new ol.source.WMTS(options);
      const at = source.getTileGrid().getMatrixIds().indexOf("${TILE.z}");
      const url = source.getTileUrlFunction()([at, ${TILE.x}, ${TILE.y}], 1, source.getProjection());
      const tile = await fetch(url, { headers: { "X-API-Key": "${KEY}" } });
      const bytes = new Uint8Array(await tile.arrayBuffer());
      return { url, base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")) };
    })()`);
      expect(tilesSince(before)).toHaveLength(1);
      expect(drawn.url.includes("/v1/wmts?")).toBe(encoding === "KVP");
      const ending = encoding === "KVP" ? "png" : (/\.(\w+)\?/.exec(drawn.url)?.[1] ?? "");
      const time = await defaultTime("true-color");
      const path = `/v1/tiles/true-color/${TILE.set}/${TILE.z}/${TILE.x}/${TILE.y}.${ending}?datetime=${time}`;
      expect(Buffer.from(drawn.base64, "base64").equals(await tile(path))).toBe(true);
      await page.close();
    },
  );
});

/** Draws a layer as QGIS does on its canvas, from what its dialog for WMTS layers fills in. */
const QGIS = `
import sys
from qgis.core import (QgsApplication, QgsCoordinateReferenceSystem, QgsMapRendererParallelJob, QgsMapSettings,
                       QgsNetworkAccessManager, QgsRasterLayer, QgsRectangle)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor, QImage
address, time, out = sys.argv[1:4]
west, south, east, north = map(float, sys.argv[4:8])
app = QgsApplication([], False)
app.initQgis()
key = sys.argv[8].encode()
QgsNetworkAccessManager.setRequestPreprocessor(lambda request: request.setRawHeader(b"X-API-Key", key))
source = (f"contextualWMSLegend=0&crs=EPSG:3857&dpiMode=7&featureCount=10&format=image/png&layers=true-color&styles=default"
          f"&tileDimensions=Time%3D{time}&tileMatrixSet=WebMercatorQuad&url={address}")
layer = QgsRasterLayer(source, "tiles", "wms")
assert layer.isValid(), layer.error().message()
settings = QgsMapSettings()
settings.setLayers([layer])
settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
settings.setBackgroundColor(QColor(0, 0, 0, 0))
settings.setOutputImageFormat(QImage.Format_ARGB32)
settings.setOutputSize(QSize(256, 256))
settings.setExtent(QgsRectangle(west, south, east, north))
job = QgsMapRendererParallelJob(settings)
job.start()
job.waitForFinished()
assert not job.errors(), [error.message for error in job.errors()]
job.renderedImage().save(out)
app.exitQgis()
`;

const hasQgis = imports("qgis.core");
describe.skipIf(!hasQgis)("QGIS", () => {
  test("draws a layer of the capabilities, pixel for pixel", { tags: ["WM6"], timeout: 120_000 }, async () => {
    const before = service.requests.length;
    const out = join(folder, "qgis.png");
    const time = TIME.replace("/", "%2F");
    const address = `${service.url}/v1/wmts/WMTSCapabilities.xml`;
    const env = { ...process.env, QT_QPA_PLATFORM: "offscreen", HOME: folder, XDG_RUNTIME_DIR: folder };
    await run(PYTHON, ["-c", QGIS, address, time, out, ...extent().map(String), KEY], { env, cwd: folder });
    const asked = tilesSince(before);
    expect(asked.some((path) => path.includes(`TILEROW=${TILE.y}&TILECOL=${TILE.x}`))).toBe(true);
    const path = `/v1/tiles/true-color/${TILE.set}/${TILE.z}/${TILE.x}/${TILE.y}.png?datetime=${TIME}`;
    const [drawn, expected] = [await rgba(out), await rgba(await tile(path))];
    expect(drawn.equals(expected)).toBe(true);
  });
});
