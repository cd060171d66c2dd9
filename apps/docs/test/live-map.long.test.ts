import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { hasChromium, openBrowser } from "../../../test/tools/browser.ts";
import { type RunningService, startService } from "../scripts/content/service.ts";
import { faultsOf } from "./accessibility.ts";
import { buildSite } from "./built-site.ts";

const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
/** For what hangs: no test passes or fails by how long it took. */
const PATIENT = { timeout: 120_000 };
/** Words for the picture that stands on the page before anything is loaded. */
const PICTURE = "A landscape that Swath rendered, true colour on the left and NDVI on the right";

/** Makes a folder of state with the archive that tests share, as if it were made today: one that is a month old is made anew. */
async function folderWithArchive(shared: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-live-map-"));
  const archive = join(folder, "sandbox");
  await mkdir(archive);
  for (const name of await readdir(shared)) {
    if (name !== "archive.json") await symlink(join(shared, name), join(archive, name));
  }
  const facts = JSON.parse(await readFile(join(shared, "archive.json"), "utf8")) as object;
  const now = new Date().toISOString().slice(0, 10);
  await writeFile(join(archive, "archive.json"), JSON.stringify({ ...facts, now }));
  return folder;
}

describe.skipIf(!hasChromium)("the live map of the first page in Chromium", { timeout: 400_000 }, () => {
  let folder: string;
  let service: RunningService;
  let browser: Browser;
  beforeAll(async () => {
    await buildSite();
    folder = await folderWithArchive(inject("sandbox"));
    const variables = { SWATH_DATA_DIR: folder, SWATH_UPSTREAM_URL: "" };
    [service, browser] = await Promise.all([startService(variables), openBrowser()]);
  }, 900_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  interface Visit {
    readonly page: Page;
    /** Requests to the interface of the service, in order. */
    readonly asked: readonly Request[];
    readonly faults: readonly string[];
  }

  /** Opens the first page; `failing` is a pattern of requests that fail. */
  async function visit(options: BrowserContextOptions = DESKTOP, failing?: string): Promise<Visit> {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENT.timeout);
    if (failing !== undefined) await context.route(failing, (route) => route.fulfill({ status: 500 }));
    const page = await context.newPage();
    const asked: Request[] = [];
    const faults: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/v1")) asked.push(request);
    });
    page.on("pageerror", (error) => faults.push(error.message));
    await page.goto(`${service.address}/docs`);
    return { page, asked, faults };
  }
  const lineOf = (request: Request): string => `${request.method()} ${new URL(request.url()).pathname}`;
  const tilesOn = (asked: readonly Request[], date: string): readonly Request[] =>
    asked.filter((request) => request.url().endsWith(`@2x.webp?datetime=${date}`));
  const clip = (page: Page): Promise<string> =>
    page.locator(".live-layer.ndvi").evaluate((element) => getComputedStyle(element).clipPath);

  test("tiles of the server take the place of the picture for a guest, keys move the line, buttons change the day", async () => {
    const { page, asked, faults } = await visit();
    await page.getByRole("img", { name: "An invented valley on 20 Jul 2022" }).waitFor();
    const tile = (preset: string, x: number): string => `GET /v1/tiles/${preset}/WebMercatorQuad/13/${x}/2922@2x.webp`;
    const shown = [tile("true-color", 4374), tile("true-color", 4375), tile("ndvi", 4374), tile("ndvi", 4375)];
    expect(asked.map(lineOf)).toEqual(["GET /v1", tile("true-color", 4374), "POST /v1/guest", ...shown]);
    // what is finished needs no token
    const next = await visit();
    await next.page.getByRole("img", { name: "An invented valley on 20 Jul 2022" }).waitFor();
    expect(next.asked.map(lineOf)).toEqual(["GET /v1", ...shown]);
    await next.page.context().close();
    expect(await page.locator(".live-layer img").count()).toBe(4);
    const slider = page.getByRole("slider", { name: "Line between true colour and NDVI" });
    const middle = await clip(page);
    await slider.press("ArrowLeft");
    expect(await slider.getAttribute("aria-valuetext")).toBe("49 % of the width is true colour");
    expect(await clip(page)).not.toBe(middle);
    const box = await page.locator(".live-frame").boundingBox();
    const [x = 0, y = 0] = box === null ? [] : [box.x, box.y + box.height / 2];
    await page.mouse.move(x + (box?.width ?? 0) * 0.49, y);
    await page.mouse.down();
    await page.mouse.move(x + 1, y, { steps: 4 });
    await page.mouse.up();
    expect(await slider.inputValue()).toBe("0");

    await page.getByRole("button", { name: "Snow 26 Jan 2023", pressed: false }).click();
    await page.getByRole("button", { name: "Snow 26 Jan 2023", pressed: true }).waitFor();
    await page.getByRole("img", { name: "An invented valley on 26 Jan 2023" }).waitFor();
    expect(tilesOn(asked, "2023-01-26")).toHaveLength(4);
    const link = page.getByRole("link", { name: "Open the live map of this server" });
    expect(await link.getAttribute("href")).toMatch(/^\/explore#dates=2023-01-26\/2023-01-26&map=/);
    // what was seen is there
    await page.getByRole("button", { name: "Harvest 20 Jul 2022" }).click();
    await page.getByRole("img", { name: "An invented valley on 20 Jul 2022" }).waitFor();
    expect(tilesOn(asked, "2022-07-20")).toHaveLength(5);
    expect(asked.map(lineOf).filter((line) => line === "POST /v1/guest")).toHaveLength(1);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test.each([
    { ...DESKTOP, colorScheme: "light" },
    { ...PHONE, colorScheme: "dark" },
  ] as const)("$viewport.width pixels, $colorScheme: it fits, nothing moves, and axe finds no fault", async (look) => {
    const { page } = await visit(look);
    await page.locator(".live-frame").waitFor();
    const [width, shift] = await page.evaluate(
      () =>
        new Promise<[number, number]>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve([document.documentElement.scrollWidth, sum]), 200);
        }),
    );
    expect(width).toBe(look.viewport.width);
    expect(shift).toBeLessThan(0.01);
    expect(await faultsOf(page)).toEqual([]);
    await page.context().close();
  });

  test("the first page with its live map takes at most 400 kB and 30 requests", async () => {
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const ahead = new Set<string>();
    const sizes: number[] = [];
    session.on("Network.requestWillBeSent", ({ requestId, request }) => {
      if (/\.md\.[\w-]+(?:\.lean)?\.js$/.test(request.url)) ahead.add(requestId);
    });
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      if (!ahead.has(requestId)) sizes.push(encodedDataLength);
    });
    await session.send("Network.enable");
    await page.goto(`${service.address}/docs`);
    await page.locator(".live-frame").waitFor(PATIENT);
    await page.waitForLoadState("networkidle");
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000);
    expect(sizes.length).toBeLessThanOrEqual(30);
    await context.close();
  });

  test.each(["**/v1", "**/v1/tiles/**", "**/live-map.*.js"])(
    "where %s fails the picture remains, without a word",
    async (failing) => {
      const { page, faults } = await visit(DESKTOP, failing);
      await page.waitForLoadState("networkidle");
      expect(await page.locator(".hero-picture img").evaluateAll((all) => all.map((each) => each.outerHTML))).toEqual([
        expect.stringContaining(`alt="${PICTURE}"`),
      ]);
      expect(await page.locator(".hero-picture :is(button, input)").count()).toBe(0);
      expect(faults).toEqual([]);
      await page.context().close();
    },
  );

  test("nothing is asked of the service before the picture is in view", async () => {
    const { page, asked } = await visit({ viewport: { width: 1280, height: 90 } });
    await page.waitForLoadState("networkidle");
    expect(asked).toEqual([]);
    await page.locator(".hero-picture").scrollIntoViewIfNeeded();
    await page.locator(".live-frame").waitFor();
    await page.context().close();
  });
});
