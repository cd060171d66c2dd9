import "./provided.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { hasChromium } from "../../../test/tools/browser.ts";
import { faultsOf, LOOKS, smallTargets } from "./accessibility.ts";
import { HERE, JULY, type Served, useVisits } from "./visitor.ts";

const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const HASH = `${JULY}&${HERE}&scene=${SCENE}`;
const MARKUP = `<img src=x onerror="window.isTaken = true">`;

interface Feature {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, Record<string, unknown>>;
}

/** Writes markup wherever an upstream may write text. */
function taint({ id, properties, assets }: Feature): void {
  if (id !== SCENE) return;
  properties[MARKUP] = MARKUP;
  properties[`${MARKUP}:${MARKUP}`] = { [MARKUP]: MARKUP };
  properties["view:off_nadir"] = MARKUP;
  assets[MARKUP] = { href: "javascript:window.isTaken=true", title: MARKUP, type: MARKUP };
  assets.link = { href: `https://files.example/${MARKUP}`, title: MARKUP, type: "image/png" };
}

/** Changes the items that the service answers with, then loads the page again. */
async function tainted(page: Page): Promise<void> {
  await page.route(/\/v1\/(search|collections\/[^/]+\/items)/, async (route) => {
    const response = await route.fetch();
    if (response.headers()["content-type"]?.includes("json") !== true) return route.fulfill({ response });
    const body = (await response.json()) as Feature & { readonly features?: readonly Feature[] };
    for (const each of body.features ?? [body]) taint(each);
    return route.fulfill({ response, json: body });
  });
  await page.reload();
}

describe.skipIf(!hasChromium)("the metadata of a scene", { timeout: 400_000 }, () => {
  const visits = useVisits();
  let service: Served;
  beforeAll(async () => {
    service = await visits.common();
  }, 600_000);

  const open = async (page: Page): Promise<void> => {
    for (const name of [/^Metadata/, /^Files/]) await page.locator("summary", { hasText: name }).click();
  };
  const row = (page: Page, label: string) =>
    page
      .locator(".details tr")
      .filter({ has: page.getByRole("rowheader", { name: label, exact: true }) })
      .locator("td");

  test("is told in words by extension, and files by their titles", async () => {
    const { page } = await visits.enter(service, { hash: HASH });
    await open(page);
    await page.locator(".details th.group", { hasText: "View Geometry" }).waitFor();
    expect(await row(page, "Sun azimuth").textContent()).toMatch(/^\d{2,3}(\.\d)?°$/);
    expect(await row(page, "Cloud cover").textContent()).toMatch(/^[\d.]+ %$/);
    await page.locator(".files a", { hasText: /^Red - 10m$/ }).waitFor();
    await page.locator(".files li", { hasText: /^Red - 10mB04, GeoTIFF \(cloud-optimized\), [\d.]+ [kM]B$/ }).waitFor();
  });

  test.each(LOOKS)("%s: is accessible", async (_, look) => {
    const { page } = await visits.enter(service, { hash: HASH, ...look });
    await open(page);
    expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
  });

  test("stays text, whatever an upstream writes into it", async () => {
    const { page } = await visits.enter(service, { hash: HASH });
    await tainted(page);
    await open(page);
    const details = page.locator(".details");
    await details.getByText(MARKUP, { exact: true }).first().waitFor();
    expect(await row(page, "Off-nadir angle").textContent()).toBe(MARKUP);
    expect(await details.locator("img").count()).toBe(0);
    const links = await details
      .locator(".files a")
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
    expect(links.filter((href) => !/^https?:/.test(href))).toEqual([]);
    expect(links.some((href) => href.startsWith("https://files.example/"))).toBe(true);
    expect(await page.evaluate(() => "isTaken" in window)).toBe(false);
  });
});
