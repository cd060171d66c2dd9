import "./provided.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS } from "./accessibility.ts";
import { contrastFaults } from "./contrast.ts";
import type { Service } from "./service.ts";
import { DESKTOP, HERE, JULY, PATIENT, toolShown, useVisits } from "./visitor.ts";

const BOX = "box=13.3,45.5,13.36,45.54";

/** Faults with the pointer on every control in a part of the page, and with the focus on every control there. */
const bothStates = async (page: Page, part?: string): Promise<string[]> => [
  ...(await contrastFaults(page, "hover", part)),
  ...(await contrastFaults(page, "focus", part)),
];
/** Parts that a tab and a card change; the rest of the page is the same with each of them. */
const TAB = "[role=tablist], [role=tabpanel]:not([hidden])";
const CARD = ".card-bar, .card:not([hidden])";

describe.skipIf(!hasChromium)("contrast under the pointer and with the focus", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Service;
  beforeAll(async () => {
    service = await visits.serve();
  }, 600_000);

  test.each(LOOKS)("%s: every control of the map page can be read", async (_, look) => {
    const { page } = await visits.enter(service, { ...look, hash: `${JULY}&${HERE}&${BOX}` });
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    const found: Record<string, string[]> = { page: await bothStates(page) };
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      await toolShown(page);
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

  test("the check finds a button whose text is lost under the pointer, and one without a ring", async () => {
    const { page } = await visits.enter(service);
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
