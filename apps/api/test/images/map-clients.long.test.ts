import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Store } from "@swath/store";
import { createHttpServer, type SocketApp } from "@swath/web/server";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openBrowser } from "../../../../test/tools/browser.ts";
import { freePort } from "../../../../test/tools/free-port.ts";
import { createApp } from "../../src/service/app.ts";
import { accountsOn, type TestAccounts } from "../accounts/accounts-on.ts";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, memoryStore, sandboxServices } from "../tools/harness.ts";

const run = promisify(execFile);
const hasNginx = runs("nginx", "-v");
const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, "../../../..");
const WINDOW = "datetime=2024-07-01/2024-07-31";
const SCENE = "S2B_T33TUL_20240704T100211_L2A";

function runs(program: string, ...parameters: readonly string[]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A node of the service over the shared archive, and the paths that it was asked for. */
interface Node {
  readonly url: string;
  readonly asked: string[];
  readonly maps: TestAccounts["maps"];
  readonly close: () => Promise<void>;
}

/** Tile of the second reader, and one that shared caches keep for a second alone. */
const [KEPT, SOON_OVER] = ["10/550/364", "10/550/365"];

async function startNode(store: Store, now: () => number = Date.now): Promise<Node> {
  const { maps } = accountsOn(store, { now });
  const services = await sandboxServices({ registry: FULL.registry, maps, tileCacheBytes: 1e8 });
  const app = createApp(services, FULL.create(services));
  const asked: string[] = [];
  const counted: SocketApp = {
    async fetch(request, connection) {
      const { pathname } = new URL(request.url);
      asked.push(pathname);
      const answer = await app.fetch(request, connection);
      if (!pathname.includes(SOON_OVER)) return answer;
      const headers = new Headers(answer.headers);
      headers.set("Cache-Control", headers.get("Cache-Control")?.replace(/s-maxage=\d+/, "s-maxage=1") ?? "");
      return new Response(answer.body, { status: answer.status, headers });
    },
  };
  const server = createHttpServer(counted, { hostname: "127.0.0.1" });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, asked, maps, close };
}

let store: Store;
let node: Node;
let token: string;
/** Address below which a map token answers. */
const below = (): string => `${node.url}/v1/m/${token}`;

beforeAll(async () => {
  store = await memoryStore();
  node = await startNode(store);
  const settings = { unitsPerDay: 1000, expires: Date.now() + 86_400_000 };
  ({ secret: token } = await node.maps.tokens.create(undefined, settings));
});
afterAll(async () => {
  await node.close();
  await store.close();
});

/** Share of pixels of a part of a screenshot that differ from a color. */
async function drawn(page: Page, color: readonly [number, number, number]): Promise<number> {
  const picture = sharp(await page.locator("#map").screenshot())
    .removeAlpha()
    .raw();
  const { data } = await picture.toBuffer({ resolveWithObject: true });
  let other = 0;
  for (let i = 0; i < data.length; i += 3) {
    if (color.some((level, c) => Math.abs((data[i + c] ?? 0) - level) > 3)) other += 1;
  }
  return other / (data.length / 3);
}

describe.skipIf(!hasChromium)("in a page of another origin", () => {
  let browser: Browser;
  let pages: Server;
  let origin: string;
  let html = "";

  beforeAll(async () => {
    const files: Readonly<Record<string, string>> = {
      "/leaflet.js": require.resolve("leaflet", { paths: [ROOT] }).replace("leaflet-src.js", "leaflet.js"),
      "/leaflet.css": join(ROOT, "node_modules/leaflet/dist/leaflet.css"),
      "/ol.js": join(ROOT, "node_modules/ol/dist/ol.js"),
      ...Object.fromEntries(
        ["maplibre-gl.mjs", "maplibre-gl-shared.mjs", "maplibre-gl-worker.mjs"].map((name) => [
          `/${name}`,
          join(dirname(fileURLToPath(import.meta.resolve("maplibre-gl"))), name),
        ]),
      ),
    };
    pages = createServer(async (request, response) => {
      const file = files[request.url ?? ""];
      const type =
        request.url?.endsWith(".css") === true ? "text/css" : file === undefined ? "text/html" : "text/javascript";
      response.writeHead(200, { "Content-Type": type });
      response.end(file === undefined ? html : await readFile(file));
    }).listen(0, "127.0.0.1");
    await once(pages, "listening");
    // another host name is another origin
    origin = `http://localhost:${(pages.address() as AddressInfo).port}`;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
  });

  async function open(body: string): Promise<{ readonly page: Page; readonly failed: string[] }> {
    html = `<!doctype html><link rel="icon" href="data:,"><style>#map { width: 500px; height: 400px }</style>${body}`;
    const page = await browser.newPage({ viewport: { width: 520, height: 420 } });
    const failed: string[] = [];
    page.on(
      "response",
      (response) => void (response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`)),
    );
    page.on("pageerror", (error) => void failed.push(String(error)));
    await page.goto(`${origin}/`);
    return { page, failed };
  }

  test("Leaflet draws by two lines", { tags: ["MT9"] }, async () => {
    const { page, failed } =
      await open(`<link rel="stylesheet" href="leaflet.css"><script src="leaflet.js"></script><div id="map"></div>
      <script>
        const map = L.map("map").setView([45.52, 13.28], 10);
        L.tileLayer("${below()}/tiles/true-color/WebMercatorQuad/{z}/{x}/{y}.png?${WINDOW}").addTo(map);
      </script>`);
    const loaded = () => page.locator("img.leaflet-tile-loaded").count();
    const all = () => page.locator("img.leaflet-tile").count();
    await expect.poll(async () => (await all()) > 5 && (await loaded()) === (await all())).toBe(true);
    // tiles fade in
    await expect.poll(() => drawn(page, [221, 221, 221])).toBeGreaterThan(0.9);
    expect(failed).toEqual([]);
    await page.close();
  });

  test("img shows a tile and a preview", { tags: ["MT9"] }, async () => {
    const { page, failed } = await open(`<div id="map">
      <img id="tile" src="${below()}/tiles/ndvi/WebMercatorQuad/10/550/364@2x.jpeg?${WINDOW}">
      <img id="preview" src="${below()}/collections/sentinel-2-l2a/items/${SCENE}/preview.webp?max_size=128"></div>`);
    const width = (id: string) =>
      page.evaluate((name) => (document.getElementById(name) as HTMLImageElement).naturalWidth, id);
    await expect.poll(() => width("tile")).toBe(512);
    await expect.poll(() => width("preview")).toBe(128);
    expect(failed).toEqual([]);
    await page.close();
  });

  test("MapLibre draws by the address of TileJSON", { tags: ["MT9"], timeout: 300_000 }, async () => {
    const { page, failed } = await open(`<div id="map"></div><script type="module">
      import * as maplibregl from "/maplibre-gl.mjs";
      const map = new maplibregl.Map({ container: "map", center: [13.28, 45.52], zoom: 9, attributionControl: false,
        style: { version: 8, sources: { swath: { type: "raster", url: "${below()}/presets/true-color/tilejson.json?${WINDOW}", tileSize: 256 } },
          layers: [{ id: "swath", type: "raster", source: "swath", paint: { "raster-fade-duration": 0 } }] } });
      map.once("idle", () => { window.complete = true; });
    </script>`);
    await page.waitForFunction(() => (window as unknown as { complete?: boolean }).complete === true, undefined, {
      timeout: 200_000,
    });
    await expect.poll(() => drawn(page, [255, 255, 255])).toBeGreaterThan(0.9);
    expect(failed).toEqual([]);
    await page.close();
  });

  test("OpenLayers draws", { tags: ["MT9"] }, async () => {
    const { page, failed } = await open(`<script src="ol.js"></script><div id="map"></div>
      <script>
        const source = new ol.source.XYZ({ url: "${below()}/tiles/ndvi/WebMercatorQuad/{z}/{x}/{y}.png?${WINDOW}", minZoom: 7, maxZoom: 14 });
        const view = new ol.View({ center: ol.proj.fromLonLat([13.28, 45.52]), zoom: 10 });
        window.map = new ol.Map({ target: "map", controls: [], layers: [new ol.layer.Tile({ source })], view });
        map.once("rendercomplete", () => { window.complete = true; });
      </script>`);
    await page.waitForFunction(() => (window as unknown as { complete?: boolean }).complete === true, undefined, {
      timeout: 100_000,
    });
    expect(await drawn(page, [255, 255, 255])).toBeGreaterThan(0.9);
    expect(failed).toEqual([]);
    await page.close();
  });
});

test.skipIf(!hasGdal)("GDAL draws tiles and WMTS with no header", { tags: ["MT9"] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-map-"));
  try {
    const xml = `<GDAL_WMS><Service name="TMS"><ServerUrl>${below()}/tiles/true-color/WebMercatorQuad/$\{z}/$\{x}/$\{y}.png?${WINDOW}</ServerUrl></Service>
      <DataWindow><UpperLeftX>-20037508.342789244</UpperLeftX><UpperLeftY>20037508.342789244</UpperLeftY>
      <LowerRightX>20037508.342789244</LowerRightX><LowerRightY>-20037508.342789244</LowerRightY>
      <TileLevel>14</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin></DataWindow>
      <Projection>EPSG:3857</Projection><BandsCount>4</BandsCount><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><OverviewCount>7</OverviewCount></GDAL_WMS>`;
    const place = ["-outsize", "300", "300", "-projwin", "1465000", "5710000", "1490000", "5685000"];
    await writeFile(join(folder, "map.xml"), xml);
    // GDAL keeps tiles where it runs
    await run("gdal_translate", ["-q", ...place, join(folder, "map.xml"), join(folder, "map.png")], { cwd: folder });
    const wmts = `WMTS:${below()}/wmts/WMTSCapabilities.xml,layer=ndvi,tilematrixset=WebMercatorQuad`;
    await run("gdal_translate", ["-q", ...place, wmts, join(folder, "wmts.png")], { cwd: folder });
    for (const name of ["map.png", "wmts.png"]) {
      const { channels } = await sharp(join(folder, name)).stats();
      expect([name, channels[0]!.stdev > 5]).toEqual([name, true]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

const PYTHON = "/usr/bin/python3";
/** Draws tiles as QGIS does on its canvas, from the address of its dialog for XYZ tiles. */
const QGIS = `
import sys
from qgis.core import (QgsApplication, QgsCoordinateReferenceSystem, QgsMapRendererParallelJob, QgsMapSettings,
                       QgsRasterLayer, QgsRectangle)
from qgis.PyQt.QtCore import QSize
source, out = sys.argv[1:3]
app = QgsApplication([], False)
app.initQgis()
layer = QgsRasterLayer(source, "tiles", "wms")
assert layer.isValid(), layer.error().message()
settings = QgsMapSettings()
settings.setLayers([layer])
settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
settings.setOutputSize(QSize(300, 300))
settings.setExtent(QgsRectangle(1465000, 5685000, 1490000, 5710000))
job = QgsMapRendererParallelJob(settings)
job.start()
job.waitForFinished()
assert not job.errors(), [error.message for error in job.errors()]
job.renderedImage().save(out)
app.exitQgis()
`;

test.skipIf(!runs(PYTHON, "-c", "import qgis.core"))("QGIS draws tiles with no header", { tags: ["MT9"] }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-qgis-"));
  try {
    const template = encodeURIComponent(`${below()}/tiles/true-color/WebMercatorQuad/{z}/{x}/{y}.png?${WINDOW}`);
    const out = join(folder, "qgis.png");
    const env = { ...process.env, QT_QPA_PLATFORM: "offscreen", HOME: folder, XDG_RUNTIME_DIR: folder };
    await run(PYTHON, ["-c", QGIS, `type=xyz&zmin=7&zmax=14&url=${template}`, out], { env, cwd: folder });
    const { channels } = await sharp(out).stats();
    expect(channels[0]!.stdev).toBeGreaterThan(5);
  } finally {
    await rm(folder, { recursive: true });
  }
});

describe.skipIf(!hasNginx)("behind a cache that many share (nginx)", () => {
  let folder: string;
  let nginx: ChildProcess;
  let behind: Node;
  let proxy: string;
  /** The clock of the node behind the cache stands still. */
  let now = Date.now();

  beforeAll(async () => {
    behind = await startNode(store, () => now);
    folder = await mkdtemp(join(tmpdir(), "swath-nginx-"));
    await mkdir(join(folder, "cache"));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const config = (
      port: number,
    ): string => `daemon off; user ${userInfo().username}; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1;
      events { worker_connections 64; }
      http { access_log off; ${temporary.join(" ")}
        proxy_cache_path ${folder}/cache keys_zone=maps:1m;
        server { listen 127.0.0.1:${port};
          location / { proxy_pass ${behind.url}; proxy_http_version 1.1; proxy_cache maps; proxy_cache_revalidate on;
            add_header X-Cache $upstream_cache_status always; } } }`;
    const answers = () =>
      fetch(`${proxy}/v1`).then(
        (response) => response.ok && response.headers.has("X-Cache"),
        () => false,
      );
    const hasEnded = (): boolean => nginx.exitCode !== null || nginx.signalCode !== null;
    // on another port where a program was faster
    for (let left = 5; left > 0; left--) {
      const port = await freePort();
      proxy = `http://127.0.0.1:${port}`;
      await writeFile(join(folder, "nginx.conf"), config(port));
      nginx = spawn("nginx", ["-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
        stdio: "ignore",
      });
      while (!hasEnded() && !(await answers())) await pause(50);
      if (!hasEnded()) return;
    }
    throw new Error(`nginx has not started: ${await readFile(join(folder, "error.log"), "utf8")}`);
  });
  afterAll(async () => {
    nginx.kill();
    await once(nginx, "exit");
    await behind.close();
    await rm(folder, { recursive: true });
  });

  test("the second reader costs the service no request, and an ended token is 401 within a minute", {
    tags: ["MT6", "MT3"],
  }, async () => {
    const made = await node.maps.tokens.create(undefined, { unitsPerDay: 10, expires: Date.now() + 86_400_000 });
    const read = async (tile: string) => {
      const response = await fetch(`${proxy}/v1/m/${made.secret}/tiles/ndvi/WebMercatorQuad/${tile}.png?${WINDOW}`);
      await response.arrayBuffer();
      const [cache, etag, rule] = ["X-Cache", "ETag", "Cache-Control"].map((name) => response.headers.get(name));
      return { status: response.status, cache, etag, rule };
    };
    const requests = (tile: string) =>
      behind.asked.filter((path) => path.includes(made.secret) && path.includes(tile)).length;
    const first = await read(KEPT);
    expect(first).toMatchObject({ status: 200, cache: "MISS" });
    expect(await read(KEPT)).toEqual({ ...first, cache: "HIT" });
    expect(requests(KEPT)).toBe(1);
    // what the cache holds is asked again for nothing: the same ETag, no image
    const { etag } = await read(SOON_OVER);
    await expect.poll(() => read(SOON_OVER), { interval: 200 }).toMatchObject({ cache: "REVALIDATED", etag });
    expect(requests(SOON_OVER)).toBe(2);
    // ended on another node: the one behind the cache refuses it so early that what the cache holds then is over in a minute too
    await node.maps.tokens.end(undefined, made.map.id);
    const keptS = Number(/^public, max-age=\d+, s-maxage=(\d+)$/.exec(first.rule ?? "")?.[1]);
    now += 60_000 - keptS * 1000 - 1;
    await expect.poll(async () => (await read(SOON_OVER)).status, { interval: 200 }).toBe(401);
  });
});
