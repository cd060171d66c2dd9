import { cp, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { hasChromium, openBrowser } from "../tools/browser.ts";
import { bundle } from "./bundle.ts";
import { ROOT } from "./host.ts";
import { serveRanges } from "./ranges.ts";

const scratch = inject("scratch");
const TYPES: Readonly<Record<string, string>> = { js: "text/javascript", html: "text/html", wasm: "application/wasm" };

/** 2048 × 2048 pixels in UTM: the red half in the west, the blue in the east, a corner without data. */
async function twoHalves(): Promise<Uint8Array> {
  const load = (name: string) => import(pathToFileURL(join(scratch, "node_modules/@swath", name)).href);
  const { encodeGeoTiff } = await load("encode/dist/index.js");
  const { gridFromBounds, resolveCrs } = await load("raster/dist/index.js");
  const size = 2048;
  const grid = gridFromBounds(resolveCrs("EPSG:32633"), [499_000, 4_990_000, 519_480, 5_010_480], size, size);
  const west = new Uint8Array(size * size);
  const east = new Uint8Array(size * size);
  const valid = new Uint8Array(size * size).fill(1);
  for (let i = 0; i < west.length; i++) {
    if (i % size < size / 2) west[i] = 200;
    else east[i] = 100;
    if (i < (size * size) / 4 && i % size < size / 4) valid[i] = west[i] = 0;
  }
  return encodeGeoTiff(
    { grid, bands: [west, new Uint8Array(size * size), east], valid },
    { nodata: 0, blockSize: 256 },
  );
}

test.skipIf(!hasChromium)(
  "the bundled page renders a file by ranges, and zooms without requesting all of it",
  async () => {
    const folder = join(scratch, "cog-in-the-browser");
    await mkdir(folder, { recursive: true });
    await cp(join(ROOT, "examples/cog-in-the-browser"), folder, {
      recursive: true,
      filter: (path) => !/node_modules|dist/.test(path.slice(ROOT.length)),
    });
    const { files, initial } = await bundle(folder, "main.ts");
    expect(initial).toBeLessThan(150 * 1024);
    const tiff = await twoHalves();
    const served = await serveRanges(async (path) => {
      const name = path.slice(1).replace(/^dist\//, "");
      if (path === "/example.tif") return { bytes: tiff, type: "image/tiff" };
      const bytes = name === "" ? await readFile(join(folder, "index.html")) : files.get(name);
      return bytes && { bytes, type: TYPES[name.split(".").at(-1) || "html"] ?? "text/html" };
    });
    onTestFinished(() => served.close());
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      if (!request.url().startsWith(served.url)) faults.push(request.url());
    });
    await page.goto(`${served.url}/?url=example.tif&bands=0,1,2`);
    const facts = page.locator("#facts");
    await expect.poll(() => facts.textContent(), { timeout: 30_000 }).toMatch(/^Zoom \d+: \d+ requests/);
    const pixel = (x: number, y: number) =>
      page.evaluate(
        ([left = 0, top = 0]) => [
          ...(document.querySelector("canvas") as HTMLCanvasElement).getContext("2d")!.getImageData(left, top, 1, 1)
            .data,
        ],
        [x, y],
      );
    // the file is in the middle of 512 × 512; its halves keep their colours, and nodata is transparent
    expect(await pixel(206, 306)).toEqual([200, 0, 0, 255]);
    expect(await pixel(306, 256)).toEqual([0, 0, 100, 255]);
    expect((await pixel(2, 2))[3]).toBe(0);

    const before = await facts.textContent();
    await page.locator("canvas").click({ position: { x: 320, y: 256 } });
    await expect.poll(() => facts.textContent()).not.toBe(before);
    expect(await pixel(256, 256)).toEqual([0, 0, 100, 255]);
    const [, zoom = 0, requests = 0] = /Zoom (\d+): (\d+) requests/.exec((await facts.textContent()) ?? "") ?? [];
    expect(Number(zoom)).toBe(Number(/Zoom (\d+)/.exec(before ?? "")?.[1]) + 1);
    expect(Number(requests)).toBeLessThan(30);
    expect(faults).toEqual([]);
  },
);
