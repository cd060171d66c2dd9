import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript-js";
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from "vitest";
import { hasChromium, openBrowser } from "../tools/browser.ts";
import { archivedData } from "./archive.ts";
import { blocksOf } from "./blocks.ts";
import { bundle } from "./bundle.ts";
import { demand, ROOT, runHost } from "./host.ts";
import { serveRanges } from "./ranges.ts";
import { type StartedService, startService } from "./service.ts";

const SAID = "http://127.0.0.1:8080";
const documents = ["README.md", "docs/tutorial.md", ...globSync("docs/{guides,concepts}/*.md", { cwd: ROOT }).sort()];
const PYTHON = "/usr/bin/python3";
/** Whether this machine has what a guide is written for. */
const has = (command: string, ...args: string[]): boolean => spawnSync(command, args, { stdio: "ignore" }).status === 0;

let service: StartedService;
beforeAll(async () => {
  service = await startService({ archive: join(await archivedData(), "sandbox") });
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
  if (language === "r") {
    await writeFile(join(folder, "guide.R"), code);
    return { folder, printed: await demand("Rscript", ["--vanilla", "guide.R"], { cwd: folder, env }) };
  }
  const real = await runHost(PYTHON, ["-c", "import pystac_client"], { cwd: folder });
  const standIn = real.code === 0 ? {} : { PYTHONPATH: join(import.meta.dirname, "stand-in") };
  return {
    folder,
    printed: await demand(PYTHON, ["-c", code], { cwd: folder, env: { ...env, ...standIn } }),
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

test("the README leads to a search, two tiles, a curve and a GeoTIFF", async () => {
  const { folder, printed } = await follow("README.md", "sh");
  expect(printed).toContain('"type":"FeatureCollection"');
  expect(globSync("*.{png,tif}", { cwd: folder }).sort()).toEqual([
    "area.tif",
    "curve.png",
    "ndvi.png",
    "true-color.png",
  ]);
});

test("the tutorial leads to a curve of two crops, as a table and as a chart", async () => {
  const { folder, printed } = await follow("docs/tutorial.md", "sh");
  expect(printed).toMatch(/^2022-06-\d\d\t[\d.]+$/m);
  expect(globSync("*", { cwd: folder }).sort()).toEqual(["field.csv", "field.png", "flood.png"]);
  const [head = "", ...rows] = (await readFile(join(folder, "field.csv"), "utf8")).trim().split(/\r?\n/);
  const [day, value] = ["datetime", "value"].map((name) => head.split(",").indexOf(name));
  const at = (from: string, to: string): number[] =>
    rows
      .map((row) => row.split(","))
      .filter((cells) => (cells[day ?? 0] ?? "") >= from && (cells[day ?? 0] ?? "") < to && cells[value ?? 0] !== "")
      .map((cells) => Number(cells[value ?? 0]));
  // wheat, which is harvested in July, and then maize
  expect(Math.min(...at("2022-05-15", "2022-06-10"))).toBeGreaterThan(0.7);
  expect(Math.max(...at("2022-08-01", "2022-08-31"))).toBeLessThan(0.35);
  expect(Math.max(...at("2023-05-01", "2023-05-20"))).toBeLessThan(0.35);
  expect(Math.min(...at("2023-08-01", "2023-08-31"))).toBeGreaterThan(0.7);
});

/** Guides, their language, the modules they need, and lines that they print when they are followed. */
const FOLLOWED = [
  ["docs/guides/pystac-client.md", "python", ["rasterio"], [/^\d+ scenes$/m, /EPSG:32633/]],
  [
    "docs/guides/pandas.md",
    "python",
    ["pandas", "matplotlib"],
    [/^\d{2,3} overpasses, \d{2,3} without clouds$/m, /^\['2022-05', '2023-08'\]$/m],
  ],
  [
    "docs/guides/xarray.md",
    "python",
    ["rioxarray"],
    [/'time': 3, .*EPSG:32633/, /^2023-05-06 [1-3]% under water$/m, /^2023-05-16 2[4-9]% under water$/m],
  ],
] as const;

for (const [file, language, modules, expected] of FOLLOWED) {
  test.skipIf(!has(PYTHON, "-c", `import ${modules.join()}`))(`${file} runs and prints what it says`, async () => {
    const { printed } = await follow(file, language);
    for (const line of expected) expect(printed).toMatch(line);
  });
}

test("every document with Python is followed", () => {
  const written = documents.filter((file) => blocksOf(file).some(({ language }) => language === "python"));
  expect(written.filter((file) => !FOLLOWED.some(([followed]) => followed === file))).toEqual([]);
});

const hasR = has("Rscript", "-e", "library(terra); library(httr2)");
test.skipIf(!hasR)("the R of docs/guides/r.md finds the crops and the burned forest", async () => {
  const { folder, printed } = await follow("docs/guides/r.md", "r");
  expect(printed).toMatch(/^\d{2,3} overpasses, \d{2,3} without clouds$/m);
  expect(printed).toMatch(/^2022-0[56]-\d\d 0\.8/m);
  expect(printed).toMatch(/^2023-0[78]-\d\d 0\.8/m);
  const [, hectares] = /^(\d+) ha look burned$/m.exec(printed) ?? [];
  // of 171 ha that burned, those that burned most
  expect(Number(hectares)).toBeGreaterThan(60);
  expect(Number(hectares)).toBeLessThan(171);
  expect(existsSync(join(folder, "field.png"))).toBe(true);
});

const hasNotebooks = has(PYTHON, "-c", "import nbclient, ipykernel");
test.skipIf(!hasNotebooks)(
  "the notebook runs from its first cell to its last, and finds the harvest of 24 July",
  async () => {
    const script = `import nbformat, os
from nbclient import NotebookClient
notebook = nbformat.read(os.environ["NOTEBOOK"], as_version=4)
assert all(not cell.get("outputs") for cell in notebook.cells), "the notebook is kept without outputs"
NotebookClient(notebook, timeout=240).execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        print("image" if "image/png" in data else data.get("text/plain", output.get("text", "")))
`;
    const folder = await mkdtemp(join(tmpdir(), "swath-notebook-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const env = {
      KEY: service.key,
      SWATH: service.url,
      NOTEBOOK: join(ROOT, "docs/notebooks/field.ipynb"),
      IPYTHONDIR: folder,
    };
    const printed = await demand(PYTHON, ["-c", script], { cwd: folder, env });
    const [, last = "", first = ""] = /\('(\S+)', '(\S+)'\)/.exec(printed) ?? [];
    expect(last <= "2022-07-24" && first >= "2022-07-24").toBe(true);
    expect(printed.match(/^image$/gm)).toHaveLength(2);
  },
);

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
  const browser = await openBrowser();
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
  expect(tiles.filter((tile) => !/^200 .*datetime=2022-07-10/.test(tile))).toEqual([]);
});

test.skipIf(!hasChromium)("the OpenLayers guide shows true colour", async () => {
  const tiles = await showMap(
    "docs/guides/openlayers.md",
    "ol",
    `import { map } from "./guide.js";
map.once("rendercomplete", () => { globalThis.drawn = true; });`,
  );
  expect(tiles.length).toBeGreaterThanOrEqual(4);
  expect(tiles.filter((tile) => !/^200 .*datetime=2023-05-16/.test(tile))).toEqual([]);
});
