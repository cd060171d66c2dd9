import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openBrowser } from "../../../../test/tools/browser.ts";
import { KEY } from "../tools/harness.ts";
import { type Pages, type Served, servePages, serveSandbox } from "./served.ts";

/** Screenshots stay here to be looked at. */
const SHOTS = fileURLToPath(new URL("../../../../node_modules/.cache/swath-clients/", import.meta.url));
const WINDOW = "datetime=2024-07-01/2024-07-31";
const CENTER = "[13.7, 45.9]";

const html = (head: string, script: string): { type: string; body: string } => ({
  type: "text/html",
  body: `<!doctype html><meta charset="utf-8"><style>html,body,#map{margin:0;height:100%;background:#000}</style>${head}<div id="map"></div><script type="module">${script}</script>`,
});

/** A map as a website shows it: another origin than the service's, the key in a header. */
function pages(service: string): Pages {
  const maplibre = dirname(fileURLToPath(import.meta.resolve("maplibre-gl")));
  const ol = join(dirname(fileURLToPath(import.meta.resolve("ol/package.json"))), "dist");
  const file = (path: string, type: string): Pages[string] => ({ type, body: readFileSync(path) });
  const tileJson = `${service}/v1/tiles/true-color/WebMercatorQuad/tilejson.json?${WINDOW}`;
  return {
    "/maplibre.css": file(join(maplibre, "maplibre-gl.css"), "text/css"),
    "/maplibre-gl.mjs": file(join(maplibre, "maplibre-gl.mjs"), "text/javascript"),
    "/maplibre-gl-shared.mjs": file(join(maplibre, "maplibre-gl-shared.mjs"), "text/javascript"),
    "/maplibre-gl-worker.mjs": file(join(maplibre, "maplibre-gl-worker.mjs"), "text/javascript"),
    "/ol.js": file(join(ol, "ol.js"), "text/javascript"),
    "/maplibre": html(
      '<link rel="stylesheet" href="/maplibre.css">',
      `import * as maplibregl from "/maplibre-gl.mjs";
      const map = new maplibregl.Map({
        container: "map", center: ${CENTER}, zoom: 8, attributionControl: { compact: false },
        transformRequest: (url) => url.startsWith("${service}") ? { url, headers: { "X-API-Key": "${KEY}" } } : { url },
        style: { version: 8, sources: { swath: { type: "raster", url: "${tileJson}", tileSize: 256 } },
          layers: [{ id: "swath", type: "raster", source: "swath", paint: { "raster-fade-duration": 0 } }] },
      });
      map.on("error", ({ error }) => { window.fault = String(error); });
      map.once("idle", () => { window.drawn = true; });`,
    ),
    "/openlayers": html(
      '<script src="/ol.js"></script>',
      `let waiting = 0;
      const tileLoadFunction = async (tile, src) => {
        const response = await fetch(src, { headers: { "X-API-Key": "${KEY}" } });
        if (!response.ok) { window.fault = (await response.json()).detail; tile.setState(3); return; }
        tile.getImage().src = URL.createObjectURL(await response.blob());
      };
      const source = new ol.source.TileJSON({ url: "${tileJson}", crossOrigin: "anonymous", tileLoadFunction, transition: 0 });
      const map = new ol.Map({ target: "map", layers: [new ol.layer.Tile({ source })],
        view: new ol.View({ center: ol.proj.fromLonLat(${CENTER}), zoom: 9 }) });
      map.once("rendercomplete", () => { window.drawn = source.getState() === "ready"; });
      map.on("rendercomplete", () => { if (source.getState() === "ready") window.drawn = true; });`,
    ),
  };
}

/** Share of pixels that are not the page's black, and how many colours there are. */
async function shown(screenshot: Uint8Array): Promise<{ filled: number; colours: number }> {
  const { data, info } = await sharp(screenshot).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const colours = new Set<number>();
  let filled = 0;
  for (let i = 0; i < data.length; i += 3) {
    const colour = ((data[i] ?? 0) << 16) | ((data[i + 1] ?? 0) << 8) | (data[i + 2] ?? 0);
    if (colour !== 0) filled += 1;
    colours.add(colour);
  }
  return { filled: filled / (info.width * info.height), colours: colours.size };
}

describe.skipIf(!hasChromium)("in Chromium", () => {
  let service: Served;
  let site: Awaited<ReturnType<typeof servePages>>;
  let browser: Browser;
  beforeAll(async () => {
    service = await serveSandbox();
    site = await servePages(pages(service.url));
    mkdirSync(SHOTS, { recursive: true });
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await service?.close();
  });

  test.each(["maplibre", "openlayers"])(
    "%s shows our TileJSON and tiles with the key in the header",
    { tags: ["T18", "J6", "W4"], timeout: 300_000 },
    async (library) => {
      const before = service.requests.length;
      const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
      const faults: string[] = [];
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      await page.goto(`${site.url}/${library}`);
      await page.waitForFunction("window.drawn === true || window.fault !== undefined", undefined, {
        timeout: 200_000,
      });
      expect(await page.evaluate("window.fault ?? null"), faults.join("\n")).toBeNull();
      // what the library reports as rendered is on the screen some frames later
      const image = async (): ReturnType<typeof shown> =>
        shown(await page.screenshot({ path: join(SHOTS, `${library}.png`) }));
      await expect.poll(async () => (await image()).filled).toBeGreaterThan(0.5);
      await expect.poll(async () => (await image()).colours).toBeGreaterThan(1000);
      const tiles = service.requests.slice(before).filter(({ path }) => /\/\d+\/\d+\/\d+\.png/.test(path));
      const asked = tiles.filter(({ key }) => key !== null);
      expect(asked.length).toBeGreaterThan(3);
      expect(
        asked.every(
          ({ key, status, path }) => key === KEY && status === 200 && path.includes(WINDOW.replace("/", "%2F")),
        ),
      ).toBe(true);
      expect(await page.textContent("body")).toContain("Copernicus Sentinel data 2024");
      await page.close();
    },
  );
});
