import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import "./provided.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { type Color, meanOf } from "./colors.ts";
import { KEY, type Service } from "./service.ts";
import { drawn, goTo, PATIENT, useVisits, type Visit, type VisitOptions, visit } from "./visitor.ts";

const run = promisify(execFile);
const PYTHON = "/usr/bin/python3";
const has = (command: string, ...args: string[]): Promise<boolean> =>
  run(command, args, { env: { ...process.env, QT_QPA_PLATFORM: "offscreen" } }).then(
    () => true,
    () => false,
  );
const [hasPython, hasQgis, hasR, hasGdal] = await Promise.all([
  has(PYTHON, "-c", "import rasterio, requests"),
  has(PYTHON, "-c", "import qgis.core"),
  has("Rscript", "-e", "library(httr2); library(terra)"),
  has("gdalinfo", "--version"),
]);

/** The valley of the sandbox in the flood of May 2023, and the place in view whose colour is compared: water. */
const FLOOD = "dates=2023-05-16/2023-05-16&map=13/45.7338/12.2639&collection=sentinel-2-l2a&card=share";
const COLORS = `preset=true-color&${FLOOD}`;
const INDEX = `preset=ndvi&cloud=60&${FLOOD}`;
const OWN = `preset=custom&expression=${encodeURIComponent("where(nir < 0.1, -1, clamp((nir - red) / (nir + red), 0, 0.9))")}&rescale=-1,1&${FLOOD}`;
const CLIPBOARD = ["clipboard-read", "clipboard-write"];
const MIDDLE = { x: 0.5, y: 0.5, size: 20 } as const;
const near = (color: Color) => color.map((value) => expect.closeTo(value, -1));

/** Serves pages that tests write and Leaflet and MapLibre as npm has them: no other host is asked. */
class Site {
  readonly #pages = new Map<string, string>();
  readonly #server: Server;
  url = "";

  constructor() {
    const require = createRequire(join(import.meta.dirname, "../package.json"));
    const root = createRequire(join(import.meta.dirname, "../../../package.json"));
    const folders = {
      leaflet: dirname(root.resolve("leaflet")),
      maplibre: dirname(require.resolve("maplibre-gl/dist/maplibre-gl.mjs")),
    };
    const types: Readonly<Record<string, string>> = {
      ".css": "text/css",
      ".js": "text/javascript",
      ".mjs": "text/javascript",
    };
    this.#server = createServer((request, response) => {
      const [, folder = "", name = ""] = (request.url ?? "").split("/");
      const page = this.#pages.get(folder);
      if (page !== undefined) return void response.setHeader("Content-Type", "text/html; charset=utf-8").end(page);
      const directory = folders[folder as keyof typeof folders];
      readFile(join(directory ?? "", name)).then(
        (file) => response.setHeader("Content-Type", types[extname(name)] ?? "image/png").end(file),
        () => response.writeHead(404).end(),
      );
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @returns the address of a page with this body. */
  add(name: string, body: string): string {
    const style = "body { margin: 0 } #map { width: 800px; height: 600px }";
    this.#pages.set(name, `<!doctype html><html lang="en"><title>A page</title><style>${style}</style><body>${body}`);
    return `${this.url}/${name}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe.skipIf(!hasChromium)("use this elsewhere", { timeout: 400_000 }, () => {
  const visits = useVisits();
  const site = new Site();
  let service: Service;
  beforeAll(async () => {
    service = await visits.serve();
    await site.open();
  }, 600_000);
  afterAll(() => site.close());

  const enter = async (hash: string, options: VisitOptions = {}): Promise<Visit> => {
    const visited = await visits.enter(service, { hash, waits: false, permissions: CLIPBOARD, ...options });
    await codeShown(visited.page);
    return visited;
  };
  const codeShown = async (page: Page): Promise<void> => {
    await page.getByRole("list", { name: "Code" }).waitFor();
    await drawn(page);
  };
  const copied = async (page: Page, title: string): Promise<string> => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await page.getByRole("button", { name: `Copy ${title}`, exact: true }).click();
    return (await page.waitForFunction(() => navigator.clipboard.readText())).jsonValue();
  };
  const makeToken = async (page: Page): Promise<void> => {
    await page.getByRole("button", { name: "Make a map token" }).click();
    await page.getByText("The addresses have a map token now").waitFor();
  };
  const folder = async (): Promise<string> => {
    const path = await mkdtemp(join(tmpdir(), "swath-share-"));
    onTestFinished(() => rm(path, { recursive: true, force: true }));
    return path;
  };
  const env = { ...process.env, KEY, QT_QPA_PLATFORM: "offscreen" };
  const bash = (code: string, cwd: string) => run("bash", ["-euo", "pipefail", "-c", code], { cwd, env });
  /** Colour of the water as the explorer shows it. */
  const shownColor = async (page: Page): Promise<Color> => {
    await page.getByRole("button", { name: "Close Use this elsewhere" }).click();
    await drawn(page);
    return meanOf(page, await page.locator("#map").screenshot(), MIDDLE);
  };
  /** Numbers of a GeoTIFF: the mean of 20 pixels around its middle, band by band. */
  const middleOf = async (file: string): Promise<number[]> => {
    const { stdout } = await run("gdalinfo", ["-json", file]);
    const [width, height] = (JSON.parse(stdout) as { size: [number, number] }).size;
    const window = [width / 2 - 10, height / 2 - 10].map((at) => String(Math.round(at)));
    const mean = `${file}.mean.tif`;
    await run("gdal_translate", [
      "-q",
      "-srcwin",
      ...window,
      "20",
      "20",
      "-outsize",
      "1",
      "1",
      "-r",
      "average",
      file,
      mean,
    ]);
    const { stdout: values } = await run("gdallocationinfo", ["-valonly", mean, "0", "0"]);
    return values.trim().split(/\s+/).map(Number);
  };

  test.skipIf(!hasGdal)("curl and an openEO graph give the same NDVI, which is that of water", async () => {
    const { page } = await enter(INDEX);
    const path = await folder();
    await bash(await copied(page, "curl"), path);
    const graph = await copied(page, "openEO graph");
    const answer = await fetch(`${service.url}/v1/openeo/result`, {
      method: "POST",
      headers: { "X-API-Key": KEY, "Content-Type": "application/json" },
      body: graph,
    });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, expect.stringContaining("image/tiff")]);
    await writeFile(join(path, "graph.tif"), new Uint8Array(await answer.arrayBuffer()));
    const [ndvi = Number.NaN] = await middleOf(join(path, "area.tif"));
    expect(ndvi).toBeGreaterThan(-0.4);
    expect(ndvi).toBeLessThan(-0.2);
    expect(await middleOf(join(path, "graph.tif"))).toEqual([expect.closeTo(ndvi, 2)]);
  });

  test.skipIf(!hasGdal)("an expression of one's own is the same in curl and in an openEO graph", async () => {
    const { page } = await enter(OWN);
    const path = await folder();
    await bash(await copied(page, "curl"), path);
    const graph = await copied(page, "openEO graph");
    await writeFile(join(path, "graph.json"), graph);
    const send = `curl -sS --fail-with-body -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -o graph.tif ${service.url}/v1/openeo/result -d @graph.json`;
    await bash(send, path);
    const [own = Number.NaN] = await middleOf(join(path, "area.tif"));
    expect(own).toBeCloseTo(-1, 1);
    expect(await middleOf(join(path, "graph.tif"))).toEqual([expect.closeTo(own, 2)]);
  });

  describe("the code for one view", () => {
    let opened: Visit;
    let withKey: Readonly<Record<string, string>>;
    let withToken: Readonly<Record<string, string>>;
    let color: Color;
    beforeAll(async () => {
      opened = await visit(visits.browser(), service.url, { hash: COLORS, waits: false, permissions: CLIPBOARD });
      const { page } = opened;
      await codeShown(page);
      const codes = async (...titles: readonly string[]): Promise<Record<string, string>> => {
        const found: Record<string, string> = {};
        for (const title of titles) found[title] = await copied(page, title);
        return found;
      };
      withKey = await codes("Python", "R", "GDAL", "QGIS", "MapLibre GL JS");
      await makeToken(page);
      const images = ["Leaflet", "Map in a web page", "MapLibre GL JS", "One image", "Address of tiles"];
      withToken = await codes("GDAL", "QGIS", ...images);
      color = await shownColor(page);
    }, 400_000);
    afterAll(async () => {
      await opened.close();
      expect(opened.faults).toEqual([]);
    });

    test.skipIf(!hasPython)("Python reads the bands of the image as a GeoTIFF", async () => {
      const { stdout } = await run(PYTHON, ["-c", withKey.Python ?? ""], { cwd: await folder(), env });
      expect(stdout).toMatch(/^\d+ x \d+ pixels, EPSG:32633$/m);
      for (const band of ["B04", "B03", "B02"])
        expect(stdout).toMatch(new RegExp(`^${band} -?0\\.\\d+ 0\\.\\d+$`, "m"));
    });

    test.skipIf(!hasR)("R reads the bands of the image as a GeoTIFF", async () => {
      const path = await folder();
      await writeFile(join(path, "view.R"), withKey.R ?? "");
      const { stdout } = await run("Rscript", ["--vanilla", "view.R"], { cwd: path, env });
      expect(stdout).toContain("nlyr)");
      expect(stdout).toMatch(/^B04 +-?0\.\d+ +0\.\d+$/m);
    });

    test.skipIf(!hasGdal)("GDAL draws the image as the map shows it, with a key and with a map token", async () => {
      expect(withToken.GDAL).not.toMatch(/KEY/);
      for (const { GDAL = "" } of [withKey, withToken]) {
        const path = await folder();
        await bash(GDAL, path);
        const [red = 0, green = 0, blue = 0, alpha] = await middleOf(join(path, "view.tif"));
        expect([red, green, blue]).toEqual(near(color));
        expect(alpha).toBe(255);
      }
    });

    test.skipIf(!hasQgis)("QGIS has the view as a layer, with a key and with a map token", async () => {
      for (const { QGIS = "" } of [withKey, withToken]) {
        const path = await folder();
        await writeFile(join(path, "console.py"), QGIS);
        const script = `
from qgis.core import *
from qgis.PyQt.QtCore import QSize
app = QgsApplication([], False)
app.initQgis()
exec(open("console.py").read())
settings = QgsMapSettings()
settings.setLayers([layer])
settings.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
settings.setOutputSize(QSize(400, 400))
x, y = 1365211.1, 5737792.6
settings.setExtent(QgsRectangle(x - 1911, y - 1911, x + 1911, y + 1911))
job = QgsMapRendererSequentialJob(settings)
job.start()
job.waitForFinished()
job.renderedImage().save("layer.png")
print(QgsProject.instance().mapLayers())
app.exitQgis()
`;
        const { stdout } = await run(PYTHON, ["-c", script], { cwd: path, env });
        expect(stdout).toContain("QgsRasterLayer: 'True colour' (wms)");
        expect(await meanOf(opened.page, await readFile(join(path, "layer.png")), MIDDLE)).toEqual(near(color));
      }
    });

    test("Leaflet, a web page, MapLibre and one image show the view without a key", async () => {
      const codes = {
        leaflet: withToken.Leaflet ?? "",
        page: withToken["Map in a web page"] ?? "",
        maplibre: withToken["MapLibre GL JS"] ?? "",
        image: withToken["One image"] ?? "",
        tiles: withToken["Address of tiles"] ?? "",
      };
      for (const code of Object.values(codes)) expect(code).not.toContain(KEY);
      const other = await opened.context.newPage();
      // no test asks a CDN: the same files, whose hashes the browser checks
      await other.route("https://unpkg.com/leaflet@1.9.4/dist/*", async (route) => {
        const answer = await fetch(`${site.url}/leaflet/${route.request().url().split("/").at(-1)}`);
        const headers = {
          "Content-Type": answer.headers.get("Content-Type") ?? "",
          "Access-Control-Allow-Origin": "*",
        };
        await route.fulfill({ headers, body: Buffer.from(await answer.arrayBuffer()) });
      });
      const colorOf = async (selector: string): Promise<Color> =>
        meanOf(other, await other.locator(selector).screenshot(), MIDDLE);

      const files = '<link rel="stylesheet" href="/leaflet/leaflet.css"><script src="/leaflet/leaflet.js"></script>';
      await other.goto(site.add("with-leaflet", `${files}<div id="map"></div><script>${codes.leaflet}</script>`));
      const tilesShown = async (): Promise<void> => {
        await expect.poll(() => other.locator(".leaflet-tile:not(.leaflet-tile-loaded)").count(), PATIENT).toBe(0);
        expect(await other.locator("img.leaflet-tile-loaded").count()).toBeGreaterThan(3);
        await other.waitForFunction(() =>
          [...document.querySelectorAll<HTMLElement>(".leaflet-tile")].every(({ style }) => style.opacity === "1"),
        );
      };
      await other.locator("img.leaflet-tile-loaded").first().waitFor();
      await tilesShown();
      expect(await colorOf("#map")).toEqual(near(color));
      await other.getByText("Copernicus Sentinel data 2023").waitFor();

      await other.goto(site.add("with-html", codes.page));
      await other.locator("img.leaflet-tile-loaded").first().waitFor();
      await tilesShown();
      expect(await colorOf("#swath-map")).toEqual(near(color));

      const imports = '<script type="importmap">{"imports": {"maplibre-gl": "/maplibre/maplibre-gl.mjs"}}</script>';
      const module = `${codes.maplibre}\nmap.on("idle", () => map.getContainer().setAttribute("data-idle", ""));`;
      await other.goto(
        site.add("with-maplibre", `${imports}<div id="map"></div><script type="module">${module}</script>`),
      );
      await other.locator("#map[data-idle]").waitFor();
      expect(await colorOf("#map")).toEqual(near(color));

      await other.goto(site.add("with-image", codes.image));
      const image = other.getByRole("img", { name: "True colour, 2023-05-16" });
      await expect
        .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth), PATIENT)
        .toBe(512);
      const tile = await fetch(codes.tiles.replace("{z}", "13").replace("{x}", "4375").replace("{y}", "2923"));
      expect([tile.status, tile.headers.get("Content-Type")]).toEqual([200, "image/png"]);
      await other.close();
    });

    test("MapLibre sends a key where there is no map token", async () => {
      const code = (withKey["MapLibre GL JS"] ?? "").replace("your key", KEY);
      const other = await opened.context.newPage();
      const imports = '<script type="importmap">{"imports": {"maplibre-gl": "/maplibre/maplibre-gl.mjs"}}</script>';
      const module = `${code}\nmap.on("idle", () => map.getContainer().setAttribute("data-idle", ""));`;
      await other.goto(site.add("with-key", `${imports}<div id="map"></div><script type="module">${module}</script>`));
      await other.locator("#map[data-idle]").waitFor();
      expect(await meanOf(other, await other.locator("#map").screenshot(), MIDDLE)).toEqual(near(color));
      await other.close();
    });
  });

  test("a map token is of the image that it was made for: with another one it can be made anew", async () => {
    const { page } = await enter(COLORS);
    await makeToken(page);
    expect(await copied(page, "Leaflet")).toMatch(/\/v1\/m\/(?!TOKEN)[\w-]{20,}\/tiles\/true-color\//);
    await goTo(page, COLORS.replace("true-color", "ndvi"));
    await page.getByRole("button", { name: "Make a map token" }).waitFor();
    expect(await copied(page, "Leaflet")).toContain("/v1/m/TOKEN/tiles/ndvi/");
  });

  test("without a key the card says what a map token needs, and takes one", async () => {
    const { page } = await enter(COLORS, { key: null });
    await page.getByText("A map token needs a key or an account.").waitFor();
    expect(await page.getByRole("link", { name: "Sign in" }).getAttribute("href")).toBe("/account");
    await page.getByRole("button", { name: "Give a key" }).click();
    await page.getByRole("dialog").getByLabel("Key", { exact: true }).fill(KEY);
    await page.keyboard.press("Enter");
    await makeToken(page);
  });

  test.each(LOOKS)("%s: is accessible", async (_, look) => {
    const { page } = await enter(COLORS, look);
    const overhang = (): Promise<number> =>
      page.locator("#card-share").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    await page.getByText("Python", { exact: true }).click();
    await page.getByRole("region", { name: "Code for Python" }).waitFor();
    await makeToken(page);
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    expect(await overhang()).toBe(0);
  });
});
