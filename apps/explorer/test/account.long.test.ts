import "./provided.ts";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { hasChromium, openBrowser } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { mailedLink, mailsOf } from "./mailbox.ts";
import { buildPage, type Service, startService } from "./service.ts";
import { DESKTOP, drawn, HERE, JULY, PATIENT } from "./visitor.ts";

const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png?datetime=2024-07-01/2024-07-31";

interface Opened {
  readonly page: Page;
  /** Addresses and posted texts of all requests. */
  readonly sent: string[];
  readonly faults: string[];
}

interface DayOfUse {
  readonly day: string;
  readonly units: number;
  readonly requests: number;
}

/** The answer of `GET /v1/usage` for an account of the free tier. */
function usageOf(month: string, spent: number, days: readonly DayOfUse[]): unknown {
  const limit = 10_000;
  const part = (share: number): { units: number; requests: number } => ({
    units: spent * share,
    requests: Math.round(spent * share * 4),
  });
  return {
    tier: "free",
    period: { from: `${month}-01T00:00:00.000Z`, to: "2100-01-01T00:00:00.000Z" },
    units: {
      limit,
      spent,
      remaining: Math.max(0, limit - spent),
      restricted: spent >= limit,
      restrictedRemaining: Math.min(5000, limit + 5000 - spent),
    },
    requests: { total: 4 * spent, perMinute: 600 },
    byDay: days.map(({ day, ...counts }) => ({ date: `${month}-${day}`, ...counts })),
    byRoute:
      spent === 0
        ? []
        : [
            { route: "getSearch", ...part(0.1) },
            { route: "getTile", ...part(0.8) },
            { route: "postSearch", ...part(0.1) },
          ],
    keys:
      spent === 0
        ? []
        : [
            { id: "session", prefix: null, ...part(0.2) },
            { id: "0123456789abcdef01234567", prefix: "swath_Ab", ...part(0.8) },
          ],
    links: [],
  };
}

describe.skipIf(!hasChromium)("the account page in Chromium", { timeout: 400_000 }, () => {
  let service: Service;
  let browser: Browser;
  let opened: Opened | undefined;
  /** Visits come from addresses of their own: one address may sign up and make keys twenty times in ten minutes. */
  let visits = 0;

  beforeAll(async () => {
    await buildPage();
    [service, browser] = await Promise.all([
      startService(inject("sandbox"), { SWATH_TRUST_PROXY: "1" }),
      openBrowser(),
    ]);
  }, 600_000);
  afterEach(async () => {
    const faults = opened?.faults ?? [];
    await opened?.page.context().close();
    opened = undefined;
    expect(faults).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = async (path = "/account", options: BrowserContextOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({
      ...DESKTOP,
      extraHTTPHeaders: { "X-Forwarded-For": `192.0.2.${++visits}` },
      permissions: ["clipboard-read", "clipboard-write"],
      ...options,
    });
    context.setDefaultTimeout(PATIENT.timeout);
    const page = await context.newPage();
    const [sent, faults]: [string[], string[]] = [[], []];
    page.on("request", (request) => sent.push(request.url()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security Policy|Trusted|Uncaught/.test(message.text()))
        faults.push(message.text());
    });
    opened = { page, sent, faults };
    await page.goto(new URL(path, service.url).href);
    return opened;
  };
  /** Has a link mailed by the form, and gives it. */
  const requestLink = async (page: Page, email: string): Promise<string> => {
    const seen = (await mailsOf(service.dataDirectory)).length;
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Mail me a link" }).click();
    await page.getByRole("heading", { name: "Open the mail" }).waitFor();
    return mailedLink(service.dataDirectory, seen);
  };
  /** Opens a mailed link, and says that it shall sign in. */
  const follow = async (page: Page, link: string): Promise<void> => {
    await page.goto(link);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const signIn = async (email: string, options: BrowserContextOptions = {}): Promise<Opened> => {
    const visit = await open("/account", options);
    await follow(visit.page, await requestLink(visit.page, email));
    await visit.page.getByRole("heading", { name: "Your account" }).waitFor({ state: "attached" });
    await visit.page.getByText(/of \d in use/).waitFor();
    return visit;
  };
  const makeKey = async (page: Page, name: string): Promise<string> => {
    await page.getByText("New key", { exact: true }).click();
    await page.getByLabel("Name, to know it by").fill(name);
    await page.getByRole("button", { name: "Make the key" }).click();
    return (await page.locator("#new-secret").textContent()) ?? "";
  };
  const statusWith = async (key: string, path = "/v1/search?limit=1"): Promise<number> =>
    (await fetch(new URL(path, service.url), { headers: { "X-API-Key": key } })).status;
  const session = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem("swath-session"));

  test("a map is made, its address copied once, shown without a key, and ended", { tags: ["MT1", "MT2"] }, async () => {
    const { page } = await signIn("mia@example.org");
    await page.getByText("0 of 20 in use").waitFor();
    await page.getByText("New map", { exact: true }).click();
    await page.getByLabel("Name of the map").fill("Fields");
    await page.getByLabel("Shows").selectOption({ label: "NDVI" });
    await page.getByLabel("Units a day at most").fill("50");
    await page.getByLabel("Only on pages of").fill("https://fields.example/page");
    await page.getByRole("button", { name: "Make the map" }).click();
    const template = (await page.locator("#new-map-tiles").textContent()) ?? "";
    expect(template).toMatch(/\/v1\/m\/\w{40}\/tiles\/ndvi\/WebMercatorQuad\/\{z\}\/\{x\}\/\{y\}\.png$/);
    await page
      .getByRole("group", { name: /Fields/ })
      .getByRole("button", { name: "Copy" })
      .first()
      .click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText()), PATIENT).toBe(template);
    await page.getByRole("button", { name: "I have kept them" }).click();
    expect(await page.content()).not.toContain(template);
    const entry = page.getByRole("list", { name: "Maps", exact: true }).getByRole("listitem");
    await expect
      .poll(() => entry.textContent(), PATIENT)
      .toContain("ndvi · on https://fields.example · 50 units a day");
    const tile = template.replace("{z}/{x}/{y}", "9/275/182");
    expect((await fetch(tile)).status).toBe(200);
    await page.getByRole("button", { name: "End Fields" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
    await page.getByText("Ended maps (1)").waitFor();
    await expect.poll(async () => (await fetch(tile)).status, PATIENT).toBe(401);
  });

  test("a mailed link signs in; a key is made, used, counted and revoked; the account is deleted", {
    tags: ["AC21"],
  }, async () => {
    const { page, sent } = await open();
    const link = await requestLink(page, "ann@example.org");
    expect(await page.getByText("This server has no mail server").textContent()).toContain("outbox");
    const token = new URL(link).hash.slice("#token=".length);
    await page.goto(link);
    // a link signs nobody in before its owner confirms it
    await page.getByRole("heading", { name: "Sign in with this link?" }).waitFor();
    expect(await session(page)).toBeNull();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("0 of 2 in use").waitFor();
    expect(await page.locator(".email").textContent()).toBe("ann@example.org");
    // the token is neither in the address, nor in the tab's history, nor was it sent in an address
    expect(page.url()).toBe(`${service.url}/account`);
    await page.goBack();
    await page.goForward();
    expect(page.url()).not.toContain(token);
    expect(sent.filter((url) => url.includes(token) || !url.startsWith(service.url))).toEqual([]);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);

    const secret = await makeKey(page, "Laptop");
    expect(secret).toMatch(/^swath_[A-Za-z0-9]{40}$/);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.getByRole("button", { name: "I have kept it" }).click();
    expect(await page.content()).not.toContain(secret);
    const entry = page.getByRole("list", { name: "Keys", exact: true }).getByRole("listitem");
    expect(await entry.textContent()).toContain(`Laptop${secret.slice(0, 8)}…data`);
    await page.reload();
    await page.getByText("1 of 2 in use").waitFor();
    expect(await page.content()).not.toContain(secret);

    expect(await statusWith(secret, TILE)).toBe(200);
    await expect
      .poll(
        async () => {
          await page.getByRole("button", { name: "Refresh" }).click();
          return page.getByRole("table", { name: "By key" }).getByRole("row").allTextContents();
        },
        // a click each second: more of them would meet the limit of requests before the units are counted
        { ...PATIENT, interval: 1000 },
      )
      .toEqual([
        "KeyRequestsUnits",
        `Laptop ${secret.slice(0, 8)}…10.25`,
        expect.stringMatching(/^Signed in at this website\d+0$/),
      ]);
    expect(await page.getByRole("table", { name: "By route" }).getByRole("row").allTextContents()).toEqual([
      "RouteRequestsUnits",
      "Map tiles10.25",
      expect.stringMatching(/^Others, free of charge\d+0$/),
    ]);
    expect(await page.locator("#units-spent").textContent()).toBe("0.25");
    expect(
      await page
        .getByRole("img", { name: /Units by day.*most, 0\.25 units/ })
        .locator("rect")
        .count(),
    ).toBe(1);

    await page.getByRole("button", { name: "Revoke Laptop" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("0 of 2 in use").waitFor();
    await expect.poll(() => statusWith(secret), PATIENT).toBe(401);

    const held = await session(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out.").waitFor();
    expect(await session(page)).toBeNull();
    const ended = await fetch(`${service.url}/v1/account`, { headers: { Authorization: `Bearer ${held}` } });
    expect(ended.status).toBe(401);

    await follow(page, await requestLink(page, "ann@example.org"));
    await page.getByText("Ended keys (1)").waitFor();
    await page.getByRole("button", { name: "Delete the account" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(/Type ann@example.org/).fill("ann@example.or");
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByLabel(/Type ann@example.org/).fill("ann@example.org");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("The account is deleted.").waitFor();
    expect(await session(page)).toBeNull();
    // a user who signs up again has another account
    await follow(page, await requestLink(page, "ann@example.org"));
    await page.getByText("0 of 2 in use").waitFor();
    expect(await page.getByText(/Ended keys/).isVisible()).toBe(false);
  });

  test("a link is good once; its tab keeps the session through a reload, and another tab has none", {
    tags: ["AC21"],
  }, async () => {
    const { page } = await open();
    const link = await requestLink(page, "bob@example.org");
    await follow(page, link);
    await page.getByText("0 of 2 in use").waitFor();
    await page.reload();
    await page.getByText("0 of 2 in use").waitFor();
    const other = await page.context().newPage();
    await follow(other, link);
    await other.getByText("The link is unknown, used or expired").waitFor();
    expect(other.url()).toBe(`${service.url}/account`);
    expect(await session(other)).toBeNull();
    expect(await other.getByLabel("E-mail address").count()).toBe(1);
  });

  test("a session that ended elsewhere leads to the form, and the page keeps nothing of the account", {
    tags: ["AC21"],
  }, async () => {
    const { page } = await signIn("cara@example.org");
    const token = await session(page);
    await fetch(`${service.url}/v1/account/session`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${token}` },
    });
    await page.getByText("New key", { exact: true }).click();
    await page.getByLabel("Name, to know it by").fill("Late");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("Your session has ended.").waitFor();
    expect(await session(page)).toBeNull();
    expect(await page.content()).not.toContain("cara@example.org");
  });

  test("of a tier with room for fewer keys than there are the page says so, and keeps them", {
    tags: ["AC9"],
  }, async () => {
    const { page } = await signIn("fay@example.org");
    for (const name of ["One", "Two"]) {
      await makeKey(page, name);
      await page.getByRole("button", { name: "I have kept it" }).click();
    }
    await page.getByText("2 of 2 in use").waitFor();
    expect(await page.getByText(/Your tier has room for/).isVisible()).toBe(false);
    await page.route("**/v1/account", async (route) => {
      const answer = await route.fetch();
      const account = await answer.json();
      await route.fulfill({ response: answer, json: { ...account, limits: { ...account.limits, keys: 1 } } });
    });
    await page.reload();
    await page.getByText("2 of 1 in use").waitFor();
    expect(await page.getByText("Your tier has room for 1 key. Those that you have stay").isVisible()).toBe(true);
    expect(await page.getByRole("list", { name: "Keys", exact: true }).getByRole("listitem").count()).toBe(2);
  });

  test("the name is changed, and a third key is refused with the limit", { tags: ["AC21"] }, async () => {
    const { page } = await signIn("dan@example.org");
    await page.getByLabel("Name", { exact: true }).fill("Dan <b>");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.reload();
    await page.getByText("0 of 2 in use").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Dan <b>");
    for (const name of ["One", "Two"]) {
      await makeKey(page, name);
      await page.getByRole("button", { name: "I have kept it" }).click();
    }
    await page.getByText("New key", { exact: true }).click();
    await page.getByLabel("Name, to know it by").fill("Three");
    await page.getByRole("button", { name: "Make the key" }).click();
    await page.getByText("key-limit").waitFor();
    // the session serves the explorer too: no dialog, and tiles with its token
    const request = page.waitForRequest((each) => each.url().includes("/v1/tiles/"));
    await page.getByRole("link", { name: "Explorer" }).click();
    expect(await (await request).headerValue("Authorization")).toBe(`Bearer ${await session(page)}`);
    // the free tier allows two requests at a time: the page finds out, and loads every tile all the same
    const tiles: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/v1/tiles/") && response.ok()) tiles.push(response.status());
    });
    await page.goto(`${service.url}/explore#${JULY}&${HERE}&preset=ndvi`);
    await page.reload();
    await drawn(page);
    expect(tiles.length).toBeGreaterThan(6);
    expect(await page.locator(".notice").isVisible()).toBe(false);
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test.each([
    { spent: 0, days: [], bars: 0, says: "No units were spent in this month.", top: "0.1", pace: false },
    {
      spent: 12.5,
      days: [
        { day: "02", units: 12, requests: 48 },
        { day: "03", units: 0.5, requests: 2 },
      ],
      bars: 2,
      says: "9,987.5 units left.",
      top: "12",
      pace: false,
    },
    {
      spent: 10_400,
      days: [{ day: "05", units: 10_400, requests: 41_600 }],
      bars: 1,
      says: "Until it ends 4,600 units are left",
      top: "12,000",
      pace: true,
    },
  ])(
    "$spent units of a month are shown by day against the limit",
    { tags: ["AC22"] },
    async ({ spent, days, bars, says, top, pace }) => {
      const { page } = await open();
      const asked: string[] = [];
      await page.route("**/v1/usage?*", (route) => {
        const month = new URL(route.request().url()).searchParams.get("month") ?? "";
        asked.push(month);
        return route.fulfill({ json: usageOf(month, spent, days) });
      });
      await follow(page, await requestLink(page, `units-${spent}@example.org`));
      await page.getByText(says).waitFor();
      expect(asked).toEqual([new Date().toISOString().slice(0, 7)]);
      const chart = page.getByRole("img", { name: /^Units by day in / });
      expect(await chart.locator("rect").count()).toBe(bars);
      expect(await page.locator(".axis-units span").first().textContent()).toBe(top);
      expect(await chart.locator(".pace").count()).toBe(pace ? 1 : 0);
      expect(await page.getByRole("meter").getAttribute("value")).toBe(String(Math.min(spent, 10_000)));
      if (bars > 0) {
        await page.getByText("Days as a table").click();
        const rows = page.getByRole("table", { name: /^By day/ }).locator("tbody tr");
        expect(await rows.count()).toBe(bars);
        expect(await page.getByRole("table", { name: "By route" }).locator("tbody th").allTextContents()).toEqual([
          "Map tiles",
          "Search",
        ]);
        expect(await page.getByRole("table", { name: "By key" }).locator("tbody th").allTextContents()).toEqual([
          "A former key swath_Ab…",
          "Signed in at this website",
        ]);
      }
      expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
    },
  );

  test.each(LOOKS)(
    "%s: labels, contrast, sizes and widths are as they should be in every state",
    { tags: ["AC22"] },
    async (look, options) => {
      const { page } = await open("/account", options);
      const found: Record<string, unknown> = {};
      const check = async (state: string): Promise<void> => {
        const [inner, outer] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.documentElement.clientWidth,
        ]);
        found[state] = [await faultsOf(page), await smallTargets(page), (inner ?? 0) - (outer ?? 0)];
      };
      await check("signed out");
      const email = `${look.replace(", ", "-")}@example.org`;
      const link = await requestLink(page, email);
      await check("link mailed");
      await page.goto(link);
      await page.getByRole("heading", { name: "Sign in with this link?" }).waitFor();
      await check("link followed");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByText("0 of 2 in use").waitFor();
      await makeKey(page, "A name that is rather long for a key, as names may be");
      await check("key shown");
      await page.getByRole("button", { name: "I have kept it" }).click();
      await page.getByText("New key", { exact: true }).click();
      await check("signed in");
      await page.getByRole("button", { name: /^Revoke/ }).click();
      await page.getByRole("dialog").waitFor();
      await check("dialog");
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await follow(page, link);
      await page.getByText("The link is unknown").waitFor();
      await check("problem");
      const good = [[], [], 0];
      expect(found).toEqual({
        "signed out": good,
        "link mailed": good,
        "link followed": good,
        "key shown": good,
        "signed in": good,
        dialog: good,
        problem: good,
      });
    },
  );

  test("everything is done by keyboard", { tags: ["AC22"] }, async () => {
    const { page } = await open();
    const seen = (await mailsOf(service.dataDirectory)).length;
    // the form has the focus
    await page.keyboard.type("eve@example.org");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Open the mail" }).waitFor();
    await page.goto(await mailedLink(service.dataDirectory, seen));
    await page.getByRole("heading", { name: "Sign in with this link?" }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Sign in");
    await page.keyboard.press("Enter");
    await page.getByText("0 of 2 in use").waitFor();
    const tabTo = async (name: string): Promise<void> => {
      const focused = (): Promise<string> =>
        page.evaluate(() => {
          const element = document.activeElement as HTMLElement;
          return element.id || element.getAttribute("aria-label") || element.textContent || "";
        });
      for (let i = 0; i < 40 && (await focused()) !== name; i++) await page.keyboard.press("Tab");
      expect(await focused()).toBe(name);
      expect(await page.evaluate(() => getComputedStyle(document.activeElement as HTMLElement).outlineStyle)).not.toBe(
        "none",
      );
    };
    await tabTo("New key");
    await page.keyboard.press("Enter");
    await tabTo("key-name");
    await page.keyboard.type("Desk");
    await page.keyboard.press("Enter");
    await page.locator("#new-secret").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Copy");
    await page.keyboard.press("Enter");
    await page.getByText("Copied.").waitFor();
    await tabTo("I have kept it");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 2 in use").waitFor();
    await page.evaluate(() => document.body.focus());
    await tabTo("Revoke Desk");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await tabTo("Revoke Desk");
    await page.keyboard.press("Enter");
    await tabTo("Revoke");
    await page.keyboard.press("Enter");
    await page.getByText("0 of 2 in use").waitFor();
  });
});
