import { readFileSync } from "node:fs";
import { join } from "node:path";
import "./provided.ts";
import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { isNightly } from "../../../test/tools/searches.ts";
import { faultsOf } from "./accessibility.ts";
import { meanOf } from "./colors.ts";
import { PlainSite } from "./plain-site.ts";
import { KEY, type Service } from "./service.ts";
import { CHEAP, DESKTOP, drawn, HERE, JULY, PATIENT, PHONE, tilesOf, useVisits } from "./visitor.ts";

const shoot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SHOTS !== undefined) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
};
const tilesIn = (requests: readonly Request[], from: number): string[] =>
  requests.slice(from).flatMap((request) => (/\/tiles\/.*\d\.webp/.test(request.url()) ? request.url() : []));
/** Outside the nightly run the swipe is looked at in the first, the curve in the second. */
const SCHEMES = ["light", "dark"] as const;
const VIEW = `${JULY}&${HERE}`;

describe.skipIf(!hasChromium)("the map page and its parts on other sites", { timeout: 400_000 }, () => {
  const visits = useVisits();
  const site = new PlainSite();
  let service: Service;
  /** Its website is another one than ours. */
  let second: Service;
  beforeAll(async () => {
    [service, second] = await Promise.all([
      visits.serve(),
      visits.serve({ SWATH_SITE_ORIGINS: "https://website.example" }),
    ]);
    await site.open();
  }, 600_000);
  afterAll(() => site.close());

  /** Opens a window that ends with the test, which has to end without faults of the page. */
  const open = async (options: BrowserContextOptions = {}): Promise<{ page: Page; requests: Request[] }> => {
    const context = await visits.browser().newContext({ ...DESKTOP, ...CHEAP, ...options });
    context.setDefaultTimeout(PATIENT.timeout);
    const page = await context.newPage();
    const requests: Request[] = [];
    const faults: string[] = [];
    page.on("request", (request) => requests.push(request));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      // a rule that a page cannot have in its text is left to its host
      if (/Content Security Policy/.test(message.text())) faults.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      expect(faults).toEqual([]);
    });
    return { page, requests };
  };

  test("the folder of a plain host, below a path, draws the map of a service that its address names", async () => {
    const { page, requests } = await open();
    await page.goto(`${site.page(`api=${service.url}`)}#key=${KEY}&${VIEW}`);
    await drawn(page);
    const tiles = tilesOf(requests);
    expect([...new Set(tiles.map(({ origin }) => origin))]).toEqual([service.url]);
    const answers = await Promise.all(
      requests.filter((request) => request.url().includes("/v1/tiles/")).map((request) => request.response()),
    );
    expect([...new Set(answers.map((answer) => answer?.status()))]).toEqual([200]);
    expect(page.url()).not.toContain("key=");
    expect(await page.getByRole("link", { name: "Account" }).getAttribute("href")).toBe(`${service.url}/account`);
    // of its own host it takes its own files alone
    const own = requests
      .map((request) => new URL(request.url()))
      .filter(({ origin, protocol }) => origin === site.url && protocol === "http:");
    expect(own.filter(({ pathname }) => !pathname.startsWith("/some/where/"))).toEqual([]);
  });

  test("a key that was given to one service is not sent to another, and the dialog says whose key it wants", async () => {
    const { page, requests } = await open();
    await page.goto(`${site.page(`api=${service.url}`)}#key=${KEY}&${VIEW}`);
    await drawn(page);
    const from = requests.length;
    await page.goto(`${site.page(`api=${second.url}`)}#${VIEW}&tab=analysis`);
    const dialog = page.getByRole("dialog", { name: "Your API key" });
    await dialog.getByText(new URL(second.url).host).waitFor();
    const sent = requests.slice(from).filter((request) => request.url().startsWith(second.url));
    expect(sent.length).toBeGreaterThan(0);
    for (const request of sent) expect(JSON.stringify(await request.allHeaders())).not.toContain(KEY);
    await page.goto(`${site.page(`api=${service.url}/`)}#${VIEW}`);
    await drawn(page);
    const [tile] = requests.slice(from).filter((request) => request.url().startsWith(`${service.url}/v1/tiles/`));
    expect(await tile?.headerValue("X-API-Key")).toBe(KEY);
  });

  test("a service that has no guests on this site says so, and the map says what it needs", async () => {
    const { page } = await open();
    await page.goto(`${site.page(`api=${second.url}`)}#dates=2024-06-03/2024-06-19&map=10/45.55/13.77`);
    const dialog = page.getByRole("dialog", { name: "Your API key" });
    await dialog.getByText("shows its images to guests on its own pages").waitFor();
    await dialog.getByRole("button", { name: "Not now" }).click();
    await page.locator(".notice").getByText("A key is needed").waitFor();
    await shoot(page, "refused");
  });

  test.each([
    ["", "add ?api=https://maps.example/ to it"],
    ["api=http://maps.example/", "“http://maps.example/” is not taken"],
    ["api=javascript:alert(1)", "“javascript:alert(1)” is not taken"],
    ["api=https://somebody:secret@maps.example/", "is not taken"],
  ])("?%s is refused in words", async (query, words) => {
    const { page, requests } = await open();
    await page.goto(site.page(query));
    await page.getByRole("alert").getByText(words).waitFor();
    expect(requests.filter((request) => !request.url().startsWith(site.url))).toEqual([]);
  });

  test("the page of a service does not read ?api=", async () => {
    const { page, requests } = await open();
    await page.goto(`${service.url}/explore?api=${second.url}#key=${KEY}&${VIEW}`);
    await drawn(page);
    expect(requests.filter((request) => request.url().startsWith(second.url))).toEqual([]);
  });

  /** The code of an element in the guide, for this service. */
  const fromGuide = (element: string, token = "TOKEN"): string => {
    const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/explorer.md"), "utf8");
    const blocks = [...guide.matchAll(/```html\n(.*?)```/gs)].map(([, code = ""]) => code);
    const code = blocks.find((block) => block.includes(`<${element}`)) ?? "";
    expect(code.trim().split("\n")).toHaveLength(5);
    return code.replaceAll("https://maps.example", service.url).replace("TOKEN", token);
  };
  const pageWith = (name: string, code: string): string =>
    site.add(
      name,
      `<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>button { color: red }</style><main><h1>A page</h1>${code}</main></html>`,
    );
  const makeToken = async (): Promise<string> => {
    const answer = await fetch(`${service.url}/v1/maps`, {
      method: "POST",
      headers: { "X-API-Key": KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "A page", presets: ["true-color", "ndvi"], unitsPerDay: 10_000, expiresInDays: 1 }),
    });
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { token: string }).token;
  };
  const swipeDrawn = async (page: Page, second = "second-1"): Promise<void> => {
    await page.locator("swath-swipe .map[data-drawn]").waitFor();
    await page.locator(`swath-swipe .second-map[data-drawn="${second}"]`).waitFor();
  };

  test.each(isNightly ? SCHEMES : SCHEMES.slice(0, 1))(
    "five lines put a swipe of two images into a page, %s",
    async (colorScheme) => {
      const { page, requests } = await open({ colorScheme });
      await page.goto(pageWith("swipe.html", fromGuide("swath-swipe", await makeToken())));
      await swipeDrawn(page);
      const part = page.locator("swath-swipe");
      await page.getByRole("group", { name: "The valley before and in the flood" }).waitFor();
      await shoot(page, `swipe-${colorScheme}`);
      const name = (side: string): Promise<string | null> => part.locator(`.swipe-name.${side}`).textContent();
      expect([await name("left"), await name("right")]).toEqual([
        expect.stringContaining("2023-05-06"),
        expect.stringContaining("2023-05-16"),
      ]);
      expect(await part.locator(".credit").textContent()).toMatch(/^Synthetic images .* Land: Natural Earth$/);
      // the flood is right of the border, and wherever the border is moved
      const water = { x: 0.55, y: 0.5, size: 10 };
      const before = await meanOf(page, await part.screenshot(), water);
      const border = part.getByRole("slider", { name: "Border between the images" });
      await border.press("End");
      await expect.poll(() => border.getAttribute("aria-valuetext")).toMatch(/^100 %/);
      expect(await meanOf(page, await part.screenshot(), water)).not.toEqual(
        before.map((value) => expect.closeTo(value, -0.5)),
      );
      expect(await faultsOf(page)).toEqual([]);
      // the page has no other styles than its own
      expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
      for (const request of requests) expect(await request.headerValue("X-API-Key")).toBeNull();
    },
  );

  test("a swipe follows its attributes, is taken away and put back, and says what it lacks", async () => {
    const { page, requests } = await open();
    await page.goto(pageWith("swipe.html", fromGuide("swath-swipe", await makeToken())));
    await swipeDrawn(page);
    const part = page.locator("swath-swipe");
    const canvases = (): Promise<number> => part.locator("canvas").count();
    expect(await canvases()).toBe(2);
    const from = requests.length;
    await part.evaluate((element) => element.setAttribute("preset", "ndvi"));
    await swipeDrawn(page, "second-2");
    expect(tilesIn(requests, from).every((url) => url.includes("/tiles/ndvi/"))).toBe(true);
    await part.evaluate((element) => {
      const { parentNode } = element;
      element.remove();
      (globalThis as { kept?: unknown }).kept = [element, parentNode];
    });
    const left = (): Promise<number> =>
      page.evaluate(() => {
        const [element] = (globalThis as unknown as { kept: [Element] }).kept;
        return element.shadowRoot?.querySelectorAll("canvas").length ?? -1;
      });
    await expect.poll(left).toBe(0);
    await page.evaluate(() => {
      const [element, parent] = (globalThis as unknown as { kept: [Element, Element] }).kept;
      parent.append(element);
    });
    await swipeDrawn(page);
    expect(await canvases()).toBe(2);
    await part.evaluate((element) => element.setAttribute("left", "yesterday"));
    await part.getByText("left: expected a day").waitFor();
    await part.evaluate((element) => {
      element.setAttribute("left", "2023-05-06");
      element.setAttribute("map", element.getAttribute("map")?.replace(/[^/]+$/, "ended") ?? "");
    });
    await part.getByRole("alert").getByText("401").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  /** The field of the guide, in the year of its maize. */
  const FIELD = "lon=12.2826&lat=45.7587&index=ndvi&datetime=2023-03-01/2023-10-31";
  const saveCurve = async (): Promise<void> => {
    const answer = await fetch(`${service.url}/v1/timeseries?${FIELD}`, { headers: { "X-API-Key": KEY } });
    expect(answer.status).toBe(200);
    site.add("curve.json", await answer.text());
  };

  test.each(isNightly ? SCHEMES : SCHEMES.slice(1))("five lines put a curve into a page, %s", async (colorScheme) => {
    await saveCurve();
    const { page, requests } = await open({ colorScheme });
    await page.goto(pageWith("curve.html", fromGuide("swath-curve")));
    const part = page.locator("swath-curve");
    const chart = part.getByRole("application");
    await chart.waitFor();
    await page.getByText("A field of maize: NDVI, no unit").waitFor();
    await chart.hover({ position: { x: 400, y: 80 } });
    await expect.poll(() => part.locator(".tip").textContent()).toMatch(/^(Masked|-?0\.\d+).*2023/);
    await shoot(page, `curve-${colorScheme}`);
    // from mark to mark by keys: masked ones are told as such
    await chart.focus();
    const said: string[] = [];
    for (let i = 0; i < 40; i++) {
      await chart.press("ArrowRight");
      said.push((await part.getByRole("status").textContent()) ?? "");
    }
    expect(said.filter((text) => /, 0\.\d+/.test(text)).length).toBeGreaterThan(3);
    expect(said.filter((text) => text.includes("masked, no value")).length).toBeGreaterThan(0);
    const toggle = part.getByRole("button", { name: /Sentinel-2A/ });
    await toggle.click();
    expect(await toggle.getAttribute("aria-pressed")).toBe("false");
    expect(await faultsOf(page)).toEqual([]);
    expect(await page.evaluate(() => document.styleSheets.length)).toBe(1);
    expect(requests.filter((request) => request.url().includes("maplibre"))).toEqual([]);
  });

  test("a curve asks the service with the page's key, follows its attributes, and says what it lacks", async () => {
    const { page, requests } = await open();
    const code = `<script type="module" src="${service.url}/explore/embed.js"></script>
      <swath-curve api="${service.url}" lon="12.2826" lat="45.7587" dates="2023-05-01/2023-07-31" index="ndvi"></swath-curve>`;
    await page.goto(pageWith("asks.html", code));
    const part = page.locator("swath-curve");
    await part.getByRole("alert").getByText("401").waitFor();
    await part.evaluate((element, key) => Object.assign(element, { credential: { key } }), KEY);
    await part.getByRole("application").waitFor();
    expect(await part.evaluate((element) => element.outerHTML)).not.toContain(KEY);
    await part.evaluate((element) => element.setAttribute("index", "ndwi"));
    await part.getByText("Curve: NDWI, no unit").waitFor();
    await part.evaluate((element) => {
      const parent = element.parentNode;
      element.remove();
      parent?.append(element);
    });
    await part.getByRole("application").waitFor();
    // a file is of any host: it gets no key
    await saveCurve();
    const from = requests.length;
    await part.evaluate((element) => element.setAttribute("src", "/curve.json"));
    await part.getByText("Curve: NDVI, no unit").waitFor();
    const [file] = requests.slice(from);
    expect([file?.url(), await file?.headerValue("X-API-Key")]).toEqual([`${site.url}/curve.json`, null]);
    site.add("other.json", "{}");
    await part.evaluate((element) => element.setAttribute("src", "/other.json"));
    await part.getByRole("alert").getByText("This is no curve").waitFor();
    await part.evaluate((element) => element.setAttribute("src", "/none.json"));
    await part.getByRole("alert").getByText("The service answered 404").waitFor();
    await part.evaluate((element) => {
      element.removeAttribute("src");
      element.setAttribute("lat", "north");
    });
    await part.getByText("lat: expected a number from -90 to 90.").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  test("the module of the static folder is the same, and a second one on a page does no harm", async () => {
    await saveCurve();
    const { page } = await open();
    const twice = `<script type="module" src="/some/where/embed.js"></script>${fromGuide("swath-curve")}`;
    await page.goto(pageWith("twice.html", twice));
    await page.locator("swath-curve").getByRole("application").waitFor();
  });

  test("five lines each put a swipe and a curve into a page of another origin, on a phone too", async () => {
    await saveCurve();
    const { page } = await open(PHONE);
    const both = `${fromGuide("swath-swipe", await makeToken())}${fromGuide("swath-curve")}`;
    await page.goto(pageWith("both.html", both));
    await swipeDrawn(page);
    await page.locator("swath-curve").scrollIntoViewIfNeeded();
    await page.locator("swath-curve").getByRole("application").waitFor();
    await shoot(page, "both-phone");
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overhang).toBeLessThanOrEqual(0);
    expect(await faultsOf(page)).toEqual([]);
  });
});
