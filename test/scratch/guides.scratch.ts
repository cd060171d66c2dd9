import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript-js";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { blocksOf } from "./blocks.ts";
import { hasChromium, launch } from "./browser.ts";
import { bundle } from "./bundle.ts";
import { demand, ROOT, runHost } from "./host.ts";
import { serveRanges } from "./ranges.ts";
import { type StartedService, startService } from "./service.ts";

const SAID = "http://127.0.0.1:8080";
const documents = ["README.md", ...globSync("docs/{guides,concepts}/*.md", { cwd: ROOT }).sort()];

let service: StartedService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** Runs the blocks of one language in one go, in an empty folder, as a reader would who copies them one by one. */
async function follow(file: string, language: string): Promise<{ folder: string; printed: string }> {
  const folder = await mkdtemp(join(tmpdir(), "swath-guide-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const code = blocksOf(file)
    .filter((block) => block.language === language)
    .map((block) => block.code)
    .join("\n")
    .replaceAll(SAID, service.url);
  const env = { KEY: service.key, DATA: service.data };
  if (language === "sh")
    return { folder, printed: await demand("bash", ["-euo", "pipefail", "-c", code], { cwd: folder, env }) };
  const real = await runHost("/usr/bin/python3", ["-c", "import pystac_client"], { cwd: folder });
  const standIn = real.code === 0 ? {} : { PYTHONPATH: join(import.meta.dirname, "stand-in") };
  return {
    folder,
    printed: await demand("/usr/bin/python3", ["-c", code], { cwd: folder, env: { ...env, ...standIn } }),
  };
}

const withShell = documents.filter((file) => blocksOf(file).some(({ language }) => language === "sh"));

test.each(withShell)("the commands of %s run, and the files they make are whole", async (file) => {
  const { folder, printed } = await follow(file, "sh");
  expect(printed).not.toContain("/problems/internal");
  for (const name of globSync("*.{png,jpg,tif}", { cwd: folder })) {
    const path = join(folder, name);
    const info = JSON.parse(await demand("gdalinfo", ["-json", "-stats", path], { cwd: folder }));
    expect(info.bands.length, name).toBeGreaterThan(0);
    // there is something to see in every image and raster
    expect(info.bands[0].maximum - info.bands[0].minimum, name).toBeGreaterThan(0);
    if (name === "area.tif") {
      expect(info.metadata[""]).toMatchObject({ COLLECTION: "sentinel-2-l2a", UNITS: "REFLECTANCE" });
      expect(info.metadata.IMAGE_STRUCTURE.LAYOUT).toBe("COG");
      expect(info.coordinateSystem.wkt).toContain("UTM zone 33N");
      expect(info.bands[0]).toMatchObject({ description: "B04", type: "Float32", noDataValue: "NaN" });
    }
  }
});

test("the README leads to a search, two tiles and a GeoTIFF", async () => {
  const { folder, printed } = await follow("README.md", "sh");
  expect(printed).toContain('"type":"FeatureCollection"');
  expect(globSync("*.{png,tif}", { cwd: folder }).sort()).toEqual(["area.tif", "ndvi.png", "true-color.png"]);
});

const withPython = documents.filter((file) => blocksOf(file).some(({ language }) => language === "python"));

test.each(withPython)("the Python of %s runs", async (file) => {
  const { printed } = await follow(file, "python");
  expect(printed).toMatch(/^\d+ scenes$/m);
  expect(printed).toContain("EPSG:32633");
});

test.each([
  ["crosswalk", { names: ["B8A", "SR_B5"] }],
  ["harmonization", { offsets: [0, -0.1] }],
  ["masks", { classes: ["cloud", "cloud"] }],
  ["mosaics", { order: ["a", "b"] }],
])("the code of docs/concepts/%s.md gives what it says", async (name, expected) => {
  const code = blocksOf(`docs/concepts/${name}.md`).find(({ language }) => language === "ts")?.code ?? "";
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const file = join(inject("scratch"), `${name}.mjs`);
  await writeFile(file, ts.transpileModule(code, { compilerOptions }).outputText);
  const script = `console.log(JSON.stringify({ ...(await import(${JSON.stringify(file)})) }))`;
  const printed = await demand("node", ["--input-type=module", "-e", script], { cwd: inject("scratch") });
  expect(JSON.parse(printed)).toMatchObject(expected);
});

/** A page made of a guide's code, with a library of the checkout, in Chromium; gives the addresses of tiles that came. */
async function showMap(file: string, library: string, entry: string): Promise<string[]> {
  const [block] = blocksOf(file).filter(({ how }) => how === library);
  await mkdir(join(ROOT, "node_modules", ".cache"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, "node_modules", ".cache", "guide-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const code = (block?.code ?? "").replaceAll(SAID, service.url).replaceAll("your key", service.key);
  await writeFile(join(folder, "guide.js"), code);
  await writeFile(join(folder, "main.js"), entry);
  const { files } = await bundle(folder, "main.js");
  const html =
    '<!doctype html><title>Guide</title><div id="map" style="width:512px;height:512px"></div><script type="module" src="/main.js"></script>';
  const served = await serveRanges(async (path) => {
    if (path === "/") return { bytes: Buffer.from(html), type: "text/html" };
    const worker = join(ROOT, "node_modules/maplibre-gl/dist", path.slice(1));
    const bytes = files.get(path.slice(1)) ?? (existsSync(worker) ? await readFile(worker) : undefined);
    return bytes && { bytes, type: "text/javascript" };
  });
  onTestFinished(() => served.close());
  const browser = await launch();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 600, height: 600 } });
  const tiles: string[] = [];
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("response", (response) => {
    if (/\/v1\/tiles\/.*\d+\/\d+\/\d+\.png/.test(response.url())) tiles.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(served.url);
  await page
    .waitForFunction("globalThis.drawn === true", undefined, { timeout: 60_000 })
    .catch(() => faults.push("not drawn"));
  expect(faults).toEqual([]);
  return tiles;
}

test.skipIf(!hasChromium)("the MapLibre guide shows NDVI", async () => {
  const tiles = await showMap(
    "docs/guides/maplibre.md",
    "maplibre-gl",
    `import { setWorkerUrl } from "maplibre-gl";
setWorkerUrl("/maplibre-gl-worker.mjs");
const { map } = await import("./guide.js");
map.once("idle", () => { globalThis.drawn = map.areTilesLoaded(); });`,
  );
  expect(tiles.length).toBeGreaterThanOrEqual(4);
  expect(tiles.filter((tile) => !/^200 .*datetime=2024-07-01/.test(tile))).toEqual([]);
});

test.skipIf(!hasChromium)("the OpenLayers guide shows true colour", async () => {
  const tiles = await showMap(
    "docs/guides/openlayers.md",
    "ol",
    `import { map } from "./guide.js";
map.once("rendercomplete", () => { globalThis.drawn = true; });`,
  );
  expect(tiles.length).toBeGreaterThanOrEqual(4);
  expect(tiles.filter((tile) => !/^200 .*datetime=2024-07-01/.test(tile))).toEqual([]);
});
