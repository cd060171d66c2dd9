import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import "./provided.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf } from "./accessibility.ts";
import { type Color, meanOf } from "./colors.ts";
import type { Service } from "./service.ts";
import { drawn, goTo, JULY, PATIENT, useVisits, visit } from "./visitor.ts";

/** The west of the archive's July scenes at the right, land without scenes at the left. */
const EDGE = "map=8/45.6/12.6";
const SEEN = { x: 0.78, y: 0.5, size: 20 };
const UNSEEN = { x: 0.04, y: 0.75, size: 20 };
const LABEL = { x: 0.78, y: 0.25, size: 12 };
const BLUE: Color = [40, 60, 200];
const MAGENTA: Color = [255, 0, 255];

/** One pixel of a colour, as a GIF. */
const pixel = (color: Color): Buffer =>
  Buffer.concat([
    Buffer.from("GIF89a\x01\0\x01\0\x80\0\0", "latin1"),
    Buffer.from([...color, 0, 0, 0]),
    Buffer.from(",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;", "latin1"),
  ]);

interface Files {
  readonly url: string;
  readonly asked: string[];
  readonly server: Server;
}

/** Serves files to pages of other origins. */
async function serveFiles(fileOf: (path: string) => Buffer | string | undefined): Promise<Files> {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const file = fileOf(url);
    response.writeHead(file === undefined ? 404 : 200, { "Access-Control-Allow-Origin": "*" });
    response.end(file);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

/** Blue tiles of another origin, and a label over the images. */
const styleOf = (tiles: string): string =>
  JSON.stringify({
    version: 8,
    sources: {
      land: {
        type: "raster",
        tiles: [`${tiles}/{z}/{x}/{y}.gif`],
        tileSize: 256,
        attribution: `<a href="https://maps.example">© Test Maps</a><img src=x onerror="window.isTaken = true">`,
      },
      places: { type: "geojson", data: { type: "Point", coordinates: [13.307, 45.985] } },
    },
    layers: [
      {
        id: "names",
        type: "symbol",
        source: "places",
        layout: { "text-field": "MMM", "text-size": 80, "text-font": ["sans-serif"], "text-allow-overlap": true },
        paint: { "text-color": "#f0f", "text-halo-color": "#f0f", "text-halo-width": 20 },
      },
      { id: "land", type: "raster", source: "land", paint: { "raster-fade-duration": 0 } },
    ],
  });

describe.skipIf(!hasChromium)("a base map of the owner's", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let tiles: Files;
  let styles: Files;
  let service: Service;
  beforeAll(async () => {
    tiles = await serveFiles((path) => (path.endsWith(".gif") ? pixel(BLUE) : undefined));
    styles = await serveFiles((path) => (path === "/style.json" ? styleOf(tiles.url) : undefined));
    service = await visits.serve({ SWATH_BASEMAP: `${styles.url}/style.json, ${tiles.url}` });
  }, 600_000);
  afterAll(() => {
    for (const { server } of [tiles, styles]) server.close();
  });
  const near = (color: Color) => color.map((value) => expect.closeTo(value, -1));
  const colorsOf = async (page: Page): Promise<readonly Color[]> => {
    const picture = await page.locator("#map").screenshot();
    return Promise.all([SEEN, UNSEEN, LABEL].map((part) => meanOf(page, picture, part)));
  };

  test("lies below the imagery, its labels above, and its credit is text", async () => {
    const { page } = await visits.enter(service, { hash: `${JULY}&${EDGE}` });
    await drawn(page);
    const [seen, unseen, label] = await colorsOf(page);
    expect([unseen, label]).toEqual([near(BLUE), near(MAGENTA)]);
    expect(seen).not.toEqual(near(BLUE));
    const credit = page.locator(".credit");
    await credit.getByText("© Test Maps").waitFor();
    expect(await credit.textContent()).not.toMatch(/Natural Earth|GeoNames|<|onerror/);
    expect(await page.evaluate(() => "isTaken" in window)).toBe(false);
    expect([styles.asked, tiles.asked.length > 0]).toEqual([["/style.json"], true]);
    expect(await faultsOf(page)).toEqual([]);
    await goTo(page, `${JULY}&${EDGE}&opacity=0&names=off`);
    await expect.poll(() => colorsOf(page), PATIENT).toEqual([near(BLUE), near(BLUE), near(BLUE)]);
  });

  test("of raster tiles lies below the imagery and the page's own names, with the owner's credit", async () => {
    const raster = await visits.serve({
      SWATH_BASEMAP: `${tiles.url}/{z}/{x}/{y}.gif`,
      SWATH_BASEMAP_CREDIT: "© <b>Tiles</b> & others",
    });
    const { page } = await visits.enter(raster, { hash: `${JULY}&${EDGE}` });
    await drawn(page);
    const [seen, unseen] = await colorsOf(page);
    expect(unseen).toEqual(near(BLUE));
    expect(seen).not.toEqual(near(BLUE));
    await page.locator(".credit").getByText("© <b>Tiles</b> & others · Places: GeoNames").waitFor();
  });

  test("that cannot be loaded leaves the page with its own outlines, and a sentence", async () => {
    const missing = await visits.serve({ SWATH_BASEMAP: `${styles.url}/missing.json` });
    const { page } = await visits.enter(missing, { hash: `${JULY}&${EDGE}` });
    await drawn(page);
    await page.getByText("The base map could not be loaded: the page shows its own outlines.").waitFor();
    await page.locator(".credit").getByText("Land: Natural Earth").waitFor();
    const [seen, unseen] = await colorsOf(page);
    expect(seen).not.toEqual(unseen);
    expect(await faultsOf(page)).toEqual([]);
  });

  test("whose tiles are refused by the page's policy or do not come leaves the imagery, and a sentence", async () => {
    const partial = await visits.serve({ SWATH_BASEMAP: `${styles.url}/style.json` });
    const window = await visit(visits.browser(), partial.url, { hash: `${JULY}&${EDGE}` });
    await drawn(window.page);
    await window.page.getByText("Parts of the base map could not be loaded.").waitFor();
    const [seen, unseen] = await colorsOf(window.page);
    expect(seen).not.toEqual(unseen);
    expect(await window.page.locator(".problem").count()).toBe(0);
    expect(window.faults.join()).toContain(`${tiles.url}/`);
    await window.close();
  });
});
