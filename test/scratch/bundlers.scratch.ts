import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import { hasChromium, openBrowser } from "../tools/browser.ts";
import { isNightly } from "../tools/searches.ts";
import { exportedSources, NODE_ALONE, packages } from "../workspace.ts";
import { BUNDLERS, writeModule } from "./bundlers.ts";
import { ROOT } from "./host.ts";
import { serveRanges } from "./ranges.ts";

const scratch = inject("scratch");
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", wasm: "application/wasm" };

/** A page that uses five packages: a tile of a file, of a mosaic with one scene, as PNG; windows of files. */
const PAGE = `
import { httpSource, openCog, readGrid, readWindow } from "@swath/cog";
import { portableEncoder } from "@swath/encode";
import { openJp2 } from "@swath/jp2";
import { composeMosaic } from "@swath/mosaic";
import { gridBbox, tileGrid } from "@swath/raster";
import { styleRaster } from "@swath/raster/style";

globalThis.drawTile = async (url, z, x, y) => {
  const cog = await openCog(httpSource(url));
  const grid = tileGrid("WebMercatorQuad", z, x, y);
  const scene = { id: "a", read: (target, { signal }) => readGrid(cog, target, { signal }) };
  const { raster } = await composeMosaic([scene], grid);
  const image = styleRaster(raster, { rescale: [[0, 1100]] });
  return { crs: cog.grid.crs.name, bbox: gridBbox(cog.grid), png: [...(await portableEncoder.encode(image, "png"))] };
};
globalThis.readPixels = async (url) => {
  const cog = await openCog(httpSource(url));
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 4, height: 4 });
  return { compression: cog.levels[0].compression, pixels: [...bands[0]] };
};
globalThis.readJp2 = async (url) => {
  const jp2 = await openJp2(httpSource(url));
  const { bands } = await readWindow(jp2, 2, { x: 20, y: 20, width: 4, height: 4 });
  return [...bands[0]];
};
`;

/** 1024 x 1024 pixels of 10 m around Amersfoort in EPSG:28992, whose definition is loaded: a ramp from west to east. */
async function ramp(): Promise<Uint8Array> {
  const load = (name: string) => import(pathToFileURL(join(scratch, "node_modules/@swath", name)).href);
  const { encodeGeoTiff } = await load("encode/dist/index.js");
  const { gridFromBounds, loadCrs } = await load("raster/dist/index.js");
  const crs = await loadCrs("EPSG:28992");
  const grid = gridFromBounds(crs, [150_000, 458_000, 160_240, 468_240], 1024, 1024);
  const band = Uint16Array.from({ length: 1024 * 1024 }, (_, i) => (i % 1024) + 1);
  return encodeGeoTiff({ grid, bands: [band], valid: new Uint8Array(band.length).fill(1) }, { nodata: 0 });
}

const JP2 = join(ROOT, "packages/jp2/test/fixtures/rgb.jp2");
const BESIDE: Readonly<Record<string, string>> = {
  "/webp_dec.wasm": "@jsquash/webp/codec/dec/webp_dec.wasm",
  "/openjpeg.wasm": "@swath/jp2/dist/decoder/openjpeg.wasm",
};

/** Reads in Node the window that the page reads. */
async function pixelsOfJp2(): Promise<number[]> {
  const load = (name: string) => import(pathToFileURL(join(scratch, "node_modules/@swath", name)).href);
  const { memorySource, readWindow } = await load("cog/dist/index.js");
  const { openJp2 } = await load("jp2/dist/index.js");
  const jp2 = await openJp2(memorySource(new Uint8Array(await readFile(JP2))));
  const { bands } = await readWindow(jp2, 2, { x: 20, y: 20, width: 4, height: 4 });
  return [...bands[0]];
}

/** Packages of which everything together passes the size at which vite recommends to split; docs/packages.md bounds them. */
const LARGE: readonly string[] = ["engine", "catalog"];

describe.each(Object.entries(BUNDLERS))("%s", (name, bundle) => {
  test("bundles the entries of every package that runs in browsers, without a warning or an option", async () => {
    const inBrowsers = packages.filter((each) => !NODE_ALONE.includes(each.name));
    // webpack bundles all of them at once: one by one it would compress what they share twenty times
    const groups = name === "webpack" ? [inBrowsers] : inBrowsers.map((each) => [each]);
    for (const group of groups) {
      const names = group.map(({ name: folder }) => folder).join("-");
      const modules = group.flatMap((each) =>
        [...exportedSources(each).keys()]
          .filter((subpath) => !/^\.\/node(\/|$)/.test(subpath))
          .map((subpath) => `${each.manifest.name}${subpath.slice(1)}`),
      );
      const cwd = join(scratch, "bundlers", name, names);
      await mkdir(cwd, { recursive: true });
      const code = modules.map(
        (module, i) => `import * as entry${i} from "${module}";\nglobalThis.entry${i} = entry${i};\n`,
      );
      const { entry, files, warnings } = await bundle(cwd, await writeModule(cwd, "all.js", code.join("")), {
        // the page below is minified always
        minify: isNightly,
      });
      const others = warnings.filter((warning) => !LARGE.includes(names) || !warning.includes("larger than 500 kB"));
      expect(others, names).toEqual([]);
      expect(files.get(entry)?.length, names).toBeGreaterThan(500 * group.length);
    }
  });

  test.skipIf(!hasChromium)("gives a page that reads a tile by ranges, and encodes it", async () => {
    const cwd = join(scratch, "bundlers", name);
    await mkdir(cwd, { recursive: true });
    const { entry, files, warnings } = await bundle(cwd, await writeModule(cwd, "page.js", PAGE));
    expect(warnings).toEqual([]);
    const tiff = await ramp();
    const fixture = (file: string) => readFile(join(ROOT, "packages/cog/test/fixtures", file));
    const served = await serveRanges(async (path) => {
      if (path === "/") {
        const page = `<!doctype html><script type="module" src="/${entry}"></script>`;
        return { bytes: Buffer.from(page), type: "text/html" };
      }
      if (path === "/ramp.tif") return { bytes: tiff, type: "image/tiff" };
      if (path.startsWith("/fixtures/")) return { bytes: await fixture(path.slice(10)), type: "image/tiff" };
      if (path === "/rgb.jp2") return { bytes: await readFile(JP2), type: "image/jp2" };
      // esbuild does not follow new URL(…, import.meta.url): the files are put beside the bundle, as the READMEs of cog and jp2 say
      const beside = name === "esbuild" ? BESIDE[path] : undefined;
      const bytes =
        beside === undefined ? files.get(path.slice(1)) : await readFile(join(scratch, "node_modules", beside));
      return bytes && { bytes, type: TYPES[path.split(".").at(-1) ?? ""] ?? "application/octet-stream" };
    });
    onTestFinished(() => served.close());
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(served.url);
    await page.waitForFunction(() => "drawTile" in globalThis);
    // over Amersfoort, within the file
    const { crs, bbox, png } = (await page.evaluate(
      "drawTile(new URL('/ramp.tif', location.href).href, 13, 4218, 2700)",
    )) as { crs: string; bbox: number[]; png: number[] };
    expect(crs).toBe("EPSG:28992");
    // PROJ has the south-western corner of the file at 5.3147 E, 52.1094 N
    expect(bbox[0]).toBeCloseTo(5.31, 2);
    expect(bbox[1]).toBeCloseTo(52.11, 2);
    expect(png.slice(0, 8)).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
    expect(png.length).toBeGreaterThan(1000);
    for (const [file, compression] of [
      ["lerc-big-endian.tif", "LERC"],
      ["lerc-zstd.tif", "LERC"],
      ["webp-lossless.tif", "WebP"],
    ]) {
      const read = (await page.evaluate(`readPixels(new URL('/fixtures/${file}', location.href).href)`)) as {
        compression: string;
        pixels: number[];
      };
      expect(read.compression).toBe(compression);
      expect(read.pixels).toHaveLength(16);
    }
    const pixels = (await page.evaluate("readJp2(new URL('/rgb.jp2', location.href).href)")) as number[];
    expect(pixels).toEqual(await pixelsOfJp2());
    expect(faults).toEqual([]);
  });
});
