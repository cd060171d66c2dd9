import "./provided.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { contrastFaults } from "./contrast.ts";
import { startService } from "./service.ts";
import {
  DESKTOP,
  drawn,
  expectState,
  goTo,
  HERE,
  JULY,
  PATIENT,
  PHONE,
  type Served,
  stateOf,
  toolShown,
  useVisits,
  type VisitOptions,
} from "./visitor.ts";

const BOX = "box=13.3,45.5,13.36,45.54";

/** Faults with the pointer on every control in a part of the page, and with the focus on every control there. */
const bothStates = async (page: Page, part?: string): Promise<string[]> => [
  ...(await contrastFaults(page, "hover", part)),
  ...(await contrastFaults(page, "focus", part)),
];
/** Parts that a tab and a card change; the rest of the page is the same with each of them. */
const TAB = "[role=tablist], [role=tabpanel]:not([hidden])";
const CARD = ".card-bar, .card:not([hidden])";

describe.skipIf(!hasChromium)("the explorer for everyone, in Chromium", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Served;
  beforeAll(async () => {
    service = await visits.common();
  }, 600_000);

  const enter = async (options: VisitOptions = {}): Promise<Page> => (await visits.enter(service, options)).page;

  test.each(LOOKS)(
    "%s: labels, contrast and sizes are as WCAG 2.2 AA wants them, in every part, with a problem and the question for the key",
    async (_, look) => {
      const page = await enter({ ...look, hash: `${JULY}&${HERE}&${BOX}` });
      await drawn(page);
      const found: Record<string, unknown> = {};
      const check = async (state: string): Promise<void> => {
        found[state] = [await faultsOf(page), await smallTargets(page)];
      };
      await page.locator("ol.scenes button").first().click();
      await check("scenes");
      await page.getByRole("tab", { name: "Values" }).click();
      await page.getByRole("button", { name: "Read the centre" }).click();
      await page.locator("[data-value=ndvi]").waitFor();
      await check("values");
      await page.getByRole("tab", { name: "Download" }).click();
      await page.getByText("Small enough").waitFor();
      await page.evaluate(() => {
        for (const details of document.querySelectorAll("details")) details.open = true;
      });
      await check("download");
      await goTo(page, `dates=2019-01-01/2019-02-01&${HERE}&tab=download&${BOX}`);
      await page.getByText("No scene of these dates covers the area.").waitFor();
      await page.getByRole("button", { name: "Get GeoTIFF" }).click();
      await page.locator(".delivery .problem").waitFor();
      await check("problem");
      await page.getByRole("button", { name: "Change key" }).click();
      await page.getByRole("dialog").waitFor();
      await check("key");
      const good = [[], []];
      expect(found).toEqual({ scenes: good, values: good, download: good, problem: good, key: good });
    },
  );

  test("the address that the service prints opens the map without a question, and the key leaves the address at once", async () => {
    const started = await startService(inject("sandbox"), { SWATH_API_KEYS: "" });
    try {
      await expect.poll(() => started.printed(), PATIENT).toMatch(/explorer\s+http\S+#key=/);
      const address = /explorer\s+(\S+)/.exec(started.printed())?.[1] ?? "";
      const key = new URL(address).hash.slice("#key=".length);
      expect(key).toMatch(/^[0-9a-f]{40}$/);
      const page = await visits.browser().newPage({ ...DESKTOP });
      page.setDefaultTimeout(PATIENT.timeout);
      const requested: string[] = [];
      page.on("request", (request) => requested.push(request.url()));
      try {
        await page.goto(address);
        await drawn(page);
        expect(page.url()).not.toContain(key);
        expect(stateOf(page).has("key")).toBe(false);
        expect(await page.getByRole("dialog").count()).toBe(0);
        await page.locator("ol.scenes > li").first().waitFor();
        expect(requested.some((url) => url.includes("/v1/tiles/"))).toBe(true);
        // no request carries it in its address, and the browser's memory of the tab does not either
        expect(requested.filter((url) => url.includes(key))).toEqual([]);
        expect(await page.evaluate(() => sessionStorage.getItem("swath-key"))).toBe(key);
        expect(await page.evaluate(() => JSON.stringify([localStorage, document.cookie, history.state]))).not.toContain(
          key,
        );
        // the tab keeps it
        await page.reload();
        await drawn(page);
        expect(await page.getByRole("dialog").count()).toBe(0);
        // an address with a key and a view, opened where the page is open already
        await page.evaluate((fragment) => {
          location.hash = fragment;
        }, `key=${key}&${JULY}&${HERE}`);
        await expect.poll(() => page.url(), PATIENT).not.toContain(key);
        await expectState(page, "dates", "2024-07-01/2024-07-31");
        await drawn(page);
      } finally {
        await page.close();
      }
    } finally {
      await started.stop();
    }
  });

  test("nothing sticks out of the panel", async () => {
    const page = await enter({ hash: `${JULY}&${HERE}&tab=download&${BOX}` });
    await page.getByText("Small enough").waitFor();
    const [inner, outer] = await page.evaluate(() => {
      const panel = document.querySelector(".panel-body");
      return [panel?.scrollWidth, panel?.clientWidth];
    });
    expect(inner).toBe(outer);
  });

  test("on a phone nothing is cut off, and the panel grows on request", async () => {
    const page = await enter({ ...PHONE });
    for (const tab of ["Scenes", "Values", "Download"]) {
      await page.getByRole("tab", { name: tab }).tap();
      await page.getByRole("tab", { name: tab, selected: true }).waitFor();
      await toolShown(page);
      expect(
        await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.querySelector(".panel-body")?.scrollWidth,
        ]),
      ).toEqual([390, 390]);
    }
    const height = async (): Promise<number> => (await page.locator(".panel").boundingBox())?.height ?? 0;
    const before = await height();
    const sheet = page.getByRole("button", { name: "Show more of the panel" });
    // a tap becomes a click a moment later
    await sheet.tap();
    await expect.poll(height, PATIENT).toBeGreaterThan(before * 1.5);
    await expect.poll(() => sheet.getAttribute("aria-expanded"), PATIENT).toBe("true");
    await sheet.tap();
    await expect.poll(height, PATIENT).toBe(before);
    await sheet.tap();
    await page.getByRole("button", { name: "Calendar", exact: true }).tap();
    // the card has the space that the panel had
    await expect.poll(height, PATIENT).toBe(before);
    await page.getByRole("button", { name: "Close Calendar" }).tap();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-controls"))).toBe("card-calendar");
  });

  test.each([
    { width: 390, height: 844 },
    { width: 375, height: 667 },
    { width: 640, height: 400 },
  ])("on $width × $height caption, tools, an open card and credit lie beside each other", async (viewport) => {
    const page = await enter({ ...PHONE, viewport });
    await drawn(page);
    const boxOf = async (part: string): Promise<{ x: number; y: number; width: number; height: number }> =>
      (await page.locator(part).boundingBox()) ?? expect.fail(`${part} is not shown`);
    const overlap = async (one: string, other: string): Promise<boolean> => {
      const [a, b] = [await boxOf(one), await boxOf(other)];
      return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
    };
    const sheet = page.getByRole("button", { name: "Show more of the panel" });
    for (const isTall of [false, true]) {
      if (isTall) await sheet.tap();
      await expect.poll(() => sheet.getAttribute("aria-expanded"), PATIENT).toBe(String(isTall));
      await expect.poll(() => overlap(".mode", ".card-bar"), PATIENT).toBe(false);
      expect(await page.locator(".mode").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
    await page.getByRole("button", { name: "Calendar", exact: true }).tap();
    await page.locator("#card-calendar table").waitFor();
    await expect.poll(() => overlap("#card-calendar", ".credit"), PATIENT).toBe(false);
    expect(await overlap("#card-calendar", ".card-bar")).toBe(false);
  });

  test("on a phone a tap reads a value, and two taps draw a box", async () => {
    const page = await enter({ ...PHONE, hash: `${JULY}&${HERE}&tab=values` });
    await drawn(page);
    await page.touchscreen.tap(195, 200);
    await page.locator(".pin").waitFor();
    await page.locator("[data-value=ndvi]").waitFor();
    await page.getByRole("tab", { name: "Download" }).tap();
    await page.getByRole("button", { name: "Draw a box" }).tap();
    await page.getByText("click two corners").waitFor();
    await page.touchscreen.tap(150, 150);
    await page.getByText("Now the opposite corner.").waitFor();
    await page.touchscreen.tap(250, 260);
    await expectState(page, "box", /^13\./);
  });

  test("everything is done by keyboard", async () => {
    const page = await enter();
    await drawn(page);
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        return (
          element.id || element.dataset.scene || element.getAttribute("class") || element.textContent || element.tagName
        );
      });
    const tabTo = async (wanted: RegExp): Promise<void> => {
      for (let i = 0; i < 60 && !wanted.test(await focused()); i++) await page.keyboard.press("Tab");
      expect(await focused()).toMatch(wanted);
      const outline = await page.evaluate(() => {
        const element = document.activeElement as HTMLElement;
        // a ring is drawn around the control, or around what stands for it
        const drawnBy = [element, element.nextElementSibling ?? element];
        return drawnBy.some(
          (each) => getComputedStyle(each).outlineStyle !== "none" && getComputedStyle(each).outlineWidth !== "0px",
        );
      });
      expect(outline).toBe(true);
    };
    await page.evaluate(() => document.querySelector<HTMLElement>("input[name=preset]:checked")?.focus());
    await page.keyboard.press("ArrowRight");
    await expectState(page, "preset", "false-color");
    await tabTo(/^cloud$/);
    await page.keyboard.press("ArrowLeft");
    await expectState(page, "cloud", "95");
    await tabTo(/^tab-scenes$/);
    await tabTo(/^S2/);
    const scene = await focused();
    expect(await page.locator("#map").getAttribute("data-hovered")).toBe(scene);
    await page.keyboard.press("Enter");
    await expectState(page, "scene", scene);
    await page.evaluate(() => document.getElementById("tab-scenes")?.focus());
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("tab-values");
    await page.getByRole("button", { name: "Read the centre" }).waitFor();
    await tabTo(/canvas/);
    const before = stateOf(page).get("map");
    await page.keyboard.press("ArrowLeft");
    // the address has the place at which the map has stopped
    await expect.poll(() => stateOf(page).get("map"), PATIENT).not.toBe(before);
    await page.keyboard.press("Enter");
    await page.locator(".point").waitFor();
    await page.evaluate(() => document.getElementById("tab-values")?.focus());
    for (const tab of ["tab-analysis", "tab-download"]) {
      await page.keyboard.press("ArrowRight");
      expect(await focused()).toBe(tab);
    }
    await page.getByRole("button", { name: "Use the view" }).waitFor();
    await tabTo(/^Use the view$/);
    await page.keyboard.press("Space");
    await expectState(page, "box", /^1\d\./);
    await tabTo(/^extract-west$/);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("13.5");
    await page.keyboard.press("Tab");
    await expectState(page, "box", /^13\.5,/);
  });

  test("the page follows a change between light and dark", async () => {
    const page = await enter({ colorScheme: "light" });
    await drawn(page);
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(paper, PATIENT).not.toBe(light);
  });

  test.each(LOOKS)("%s: every control of the map page can be read", async (_, look) => {
    const page = await enter({ ...look, hash: `${JULY}&${HERE}&${BOX}` });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const found: Record<string, string[]> = { page: await bothStates(page) };
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await toolShown(page);
      // the curve of the box is asked for at once; other controls stand there until it comes
      if ((await tab.textContent()) === "Analysis") await page.getByRole("button", { name: "Save as CSV" }).waitFor();
      found[(await tab.textContent()) ?? ""] = await bothStates(page, TAB);
    }
    for (const button of await page.locator(".card-bar button").all()) {
      await button.click();
      await page.locator(".card:not([hidden]) > :not(header, [role=status])").first().waitFor();
      found[`card ${await button.textContent()}`] = [...(await bothStates(page, CARD)), ...(await faultsOf(page))];
    }
    await page.getByRole("button", { name: "Change key" }).click();
    await page.getByRole("dialog").waitFor();
    found.key = await bothStates(page);
    expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
  });

  test.each(["light", "dark"] as const)("%s: every control of the account page can be read", async (colorScheme) => {
    const page = await visits.browser().newPage({ ...DESKTOP, colorScheme });
    page.setDefaultTimeout(PATIENT.timeout);
    try {
      await page.goto(`${service.url}/account`);
      await page.getByRole("button", { name: "Mail me a link" }).waitFor();
      expect(await bothStates(page)).toEqual([]);
    } finally {
      await page.close();
    }
  });

  test("the check of contrast finds a button whose text is lost under the pointer, and one without a ring", async () => {
    const page = await enter();
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("#faulty:hover { color: #fff; background: #f0f1ec; } #faulty:focus-visible { outline: none; }");
      document.adoptedStyleSheets.push(sheet);
      const button = document.createElement("button");
      button.id = "faulty";
      button.textContent = "Faulty";
      document.querySelector(".panel-body")?.prepend(button);
    });
    expect(await bothStates(page)).toEqual([
      expect.stringMatching(/faulty.*text 1\.1/),
      expect.stringMatching(/faulty.*no ring/),
    ]);
  });
});
