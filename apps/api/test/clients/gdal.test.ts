import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { json, type Page } from "../tools/answers.ts";
import { KEY } from "../tools/harness.ts";
import { type Served, serveSandbox } from "./served.ts";

const gdal = spawnSync("gdalinfo", ["--version"], { encoding: "utf8" });
const run = promisify(execFile);
const WORLD = 20037508.342789244;

/** The mini-driver file that a user of GDAL or QGIS writes for our tiles. */
function tileService(url: string, level: number): string {
  return `<GDAL_WMS>
  <Service name="TMS"><ServerUrl>${url.replaceAll("&", "&amp;")}</ServerUrl></Service>
  <DataWindow>
    <UpperLeftX>${-WORLD}</UpperLeftX><UpperLeftY>${WORLD}</UpperLeftY>
    <LowerRightX>${WORLD}</LowerRightX><LowerRightY>${-WORLD}</LowerRightY>
    <TileLevel>${level}</TileLevel><TileCountX>1</TileCountX><TileCountY>1</TileCountY><YOrigin>top</YOrigin>
  </DataWindow>
  <Projection>EPSG:3857</Projection><BlockSizeX>256</BlockSizeX><BlockSizeY>256</BlockSizeY><BandsCount>4</BandsCount>
</GDAL_WMS>`;
}

describe.skipIf(gdal.status !== 0)("GDAL", () => {
  let service: Served;
  let folder: string;
  beforeAll(async () => {
    service = await serveSandbox();
    folder = mkdtempSync(join(tmpdir(), "swath-gdal-"));
  });
  afterAll(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  const options = (): { cwd: string; env: NodeJS.ProcessEnv; maxBuffer: number } => ({
    cwd: folder,
    maxBuffer: 16 * 1_048_576,
    env: { ...process.env, GDAL_HTTP_HEADERS: `X-API-Key: ${KEY}`, GDAL_DISABLE_READDIR_ON_OPEN: "EMPTY_DIR" },
  });

  test("reads our tiles through its tile mini-driver, with the key in the header, pixel for pixel", {
    tags: ["T18", "W2"],
  }, async () => {
    const query = "datetime=2024-07-01/2024-07-31";
    const template = `${service.url}/v1/tiles/true-color/WebMercatorQuad/\${z}/\${x}/\${y}.png?${query}`;
    writeFileSync(join(folder, "tiles.xml"), tileService(template, 9));
    const window = [275 * 256, 182 * 256, 512, 256].map(String);
    await run("gdal_translate", ["-q", "-srcwin", ...window, "tiles.xml", "map.tif"], options());
    const { data, info } = await sharp(join(folder, "map.tif")).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 512, height: 256, channels: 4 });
    for (const [column, x] of [
      [0, 275],
      [256, 276],
    ] as const) {
      const response = await fetch(`${service.url}/v1/tiles/true-color/WebMercatorQuad/9/${x}/182.png?${query}`, {
        headers: { "X-API-Key": KEY },
      });
      const tile = await sharp(Buffer.from(await response.arrayBuffer()))
        .ensureAlpha()
        .raw()
        .toBuffer();
      for (let row = 0; row < 256; row++) {
        const start = (row * 512 + column) * 4;
        const drawn = data.subarray(start, start + 1024);
        expect(drawn.equals(tile.subarray(row * 1024, row * 1024 + 1024)), `tile ${x}, row ${row}`).toBe(true);
      }
    }
    const asked = service.requests.filter(({ path }) => path.startsWith("/v1/tiles/"));
    expect(asked.every(({ key, status }) => key === KEY && status === 200)).toBe(true);
  });

  test("draws the guide's tile service zoomed out, from overviews that the preset has", async () => {
    const guide = readFileSync(new URL("../../../../docs/guides/gdal.md", import.meta.url), "utf8");
    const xml = /<GDAL_WMS>[\s\S]*<\/GDAL_WMS>/.exec(guide)?.[0].replace("http://127.0.0.1:8080", service.url) ?? "";
    writeFileSync(join(folder, "guide.xml"), xml.replace(".png<", ".png?datetime=2024-07-01/2024-07-31<"));
    const { stdout } = await run("gdalinfo", ["-json", "guide.xml"], options());
    const { size, bands } = JSON.parse(stdout) as { size: number[]; bands: { overviews: { size: number[] }[] }[] };
    expect(size[0]).toBe(256 * 2 ** 14);
    expect(bands[0]?.overviews.map((overview) => overview.size[0])).toEqual(
      [13, 12, 11, 10, 9, 8, 7].map((zoom) => 256 * 2 ** zoom),
    );
    const before = service.requests.length;
    // 1200 km in 64 pixels: coarser than the coarsest tiles
    const window = ["1000000", "6200000", "2200000", "5000000"];
    await run(
      "gdal_translate",
      ["-q", "-outsize", "64", "64", "-projwin", ...window, "guide.xml", "out.tif"],
      options(),
    );
    const tiles = service.requests.slice(before);
    expect(tiles.length).toBeGreaterThan(3);
    expect(tiles.filter(({ path, status }) => status !== 200 || !path.includes("/WebMercatorQuad/7/"))).toEqual([]);
    const { data } = await sharp(join(folder, "out.tif")).raw().toBuffer({ resolveWithObject: true });
    expect(data.some((value) => value > 0)).toBe(true);
  });

  test("opens a search as a mosaic through STACIT, with every item of the search", {
    tags: ["I12", "W1"],
  }, async () => {
    const search = `${service.url}/v1/search?collections=sentinel-2-l2a&datetime=2024-07-01/2024-07-31&limit=3`;
    const found = await json<Page>(fetch(search, { headers: { "X-API-Key": KEY } }));
    const { stdout } = await run("gdalinfo", ["-json", `STACIT:"${search}":asset=B04`], options());
    // the driver's mosaic is a virtual one
    const info = JSON.parse(stdout) as { driverShortName: string; bands: object[]; size: [number, number] };
    expect(info).toMatchObject({ driverShortName: "VRT", bands: [{ type: "UInt16" }] });
    expect(found.features.length).toBeGreaterThan(1);
    for (const { assets } of found.features) {
      const [height = 0, width = 0] = (assets.B04?.["proj:shape"] ?? []) as number[];
      expect(info.size[0]).toBeGreaterThanOrEqual(width);
      expect(info.size[1]).toBeGreaterThanOrEqual(height);
    }
    await run("gdal_translate", ["-q", "-outsize", "64", "0", `STACIT:"${search}":asset=B04`, "red.tif"], options());
    const { stdout: facts } = await run("gdalinfo", ["-json", "-mm", "red.tif"], options());
    const { bands } = JSON.parse(facts) as { bands: { computedMax: number }[] };
    expect(bands[0]?.computedMax).toBeGreaterThan(1000);
  });

  test("reads an item's file by its href without a key", { tags: ["W3"] }, async () => {
    const item = `${service.url}/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A`;
    const { assets } = await json<{ assets: Record<string, { href: string }> }>(fetch(item));
    const { stdout } = await run("gdalinfo", ["-json", `/vsicurl/${assets.B04?.href}`], {
      ...options(),
      env: process.env,
    });
    expect(JSON.parse(stdout)).toMatchObject({ driverShortName: "GTiff" });
  });
});
