import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memorySource } from "../../packages/cog/src/index.ts";
import { encodeGeoTiff } from "../../packages/encode/src/index.ts";
import { decode, decodeSamples } from "../../packages/encode/test/images.ts";
import { gridFromBounds, type Raster, resolveCrs, transformer } from "../../packages/raster/src/index.ts";
import { hasChromium, openBrowser } from "../tools/browser.ts";
import { drawTile } from "./draw-tile.ts";
import { encodeImages, sampleAt } from "./encode-images.ts";

const SIDE = 700;
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [500_000, 5_000_000, 507_000, 5_007_000], SIDE, SIDE);

/** Two bands of hills and noise, with a corner without data. */
function scene(): Raster {
  let state = 7;
  const valid = new Uint8Array(SIDE * SIDE).map((_, i) => (Math.floor(i / SIDE) + (i % SIDE) < 200 ? 0 : 1));
  const band = (base: number): Uint16Array =>
    Uint16Array.from(valid, (value, i) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return value === 0 ? 0 : base + 500 * Math.sin(i / SIDE / 50) + ((state >>> 22) & 255);
    });
  return { grid: GRID, bands: [band(3000), band(1400)], valid };
}

function tileOver(z: number): { z: number; x: number; y: number } {
  const [x, y] = transformer(GRID.crs, resolveCrs("EPSG:3857"))(503_500, 5_003_500);
  const half = 20_037_508.342789244;
  const index = (metres: number): number => Math.floor((metres * 2 ** z) / (2 * half));
  return { z, x: index(x + half), y: index(half - y) };
}

describe.skipIf(!hasChromium)("the raster core in Chromium", () => {
  let bytes: Uint8Array;
  let server: Server;
  let browser: Browser;
  let base: string;
  const ranges: string[] = [];

  beforeAll(async () => {
    bytes = await encodeGeoTiff(scene(), { blockSize: 256, nodata: 0 });
    const bundle = await rolldown({
      input: new URL("./page.ts", import.meta.url).pathname,
      platform: "browser",
      resolve: { conditionNames: ["@swath/source", "browser", "import", "default"] },
      logLevel: "silent",
    });
    const { output } = await bundle.generate({ format: "esm", minify: true });
    const files = new Map(output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
    const entry = output.find((file) => file.type === "chunk" && file.isEntry)?.fileName ?? "";
    server = createServer((request, response) => {
      const path = request.url ?? "/";
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
      if (path === "/scene.tif" && range !== null) {
        const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
        ranges.push(`${from}-${to}`);
        response.writeHead(206, { "Content-Range": `bytes ${from}-${to}/${bytes.length}`, ETag: '"1"' });
        response.end(bytes.subarray(from, to + 1));
      } else if (path === "/") {
        response.writeHead(200, { "Content-Type": "text/html" });
        response.end(`<!doctype html><script type="module" src="/${entry}"></script>`);
      } else if (files.has(path)) {
        response.writeHead(200, { "Content-Type": path.endsWith(".wasm") ? "application/wasm" : "text/javascript" });
        response.end(files.get(path));
      } else {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openBrowser();
  }, 400_000);

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  const openPage = async (): Promise<Page> => {
    const page = await browser.newPage();
    // for what hangs, not for what is slow
    page.setDefaultTimeout(120_000);
    await page.goto(base);
    return page;
  };

  test.each([13, 12, 10])(
    "reads by ranges, warps and draws a tile of zoom %i as Node does, to the byte",
    async (z) => {
      const { x, y } = tileOver(z);
      const here = await drawTile(memorySource(bytes), z, x, y);
      const page = await openPage();
      await page.waitForFunction(() => typeof window.drawTile === "function");
      ranges.length = 0;
      const there = await page.evaluate(([url, ...tile]) => window.drawTile(url, ...tile), [
        `${base}/scene.tif`,
        z,
        x,
        y,
      ] as const);
      await page.close();
      expect(ranges.length).toBeGreaterThan(0);
      expect(new Set(here.pixels).size).toBeGreaterThan(10);
      expect(Buffer.compare(Uint8Array.from(there.pixels), here.pixels)).toBe(0);
      expect(Buffer.compare(Uint8Array.from(there.png), here.png)).toBe(0);
    },
    400_000,
  );

  test("encodes JPEG by jpeg-js and PNG of 16 bits and of grey with alpha by pngjs as Node does, to the byte", async () => {
    const here = await encodeImages();
    const page = await openPage();
    await page.waitForFunction(() => typeof window.encodeImages === "function");
    const there = await page.evaluate(() => window.encodeImages());
    await page.close();
    for (const name of ["jpeg", "deep", "greyAlpha"] as const) {
      expect(Buffer.compare(Uint8Array.from(there[name]), here[name]), name).toBe(0);
    }
    // the globals of jpeg-js exist only as long as it needs them
    expect(there.hasBuffer).toBe(false);
    const at = (i: number, c: number): number => sampleAt(i % 64, Math.floor(i / 64), c);
    const pixels = Array.from({ length: 64 * 64 }, (_, i) => i);
    expect(await decodeSamples(here.deep, 16)).toEqual({ channels: 1, samples: pixels.map((i) => at(i, 0)) });
    expect(await decodeSamples(here.greyAlpha, 8)).toEqual({
      channels: 2,
      samples: pixels.flatMap((i) => [at(i, 0) >> 8, at(i, 1) >> 8]),
    });
    const rgba = await decode(here.jpeg, "jpg");
    expect(rgba).toHaveLength(4 * 64 * 64);
    expect(Math.max(...pixels.map((i) => Math.abs(rgba[4 * i + 1]! - 60 - (i % 64))))).toBeLessThan(12);
  }, 400_000);
});
