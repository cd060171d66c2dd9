import "./provided.ts";
import type { BrowserContextOptions, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { PlainSite } from "./plain-site.ts";
import { KEY, type Service } from "./service.ts";
import { DESKTOP, drawn, HERE, JULY, PATIENT, tilesOf, useVisits } from "./visitor.ts";

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
    const context = await visits.browser().newContext({ ...DESKTOP, reducedMotion: "reduce", ...options });
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
    const own = requests.map((request) => new URL(request.url())).filter(({ origin, protocol }) => origin === site.url && protocol === "http:");
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
});
