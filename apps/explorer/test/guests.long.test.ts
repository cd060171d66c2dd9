import "./provided.ts";
import type { Locator, Page, Request } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { REST_MS } from "../src/values/rest.ts";
import { faultsOf, smallTargets } from "./accessibility.ts";
import { KEY, type Service } from "./service.ts";
import { drawn, HERE, JULY, PHONE, timersRun, useVisits, type Visit, type VisitOptions } from "./visitor.ts";

const requestsOf = ({ requests }: Visit, part: string): Request[] =>
  requests.filter((request) => new URL(request.url()).pathname.startsWith(part));

describe.skipIf(!hasChromium)("the explorer without a key, in Chromium", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Service;
  /** Without accounts, and so without guests. */
  let keysOnly: Service;
  beforeAll(async () => {
    [service, keysOnly] = await Promise.all([visits.serve(), visits.serve({ SWATH_ACCOUNTS: "off" })]);
  }, 600_000);

  const enter = (at: Service, options: VisitOptions = {}): Promise<Visit> =>
    visits.enter(at, { key: null, ...options });
  const scenes = (page: Page): Locator => page.locator("ol.scenes button.scene");
  const guestToken = (page: Page): Promise<string> =>
    page.evaluate(() => (JSON.parse(sessionStorage.getItem("swath-guest") ?? "{}") as { token: string }).token);

  test("a guest token draws the map at once, and serves for tiles and previews alone", { tags: ["AC23"] }, async () => {
    const visited = await enter(service);
    const { page, requests } = visited;
    await drawn(page);
    await page.locator(".thumb img[src]").first().waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    const token = await guestToken(page);
    const answers = await Promise.all(requestsOf(visited, "/v1/tiles/").map((request) => request.response()));
    expect([...new Set(answers.map((answer) => answer?.status()))]).toEqual([200]);
    const sentWith = async (part: string): Promise<unknown[]> => [
      ...new Set(await Promise.all(requestsOf(visited, part).map((request) => request.headerValue("Authorization")))),
    ];
    expect(await sentWith("/v1/tiles/")).toEqual([`Bearer ${token}`]);
    for (const part of ["/v1/search", "/v1/presets", "/explore"])
      expect([part, await sentWith(part)]).toEqual([part, [null]]);
    await page.reload();
    await drawn(page);
    expect(requestsOf(visited, "/v1/guest")).toHaveLength(1);
    expect(requests.filter((request) => request.url().includes(token))).toEqual([]);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    expect(await page.getByRole("link", { name: "Account" }).getAttribute("href")).toBe("/account");
  });

  test("a token that the service does not know is replaced without a word", async () => {
    const visited = await enter(service);
    const { page } = visited;
    // the page has its token, and asks for none while it is replaced
    await drawn(page);
    await page.evaluate((expires) => {
      sessionStorage.setItem("swath-guest", JSON.stringify({ token: "unknown", expires, isSpent: false }));
    }, Date.now() + 3_000_000);
    await page.reload();
    await drawn(page);
    const tiles = requestsOf(visited, "/v1/tiles/");
    const sent = await Promise.all(tiles.map((request) => request.headerValue("Authorization")));
    expect(sent).toContain("Bearer unknown");
    expect(await guestToken(page)).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await page.locator(".notice").isVisible()).toBe(false);
  });

  test("values and extractions prompt for a key when they are asked for, not before", { tags: ["AC23"] }, async () => {
    const visited = await enter(service, { hash: `${JULY}&${HERE}&tab=values` });
    const { page } = visited;
    // code that reads pixels, which comes with the first reading
    const readers = (): Request[] => requestsOf(visited, "/explore/assets/pixels");
    await drawn(page);
    const box = await page.locator("#map").boundingBox();
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
    await timersRun(page, REST_MS);
    expect(readers()).toEqual([]);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Read the centre" }).click();
    const dialog = page.getByRole("dialog", { name: "Your API key" });
    await dialog.waitFor();
    expect(readers()).toHaveLength(1);
    expect(await dialog.getByRole("link", { name: "Make one" }).getAttribute("href")).toBe("/account");
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    await page.keyboard.press("Escape");
    await page.locator(".problem").getByText("A key is needed").waitFor();
    await page.getByRole("button", { name: "Read the centre" }).click();
    await dialog.getByLabel("Key", { exact: true }).fill(KEY);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.locator("[data-value=ndvi]").waitFor();
    expect(await page.getByRole("button", { name: "Change key" }).count()).toBe(1);
  });

  test.each([
    ["desktop", {}],
    ["phone", PHONE],
  ])(
    "%s: when the guest's units are spent the page prompts once, and goes on with a key",
    { tags: ["AC23"] },
    async (_, look) => {
      const visited = await enter(service, { ...look });
      const { page } = visited;
      await drawn(page);
      const token = await guestToken(page);
      // a guest has 100 units, some 400 tiles: the service's answer after that, without drawing them
      await page.route("**/v1/tiles/**", async (route) => {
        if ((await route.request().headerValue("Authorization")) !== `Bearer ${token}`) return route.fallback();
        const problem = {
          type: "about:blank",
          title: "Quota exhausted",
          status: 429,
          code: "quota-exhausted",
          retryAfter: 3600,
        };
        return route.fulfill({ status: 429, contentType: "application/problem+json", json: problem });
      });
      await page.getByRole("radio", { name: "NDVI" }).check();
      const dialog = page.getByRole("dialog", { name: "Your API key" });
      await dialog.getByRole("alert").filter({ hasText: "give your key" }).waitFor();
      await dialog.getByRole("button", { name: "Not now" }).click();
      await page.locator(".notice").getByText("A key is needed").waitFor();
      expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
      await page.getByRole("radio", { name: "False colour" }).check();
      // the map stands still: all tiles have been answered or refused, and no dialog keeps one waiting
      await drawn(page);
      expect(requestsOf(visited, "/v1/tiles/false-color/").length).toBeGreaterThan(0);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(requestsOf(visited, "/v1/guest")).toHaveLength(1);
      await page.locator(".notice").getByRole("button", { name: "Use a key" }).click();
      await dialog.getByLabel("Key", { exact: true }).fill(KEY);
      const drawnWithKey = page.waitForResponse(
        async (response) =>
          response.url().includes("/v1/tiles/false-color/") &&
          (await response.request().headerValue("X-API-Key")) === KEY,
      );
      await page.keyboard.press("Enter");
      expect((await drawnWithKey).status()).toBe(200);
      await drawn(page);
      expect(await page.locator(".notice").isVisible()).toBe(false);
    },
  );

  test("without guests the key is requested once, kept in the session, and sent in a header only", {
    tags: ["AC23"],
  }, async () => {
    const visited = await enter(keysOnly, { key: null, waits: false });
    const { page, requests } = visited;
    const dialog = page.getByRole("dialog", { name: "Your API key" });
    await dialog.waitFor();
    expect(requests.filter((request) => /search|tiles/.test(request.url()))).toEqual([]);
    await dialog.getByLabel("Key", { exact: true }).fill("wrong");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("alert").filter({ hasText: "unknown or disabled" }).waitFor();
    await dialog.getByLabel("Key", { exact: true }).fill(KEY);
    await page.keyboard.press("Enter");
    await scenes(page).first().waitFor();
    await drawn(page);
    await page.reload();
    await scenes(page).first().waitFor();
    expect(await dialog.count()).toBe(0);
    expect(requests.filter((request) => request.url().includes(KEY))).toEqual([]);
    expect(page.url()).not.toContain(KEY);
    expect(
      await page.evaluate(() => [localStorage.length, document.cookie, sessionStorage.getItem("swath-key")]),
    ).toEqual([0, "", KEY]);
    expect(requests.filter((request) => request.url().endsWith("/v1/guest"))).toEqual([]);
    expect(await page.getByRole("link", { name: "Account" }).count()).toBe(0);
    expect((await fetch(`${keysOnly.url}/account`)).status).toBe(404);
    const search = requests.findLast((request) => request.url().endsWith("/v1/search"));
    expect(await search?.headerValue("X-API-Key")).toBe(KEY);
    const files = requests.filter((request) => request.url().includes("/explore"));
    expect(await Promise.all(files.map((request) => request.headerValue("X-API-Key")))).toEqual(files.map(() => null));
  });
});
