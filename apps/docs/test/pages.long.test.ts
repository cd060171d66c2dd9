import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, openBrowser } from "../../../test/tools/browser.ts";
import { isNightly } from "../../../test/tools/searches.ts";
import { type RunningService, startService } from "../scripts/content/service.ts";
import { faultsOf } from "./accessibility.ts";
import { buildSite } from "./built-site.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const KEY = "swath_key-of-a-reader";
/** For what hangs: no test passes or fails by how long it took. */
const PATIENT = { timeout: 120_000 };

describe.skipIf(!hasChromium)("the documents in Chromium", { timeout: 400_000 }, () => {
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    await buildSite();
    [service, browser] = await Promise.all([startService(), openBrowser()]);
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  /** Opens a page of the documents for a visitor who has no network but the server; `faults` are what went wrong in it. */
  async function visit(
    path: string,
    options: BrowserContextOptions = DESKTOP,
    key?: string,
  ): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext(options);
    const faults: string[] = [];
    await context.route("**/*", (route) => {
      const url = route.request().url();
      if (url.startsWith(service.address) || /^(data|blob):/.test(url)) return route.continue();
      faults.push(`asked elsewhere: ${url}`);
      return route.abort();
    });
    if (key !== undefined) await context.addInitScript((value) => sessionStorage.setItem("swath-key", value), key);
    context.setDefaultTimeout(PATIENT.timeout);
    const page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error" || /Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`${service.address}${path}`);
    // pages are complete without scripts; the application that takes over names itself
    await page.waitForFunction(
      () => (document.querySelector("#app") as { __vue_app__?: unknown } | null)?.__vue_app__ !== undefined,
    );
    return { page, faults };
  }

  const PAGES = [
    "/docs",
    "/docs/tutorial",
    "/docs/guides/curl",
    "/docs/http-api",
    "/docs/errors/invalid-parameter",
    "/docs/reference/cog",
    "/docs/changelog",
    "/docs/operations",
  ];

  const LOOKS = [
    { colorScheme: "light", size: DESKTOP },
    { colorScheme: "dark", size: PHONE },
    { colorScheme: "dark", size: DESKTOP },
    { colorScheme: "light", size: PHONE },
  ] as const;

  // outside the nightly run every second page at a desk in light and on a phone in dark, the others the other way round
  test.each(
    PAGES.map((path, i) => ({ path, looks: isNightly ? LOOKS : i % 2 === 0 ? LOOKS.slice(0, 2) : LOOKS.slice(2) })),
  )(
    "$path loads from the server alone, runs under its policy, fits, and has no fault that axe finds",
    async ({ path, looks }) => {
      for (const { colorScheme, size } of looks) {
        const { page, faults } = await visit(path, { ...size, colorScheme });
        const [isDark, width] = await page.evaluate(() => [
          document.documentElement.classList.contains("dark"),
          document.documentElement.scrollWidth,
        ]);
        expect([isDark, width]).toEqual([colorScheme === "dark", size.viewport.width]);
        // phones have the same pages under another head: of one page it is looked at
        if (isNightly || size === DESKTOP || path === PAGES[0])
          expect(await faultsOf(page), `${colorScheme}, ${width}`).toEqual([]);
        expect(faults).toEqual([]);
        await page.context().close();
      }
    },
  );

  test.each([
    { path: "/docs", most: 300_000 },
    { path: "/docs/tutorial", most: 130_000 },
    { path: "/docs/guides/timeseries", most: 130_000 },
    { path: "/docs/http-api", most: 130_000 },
    { path: "/docs/reference/cog", most: 130_000 },
    // the console is one script
    { path: "/docs/api/", most: 1_300_000 },
  ])("$path takes at most $most bytes and 20 requests, and stands still", async ({ path, most }) => {
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const sizes: number[] = [];
    session.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
    await session.send("Network.enable");
    await page.goto(`${service.address}${path}`, { waitUntil: "networkidle" });
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(sum), 200);
        }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(most);
    expect(sizes.length).toBeLessThanOrEqual(20);
    if (path !== "/docs/api/") expect(shift).toBeLessThan(0.05);
    await context.close();
  });

  const FOUND = [
    ["401 unauthorized", "/docs/guides/accounts"],
    ["api key", "/docs/guides/accounts"],
    ["backup", "/docs/operations#backup"],
    ["band names", "/docs/concepts/crosswalk"],
    ["cloud", "/docs/concepts/masks"],
    ["composite", "/docs/concepts/mosaics"],
    ["CQL2", "/docs/guides/filters"],
    ["credits", "/docs/guides/units"],
    ["delete my account", "/docs/http-api"],
    ["docker", "/docs/operations#deployments"],
    ["error 429", "/docs/errors/"],
    ["evalscript", "/docs/guides/maps"],
    ["GeoTIFF", "/docs/guides/curl"],
    ["harmonization offset", "/docs/concepts/harmonization"],
    ["kubernetes", "/docs/scale"],
    ["Landsat", "/docs/concepts/collections"],
    ["login", "/docs/guides/accounts"],
    ["MCP", "/docs/guides/mcp"],
    ["NDVI", "/docs/examples/ndvi-curve"],
    ["offset", "/docs/concepts/harmonization"],
    ["openCog", "/docs/reference/cog"],
    ["openEO", "/docs/guides/openeo"],
    ["own files", "/docs/guides/own-archive"],
    ["percentile", "/docs/guides/statistics"],
    ["QGIS", "/docs/guides/qgis"],
    ["R", "/docs/guides/r"],
    ["rate limit", "/docs/guides/units"],
    ["S3", "/docs/operations"],
    ["shapefile", "/docs/guides/statistics"],
    ["statistics", "/docs/guides/statistics"],
    ["time series", "/docs/guides/timeseries"],
    ["upgrade", "/docs/upgrading"],
    ["webhook", "/docs/guides/curl"],
    ["zoom-out-of-range", "/docs/errors/zoom-out-of-range"],
  ] as const;

  test("search finds what readers ask for among its first three results without a network, and they lead there", async () => {
    const { page, faults } = await visit("/docs");
    await page.keyboard.press("Control+k");
    const links = page.locator("a.result");
    for (const [words, expected] of FOUND) {
      await page.getByRole("searchbox").fill(words);
      const first = (): Promise<boolean> =>
        links.evaluateAll(
          (all, start) => all.slice(0, 3).some((a) => a.getAttribute("href")?.startsWith(start)),
          expected,
        );
      await expect.poll(first, { ...PATIENT, message: words }).toBe(true);
    }
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("zoom-out-of-range");
    await page.locator('a.result[href*="/errors/zoom-out-of-range"]').first().click();
    await page.getByRole("heading", { level: 1, name: "Zoom out of range" }).waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  /** All that examples on a page say. */
  const examples = (page: Page): Promise<string> =>
    page.locator(".vp-doc pre code").evaluateAll((all) => all.map(({ textContent }) => textContent).join("\n"));

  test("examples ask the server that gave the page, with the key that is typed, until it is taken away", async () => {
    const { page, faults } = await visit("/docs/guides/curl");
    await expect.poll(() => examples(page), PATIENT).toContain(`${service.address}/v1/search`);
    expect(await examples(page)).not.toContain("127.0.0.1:8080");
    expect(await examples(page)).toContain("X-API-Key: $KEY");
    await page.getByLabel("Your key").fill(KEY);
    await expect.poll(() => examples(page), PATIENT).toContain(`X-API-Key: ${KEY}`);
    expect(await examples(page)).not.toContain("$KEY");
    // the next page knows it, and so does the map page of the same tab
    await page.getByRole("link", { name: "MapLibre", exact: false }).first().click();
    await page.waitForURL("**/guides/maplibre");
    await expect.poll(() => examples(page), PATIENT).toContain(`const KEY = "${KEY}"`);
    expect(await page.evaluate(() => sessionStorage.getItem("swath-key"))).toBe(KEY);
    await page.getByLabel("Your key").fill("");
    await expect.poll(() => examples(page), PATIENT).toContain('const KEY = "your key"');
    expect(await page.evaluate(() => sessionStorage.getItem("swath-key"))).toBeNull();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("the key of the map page is in the examples already", async () => {
    const { page } = await visit("/docs/guides/curl", DESKTOP, KEY);
    await expect.poll(() => examples(page), PATIENT).toContain(`X-API-Key: ${KEY}`);
    await page.context().close();
  });

  test("a key that looks like markup or a pattern stays text", async () => {
    const { page, faults } = await visit("/docs/guides/curl");
    await page.getByLabel("Your key").fill("<img src=x onerror=alert(1)>$&");
    await expect.poll(() => examples(page), PATIENT).toContain("X-API-Key: <img src=x onerror=alert(1)>$&");
    expect(await page.locator(".vp-doc pre img").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test("a page that is not there says so and leads back", async () => {
    const { page } = await visit("/docs");
    const response = await page.goto(`${service.address}/docs/guides/none`);
    expect(response?.status()).toBe(404);
    await page.getByRole("link", { name: "First page" }).click();
    await page.waitForURL(`${service.address}/docs/`);
    await page.context().close();
  });
});
