import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openBrowser } from "../../../../test/tools/browser.ts";
import { KEY } from "../tools/harness.ts";
import { type Served, servePages, serveSandbox } from "./served.ts";

const WINDOW = "datetime=2024-07-01/2024-07-31";
const BOX = "bbox=13.4,45.4,14.2,45.9";

interface Answer {
  readonly status: number;
  readonly type: string | null;
}

describe.skipIf(!hasChromium)("the HTTP cache of Chromium", () => {
  let service: Served;
  let site: Awaited<ReturnType<typeof servePages>>;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    service = await serveSandbox();
    site = await servePages({ "/": { type: "text/html", body: "<!doctype html><title>A map</title>" } });
    browser = await openBrowser();
    page = await browser.newPage();
    await page.goto(`${site.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await service?.close();
  });

  /** Fetches as a script of the page does; its requests go through the browser's cache as they are. */
  const fetched = (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
    page.evaluate(
      async ([url, given]) => {
        const response = await fetch(url, { headers: given });
        await response.arrayBuffer();
        return { status: response.status, type: response.headers.get("Content-Type") };
      },
      [service.url + path, headers] as const,
    );
  /** Requests that came as far as the service, preflights left out: every address asks with a header of its own. */
  const arrived = (path: string): number =>
    service.requests.filter((request) => request.path === path && request.status !== 204).length;

  test.each([
    { name: "a tile", path: `/v1/tiles/true-color/WebMercatorQuad/9/275/182.png?${WINDOW}`, type: "image/png" },
    {
      name: "a preview",
      path: "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64",
      type: "image/png",
    },
    { name: "a search", path: `/v1/search?limit=1&${BOX}`, type: "application/geo+json" },
  ])(
    "$name fetched with a right key is kept for that key, and given to no other",
    { tags: ["W9"] },
    async ({ path, type }) => {
      const right = { "X-API-Key": KEY };
      expect(await fetched(path, right)).toEqual({ status: 200, type: expect.stringContaining(type) });
      expect(await fetched(path, right), "again, from the cache").toMatchObject({ status: 200 });
      expect(arrived(path), "requests for two readings").toBe(1);
      expect(await fetched(path, { "X-API-Key": "another-key" })).toMatchObject({ status: 401 });
      expect(await fetched(path, {})).toMatchObject({ status: 401 });
      expect(await fetched(path, { Authorization: "Bearer another-key" })).toMatchObject({ status: 401 });
      expect(await fetched(path, right), "the refusals were not kept").toMatchObject({ status: 200 });
    },
  );

  test("an image element without a key is not given the tile that a script fetched with one", {
    tags: ["W9"],
  }, async () => {
    const path = `/v1/tiles/true-color/WebMercatorQuad/9/275/183.png?${WINDOW}`;
    expect(await fetched(path, { "X-API-Key": KEY })).toMatchObject({ status: 200 });
    const shown = await page.evaluate(
      (src) =>
        new Promise<boolean>((resolve) => {
          const image = new Image();
          image.crossOrigin = "anonymous";
          image.onload = () => resolve(true);
          image.onerror = () => resolve(false);
          image.src = src;
        }),
      service.url + path,
    );
    expect(shown).toBe(false);
    expect(service.requests.filter((request) => request.path === path).map(({ status }) => status)).toContain(401);
  });
});
